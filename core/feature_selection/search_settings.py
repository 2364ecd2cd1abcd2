"""Step, bounds and number of steps of a search over masks, by the number of candidates."""

import numpy as np

from core.errors import BadParameter

#: Candidates up to which step and number of steps are as given.
FEW_CANDIDATES = 50
#: Farthest from 0 and 1 that the default keeps probabilities.
MAX_CLIP_RATE = 1 / 3


def search_settings(n_features, share, *, learning_rate, clip_rate, max_iter):
    """Return the settings of a search over masks of many features.

    The probability of a feature that makes no difference drifts by the root of the number of
    steps: of more candidates than 50, steps are smaller and more by the root of their number.

    Parameters
    ----------
    n_features : int
        Number of candidates.
    share : float in (0, 1)
        Share of them that is to be selected: where probabilities start.
    learning_rate, max_iter : float, int
        Step and number of steps for up to 50 candidates.
    clip_rate : float or None
        How far probabilities stay from 0 and 1; None means 1 over ``n_features``, at most a third.

    Returns
    -------
    dict
        ``learning_rate``, ``clip_rate`` and ``max_iter``.

    Raises
    ------
    ValueError
        If probabilities start outside their bounds.

    Examples
    --------
    >>> from core.feature_selection.search_settings import search_settings
    >>> search_settings(200, 0.1, learning_rate=0.05, clip_rate=None, max_iter=1000)
    {'learning_rate': 0.025, 'clip_rate': 0.005, 'max_iter': 2000}
    """
    scale = max(1.0, float(np.sqrt(n_features / FEW_CANDIDATES)))
    if clip_rate is None:
        clip_rate = default_clip_rate(n_features)
    elif not clip_rate <= share <= 1 - clip_rate:
        raise BadParameter(
            f"clip_rate={clip_rate} is too large: the probabilities start at {share:.3g}, the "
            "share of the features that is to be selected.",
            "clip_rate",
        )
    return {
        "learning_rate": learning_rate / scale,
        "clip_rate": clip_rate,
        "max_iter": round(max_iter * scale),
    }


def default_clip_rate(n_features):
    """Return how far from 0 and 1 probabilities stay: 1 over ``n_features``, at most a third.

    Examples
    --------
    >>> from core.feature_selection.search_settings import default_clip_rate
    >>> default_clip_rate(200)
    0.005
    """
    return min(1 / n_features, MAX_CLIP_RATE)
