import numpy as np
import pytest
import scipy.sparse as sp

from app.services.feature_selection.feature_facts import feature_facts
from app.services.feature_selection.selection_samples import Samples
from core.kernels.rows import row_blocks

IS_POSITIVE = np.array([True, True, False, False, False, False])


def samples(X: object) -> Samples:
    return Samples(X=X, is_positive=IS_POSITIVE, names=list("abcd"), facts={})


@pytest.mark.parametrize("block_entries", [row_blocks.BLOCK_ENTRIES, 3])
def test_terms_are_counted_and_speak_for_or_against(
    monkeypatch: pytest.MonkeyPatch, block_entries: int
) -> None:
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", block_entries)
    weights = [
        [0.5, 0, 3, 1],
        [0.2, 0, 0, 1],
        [0.1, 1, 3, 1],
        [0, 1, 3, 1],
        [0, 1, 0, 1],
        [0, 1, 0, 1],
    ]
    facts = feature_facts(samples(sp.csr_array(weights)))

    # "c" is in one positive of two and in three documents of six.
    assert [facts.of(i) for i in range(4)] == [
        {"n_positive": 2, "n_documents": 3, "direction": "for"},
        {"n_positive": 0, "n_documents": 4, "direction": "against"},
        {"n_positive": 1, "n_documents": 3, "direction": None},
        {"n_positive": 2, "n_documents": 6, "direction": None},
    ]


def test_columns_of_tables_are_compared_by_their_means() -> None:
    of_positives = [[0.9, 0.1, 0.1, 0], [0.7, 0.3, 0.2, 0]]
    # The third has a mean of .15 as well, by other sums.
    others = [[0.1, 0.9, 0.3, 0], [0.2, 0.8, 0.2, 0], [0.3, 0.7, 0.1, 0], [1.0, 0.2, 0.0, 0]]
    facts = feature_facts(samples(np.array(of_positives + others)))

    told = [facts.of(i) for i in range(4)]
    assert [each["direction"] for each in told] == ["for", "against", None, None]
    assert all(each["n_positive"] is each["n_documents"] is None for each in told)
