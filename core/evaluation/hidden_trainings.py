"""Trainings side by side that some labels are hidden from."""

from contextvars import copy_context

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from core.kernels.convergence import unconverged
from core.progress import listening, report
from core.shared_work import sharing


def hidden_trainings(classifier, X, labelings, hidden, unlabeled):
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
    # Trainings that are only compared need not each tell that they did not converge.
    with sharing(), unconverged():
        # Threads share the graph and the directions that all trainings need.
        tasks = [
            delayed(copy_context().run)(
                _trained, clone(classifier).set_params(pos_label=1), X, *labeling, own, unlabeled
            )
            for labeling, own in zip(labelings, hidden, strict=True)
        ]
        found = []
        for training in Parallel(return_as="generator", require="sharedmem")(tasks):
            found.append(training)
            report("hide", len(found) / len(tasks))
    return found


def _trained(classifier, X, is_positive, is_negative, hidden, unlabeled):
    with listening(_to_nobody):
        classifier.fit(X, is_positive.astype(int), is_negative=is_negative)
        # Of all rows: a copy of those that are asked for would be nearly the whole matrix.
        scores = classifier.training_scores(X)
    return scores[np.concatenate([hidden, unlabeled])], classifier.offset_


def _to_nobody(stage, fraction, **facts):
    """Listen to a training and tell nobody: reports of several side by side would mix."""
