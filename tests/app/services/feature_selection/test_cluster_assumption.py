import pytest

from app.services.feature_selection.cluster_assumption import of_texts, summary
from core.feature_selection.cluster_assumption import ClusterAssumption


@pytest.mark.parametrize(
    ("is_met", "selector", "words"),
    [
        (True, "fscpu", ["The positives cluster", "fscpu", "suits", "compare it with semi_mim"]),
        (True, "semi_mim", ["The positives cluster", "take semi_mim for texts"]),
        (True, "semi_jmi", ["The positives cluster", "100 labels or more (200 here)", "semi_jmi"]),
        (False, "semi_jmi", ["It cannot be said", "Take semi_jmi"]),
    ],
)
def test_answer_is_told_in_words(is_met: bool, selector: str, words: list[str]) -> None:
    answer = ClusterAssumption(0.5, 2.5, 0.001, is_met, selector)
    told = summary(answer, 200)

    for part in [*words, "2.5 times", "p = 0.001"]:
        assert part in told
    # That positives cluster does not say that a search by clusters chooses best.
    assert "Take fscpu" not in told


@pytest.mark.parametrize(("of_core", "told"), [("fscpu", "semi_mim"), ("semi_jmi", "semi_jmi")])
def test_a_search_by_clusters_is_not_named_for_texts(of_core: str, told: str) -> None:
    answer = ClusterAssumption(0.5, 2.5, 0.001, True, of_core)
    assert of_texts(answer) == answer._replace(selector=told)
