from functools import partial
from pathlib import Path

import pytest

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.services.stored_files import load_model
from core.persistence import save
from core.pipeline import make_text_classifier

TEXTS = ["river flood", "flood rain", "late goal", "goal match"]


def test_a_model_of_a_version_that_learned_less_is_refused(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path), tmp_path)
    pipeline = make_text_classifier("lp_pul").fit(TEXTS, [1, 0, 0, 0])
    complete = artifacts.save("models/complete", partial(save, pipeline))
    del pipeline["classifier"].rows_
    older = artifacts.save("models/older", partial(save, pipeline))

    assert load_model(artifacts, complete)["classifier"].n_features_in_ == 6
    with pytest.raises(ArtifactUnavailable, match="this version of the service cannot read it"):
        load_model(artifacts, older)
