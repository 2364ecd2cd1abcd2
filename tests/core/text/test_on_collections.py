"""Terms and counts of real texts, where the folder named by COLLECTIONS has some."""

import gzip
import json
import os
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from core.text import TokenCounter

FOLDER = os.environ.get("COLLECTIONS")
FILES = sorted(Path(FOLDER).glob("*.ndjson.gz")) if FOLDER else []


@pytest.mark.skipif(not FILES, reason="COLLECTIONS names no folder of NAME.ndjson.gz")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_terms_and_counts_are_those_of_scikit_learn(path: Path) -> None:
    with gzip.open(path) as lines:
        texts = [json.loads(line)["text"] for line in lines]
    vectorizer, counter = CountVectorizer(), TokenCounter()
    expected = vectorizer.fit_transform(texts)
    expected.sort_indices()
    counts = counter.fit_transform(text.encode() for text in texts)
    assert counter.terms_ == vectorizer.get_feature_names_out().tolist()
    assert_array_equal(counts.indptr, expected.indptr)
    assert_array_equal(counts.indices, expected.indices)
    assert_array_equal(counts.data, expected.data)
