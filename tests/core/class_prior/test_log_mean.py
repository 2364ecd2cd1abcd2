"""Decision 21."""

import random
from typing import Any

import numpy as np
import pytest

from core.class_prior.log_mean import separation_correction
from core.registry import CLASS_PRIOR_ESTIMATORS
from core.text import TermWeighting, TokenCounter


@pytest.mark.parametrize(
    ("share", "n_positive", "kept"),
    [(0.2, 0, 1), (0.5, 0, 1), (0.75, 0, 0.5), (0.5, 1000, 0.5), (0.9, 4000, 0.04)],
)
def test_less_is_taken_off_where_positives_are_the_most(
    share: float, n_positive: int, kept: float
) -> None:
    as_by_chance = np.ones(1000)
    correction = separation_correction(as_by_chance, share, n_positive)
    assert correction == pytest.approx(kept * (0.3 - 3.0))


def test_what_is_added_is_added_whole() -> None:
    assert separation_correction(np.zeros(1000), 0.9, 4000) == pytest.approx(0.3)


def test_of_a_pile_of_what_is_known_nearly_all_is_expected() -> None:
    draw = random.Random(0)
    topics = [[f"t{topic}w{word}" for word in range(40)] for topic in range(6)]

    def texts(n: int, of: list[Any]) -> list[str]:
        return [" ".join(draw.choices(of[i % len(of)], k=12)) for i in range(n)]

    # Six hundred known ones of five topics; of two hundred that come in, ten are of a sixth.
    made = texts(600, topics[:5]) + texts(190, topics[:5]) + texts(10, topics[5:])
    X = TermWeighting().fit_transform(TokenCounter().fit_transform(made))
    estimate = CLASS_PRIOR_ESTIMATORS["consensus"](X, np.arange(800) < 600, random_state=0)
    assert estimate.low < 0.95 < estimate.high
    assert estimate.value > 0.5
