"""ASReview's default model on one task; run by the Python of a virtual environment that has it.

Reads a JSON object of ``texts``, ``labels`` (0 or 1), ``known`` (indices judged before it starts)
and ``n_wanted`` from standard input, writes the indices in the order in which they were read.
"""

import json
import sys

import numpy as np
import pandas as pd
from asreview.learner import ActiveLearningCycle
from asreview.models import get_ai_config
from asreview.simulation.simulate import Simulate


class EnoughFound:
    """Stops a simulation when as many are found as are wanted, those known before included."""

    def __init__(self, n_wanted: int) -> None:
        self.n_wanted = n_wanted

    def stop(self, results: pd.DataFrame, labels: np.ndarray) -> bool:
        return bool(results["label"].sum() >= self.n_wanted or len(results) == len(labels))


def main() -> None:
    task = json.load(sys.stdin)
    labels = np.array(task["labels"])
    records = pd.DataFrame({"title": task["texts"], "abstract": ""})
    cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
    stopper = EnoughFound(task["n_wanted"] + int(labels[task["known"]].sum()))
    simulation = Simulate(records, labels, cycle, stopper=stopper, print_progress=False)
    simulation.label(task["known"])
    np.random.seed(0)  # LIBLINEAR draws from it
    simulation.review()
    read = simulation._results["record_id"].tolist()
    json.dump(read[len(task["known"]) :], sys.stdout)


if __name__ == "__main__":
    main()
