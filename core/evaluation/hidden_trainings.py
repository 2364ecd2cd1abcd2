"""Trainings side by side that some labels are hidden from."""

from contextvars import copy_context

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils import check_random_state

from core.kernels.convergence import unconverged
from core.kernels.rows.row_hash import content_order
from core.progress import SideBySide
from core.shared_work import sharing


def dealt_out(X, rows, groups, n_splits, random_state, *, is_dealt_first=None):
    """Deal samples out to trainings that they are hidden from, those of a group together.

    Parameters
    ----------
    X : sparse matrix of shape (n_samples, n_features)
        All samples: what they hold and chance decide, not where they stand.
    rows : ndarray of int
        Which samples are dealt out.
    groups : ndarray of int of shape (n_samples,)
        Those of the same number are of a group.
    n_splits : int in [1, inf)
        Trainings; at most one per group.
    random_state : int, RandomState instance or None
        Deals them out.
    is_dealt_first : ndarray of bool of shape (n_samples,), default=None
        Which samples are dealt out before the others, so that each training has some.

    Returns
    -------
    deals : list of ndarrays of bool of shape (n_samples,)
        Which samples are of a group that each training gets.
    firsts : ndarray of int of shape (n_groups,)
        One of the rows of each group.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.evaluation.hidden_trainings import dealt_out
    >>> X, groups = sp.csr_array([[1.0, 0], [1, 0], [0, 1], [0, 0]]), np.array([0, 0, 2, 3])
    >>> deals, firsts = dealt_out(X, np.arange(3), groups, 5, 0)
    >>> sorted(np.flatnonzero(deal).tolist() for deal in deals), sorted(firsts.tolist())
    ([[0, 1], [2]], [0, 2])
    """
    rows = rows[content_order(X[rows])]
    firsts = rows[np.sort(np.unique(groups[rows], return_index=True)[1])]
    order = check_random_state(random_state).permutation(firsts)
    if is_dealt_first is not None:
        order = order[np.argsort(~is_dealt_first[order], kind="stable")]
    n_splits = min(n_splits, len(order))
    return [np.isin(groups, groups[order[k::n_splits]]) for k in range(n_splits)], firsts


def hidden_trainings(classifier, X, labelings, hidden, unlabeled, *, beside=None):
    """Train a classifier with each of some labelings; report the stage "hide".

    Parameters
    ----------
    classifier : BasePUClassifier
        Its parameters are used; it is left as it is.
    X : sparse matrix of shape (n_samples, n_features)
        All samples.
    labelings : list of pairs of ndarrays of bool of shape (n_samples,)
        Which samples are positive, and which negative, in each training.
    hidden : list of ndarrays of int
        Samples whose labels are hidden from each training.
    unlabeled : ndarray of int of shape (n_unlabeled,)
        Samples without a label.
    beside : callable, default=None
        What else one of the threads does, without arguments.

    Returns
    -------
    list of pairs
        Of each training the scores of its hidden samples, then of the unlabeled ones, of shape
        (n_hidden + n_unlabeled,), and the cut.

    Examples
    --------
    >>> import numpy as np
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation.hidden_trainings import hidden_trainings
    >>> from core.registry import ALGORITHMS
    >>> X, y, _ = make_pu_data(200, 10, random_state=0)
    >>> first, labeled = np.flatnonzero(y)[:1], y == 1
    >>> labeled[first] = False
    >>> [(scores, cut)] = hidden_trainings(
    ...     ALGORITHMS["prototype"](), X, [(labeled, y > 1)], [first], np.flatnonzero(y == 0)
    ... )
    >>> len(scores) == 1 + int((y == 0).sum())
    True
    """
    learner = clone(classifier).set_params(pos_label=1)
    n_trainings = len(labelings)
    # Threads share the graph and the directions that all trainings need.
    with sharing(), SideBySide("hide", n_trainings + (beside is not None)) as progress:
        others = [] if beside is None else [_task(progress, n_trainings, beside)]
        # Trainings that are only compared need not each tell that they did not converge.
        with unconverged():
            tasks = [
                _task(progress, number, _trained, clone(learner), X, *labeling, own, unlabeled)
                for number, (labeling, own) in enumerate(zip(labelings, hidden, strict=True))
            ] + others
            found = Parallel(require="sharedmem")(tasks)
    return found[:n_trainings]


def _task(progress, number, function, *arguments):
    """Return a task for a thread, in a copy of the context as it is now."""
    return delayed(copy_context().run)(_heard, progress, number, function, *arguments)


def _heard(progress, number, function, *arguments):
    with progress.task(number):
        return function(*arguments)


def _trained(classifier, X, is_positive, is_negative, hidden, unlabeled):
    classifier.fit(X, is_positive.astype(int), is_negative=is_negative)
    # Of all rows: a copy of those that are asked for would be nearly the whole matrix.
    scores = classifier.training_scores(X)
    return scores[np.concatenate([hidden, unlabeled])], classifier.offset_
