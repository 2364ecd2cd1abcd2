from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sklearn.pipeline import Pipeline

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.services.stored_files import load_arrays, load_model, load_scorer, open_file
from core.persistence import save
from core.pipeline import make_text_classifier

TEXTS = ["river flood", "flood rain", "late goal", "goal match"]


@pytest.mark.parametrize("load", [load_model, load_scorer])
def test_a_model_of_a_version_that_learned_less_is_refused(
    tmp_path: Path, load: Callable[..., Pipeline]
) -> None:
    artifacts = Artifacts(str(tmp_path), tmp_path)
    pipeline = make_text_classifier("lp_pul").fit(TEXTS, [1, 0, 0, 0])
    complete = artifacts.save("models/complete", partial(save, pipeline))
    del pipeline["classifier"].rows_
    older = artifacts.save("models/older", partial(save, pipeline))

    assert load(artifacts, complete)["classifier"].n_features_in_ == 6
    with pytest.raises(ArtifactUnavailable, match="this version of the service cannot read it"):
        load(artifacts, older)


@pytest.mark.parametrize("use", [load_model, load_arrays, open_file])
def test_a_file_that_is_deleted_before_it_is_open_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: Callable[..., object]
) -> None:
    artifacts = Artifacts(str(tmp_path), tmp_path)
    file, find = artifacts.save("models/one", Path.touch), artifacts.path

    def find_and_delete(file: dict[str, Any]) -> Path:
        path = find(file)
        path.unlink()
        return path

    monkeypatch.setattr(artifacts, "path", find_and_delete)
    with pytest.raises(ArtifactUnavailable, match="it is missing"):
        use(artifacts, file)
