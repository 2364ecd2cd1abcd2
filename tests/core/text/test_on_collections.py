"""Terms and counts of real texts, where the folder named by COLLECTIONS has some."""

import gzip
import json
import os
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from core.kernels.tokens import blocks as token_blocks
from core.kernels.tokens import counts as token_counts
from core.text import TokenCounter

FOLDER = os.environ.get("COLLECTIONS")
FILES = sorted(Path(FOLDER).glob("*.ndjson.gz")) if FOLDER else []
#: To count more takes seconds, and they hardly hold a character that is not among these.
ENOUGH_TEXTS = 3000


@pytest.mark.skipif(not FILES, reason="COLLECTIONS names no folder of NAME.ndjson.gz")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_terms_and_counts_are_those_of_scikit_learn(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Compiled, and in several blocks, as those of a large pile.
    for name in ("FEW_BYTES", "FEW_BYTES_TO_LEARN"):
        monkeypatch.setattr(token_counts, name, 1000)
    monkeypatch.setattr(token_blocks, "BLOCK_BYTES", 200_000)
    with gzip.open(path) as file:
        lines = list(file)
    texts = [json.loads(line)["text"] for line in lines[:: 1 + len(lines) // ENOUGH_TEXTS]]
    vectorizer, counter = CountVectorizer(), TokenCounter()
    expected = vectorizer.fit_transform(texts)
    expected.sort_indices()
    counts = counter.fit_transform(text.encode() for text in texts)
    assert counter.terms_ == vectorizer.get_feature_names_out().tolist()
    assert_array_equal(counts.indptr, expected.indptr)
    assert_array_equal(counts.indices, expected.indices)
    assert_array_equal(counts.data, expected.data)
