"""All checks of the doctor, one after the other."""

from itertools import compress

import numpy as np
from sklearn.utils import check_random_state

from core.doctor.accepted_space import accepted_space
from core.doctor.better_than_chance import check_hidden_ranks
from core.doctor.duplicates import find_duplicates, repeats
from core.doctor.finding import CAUTION, FINE, WARNING, Finding
from core.doctor.foreign_positives import check_words_of_positives
from core.doctor.missing_vectors import check_vectors
from core.doctor.model_state import (
    check_accepted,
    check_number_of_positives,
    check_scores,
    class_prior_findings,
    flag_findings,
    says_the_same,
)
from core.doctor.mostly_positive import is_mostly_positive, is_void, without_level
from core.doctor.odd_positives import MIN_POSITIVES, find_odd_positives
from core.doctor.own_words import check_own_words
from core.doctor.random_labeling import check_random_labeling
from core.kernels.factors.latent_space import N_COMPONENTS, latent_space
from core.kernels.graphs.knn_graph import no_edges
from core.kernels.rows.masks import rows_and_masks
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import drawn_rows
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import left_out_ranks, rows_to_rank
from core.progress import part, report
from core.text.vector_coding import word_places

#: Samples that latent directions for the left out positives are made of.
MAX_LATENT_ROWS = 5000
#: Shares of the time that are over when duplicates were looked for, and when what is accepted was
#: compared. Measured: .24 and .43 on 18,846 long documents, .39 and .44 on 100,000 short ones.
DUPLICATES, ACCEPTED = 0.3, 0.43
#: Share of the rest that is over when there are latent directions: .83 and .33 on those documents.
LATENT = 0.6
#: Rejected samples for each accepted one that count as only just rejected.
REJECTED = 2


def examine(
    X,
    is_positive,
    is_negative,
    scores,
    cut,
    flags=(),
    *,
    positive_ranks=None,
    class_prior=None,
    terms=None,
    whole=None,
    random_state=None,
):
    """Look for signs that what a model says cannot be trusted, without negatives or the truth.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Tf-idf weights.
    is_positive, is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled, at least one, and which were judged not to be positive;
        None means none.
    scores : ndarray of shape (n_samples,)
        Scores of all samples by the model.
    cut : float
        Scores from here on are positive.
    flags : sequence of str, default=()
        Codes that the classifier reports.
    positive_ranks : ndarray of shape (n_hidden,), default=None
        Of positives that were hidden from the algorithm, to compare with chance: see
        :func:`~core.doctor.better_than_chance.check_hidden_ranks`.
    class_prior : PriorEstimate, default=None
        Share of positives among the unlabeled samples, to compare with what is accepted.
    terms : sequence of str of length n_features, default=None
        Terms that the features are. Where words of vectors are among them
        (:func:`~core.text.vector_coding.vector_words`), it is told who has none, and texts are
        compared with each other by their own words.
    whole : sparse array of shape (n_samples, n_all_features), default=None
        Counts or weights of all words, in CSR format, where the features are a selection: samples
        are copies of each other by these, as different ones may have the same few terms. None means
        that X has all.
    random_state : int, RandomState instance or None, default=None
        Draws samples where there are many, and starts the singular vectors.

    Returns
    -------
    list of Finding
        One for each check and flag: first those that need somebody's eyes, then those that could
        not be made, then what is fine. Where "nothing_shared" is among the flags, scores mean
        nothing and are not looked at. It takes the time of a few products with X.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> from core.doctor.examine import examine
    >>> from core.registry import ALGORITHMS
    >>> X, y, _ = make_pu_data(200, 10, random_state=0)
    >>> model = ALGORITHMS["prototype"]().fit(X, y)
    >>> scores = model.score_samples(X)
    >>> findings = examine(X, y == 1, None, scores, model.offset_, random_state=0)
    >>> sorted(finding.code for finding in findings)
    ... # doctest: +NORMALIZE_WHITESPACE
    ['accepts_too_many', 'contradicting_labels', 'equal_scores', 'estimate_at_bound',
     'few_positives', 'foreign_positives', 'isolated_positives', 'no_better_than_chance',
     'odd_positives', 'own_words', 'prior_above_admissible', 'prior_uncertain', 'random_labeling',
     'repeated_positives', 'unlabeled_copies']
    """
    X, is_positive, is_negative = rows_and_masks(X, is_positive, is_negative=is_negative)
    random = check_random_state(random_state)
    of_vectors = None if terms is None else check_vectors(X, terms, is_positive)
    texts = X
    if of_vectors is not None:
        are_of_texts = _are_of_texts(terms)
        texts, terms = X[:, are_of_texts], list(compress(terms, are_of_texts))
    with part("examine", 0, DUPLICATES):
        compared = texts if whole is None else whole
        duplicates = find_duplicates(compared, is_positive, is_negative, random)
    is_unlabeled = ~(is_positive | is_negative)
    of_words = _of_words(X, texts, is_positive, is_unlabeled, terms)
    # Where nothing is shared, no positive tells less than another.
    n_silent = 0 if "nothing_shared" in flags else of_words[1].numbers.get("n_found", 0)
    findings = [*flag_findings(flags), *duplicates]
    findings.append(check_number_of_positives(is_positive.sum() - n_silent))
    findings += [] if of_vectors is None else [of_vectors]
    if "nothing_shared" not in flags:
        findings += of_words
        of_copies = X if whole is None else whole
        findings += _of_scores(X, of_copies, is_positive, is_negative, scores, cut, random)
        findings.append(check_hidden_ranks(positive_ranks))
        findings.append(check_accepted(scores[is_unlabeled] >= cut, class_prior))
        of_prior = class_prior_findings(class_prior)
        findings = [f for f in findings if not says_the_same(f.code, of_prior)] + of_prior
        n_positive, n_unlabeled = is_positive.sum(), is_unlabeled.sum()
        if is_mostly_positive(n_positive, n_unlabeled, class_prior):
            is_small = n_positive > n_unlabeled
            findings = [
                without_level(f) if is_void(f, is_small_pile=is_small) else f for f in findings
            ]
    return in_order(findings)


