import pytest

from core.registry import ALGORITHMS
from core.text import TermWeighting
from core.vectorizer import make_vectorizer, vectorizer_defaults


def test_weights_are_plain_unless_an_algorithm_is_named():
    _, weights = make_vectorizer()
    assert weights.get_params() == TermWeighting().get_params()
    for name, algorithm in ALGORITHMS.items():
        _, weights = make_vectorizer(like=name)
        assert vectorizer_defaults(algorithm).items() <= weights.get_params().items()


def test_what_is_asked_for_is_taken_instead_of_what_an_algorithm_expects():
    counts, weights = make_vectorizer({"min_df": 2, "sublinear_tf": False}, like="seed_expansion")
    assert counts.min_df == 2
    assert not weights.sublinear_tf


@pytest.mark.parametrize("parameters", [{"ngrams": 2}, {"min_df": 0}, {"norm": "l3"}])
def test_mistakes_are_named_at_once(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        make_vectorizer(parameters)
