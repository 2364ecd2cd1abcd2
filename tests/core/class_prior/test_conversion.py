"""Specification 1.2; the worked numbers are those of its table."""

import pytest
from numpy.testing import assert_allclose

from core.class_prior.conversion import (
    label_frequency_from_prior,
    prior_among_all,
    prior_among_unlabeled,
    prior_from_label_frequency,
)


def test_worked_numbers():
    assert_allclose(prior_among_unlabeled(0.3, 100, 900), 2 / 9, atol=1e-6)
    assert_allclose(prior_from_label_frequency(1 / 3, 100, 900), 2 / 9, atol=1e-6)


@pytest.mark.parametrize("prior", [0.1, 0.25, 1.0])
def test_conversions_undo_each_other(prior):
    assert_allclose(prior_among_all(prior_among_unlabeled(prior, 10, 90), 10, 90), prior)
    label_frequency = label_frequency_from_prior(prior, 10, 90)
    assert_allclose(prior_from_label_frequency(label_frequency, 10, 90), prior)


def test_as_many_positives_as_labels_leave_none_hidden():
    assert prior_among_unlabeled(0.1, 10, 90) == 0


def test_fewer_positives_than_labels_are_refused():
    with pytest.raises(ValueError, match=r"fewer positives than the 10 labeled ones"):
        prior_among_unlabeled(0.09, 10, 90)


@pytest.mark.parametrize(
    ("convert", "arguments", "name"),
    [
        (prior_among_unlabeled, (1.5, 10, 90), "prior_among_all"),
        (prior_among_unlabeled, (0.5, 10, 0), "n_unlabeled"),
        (prior_among_all, (-0.1, 10, 90), "class_prior"),
        (prior_among_all, (0.1, 0, 0), "n_unlabeled"),
        (prior_from_label_frequency, (0, 10, 90), "label_frequency"),
        (prior_from_label_frequency, (0.5, -1, 90), "n_positive"),
        (label_frequency_from_prior, (2, 10, 90), "class_prior"),
        (label_frequency_from_prior, (0.0, 0, 90), "n_positive"),
    ],
)
def test_arguments_out_of_range_are_named(convert, arguments, name):
    with pytest.raises(ValueError, match=f"The '{name}' parameter of {convert.__name__} must be"):
        convert(*arguments)
