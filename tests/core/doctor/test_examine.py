import json
from dataclasses import asdict
from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp

from core.datasets import make_pu_data
from core.doctor import accepted_space, duplicates
from core.doctor import examine as module
from core.doctor.examine import examine
from core.kernels.rows import row_blocks
from core.kernels.scores import left_out_ranks
from core.progress import listening
from core.registry import ALGORITHMS
from core.text import TermWeighting, TokenCounter, vector_words
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(300, 30, class_prior=0.4, label_frequency=0.3, random_state=0)
X = canonical_csr(X)


@cache
def fitted():
    return ALGORITHMS["prototype"]().fit(X, Y)


@cache
def model_scores():
    return fitted().score_samples(X)


def examined(is_positive, is_negative=None, X=X, scores=None, flags=()):
    scores = model_scores() if scores is None else scores
    is_negative = np.zeros(len(is_positive), dtype=bool) if is_negative is None else is_negative
    findings = examine(X, is_positive, is_negative, scores, fitted().offset_, flags, random_state=0)
    return {finding.code: finding for finding in findings}


def test_says_the_same_again():
    assert examined(Y == 1) == examined(Y == 1)


def test_progress_is_that_of_all_checks(monkeypatch):
    # So that all samples are two blocks, and the positives one.
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", 2 * X.nnz // 3)
    shares = []
    with listening(lambda _, share: shares.append(share)):
        examined(Y == 1)
    assert shares == sorted(shares)
    left = 1 - module.ACCEPTED
    assert sorted(set(shares)) == pytest.approx(
        [
            module.DUPLICATES / 2,
            module.DUPLICATES,
            module.ACCEPTED,
            module.ACCEPTED + 0.01 * left,  # which positives say the same
            module.ACCEPTED + module.LATENT * left,
            1,
        ]
    )


def test_says_the_same_in_any_order_of_the_samples(monkeypatch):
    # So few that samples are drawn.
    monkeypatch.setattr(accepted_space, "MAX_COMPARED", 20)
    monkeypatch.setattr(duplicates, "MAX_POSITIVES", 20)
    monkeypatch.setattr(left_out_ranks, "MAX_RANKED", 100)
    monkeypatch.setattr(module, "MAX_LATENT_ROWS", 60)
    order = np.random.default_rng(0).permutation(300)
    expected = examined(Y == 1)
    actual = examined(Y[order] == 1, X=X[order], scores=model_scores()[order])
    for code, finding in expected.items():
        # Of positives that say the same, the later one is the repeat, and left aside as odd.
        if code in ("repeated_positives", "odd_positives"):
            continue
        assert sorted(order[actual[code].rows]) == sorted(finding.rows)
        assert actual[code].numbers == pytest.approx(finding.numbers)


def test_what_needs_eyes_comes_first():
    levels = [finding.level for finding in examined(Y == 1, flags=["unreliable"]).values()]
    assert levels[0] == "warning"
    ranks = [["warning", "caution", None, "fine"].index(level) for level in levels]
    assert ranks == sorted(ranks)


def test_findings_are_plain_enough_for_json():
    findings = [asdict(finding) for finding in examined(Y == 1, flags=["grid_edge"]).values()]
    assert json.loads(json.dumps(findings)) == findings


def test_names_a_positive_of_another_kind():
    negatives = np.flatnonzero(TRUTH == 0)
    # The least likely of all.
    wrong = negatives[model_scores()[negatives].argmin()]
    is_positive = (Y == 1) | (np.arange(len(Y)) == wrong)
    assert wrong in examined(is_positive)["odd_positives"].rows


def test_names_the_copy_of_a_positive_and_the_contradiction():
    first = np.flatnonzero(Y == 1)[0]
    more = sp.vstack([X, X[[first, first]]], format="csr")
    y = np.append(Y, [0, 2])
    scores = np.append(model_scores(), model_scores()[[first, first]])
    findings = examined(y == 1, y == 2, canonical_csr(more), scores)
    assert 300 in findings["unlabeled_copies"].rows
    assert findings["contradicting_labels"].rows == [301]
    assert findings["contradicting_labels"].level == "warning"


@pytest.mark.parametrize("n_positive", [1, 2, 5])
def test_few_positives_are_examined(n_positive):
    is_positive = np.isin(np.arange(len(Y)), np.flatnonzero(Y == 1)[:n_positive])
    findings = examined(is_positive)
    assert findings["random_labeling"].reason == "too_few_positives"


def test_a_single_term_and_a_single_unlabeled_sample_are_examined():
    one_term = sp.csr_array(np.ones((8, 1)))
    findings = examined(np.arange(8) < 7, X=one_term, scores=np.ones(8))
    assert findings["repeated_positives"].level == "caution"
    assert findings["unlabeled_copies"].numbers["n_found"] == 1


@pytest.mark.parametrize("scores", [np.full(300, -1e9), np.full(300, 1e9)])
def test_models_that_accept_nothing_or_everything_are_examined(scores):
    findings = examined(Y == 1, scores=scores)
    assert findings["equal_scores"].level == "warning"


def test_samples_without_terms_are_examined():
    rows = X.copy()
    rows.data[: rows.indptr[200]] = 0
    rows.eliminate_zeros()
    assert examined(Y == 1, X=rows)["few_positives"].level == "fine"


def test_positives_alone_are_examined():
    findings = examined(np.ones(8, dtype=bool), X=X[:8], scores=model_scores()[:8])
    assert findings["odd_positives"].reason == "too_few_unlabeled"
    assert findings["equal_scores"].reason == "too_few_unlabeled"


