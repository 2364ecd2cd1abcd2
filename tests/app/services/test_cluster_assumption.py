import pytest

from app.services.cluster_assumption import summary
from core.feature_selection.cluster_assumption import ClusterAssumption


@pytest.mark.parametrize(
    ("is_met", "selector", "words"),
    [
        (True, "fscpu", ["The positives cluster", "Take fscpu"]),
        (True, "semi_jmi", ["The positives cluster", "100 labels or more (200 here)", "semi_jmi"]),
        (False, "semi_jmi", ["It cannot be said", "Take semi_jmi"]),
    ],
)
def test_answer_is_told_in_words(is_met: bool, selector: str, words: list[str]) -> None:
    answer = ClusterAssumption(0.5, 2.5, 0.001, is_met, selector)
    told = summary(answer, 200)

    for part in [*words, "2.5 times", "p = 0.001"]:
        assert part in told
