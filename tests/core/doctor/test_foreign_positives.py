import numpy as np
import pytest
import scipy.sparse as sp

from core.doctor.foreign_positives import check_words_of_positives
from core.validation import canonical_csr


def of(rows: list[list[int]], n_features: int) -> sp.csr_array:
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.concatenate([np.array(row, dtype=np.int32) for row in rows])
    return canonical_csr(
        sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(rows), n_features))
    )


# Each of 400 others has words 0 and 1, and one of its own.
OTHERS = [[0, 1, 10 + i] for i in range(400)]


@pytest.mark.parametrize(
    ("positive", "share", "level"),
    [
        ([0, 1, 2], 2 / 3, "fine"),
        ([0, 2, 3, 4, 5], 1 / 5, "fine"),
        ([0, 2, 3, 4, 5, 6, 7], 1 / 7, "warning"),
        ([2, 3], 0.0, "warning"),
    ],
)
def test_a_quarter_of_what_others_have_in_common_is_the_least(
    positive: list[int], share: float, level: str
) -> None:
    X = of([positive, positive, *OTHERS], 500)
    finding, _ = check_words_of_positives(X, np.arange(402) < 2)
    # Two of three words of the others are in others, too.
    assert finding.numbers["share_of_pile"] == pytest.approx(2 / 3)
    assert finding.numbers["share_in_pile"] == pytest.approx(share)
    assert finding.level == level


def test_empty_samples_do_not_count() -> None:
    X = of([[0, 1], [0, 1], [], *OTHERS, *[[]] * 500], 500)
    assert check_words_of_positives(X, np.arange(903) < 3)[0].level == "fine"


@pytest.mark.parametrize(
    ("rows", "n_positive", "reason"),
    [
        ([[0], *OTHERS], 1, "too_few_positives"),
        ([[0], [], *OTHERS], 2, "too_few_positives"),
        ([[0], [1], *OTHERS[:299]], 2, "too_few_unlabeled"),
        # No word is in two of the others: nothing is usual.
        ([[0], [1], *([i] for i in range(2, 402))], 2, "too_few_unlabeled"),
    ],
)
def test_of_few_samples_it_tells_nothing(
    rows: list[list[int]], n_positive: int, reason: str
) -> None:
    finding, _ = check_words_of_positives(of(rows, 500), np.arange(len(rows)) < n_positive)
    assert (finding.level, finding.reason) == (None, reason)


def test_positives_that_share_no_word_with_the_pile_are_listed() -> None:
    rows = [[0, 2], [2, 3], [3], [1], *OTHERS]
    X = of(rows, 500)
    X = canonical_csr(sp.vstack([X, sp.csr_array((1, 500))], format="csr"))
    is_positive = np.arange(X.shape[0]) < 4
    is_positive[-1] = True
    _, finding = check_words_of_positives(X, is_positive)
    assert finding.rows == [1, 2, X.shape[0] - 1]
    assert finding.level == "caution"
    _, fine = check_words_of_positives(X, np.arange(X.shape[0]) < 1)
    assert (fine.level, fine.rows) == ("fine", [])
