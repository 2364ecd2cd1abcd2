"""Stability of a selection: how much it changes with the samples it was made from."""

import numpy as np

from core.progress import part, stop_requested


def bootstrap_selections(selector, X, y, *, n_bootstraps, random_state=0):
    """Select features on bootstraps of the samples.

    Each bootstrap draws as many positives and as many unlabeled samples as there are, with
    replacement, and has the features in an order of its own, so that ties are broken otherwise
    each time. The parameters of the selector, its seed among them, stay the same.

    Parameters
    ----------
    selector : BaseFeatureSelector
        Cloned, not changed.
    X : ndarray or CSR array of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels of two values.
    n_bootstraps : int in [2, inf)
        How many bootstraps.
    random_state : int, default=0
        Seed of the draws.

    Returns
    -------
    ndarray of bool of shape (n_bootstraps, n_features)
        The features selected on each; of fewer bootstraps where a stop was asked for, see
        ``core.progress.stopping``.

    Raises
    ------
    ValueError
        If there are fewer than two bootstraps, or X or y is not usable.

    Examples
    --------
    >>> import numpy as np
    >>> from core.feature_selection import KBest
    >>> from core.feature_selection.stability import bootstrap_selections
    >>> X, y = np.array([[5, 1], [6, 1], [0, 1], [1, 2]]), [1, 1, 0, 0]
    >>> bootstrap_selections(KBest(1), X, y, n_bootstraps=2).tolist()
    [[True, False], [True, False]]
    """
    if n_bootstraps < 2:
        raise ValueError(f"n_bootstraps must be at least 2, not {n_bootstraps}.")
    y = np.asarray(y)
    groups = [np.flatnonzero(y == value) for value in np.unique(y)]
    random = np.random.default_rng(random_state)
    masks = []
    for i in range(n_bootstraps):
        rows = np.concatenate([random.choice(group, len(group)) for group in groups])
        order = random.permutation(X.shape[1])
        mask = np.empty(X.shape[1], dtype=bool)
        with part("bootstrap", i / n_bootstraps, (i + 1) / n_bootstraps):
            fitted = selector.reordered(order).fit(X[np.ix_(rows, order)], y[rows])
            mask[order] = fitted.get_support()
        # A selection that may have ended early says nothing of stability.
        if stop_requested():
            break
        masks.append(mask)
    return np.array(masks, dtype=bool).reshape(-1, X.shape[1])


def kuncheva_index(masks):
    """Return the mean agreement of pairs of selections, corrected for chance.

    Of two selections of k out of d features that share r, it is (r d - k^2) / (k (d - k)): 1 where
    they are equal, 0 where they share as many as random ones. Selections of different sizes are
    compared by the extension of Nogueira et al. (2018), equal to that mean where sizes are.

    Parameters
    ----------
    masks : array-like of bool of shape (n_selections, n_features)
        Selections, two or more.

    Returns
    -------
    float
        At most 1. NaN where all select everything or nothing, which says nothing of stability.

    Raises
    ------
    ValueError
        If there are fewer than two selections.

    References
    ----------
    L. I. Kuncheva, "A stability index for feature selection", AIA 2007; S. Nogueira, K. Sechidis
    and G. Brown, "On the stability of feature selection algorithms", JMLR 18(174), 2018,
    definition 4.

    Examples
    --------
    >>> from core.feature_selection.stability import kuncheva_index
    >>> kuncheva_index([[1, 1, 0, 0], [1, 1, 0, 0]])
    1.0
    >>> kuncheva_index([[1, 1, 0, 0], [1, 0, 1, 0]])
    0.0
    """
    masks = _checked(masks)
    n_selections, n_features = masks.shape
    frequencies = masks.mean(axis=0)
    variances = frequencies * (1 - frequencies) * n_selections / (n_selections - 1)
    share = masks.sum() / (n_selections * n_features)
    if share in (0, 1):
        return float("nan")
    return float(1 - variances.mean() / (share * (1 - share)))


def jaccard_index(masks):
    """Return the mean over pairs of selections of the features they share over those of either.

    Parameters
    ----------
    masks : array-like of bool of shape (n_selections, n_features)
        Selections, two or more.

    Returns
    -------
    float in [0, 1]
        1 where all are equal. It grows with the share of features selected, also by chance.

    Raises
    ------
    ValueError
        If there are fewer than two selections.

    Examples
    --------
    >>> from core.feature_selection.stability import jaccard_index
    >>> jaccard_index([[1, 1, 0], [0, 1, 1]]) * 3
    1.0
    """
    masks = _checked(masks).astype(np.float64)
    n_shared = masks @ masks.T
    sizes = masks.sum(axis=1)
    n_either = sizes[:, None] + sizes - n_shared
    similarity = np.divide(n_shared, n_either, where=n_either > 0, out=np.ones_like(n_shared))
    return float(similarity[np.triu_indices(len(masks), k=1)].mean())


def _checked(masks):
    masks = np.asarray(masks, dtype=bool)
    if masks.ndim != 2 or len(masks) < 2:
        raise ValueError("stability compares two selections or more, one in each row of masks.")
    return masks
