"""Figures on labeled documents, by hand."""

import numpy as np
import pytest
from scipy.stats import binomtest

from app.services.evaluation.labeled_figures import cautions, labeled_figures

TRUTH = np.array([1, 1, 1, 0, 0, 0, 0], dtype=bool)
SCORES = np.array([4.0, 2, 0.5, 3, 0.5, 0, -1])

NONE = np.array([], dtype=np.uint64)


def test_figures_are_those_of_the_counts() -> None:
    found = labeled_figures(TRUTH, SCORES, 2.0)  # a score at the cut is positive

    assert found["confusion"] == {
        "true_positives": 2,
        "false_positives": 1,
        "false_negatives": 1,
        "true_negatives": 3,
    }
    for name, hits, trials in [("precision", 2, 3), ("recall", 2, 3), ("accuracy", 5, 7)]:
        interval = binomtest(hits, trials).proportion_ci()
        assert found[name]["value"] == pytest.approx(hits / trials)
        assert (found[name]["low"], found[name]["high"]) == pytest.approx(tuple(interval))
    assert found["f1"]["value"] == pytest.approx(2 / 3)
    # Above each positive: none, one negative, one and one tied, of four.
    assert found["roc_auc"]["value"] == pytest.approx((4 + 3 + 2.5) / 12)
    assert found["average_precision"]["value"] == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)


@pytest.mark.parametrize(
    ("label", "known"), [(True, {"recall", "accuracy"}), (False, {"accuracy"})]
)
def test_one_class_leaves_figures_without_a_number(label: bool, known: set[str]) -> None:
    found = labeled_figures(np.full(7, label), SCORES, 2.0)
    del found["confusion"]

    reason = "no_negatives" if label else "no_positives"
    assert {name for name in found if found[name]["value"] is not None} == known
    assert {found[name]["reason"] for name in found if name not in known} == {reason}
    assert len(cautions(np.full(7, label), NONE, NONE, "line")) == 1


def test_nothing_predicted_has_no_precision() -> None:
    found = labeled_figures(TRUTH, SCORES, 9.0)

    assert found["precision"]["reason"] == "nothing_predicted"
    assert found["recall"]["value"] == found["f1"]["value"] == 0


def test_texts_of_the_project_are_warned_of() -> None:
    known = np.array([2, 3, 5, 6, 7, 8], dtype=np.uint64)
    (warning,) = cautions(TRUTH, known, NONE, "line")
    assert "6 of 7" in warning
    assert warning.endswith("The first, by line: 2, 3, 5, 6, 7.")


def test_documents_without_the_vectors_that_the_model_knows_are_warned_of() -> None:
    truth = np.arange(2000) < 3
    (warning,) = cautions(truth, NONE, NONE, "line", n_without_vector=1200)
    assert warning.startswith("1,200 of 2,000 test documents have no vector")
    assert cautions(truth, NONE, NONE, "line") == []


@pytest.mark.parametrize(
    ("n", "n_documents", "some", "has"),
    [
        (1, 1, "1 of 1 test document", "has"),
        (1, 2, "1 of 2 test documents", "has"),
        (2, 2, "2 of 2 test documents", "have"),
    ],
)
def test_one_document_has_and_two_have(n: int, n_documents: int, some: str, has: str) -> None:
    places = np.arange(n, dtype=np.uint64)
    found = cautions(np.arange(n_documents) < 1, places, places, "line", n_without_vector=n)

    without, known, again = found[-3:]
    assert without.startswith(f"{some} {has} no vector,")
    assert ("It is scored" if n == 1 else "They are scored") in without
    assert known.startswith(f"{some} {has} the same text as a document of the project.")
    assert ("Leave it out" if n == 1 else "Leave those out") in known
    assert again.startswith(f"{n} more {has} the text and the label of another test document.")
