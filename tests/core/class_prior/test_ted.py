"""Specification E5, alternation of best bin estimation and leaving out likely positives."""

import numpy as np
import pytest

from core.class_prior.ted import ted_prior
from core.datasets import make_pu_data


@pytest.mark.parametrize("class_prior", [0.2, 0.5])
def test_hidden_share_is_found(class_prior):
    X, y, y_true = make_pu_data(1000, 60, class_prior=class_prior, random_state=0)
    hidden = y_true[y == 0].mean()
    assert ted_prior(X, y == 1, random_state=0) == pytest.approx(hidden, abs=0.1)


def test_seed_decides():
    X, y, _ = make_pu_data(200, random_state=0)
    assert ted_prior(X, y == 1, random_state=3) == ted_prior(X, y == 1, random_state=3)


def test_smallest_samples_are_taken():
    X, _, _ = make_pu_data(30, random_state=0)
    assert 0 < ted_prior(X, np.arange(30) < 4, random_state=0) < 1