def in_order(findings):
    """Return findings, what needs eyes first."""
    order = [WARNING, CAUTION, None, FINE]
    return sorted(findings, key=lambda finding: order.index(finding.level))


def _are_of_texts(terms):
    are_of_texts = np.ones(len(terms), dtype=bool)
    are_of_texts[word_places(terms)] = False
    return are_of_texts


def _of_words(X, texts, is_positive, is_unlabeled, terms):
    """Return what words of positives others have: by their texts, and ``isolated`` by all of X."""
    foreign, isolated = check_words_of_positives(texts, is_positive)
    if texts is not X:  # by its vector, a positive may tell something
        _, isolated = check_words_of_positives(X, is_positive)
    findings = [foreign, isolated, check_own_words(texts, is_positive, terms)]
    if is_unlabeled.any():
        return findings
    # Judged negatives need not have a word of theirs.
    return [Finding(finding.code, None, reason="too_few_unlabeled") for finding in findings]


def _of_scores(X, of_copies, is_positive, is_negative, scores, cut, random):
    is_unlabeled = ~(is_positive | is_negative)
    is_accepted = is_unlabeled & (scores >= cut)
    is_rejected = _first(scores, is_unlabeled & ~is_accepted, REJECTED * int(is_accepted.sum()))
    with part("examine", DUPLICATES, ACCEPTED):
        space = accepted_space(X, is_positive, is_accepted, is_rejected, random)
    with part("examine", ACCEPTED, 1):
        left_out = _left_out_shares(X, of_copies, is_positive, is_unlabeled, random)
    return [
        check_random_labeling(space),
        find_odd_positives(*left_out),
        _without_features(X, is_unlabeled) or check_scores(scores[is_unlabeled]),
    ]


def _without_features(X, is_unlabeled):
    """Return a warning where all unlabeled samples are empty, so that their scores are equal."""
    is_told = is_unlabeled.any() and not has_entries(X)[is_unlabeled].any()
    return Finding("no_features", WARNING) if is_told else None


def _first(scores, mask, n_first):
    """Return which rows of a mask have the highest scores; of equal ones, the first rows."""
    rows = np.flatnonzero(mask)
    chosen = np.zeros(len(mask), dtype=bool)
    chosen[rows[np.argsort(-scores[rows], kind="stable")[:n_first]]] = True
    return chosen


def _left_out_shares(X, of_copies, is_positive, is_unlabeled, random):
    """Return rows of positives, and the share of the unlabeled less like the others than each is.

    Of positives that say the same by ``of_copies`` only the first takes part. The others would give
    it away, and positives unlike them would look odd.
    """
    positives = np.flatnonzero(is_positive)
    with part("odd positives", 0, 0.01):
        positives = positives[~repeats(of_copies, positives)]
    is_positive = np.isin(np.arange(X.shape[0]), positives)
    if len(positives) < MIN_POSITIVES or not is_unlabeled.any():
        return positives, None
    rows = np.sort(rows_to_rank(X, is_positive, is_positive | is_unlabeled, random))
    Z, is_labeled = unit_rows(X[rows]), is_positive[rows]
    sample = drawn_rows(Z, np.arange(len(rows)), MAX_LATENT_ROWS, random)
    latent = latent_space(Z[sample], N_COMPONENTS, random).rows(Z)
    report("odd positives", LATENT)
    # Neighbors of all would take longer than many a training.
    no_graph = no_edges(len(rows))
    ranks = left_out_ranks(Z, is_labeled, graph=no_graph, latent=latent, random_state=random)
    return positives, ranks.positive
