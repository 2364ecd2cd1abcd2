import numpy as np
import pytest

from app.errors import InvalidParameter, NoPositives, UnsuitableDocuments
from app.services.parameters import checked_parameters, seed_of, unsuitable_documents
from core import errors
from core.vectorizer import make_vectorizer


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (errors.Refused("no term is left."), UnsuitableDocuments),
        (errors.BadParameter("k is more than there is.", "k"), UnsuitableDocuments),
        (errors.NoPositives("no term is left."), NoPositives),
    ],
)
def test_what_the_core_refuses_is_told(refusal: errors.Refused, expected: type[Exception]) -> None:
    with pytest.raises(expected, match=str(refusal)), unsuitable_documents():
        raise refusal


def test_a_fault_of_the_code_is_no_fault_of_the_documents() -> None:
    with pytest.raises(ValueError, match="broadcast") as caught, unsuitable_documents():
        np.ones(3) + np.ones(4)
    assert type(caught.value) is ValueError


def test_words_of_a_message_are_no_names() -> None:
    asked = {"binary": 2, "representation": "none"}  # which may be binary
    with pytest.raises(InvalidParameter) as caught:
        checked_parameters(lambda vectorizer: make_vectorizer(vectorizer), vectorizer=asked)
    assert caught.value.errors is not None
    assert [error["pointer"] for error in caught.value.errors] == [
        "/vectorizer/binary",
        "/vectorizer/representation",
    ]


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400, [1, 10**400], {"the": [2**63]}])
def test_integers_of_more_than_64_bits_are_refused(value: object) -> None:
    asked = {"min_df": 1, "max_features": value}
    with pytest.raises(InvalidParameter) as caught:
        checked_parameters(lambda vectorizer: make_vectorizer(vectorizer), vectorizer=asked)
    assert caught.value.errors == [
        {
            "pointer": "/vectorizer/max_features",
            "detail": "max_features has an integer of more than 64 bits.",
        }
    ]


def test_integers_of_64_bits_are_taken() -> None:
    asked = {"max_features": 2**63 - 1}
    checked_parameters(lambda vectorizer: make_vectorizer(vectorizer), vectorizer=asked)


@pytest.mark.parametrize(
    ("random_state", "params", "seed"),
    [(7, {}, 7), (0, {"random_state": 5}, 5), (5, {"random_state": 5}, 5), (0, {}, 0)],
)
def test_a_seed_may_stand_among_the_parameters(
    random_state: int, params: dict[str, int], seed: int
) -> None:
    assert seed_of(random_state, params) == seed


@pytest.mark.parametrize(
    ("given", "message"),
    [(None, "must be a whole number"), (5, "random_state is 7, and 5 in params")],
)
def test_a_seed_that_is_none_or_contradicts_is_refused(given: int | None, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message) as caught:
        seed_of(7, {"random_state": given})
    assert caught.value.errors == [
        {"pointer": "/params/random_state", "detail": str(caught.value.detail)}
    ]
