"""Two models on the same labeled documents."""

import json

import pytest
from httpx2 import Client, MockTransport, Request, Response
from scipy.stats import binomtest

from app.commands.client import ServiceFailed
from app.commands.model_comparison import Compared, compare, in_words
from app.services.evaluation.labeled_rows import LabeledRow, read_labeled_rows
from app.services.intake.options import Options
from app.services.intake.rows import RowError

NEGATIVE, POSITIVE = {"label": "negative"}, {"label": "positive"}
REFUSED = {"error": {"line": 2, "code": "text_too_long", "reason": "Too long."}}


@pytest.mark.parametrize(
    ("n_first", "n_second"), [(0, 0), (1, 0), (0, 6), (5, 5), (3, 12), (900, 700)]
)
def test_the_p_value_is_that_of_the_sign_test(n_first: int, n_second: int) -> None:
    found = Compared(2000, n_first, n_second).p_value
    n = n_first + n_second
    assert found == pytest.approx(binomtest(n_first, n).pvalue if n else 1.0)


def rows() -> list[LabeledRow | RowError]:
    lines = b"text,label\na,positive\nb,negative\nbad,\nc,positive\nd,negative\n"
    return list(read_labeled_rows(iter([lines]), media_type="text/csv", options=Options(10**6)))


def test_documents_that_models_decide_differently_are_counted() -> None:
    answers = {
        "m1": [POSITIVE, POSITIVE, NEGATIVE, NEGATIVE],
        "m2": [NEGATIVE, REFUSED, POSITIVE, POSITIVE],
    }
    asked = []

    def predict(request: Request) -> Response:
        asked.append([json.loads(line)["text"] for line in request.read().splitlines()])
        lines = answers[request.url.params["model_id"]]
        return Response(200, content="".join(json.dumps(line) + "\n" for line in lines))

    with Client(base_url="http://service", transport=MockTransport(predict)) as client:
        assert compare(client, ("m1", "m2"), rows()) == Compared(3, 2, 1)
        answers["m2"] = [{"error": {"code": "model_not_found", "reason": "It is gone."}}]
        with pytest.raises(ServiceFailed, match="It is gone"):
            compare(client, ("m1", "m2"), rows())
    assert asked[:2] == [["a", "b", "c", "d"]] * 2


def test_a_text_is_compared_once_and_one_with_both_labels_not_at_all() -> None:
    lines = b"text,label\na,positive\na,positive\nb,negative\nc,positive\nc,negative\n"
    read = read_labeled_rows(iter([lines]), media_type="text/csv", options=Options(10**6))
    answers = {"m1": [POSITIVE] * 3, "m2": [NEGATIVE] * 3}

    def predict(request: Request) -> Response:
        told = answers[request.url.params["model_id"]]
        return Response(200, content="".join(json.dumps(line) + "\n" for line in told))

    with Client(base_url="http://service", transport=MockTransport(predict)) as client:
        # m1 is right of a, m2 of b.
        assert compare(client, ("m1", "m2"), read) == Compared(2, 1, 1)


def test_what_a_comparison_tells() -> None:
    names = ("m1", "m2")
    assert in_words(Compared(9, 0, 0), names) == "Both models decide all 9 documents alike."
    told = in_words(Compared(100, 3, 15), names)
    assert told.startswith(
        "They decide 18 of 100 documents differently: model m1 is right in 3 of "
    )
    assert told.endswith("(p-value 0.0075). So m2 is better at its cut, on documents like these.")
    assert "So m1 is better" in in_words(Compared(100, 15, 3), names)
    assert "does not tell which is better" in in_words(Compared(100, 5, 0), names)
