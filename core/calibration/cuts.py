"""Where to cut a ranking, by rules that need no negatives."""

import re
from typing import NamedTuple

import numpy as np
from sklearn.mixture import GaussianMixture

from core.calibration.prior_cut import cut_below, prior_cut
from core.errors import BadParameter
from core.kernels.graphs.conductance import least_conductance_size
from core.kernels.hardware.blas import one_thread
from core.kernels.rows.masks import as_mask

#: The rules of :func:`~core.calibration.calibrate.calibrate`; "own" is the cut that a method sets.
RULES = ("own", "f1", "prior", "lee_liu", "conductance", "mixture")
#: Scores that a mixture is fitted to, at most: evenly over the ranking.
MIXTURE_SAMPLE = 20_000


class Cut(NamedTuple):
    """A score from which samples are taken for positive, or why there is none.

    Attributes
    ----------
    offset : float or None
        The score.
    reason : str or None
        ``class_prior_unknown``, ``no_graph``, ``accepts_all``, ``equal_scores``, or why there is
        no class prior, or hidden positives tell nothing.
    """

    offset: float | None
    reason: str | None = None


def budget_of(rule):
    """Return the number of samples that a rule "budget:N" accepts; None of any other.

    Examples
    --------
    >>> from core.calibration.cuts import budget_of
    >>> budget_of("budget:20"), budget_of("f1")
    (20, None)
    """
    found = re.fullmatch(r"budget:([0-9]+)", str(rule))
    return int(found[1]) if found else None


def check_rule(rule, n_unlabeled):
    """Refuse what is no rule, or accepts more samples than there are unlabeled ones: ValueError.

    Examples
    --------
    >>> from core.calibration.cuts import check_rule
    >>> check_rule("budget:20", n_unlabeled=20)
    """
    budget = budget_of(rule)
    if rule not in RULES and not budget:
        raise BadParameter(f"cut must be one of {RULES} or 'budget:N'; it is {rule!r}.", "cut")
    if budget is not None and budget > n_unlabeled:
        raise BadParameter(
            f"cut={rule!r} accepts more than the {n_unlabeled:,} unlabeled samples.", "cut"
        )


def budget_cut(scores, n_accepted):
    """Return the cut that accepts a number of samples.

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Scores of the unlabeled samples.
    n_accepted : int in [0, inf)
        Samples to accept; more than there are means all.

    Returns
    -------
    Cut
        Equal scores at the cut are all accepted.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.cuts import budget_cut
    >>> budget_cut(np.array([0.1, 0.7, 0.4]), 2).offset
    0.25
    """
    if n_accepted < 1:
        return Cut(float(np.nextafter(scores.max(), np.inf)))
    n_accepted = min(n_accepted, len(scores))
    return Cut(cut_below(scores, np.partition(scores, -n_accepted)[-n_accepted]))


def class_prior_cut(scores, class_prior, reason=None):
    """Return the cut that accepts the share of positives, None where that is unknown.

    ``reason`` says why it is; None means no more than ``class_prior_unknown``.
    """
    if class_prior is None:
        return Cut(None, reason or "class_prior_unknown")
    return Cut(prior_cut(scores, class_prior))


def cut_in_review(scores, judged, class_prior, reason=None):
    """Return the cut by the class prior of what is left of a pile that was read from the top.

    What is left scores low: its best samples would let all new ones in. So the cut is where all
    samples have as many above it as were found and are left.

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Of the samples that nobody judged.
    judged : Judged
        The others, on one scale with them.
    class_prior : float in [0, 1] or None
        Share of positives among what nobody judged.
    reason : str, default=None
        Why that is unknown, where it is.

    Returns
    -------
    Cut

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.cuts import cut_in_review
    >>> from core.evaluation.hide_judgements import Judged
    >>> judged = Judged(np.array([9.0, 8, 7]), np.array([True, True, True]))
    >>> cut_in_review(np.array([4.0, 3, 2]), judged, 1 / 3).offset
    3.5
    """
    if class_prior is None:
        return class_prior_cut(scores, None, reason)
    pool = np.concatenate([scores, judged.scores])
    share = (judged.is_positive.sum() + class_prior * len(scores)) / len(pool)
    return class_prior_cut(pool, min(share, 1.0))


