import numpy as np
import pytest

from core.class_prior import elkan_noto_prior, ted_prior, tice_prior
from core.errors import NoPositives, NoUnlabeled, Refused

X = np.random.default_rng(0).random((12, 5))


@pytest.mark.parametrize("prior", [elkan_noto_prior, ted_prior, tice_prior])
def test_one_kind_of_samples_is_refused(prior):
    with pytest.raises(NoPositives, match="no sample is labeled"):
        prior(X, np.zeros(12, dtype=bool))
    with pytest.raises(NoUnlabeled, match="none is unlabeled"):
        prior(X, np.ones(12, dtype=bool))


@pytest.mark.parametrize("n_positive", [3, 9])
def test_halves_need_two_samples_of_either_kind(n_positive):
    with pytest.raises(Refused, match="at least 4 positives and 4 unlabeled"):
        ted_prior(X, np.arange(12) < n_positive)
