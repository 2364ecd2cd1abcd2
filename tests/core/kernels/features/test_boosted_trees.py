import tomllib
from pathlib import Path

import numpy as np
import pytest

from core.errors import MissingPackage
from core.kernels.features import boosted_trees
from core.kernels.features.boosted_trees import held_out_auc

ROWS = np.arange(300)
TRAINING, HELD_OUT = ROWS[ROWS % 3 > 0], ROWS[ROWS % 3 == 0]
X = np.random.default_rng(0).random((300, 2))


def test_feature_that_separates_the_classes_has_the_whole_area():
    # A split between two equal halves of the training rows is one between the held-out ones too.
    steps = np.repeat([0.0, 1.0], 150)[:, None]
    assert held_out_auc(steps, steps[:, 0] == 1, TRAINING, HELD_OUT) == 1
    assert held_out_auc(steps, steps[:, 0] == 0, TRAINING, HELD_OUT) == 1


def test_constant_feature_has_half_the_area():
    assert held_out_auc(np.ones((300, 1)), X[:, 0] > 0.5, TRAINING, HELD_OUT) == 0.5


def test_held_out_labels_are_not_trained_on():
    is_positive = X[:, 0] > 0.5
    swapped = is_positive.copy()
    swapped[HELD_OUT] = ~is_positive[HELD_OUT]
    area = held_out_auc(X, is_positive, TRAINING, HELD_OUT, seed=3)
    assert area > 0.9
    assert held_out_auc(X, swapped, TRAINING, HELD_OUT, seed=3) == pytest.approx(1 - area)


def test_package_that_is_not_there_is_named_with_its_versions(monkeypatch):
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text())["project"]
    (needed,) = project["optional-dependencies"]["lightgbm"]
    monkeypatch.setattr(boosted_trees, "lightgbm", None)
    with pytest.raises(MissingPackage, match=f"pip install '{needed}'"):
        held_out_auc(X, X[:, 0] > 0.5, TRAINING, HELD_OUT)