def lee_liu_cut(scores, positive_ranks):
    """Return the cut with the best recall squared over the share that is accepted.

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Scores of the unlabeled samples.
    positive_ranks : ndarray of shape (n_positive,)
        Of :func:`~core.calibration.hidden_ranks.hidden_ranks`.

    Returns
    -------
    Cut
        At a hidden positive: between two, the score of Lee and Liu only falls.

    References
    ----------
    W. S. Lee and B. Liu, "Learning with positive and unlabeled examples using weighted logistic
    regression", ICML 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.cuts import lee_liu_cut
    >>> lee_liu_cut(np.arange(10.0), np.array([0.95, 0.75, 0.05])).offset
    6.5
    """
    ranks = np.sort(positive_ranks)[::-1]
    recall = np.arange(1, len(ranks) + 1) / len(ranks)
    wanted = np.ceil(np.round((1 - ranks) * len(scores), 6)).astype(int)
    ascending = np.sort(scores)
    accepted = len(scores) - np.searchsorted(ascending, ascending[-wanted])  # equal ones together
    return budget_cut(scores, int(accepted[np.argmax(recall**2 / accepted)]))


def mixture_cut(scores, *, random_state=None):
    """Return the cut between two normal distributions fitted to the scores.

    Parameters
    ----------
    scores : ndarray of shape (n_unlabeled,)
        Scores of the unlabeled samples.
    random_state : int, RandomState instance or None, default=None
        Starts the fit.

    Returns
    -------
    Cut
        Just below the least score that rather belongs to the upper distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from core.calibration.cuts import mixture_cut
    >>> scores = np.concatenate([np.linspace(-1, 1, 50), np.linspace(9, 11, 20)])
    >>> mixture_cut(scores, random_state=0).offset
    5.0
    """
    ascending = np.sort(scores)
    if ascending[0] == ascending[-1]:
        return Cut(None, "equal_scores")
    places = np.linspace(0, len(ascending) - 1, min(len(ascending), MIXTURE_SAMPLE)).astype(int)
    sample = ascending[places]
    # At unit spread, so that the regularisation of variances means the same for all scores.
    location, scale = sample.mean(), sample.std()
    if scale == 0:
        return Cut(None, "equal_scores")
    standard = ((sample - location) / scale)[:, None]
    with one_thread():  # or k-means, which it starts from, would set a limit of its own
        mixture = GaussianMixture(2, random_state=random_state).fit(standard)
    upper = int(np.argmax(mixture.means_))
    belongs = (mixture.predict(standard) == upper) & (standard[:, 0] > mixture.means_.min())
    if not belongs.any():
        return Cut(None, "equal_scores")
    return Cut(cut_below(sample, sample[np.argmax(belongs)]))


def conductance_cut(scores, is_positive, is_unlabeled, neighbors, *, class_prior=None):
    """Return the cut before which fewest edges of a graph of neighbors leave what is accepted.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        Scores of all samples.
    is_positive, is_unlabeled : array-like of bool or of 0 and 1, of shape (n_samples,)
        Labeled positives, which belong to what is accepted, and unlabeled samples.
    neighbors : Neighbors or None
        Where they are of some samples, the cut is the one before which fewest edges leave these.
    class_prior : float in (0, 1), default=None
        Share near which the cut is looked for, see
        :func:`~core.kernels.graphs.conductance.least_conductance_size`; None looks from five
        samples to half of them.

    Returns
    -------
    Cut

    References
    ----------
    I. M. Kloumann and J. M. Kleinberg, "Community membership identification from small seed sets",
    KDD 2014.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.calibration.cuts import conductance_cut
    >>> from core.kernels.graphs.conductance import Neighbors
    >>> pair = np.array([[0.0, 1], [1, 0]])
    >>> neighbors = Neighbors(sp.csr_array(np.kron(np.eye(3), pair)))
    >>> scores, is_positive = np.array([6.0, 5, 4, 3, 2, 1]), np.arange(6) == 0
    >>> conductance_cut(scores, is_positive, ~is_positive, neighbors, class_prior=0.2).offset
    4.5
    """
    is_positive = as_mask(is_positive, "is_positive", len(scores))
    is_unlabeled = as_mask(is_unlabeled, "is_unlabeled", len(scores))
    if neighbors is None:
        return Cut(None, "no_graph")
    ranked = scores[neighbors.rows][is_unlabeled[neighbors.rows]]
    near = class_prior * len(ranked) if class_prior else None
    conductance = neighbors.conductance(scores, is_positive, is_unlabeled)
    size = least_conductance_size(conductance, near=near)
    return budget_cut(ranked, size)
