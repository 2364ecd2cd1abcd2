"""Specification 1.2 and the class prior of D4, D5 and D7."""

import numpy as np
import pytest
from sklearn.preprocessing import normalize

from core.class_prior.given_or_estimated import given_or_estimated_prior
from core.classifiers.dist_pu import DistPU
from core.classifiers.nnpu import NNPU
from core.classifiers.pusb import PUSB
from core.classifiers.upu import UPU
from core.datasets import make_pu_data
from core.validation import canonical_csr

COUNTS, Y, Y_TRUE = make_pu_data(120, 40, random_state=0)
X = canonical_csr(normalize(COUNTS))
JUDGED = (Y_TRUE == 0) & (np.arange(120) % 5 == 0)
IS_UNLABELED = (Y == 0) & ~JUDGED


def short(algorithm, **parameters):
    """Return a classifier that trains in a moment."""
    options = {"random_state": 0, "n_epochs": 20} if algorithm in (DistPU, NNPU) else {}
    return algorithm(**options, **parameters)


@pytest.mark.parametrize("algorithm", [DistPU, NNPU, UPU])
def test_the_share_that_is_given_is_accepted(algorithm):
    for parameters in ({"class_prior": 0.2}, {"class_prior": 0.2, "cut": "prior"}):
        classifier = short(algorithm, **parameters).fit(X, Y, is_negative=JUDGED)
        n_accepted = classifier.predict(X[IS_UNLABELED]).sum()
        assert n_accepted == np.ceil(0.2 * IS_UNLABELED.sum())
    assert short(algorithm, class_prior=0.2, cut="zero").fit(X, Y).offset_ == 0


@pytest.mark.parametrize("algorithm", [DistPU, NNPU, UPU])
def test_the_share_that_is_estimated_is_accepted(algorithm):
    classifier = short(algorithm).fit(X, Y)
    share = classifier.predict(X[Y == 0]).mean()
    assert share == pytest.approx(classifier.class_prior_, abs=1 / (Y == 0).sum())


@pytest.mark.parametrize("algorithm", [DistPU, NNPU, PUSB, UPU])
def test_the_prior_is_that_of_the_unlabeled_without_judged_negatives(algorithm):
    expected = given_or_estimated_prior(None, X, Y == 1, JUDGED)
    report = short(algorithm).fit(X, Y, is_negative=JUDGED).report_
    assert (report["class_prior"], report["class_prior_source"]) == expected


@pytest.mark.parametrize("algorithm", [DistPU, NNPU, PUSB, UPU])
def test_a_prior_that_nothing_tells_is_flagged(algorithm):
    # Words of their own: positives that were left out are nothing like labeled ones.
    rows, y = np.eye(30), np.arange(30) < 10
    classifier = short(algorithm).fit(rows, y)
    assert classifier.class_prior_ == 0.1
    assert "prior_unknown" in classifier.report_["flags"]
    given = short(algorithm, class_prior=1e-9).fit(rows, y)
    assert given.class_prior_ == 1 / 20
    assert "prior_unknown" not in given.report_["flags"]
    assert "prior_clamped" in given.report_["flags"]
    assert "prior_unknown" not in short(algorithm).fit(X, Y).report_["flags"]
