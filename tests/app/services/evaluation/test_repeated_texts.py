import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.services.evaluation.repeated_texts import find_repeats


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=20))
def test_repeats_are_those_that_a_loop_finds(labeled: list[tuple[int, bool]]) -> None:
    keys = np.array([key for key, _ in labeled], dtype=np.uint64)
    found = find_repeats(keys, np.array([label for _, label in labeled], dtype=bool))
    for i, (key, label) in enumerate(labeled):
        first = labeled.index((key, label))
        other = labeled.index((key, not label)) if (key, not label) in labeled else -1
        assert found.contradicting[i] == other
        assert found.is_counted[i] == (other < 0 and first == i)
        assert found.is_again[i] == (other < 0 and first < i)
