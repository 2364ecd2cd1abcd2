import pytest

from core.class_prior.clamp import clamp_prior


@pytest.mark.parametrize(
    ("class_prior", "n_unlabeled", "expected"),
    [
        (0.3, 10, 0.3),
        (0, 10, 0.1),
        (1, 10, 0.9),
        (0.01, 10, 0.1),
        (0.99, 10, 0.9),
        (0.1, 2, 0.5),
        (0.3, 1, 0.5),
        (0.3, 0, 0.5),
    ],
)
def test_priors_leave_a_positive_and_a_negative(class_prior, n_unlabeled, expected):
    assert clamp_prior(class_prior, n_unlabeled) == expected
