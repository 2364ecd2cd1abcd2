"""Specification of feature selection, sections 3.5, 19 and 21."""

import pytest

from core.feature_selection.search_settings import search_settings


def settings(n_features, share=0.5, clip_rate=None):
    return search_settings(
        n_features, share, learning_rate=0.05, clip_rate=clip_rate, max_iter=1000
    )


@pytest.mark.parametrize("n_features", [4, 50])
def test_few_candidates_are_searched_as_asked(n_features):
    found = settings(n_features)
    assert found == {"learning_rate": 0.05, "clip_rate": 1 / n_features, "max_iter": 1000}


def test_of_more_candidates_steps_are_smaller_and_more_by_the_root():
    assert settings(450) == {"learning_rate": 0.05 / 3, "clip_rate": 1 / 450, "max_iter": 3000}


def test_two_candidates_can_still_be_told_apart():
    assert settings(2)["clip_rate"] == 1 / 3


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_start_outside_the_bounds_is_refused(share):
    with pytest.raises(ValueError, match=r"clip_rate=0.2 is too large.* start at 0"):
        settings(50, share, clip_rate=0.2)
    assert settings(50, share, clip_rate=0.1)["clip_rate"] == 0.1
