"""Trainings side by side that some labels are hidden from."""

import warnings
from contextvars import copy_context

from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from core.progress import listening, report
from core.shared_work import sharing


def hidden_trainings(classifier, X, labelings):
    """Train a classifier with each of some labelings; report the stage "hide".

    Parameters
    ----------
    classifier : BasePUClassifier
        Its parameters are used; it is left as it is.
    X : sparse matrix of shape (n_samples, n_features)
        All samples.
    labelings : list of pairs of ndarrays of bool of shape (n_samples,)
        Which samples are positive, and which negative, in each training.

    Returns
    -------
    list of pairs
        Of each training the scores of all samples, of shape (n_samples,), and the cut.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> from core.evaluation.hidden_trainings import hidden_trainings
    >>> from core.registry import ALGORITHMS
    >>> X, y, _ = make_pu_data(200, 10, random_state=0)
    >>> [(scores, cut)] = hidden_trainings(ALGORITHMS["prototype"](), X, [(y == 1, y > 1)])
    >>> scores.shape
    (200,)
    """
    # What is trained to be compared needs no word for each training.
    with sharing(), warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        # Threads share the graph and the directions that all trainings need.
        tasks = [
            delayed(copy_context().run)(
                _trained, clone(classifier).set_params(pos_label=1), X, *labeling
            )
            for labeling in labelings
        ]
        found = []
        for training in Parallel(return_as="generator", require="sharedmem")(tasks):
            found.append(training)
            report("hide", len(found) / len(tasks))
    return found


def _trained(classifier, X, is_positive, is_negative):
    with listening(_to_nobody):
        classifier.fit(X, is_positive.astype(int), is_negative=is_negative)
        # Of all rows: a copy of those that are asked for would be nearly the whole matrix.
        return classifier.training_scores(X), classifier.offset_


def _to_nobody(stage, fraction, **facts):
    """Take what a training reports: several of them side by side would mix."""
