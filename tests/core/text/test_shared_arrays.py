"""Arrays that were dumped are read-only where they are mapped, as loky maps them by itself."""

import pickle

import joblib
import numpy as np
import pytest

from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS
from core.text import TermWeighting, TokenCounter

WORDS = ["seed bed", "red apple pie", "fast car", "the old car", "a green apple"]
#: So many that compiled code reads them.
TEXTS = [f"{WORDS[i % 5]} {i % 40}0" for i in range(6_000)]
Y = [int(i % 5 == 1 and i < 100) for i in range(len(TEXTS))]


def mapped(estimator, folder):
    joblib.dump(estimator, folder / "estimator")
    return joblib.load(folder / "estimator", mmap_mode="r")


@pytest.mark.parametrize(
    "parameters",
    [{}, {"analyzer": "char_wb", "ngram_range": (2, 3)}, {"cjk": "bigrams"}, {"n_features": 64}],
)
def test_a_counter_that_counted_counts_when_mapped(parameters, tmp_path):
    counter = TokenCounter(**parameters).fit(TEXTS)
    counts = counter.transform(TEXTS)
    shared = mapped(counter, tmp_path)
    assert (shared.transform(TEXTS) != counts).nnz == 0
    assert (shared.extend(counts, TEXTS)[len(TEXTS) :] != counts).nnz == 0


def test_a_counter_is_pickled_without_what_it_looks_up():
    counter = TokenCounter().fit(TEXTS)
    pickled = pickle.dumps(counter)
    counter.transform(TEXTS)
    assert pickle.dumps(counter) == pickled


def test_weights_when_mapped(tmp_path):
    counts = TokenCounter().fit_transform(TEXTS)
    weighting = TermWeighting(sublinear_tf=True).fit(counts)
    assert (mapped(weighting, tmp_path).transform(counts) != weighting.transform(counts)).nnz == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_text_classifier_that_predicted_predicts_when_mapped(algorithm, tmp_path):
    mask = np.arange(len(TokenCounter().fit(TEXTS[:200]).terms_)) % 10 != 9
    classifier = make_text_classifier(algorithm, feature_mask=mask).fit(TEXTS[:200], Y[:200])
    scores = classifier.score_samples(TEXTS)
    assert (mapped(classifier, tmp_path).score_samples(TEXTS) == scores).all()
