import pytest

from app.errors import InvalidParameter
from app.services.parameters import checked_parameters
from core.vectorizer import make_vectorizer


def test_words_of_a_message_are_no_names() -> None:
    asked = {"binary": 2, "representation": "none"}  # which may be binary
    with pytest.raises(InvalidParameter) as caught:
        checked_parameters(lambda vectorizer: make_vectorizer(vectorizer), vectorizer=asked)
    assert caught.value.errors is not None
    assert [error["pointer"] for error in caught.value.errors] == [
        "/vectorizer/binary",
        "/vectorizer/representation",
    ]
