import pickle

import pytest

from core.errors import BadParameter, Refused
from core.options import checked, parameter_names
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermWeighting, TokenCounter


def test_a_bad_parameter_comes_back_from_another_process_as_it_was():
    error = pickle.loads(pickle.dumps(BadParameter("a is more than b.", "a", "b")))
    assert (str(error), error.name, error.others) == ("a is more than b.", "a", ("b",))
    assert isinstance(error, Refused)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    "estimator",
    [*ALGORITHMS.values(), *FEATURE_SELECTORS.values(), TokenCounter, TermWeighting],
    ids=lambda estimator: estimator.__name__,
)
def test_a_parameter_out_of_its_range_is_named(estimator):
    for name in parameter_names(estimator):
        with pytest.raises(BadParameter, match=f"'{name}' parameter of") as caught:
            checked(estimator(**{name: object()}))
        assert caught.value.name == name
