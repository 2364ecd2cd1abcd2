import inspect
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from core import make_text_classifier, pu_auc
from core.classifiers import SAREM, RocSVM
from core.datasets import make_pu_data
from core.feature_selection import JSFS
from core.text import TermWeighting, TokenCounter

X, Y, _ = make_pu_data(60, 30, random_state=0)
WORDS = np.where(Y == 1, "flood", "pile")
TEXTS = ["river flood", "flood rain", "late goal", "team match"]


def fit_words():
    RocSVM().fit(X, WORDS)


def fit_pipeline():
    make_pipeline(TermWeighting(), RocSVM()).fit(X, WORDS)


def stop_early():
    SAREM(max_iter=3).fit(X, Y)


def select_early():
    JSFS(5, max_iter=1).fit(X, Y)


def give_stop_words():
    make_text_classifier("prototype", vectorizer={"stop_words": ["Flood"]}).fit(TEXTS, [1, 1, 0, 0])


def give_terms():
    TokenCounter().fit_terms(["river flood"])


def give_labels_for_scores():
    pu_auc(Y, Y)


def validate_by_scikit_learn():
    cross_val_score(RocSVM(), X, WORDS, cv=2)


@pytest.mark.parametrize(
    "call",
    [
        fit_words,
        fit_pipeline,
        stop_early,
        select_early,
        give_stop_words,
        give_terms,
        give_labels_for_scores,
        validate_by_scikit_learn,
    ],
)
def test_a_warning_is_at_the_line_of_the_caller(call):
    _, first = inspect.getsourcelines(call)
    with warnings.catch_warnings(record=True, action="always") as caught:
        call()
    assert caught
    assert {(one.filename, one.lineno) for one in caught} == {(__file__, first + 1)}
