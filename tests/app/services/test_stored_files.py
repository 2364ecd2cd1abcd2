from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sklearn.pipeline import Pipeline

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.services.stored_files import load_model, load_scorer
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
