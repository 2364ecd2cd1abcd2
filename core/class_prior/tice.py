"""The class prior from the regions where labels are densest (TIcE)."""

import heapq
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from core.class_prior.checked_samples import checked_samples
from core.class_prior.clamp import clamp_prior
from core.class_prior.conversion import prior_from_label_frequency
from core.kernels.rows.row_blocks import document_frequencies
from core.kernels.rows.row_hash import content_order

#: Terms that regions are made of: those that set positives most apart.
MAX_TERMS = 2000
N_FOLDS = 5
MAX_SPLITS = 500
#: Smallest region that may be split, and smallest one that counts.
MIN_SPLIT, MIN_REGION = 10, 10
#: Added to the size of a region where its share of labels is compared.
PSEUDO_COUNT = 5


class Sample(NamedTuple):
    """Some rows of the presence matrix, and which of them are labeled."""

    rows: sp.csr_array
    is_positive: np.ndarray

    def counts(self, members):
        """Return in how many of the members, and of the labeled ones, each term occurs."""
        weights = np.column_stack([members, members & self.is_positive]).astype(np.float64)
        return (self.rows.T @ weights).T

    def size(self, members):
        """Return how many members there are, and how many labeled ones."""
        return int(members.sum()), int((members & self.is_positive).sum())

    def having(self, term):
        """Return which rows have the term."""
        return self.rows[:, [term]].toarray().ravel() > 0


def tice_prior(X, is_positive, *, random_state=None):
    """Return the share of positives among the unlabeled, from the region densest in labels.

    In any region of positives alone the share of labels is the label frequency, elsewhere it is
    less. A tree of presence and absence of terms, grown on one fold, seeks regions dense in
    labels; the others give a lower bound of the label frequency in each.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array: positives and unlabeled samples.
    is_positive : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled; at least two, not all.
    random_state : int, RandomState instance or None, default=None
        Deals out the folds.

    Returns
    -------
    float in [1 / n_U, 1 - 1 / n_U]
        Near the upper end for few positives: Chebyshev's inequality says nothing then.

    References
    ----------
    J. Bekker and J. Davis, "Estimating the class prior in positive and unlabeled data through
    decision tree induction", AAAI 2018. Regions are judged by rows that the tree did not see; the
    authors' program judges by those that it did.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.class_prior import tice_prior
    >>> X = sp.csr_array(np.repeat([[1.0, 0], [0, 1]], [4000, 6000], axis=0))
    >>> round(tice_prior(X, np.arange(10000) < 2000, random_state=0), 1)
    0.3
    """
    X, is_positive = checked_samples(X, is_positive)
    random = check_random_state(random_state)
    rows = _presence(X, is_positive)
    fold = np.empty(len(is_positive), dtype=int)
    fold[content_order(X, is_positive)] = random.permutation(np.arange(len(fold)) % N_FOLDS)
    frequency = 0.5
    for _ in range(2):
        frequency = np.mean(
            [
                _fold_estimate(
                    Sample(rows[fold == k], is_positive[fold == k]),
                    Sample(rows[fold != k], is_positive[fold != k]),
                    frequency,
                )
                for k in range(N_FOLDS)
            ]
        )
    n_positive = int(is_positive.sum())
    n_unlabeled = len(is_positive) - n_positive
    return clamp_prior(prior_from_label_frequency(frequency, n_positive, n_unlabeled), n_unlabeled)


def failure_probability(n_samples):
    """Return with which probability a bound may fail, for a number of samples.

    Examples
    --------
    >>> from core.class_prior.tice import failure_probability
    >>> round(failure_probability(100), 6), failure_probability(10_000)
    (0.714286, 0.025)
    """
    return max(0.025, 1 / (1 + 0.004 * n_samples))


def lower_bound(n_labeled, n_samples, label_frequency, delta):
    """Return the lower bound of the label frequency in a region, by Chebyshev's inequality.

    Examples
    --------
    >>> from core.class_prior.tice import failure_probability, lower_bound
    >>> round(lower_bound(40, 100, 0.5, failure_probability(100)), 6)
    0.368377
    """
    variance = label_frequency * (1 - label_frequency)
    return float(n_labeled / n_samples - np.sqrt(variance * (1 - delta) / (delta * n_samples)))


def _presence(X, is_positive):
    """Return which of the terms that set positives apart occur in each row."""
    shares = [document_frequencies(X, side) / side.sum() for side in (is_positive, ~is_positive)]
    terms = np.sort(np.argsort(shares[1] - shares[0], kind="stable")[:MAX_TERMS])
    rows = X[:, terms].astype(np.float64)
    rows.data = (rows.data != 0).astype(np.float64)
    return rows


def _fold_estimate(tree, rest, frequency):
    """Return the best lower bound on the rest, of the regions of a tree grown best first."""
    delta = failure_probability(len(rest.is_positive))
    variance = frequency * (1 - frequency) * (1 - delta) / delta
    everything = np.ones(len(tree.is_positive), bool), np.ones(len(rest.is_positive), bool)
    n_rest, n_labeled = rest.size(everything[1])
    best = lower_bound(n_labeled, n_rest, frequency, delta)
    queue = [(-best, 0, *everything, ())]
    n_seen = 0
    for _ in range(MAX_SPLITS):
        if not queue:
            break
        _, _, in_tree, in_rest, used = heapq.heappop(queue)
        term = _best_term(tree, in_tree, used)
        if term is None:
            continue
        has = tree.having(term), rest.having(term)
        for sides in (has, (~has[0], ~has[1])):
            child, judged = in_tree & sides[0], in_rest & sides[1]
            n_samples, n_labeled = rest.size(judged)
            if n_samples >= MIN_REGION:
                best = max(best, lower_bound(n_labeled, n_samples, frequency, delta))
            n_child, n_child_labeled = tree.size(child)
            if n_child <= MIN_SPLIT or n_child_labeled <= variance / max(1e-9, 1 - best) ** 2:
                continue
            n_seen += 1
            bound = lower_bound(n_child_labeled, n_child, frequency, delta)
            heapq.heappush(queue, (-bound, n_seen, child, judged, (*used, term)))
    return min(1.0, max(best, 1 / n_rest))


def _best_term(sample, members, used):
    """Return the term one of whose sides is densest in labels, None where no term splits."""
    n_members, n_labeled = sample.size(members)
    n_having, n_labeled_having = sample.counts(members)
    density = np.maximum(
        n_labeled_having / (n_having + PSEUDO_COUNT),
        (n_labeled - n_labeled_having) / (n_members - n_having + PSEUDO_COUNT),
    )
    density[(n_having == 0) | (n_having == n_members)] = -1
    density[list(used)] = -1
    term = int(density.argmax())
    return term if density[term] >= 0 else None
