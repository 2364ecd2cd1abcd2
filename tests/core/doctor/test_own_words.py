import numpy as np
import pytest
import scipy.sparse as sp

from core.auto.text_classifier import AutoTextClassifier
from core.doctor.own_words import check_own_words

OTHERS = np.eye(10)[np.arange(400) % 8]


def check(n_with: int, n_positive: int, *, n_others: int = 400, in_pile: int = 0):
    """Positives, some of which have feature 9, and others, some of which have it as well."""
    positives = np.zeros((n_positive, 10))
    positives[:, 0], positives[:n_with, 9] = 1, 1
    others = OTHERS[:n_others].copy()
    others[:in_pile, 9] = 1
    X = sp.csr_array(np.vstack([positives, others]))
    names = [f"word{i}" for i in range(10)]
    return check_own_words(X, np.arange(X.shape[0]) < n_positive, names)


@pytest.mark.parametrize(
    ("n_with", "n_positive", "level"),
    [(3, 3, "warning"), (2, 3, "fine"), (5, 10, "warning"), (4, 10, "fine"), (3, 6, "warning")],
)
def test_half_of_the_positives_and_three_at_least_have_the_word(n_with, n_positive, level):
    finding = check(n_with, n_positive)
    assert finding.level == level
    is_told = level == "warning"
    assert finding.numbers == {"n_terms": int(is_told), "terms": ["word9"] * is_told}
    assert finding.message.endswith("They are: word9.") == is_told


def test_a_word_of_the_pile_is_none_of_their_own():
    assert check(10, 10, in_pile=1).level == "fine"


@pytest.mark.parametrize(
    ("n_positive", "n_others", "reason"),
    [(2, 400, "too_few_positives"), (5, 299, "too_few_unlabeled")],
)
def test_where_it_may_be_chance_nothing_is_told(n_positive, n_others, reason):
    finding = check(n_positive, n_positive, n_others=n_others)
    assert (finding.level, finding.reason) == (None, reason)


def test_of_many_words_those_that_most_positives_have_are_named():
    X = np.vstack([np.triu(np.ones((20, 20))), np.zeros((400, 20))])
    X[20:, 19] = 1
    finding = check_own_words(sp.csr_array(X), np.arange(420) < 20, [f"w{i:02}" for i in range(20)])
    assert finding.numbers["n_terms"] == 10
    assert finding.numbers["terms"][:3] == ["w18", "w17", "w16"]
    unnamed = check_own_words(sp.csr_array(X), np.arange(420) < 20)
    assert unnamed.numbers == {"n_terms": 10}


def test_a_footer_of_the_seeds_alone_is_told():
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice([f"word{i}" for i in range(300)], 12)) for _ in range(400)]
    seeds = [f"{text} exported from library" for text in texts[:5]]
    y = (np.arange(400) < 5).astype(int)
    (finding,) = (
        finding
        for finding in AutoTextClassifier(time_budget=5).fit([*seeds, *texts[5:]], y).findings_
        if finding.code == "own_words"
    )
    assert finding.level == "warning"
    # "from" is a function word.
    assert sorted(finding.numbers["terms"]) == ["exported", "library"]
