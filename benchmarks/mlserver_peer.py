"""Serves texts with MLServer; runs in an environment of its own, see ``benchmarks.prediction``.

    PYTHON mlserver_peer.py FOLDER PORT

FOLDER has ``texts.json``: texts and which are positive. Term counts, tf-idf and logistic
regression of scikit-learn are fitted to them and served as the model ``peer``, in MLServer's own
process, which is its fastest way for one client.
"""

import json
import os
import sys
from pathlib import Path

import joblib
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    task = json.loads((folder / "texts.json").read_text())
    pipeline = make_pipeline(CountVectorizer(), TfidfTransformer(), LogisticRegression())
    pipeline.fit(task["texts"], task["is_positive"])
    joblib.dump(pipeline, folder / "model.joblib")
    model = {
        "name": "peer",
        "implementation": "mlserver_sklearn.SKLearnModel",
        "parameters": {"uri": "./model.joblib"},
    }
    (folder / "model-settings.json").write_text(json.dumps(model))
    server = {
        "host": "127.0.0.1",
        "http_port": port,
        "grpc_port": port + 1,
        "metrics_port": port + 2,
        "parallel_workers": 0,
        "debug": False,
    }
    (folder / "settings.json").write_text(json.dumps(server))
    program = str(Path(sys.executable).with_name("mlserver"))
    os.execv(program, [program, "start", str(folder)])


if __name__ == "__main__":
    main()
