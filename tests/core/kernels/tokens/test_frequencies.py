"""Frequencies of terms: in how many texts they are, and how often."""

import numpy as np
import pytest

from core.kernels.tokens.counted_rows import Rows
from core.kernels.tokens.frequencies import Frequencies
from core.kernels.tokens.store import FEW_ENTRIES


@pytest.mark.parametrize("n_entries", [3, FEW_ENTRIES + 1])
def test_few_and_many_terms_are_added_alike(n_entries):
    random = np.random.default_rng(0)
    n_terms = n_entries
    parts = [
        Rows(
            random.integers(n_terms, size=n_entries).astype(np.int32),
            random.integers(1, 9, size=n_entries).astype(np.float32),
            np.array([n_entries]),
        )
        for _ in range(2)
    ]
    apart = [Frequencies(is_totalled=True) for _ in parts]
    for frequencies, rows in zip(apart, parts, strict=True):
        frequencies.add(rows, n_terms)
    places = [random.permutation(n_terms).astype(np.int32) for _ in parts]
    together = Frequencies(n_terms, is_totalled=True)
    for frequencies, of_one in zip(apart, places, strict=True):
        together.add_all(frequencies, of_one)

    moved = np.concatenate([of_one[rows.terms] for of_one, rows in zip(places, parts, strict=True)])
    counts = np.concatenate([rows.counts for rows in parts])
    np.testing.assert_array_equal(together.of_texts, np.bincount(moved, minlength=n_terms))
    np.testing.assert_array_equal(together.totals, np.bincount(moved, counts, minlength=n_terms))
