"""Gradient-boosted trees of LightGBM, which is an optional dependency."""

from sklearn.metrics import roc_auc_score

from core.errors import MissingPackage

try:
    import lightgbm
# OSError: it is there, but its OpenMP library, libgomp1, is not. AttributeError: it reads its own
# docstrings, which python -OO takes away.
except (ImportError, OSError, AttributeError):
    lightgbm = None  # type: ignore[assignment]  # to mypy it stays a module

#: The settings of the classifier on selected features: the defaults diverge with few positives.
#: Fewer bins take half the time. Each of the masks that are compared has one thread.
SETTINGS = {
    "objective": "binary",
    "lambda_l2": 10,
    "max_bin": 63,
    "num_threads": 1,
    "deterministic": True,
    "force_col_wise": True,
    "verbosity": -1,
}


def check_lightgbm():
    """Check that LightGBM can be used.

    Raises
    ------
    MissingPackage
        If it cannot; a ValueError that says how to install it.
    """
    if lightgbm is None:
        raise MissingPackage(
            "LightGBM is not installed or cannot be loaded: pip install 'lightgbm>=4.7,<5', and on "
            "Debian apt-get install libgomp1."
        )


def held_out_auc(X, is_positive, training, held_out, *, n_estimators=100, seed=0):
    """Train boosted trees on some rows and return the area under the ROC curve over others.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples.
    is_positive : ndarray of bool of shape (n_samples,)
        Both classes occur among either rows.
    training, held_out : ndarrays of int
        Rows.
    n_estimators : int in [1, inf), default=100
        Trees.
    seed : int in [0, 2**31), default=0
        Seed of the trees.

    Returns
    -------
    float in [0, 1]
        How probable it is that a held-out positive scores above another held-out sample.

    References
    ----------
    G. Ke et al., "LightGBM: a highly efficient gradient boosting decision tree", NeurIPS 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.features.boosted_trees import held_out_auc
    >>> X = np.repeat([[0.0], [1.0]], 100, axis=0)
    >>> held_out_auc(X, X[:, 0] > 0, np.arange(0, 200, 2), np.arange(1, 200, 2))
    1.0
    """
    check_lightgbm()
    settings = {**SETTINGS, "seed": seed}
    data = lightgbm.Dataset(X[training], is_positive[training], params=settings)
    booster = lightgbm.train(settings, data, num_boost_round=n_estimators)
    scores = booster.predict(X[held_out], raw_score=True, num_threads=1)
    return float(roc_auc_score(is_positive[held_out], scores))
