import numpy as np
import pytest

from core.doctor.missing_vectors import check_vectors
from core.text import TokenCounter, vector_words


def of(lengths: list[int], n_positive: int):
    """Check texts with vectors of these lengths, 0 for none; the first ones are positives."""
    texts = [f"word {vector_words(np.ones(n))[0]}" if n else "word" for n in lengths]
    counter = TokenCounter()
    counts = counter.fit_transform(texts)
    return check_vectors(counts, counter.terms_, np.arange(len(texts)) < n_positive)


def test_without_any_vector_nothing_is_told() -> None:
    assert of([0, 0, 0], 1) is None


@pytest.mark.parametrize(
    ("lengths", "level", "rows"),
    [
        ([3, 3, 3, 3], "fine", []),
        ([3, 3, 3, 0], "caution", [3]),
        ([3, 0, 0, 3], "caution", [1, 2]),
        ([0, 0, 3, 3], "warning", [0, 1]),
        ([3, 3, 0, 0], "warning", [2, 3]),
        # Vectors of another length have no word in common with the usual ones.
        ([4, 4, 3, 3, 3], "warning", [0, 1]),
    ],
)
def test_who_lacks_a_vector_is_listed_positives_first(
    lengths: list[int], level: str, rows: list[int]
) -> None:
    finding = of(lengths, 2)
    assert (finding.level, finding.rows) == (level, rows)
    assert finding.numbers["n_found"] == len(rows)