def test_scores_that_mean_nothing_are_not_looked_at():
    codes = set(examined(Y == 1, flags=["all_negative", "nothing_shared"]))
    assert "nothing_shared" in codes
    assert not codes & {"all_negative", "random_labeling", "equal_scores"}


@pytest.mark.parametrize(("n_different", "reason"), [(4, "too_few_positives"), (5, None)])
def test_copies_of_a_positive_count_once_where_odd_ones_are_sought(n_different, reason):
    # Each text has twelve words of its own, each of thirty copies of the first two more.
    words = np.kron(np.eye(n_different + 1), np.ones(12))[[0] * 30 + list(range(n_different + 1))]
    links = np.kron(np.eye(len(words), 30), np.ones(2))
    found = examined(
        np.arange(len(words)) < len(words) - 1,
        X=canonical_csr(sp.csr_array(np.hstack([words, links]))),
        scores=np.zeros(len(words)),
    )
    assert found["repeated_positives"].numbers["n_found"] == 30
    assert found["odd_positives"].reason == reason


@pytest.mark.parametrize("n_filled", [0, 1])
def test_a_pile_of_empty_documents_is_told_as_that(n_filled):
    keeps = (Y == 1) | np.isin(np.arange(len(Y)), np.flatnonzero(Y == 0)[:n_filled])
    rows = canonical_csr(sp.diags_array(keeps.astype(float)) @ X)
    findings = examined(Y == 1, X=rows, scores=np.zeros(len(Y)))
    code, other = ("equal_scores", "no_features")[:: 1 if n_filled else -1]
    assert findings[code].level == "warning"
    assert other not in findings


@pytest.mark.parametrize("has_vectors", [False, True])
def test_texts_are_compared_by_their_own_words(has_vectors):
    """Whether they have vectors or not, as long as all have one."""
    random = np.random.default_rng(0)
    texts = [f"fremd{i} wort{i}" for i in range(5)] + ["the same few words"] * 2
    texts += [" ".join(random.choice([f"word{k}" for k in range(50)], 8)) for _ in range(400)]
    if has_vectors:
        words = vector_words(np.ones(20) + random.standard_normal((len(texts), 20)))
        texts = [f"{text}\n{of_vector}" for text, of_vector in zip(texts, words, strict=True)]
    counter = TokenCounter()
    X = TermWeighting().fit_transform(counter.fit_transform(texts))
    is_positive, is_negative = np.arange(len(texts)) < 6, np.arange(len(texts)) == 6
    scores = np.linspace(1, 0, len(texts))
    found = examine(X, is_positive, is_negative, scores, 0.5, terms=counter.terms_, random_state=0)
    findings = {finding.code: finding for finding in found}
    assert findings["foreign_positives"].level == "warning"
    assert findings["contradicting_labels"].rows == [6]
    assert findings["repeated_positives"].level == "fine"
    # By its vector, what has no word of the pile tells something.
    assert findings["isolated_positives"].rows == ([] if has_vectors else [0, 1, 2, 3, 4])
    assert ("missing_vectors" in findings) == has_vectors


def test_copies_are_sought_by_all_words_where_some_are_selected():
    # Each text has twelve words of its own beside the one selected; the last is the first again.
    whole = canonical_csr(sp.csr_array(np.kron(np.eye(12), np.ones(12))[[*range(12), 0]]))
    X, is_positive, scores = sp.csr_array(np.ones((13, 1))), np.arange(13) < 5, np.zeros(13)
    found = {}
    for by_all in (None, whole):
        findings = examine(X, is_positive, None, scores, 1.0, whole=by_all, random_state=0)
        found[by_all is None] = {finding.code: finding for finding in findings}
    assert found[True]["unlabeled_copies"].rows == list(range(5, 13))
    assert found[True]["odd_positives"].reason == "too_few_positives"
    assert found[False]["unlabeled_copies"].rows == [12]
    assert found[False]["repeated_positives"].level == "fine"
    assert found[False]["odd_positives"].reason is None


def two_kinds(n_positive):
    """Return twelve samples, the first so many of one kind; the kinds have no word in common."""
    is_first = np.arange(12) < n_positive
    return canonical_csr(
        sp.csr_array(np.where(is_first[:, None], [1.0, 0, 2], [0.0, 1, 0]))
    ), is_first


@pytest.mark.parametrize("n_unlabeled", [0, 1])
def test_where_all_is_judged_no_positive_lacks_words_of_the_pile(n_unlabeled):
    rows, is_positive = two_kinds(10)
    is_negative = ~is_positive & (np.arange(12) < 12 - n_unlabeled)
    found = examined(is_positive, is_negative, X=rows, scores=np.linspace(1, 0, 12))
    expected = (None, "mostly_positive" if n_unlabeled else "too_few_unlabeled")
    isolated = found["isolated_positives"]
    assert (isolated.level, isolated.reason) == expected
    assert found["few_positives"].numbers["n_positive"] == (0 if n_unlabeled else 10)


def test_isolated_positives_may_have_no_blanks_between_words():
    rows, is_positive = two_kinds(5)
    found = examined(is_positive, X=rows, scores=np.linspace(1, 0, 12))
    assert found["isolated_positives"].level == "caution"
    assert "without blanks between words, as in Thai" in found["isolated_positives"].message


@pytest.mark.parametrize(("n_positive", "level"), [(9, "caution"), (10, "fine")])
def test_positives_that_share_nothing_are_as_many_as_they_are(n_positive, level):
    rows, is_positive = two_kinds(n_positive)
    found = examined(is_positive, X=rows, scores=np.zeros(12), flags=["nothing_shared"])
    assert found["few_positives"].level == level
