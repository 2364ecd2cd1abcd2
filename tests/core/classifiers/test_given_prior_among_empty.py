import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.datasets import make_pu_data
from core.registry import ALGORITHMS

X, Y, _ = make_pu_data(300, 30, class_prior=0.4, random_state=0)
N_HIDDEN = 96


def with_empty(n_empty):
    y = np.append(Y, np.zeros(n_empty, dtype=int))
    return sp.vstack([sp.csr_array(X), sp.csr_array((n_empty, X.shape[1]))], format="csr"), y


@pytest.mark.parametrize(
    ("algorithm", "parameters"),
    [
        ("weighted_logistic_regression", {"C": 1.0, "cut": "posterior", "random_state": 0}),
        ("averaged_pnb", {}),
        ("lp_pul", {}),
        ("onb", {"random_state": 0}),
        ("pnb", {}),
        ("seed_expansion", {"random_state": 0}),
    ],
)
def test_empty_samples_leave_what_a_given_prior_accepts(algorithm, parameters):
    accepted = []
    for n_empty in (0, 300):
        X, y = with_empty(n_empty)
        class_prior = N_HIDDEN / (y == 0).sum()
        classifier = ALGORITHMS[algorithm](class_prior=class_prior, **parameters).fit(X, y)
        accepted.append(np.flatnonzero(classifier.training_scores(X) >= classifier.offset_))
    assert_array_equal(*accepted)


def test_a_given_prior_is_shown_as_it_is_unless_it_was_clamped():
    X, y = with_empty(300)
    kept, clamped = (
        ALGORITHMS["seed_expansion"](class_prior=prior, random_state=0).fit(X, y)
        for prior in (0.3, 0.9)
    )
    assert kept.class_prior_ == 0.3
    assert "prior_clamped" not in kept.report_["flags"]
    assert clamped.class_prior_ < 0.9
    assert "prior_clamped" in clamped.report_["flags"]


@pytest.mark.parametrize("class_prior", [None, 0.01])
def test_no_empty_sample_is_drawn_to_be_learned_from(class_prior):
    X, y = with_empty(4000)
    classifier = ALGORITHMS["seed_expansion"](
        class_prior=class_prior, max_unlabeled=5, random_state=0
    ).fit(X, y)
    assert np.isfinite(classifier.offset_)
