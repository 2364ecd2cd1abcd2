"""Specification part F; the numbers are those of its toy examples."""

import pytest
from numpy.testing import assert_allclose

from core.pu_rates import auc_with_prior, pu_scores_of_rates


def test_rates_give_the_figures_of_the_toy_example():
    scores = pu_scores_of_rates(0.8, 0.4, class_prior=0.3)

    assert_allclose([scores["precision"], scores["f1"]], [0.6, 0.685714], atol=1e-6)
    assert_allclose(scores["false_positive_rate"], 0.228571, atol=1e-6)
    assert_allclose(auc_with_prior(0.8, 0.3), 0.928571, atol=1e-6)


@pytest.mark.parametrize("class_prior", [0, 1])
def test_prior_leaves_both_classes(class_prior):
    with pytest.raises(ValueError, match="class_prior"):
        pu_scores_of_rates(0.8, 0.4, class_prior=class_prior)
    with pytest.raises(ValueError, match="class_prior"):
        auc_with_prior(0.8, class_prior)
