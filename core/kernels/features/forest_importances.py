"""Importance of features to a random forest, without the forest.

scikit-learn grows the trees. Its forests are not used: in threads they change the filters of
warnings of the whole process, and keep all trees.
"""

import numpy as np
from joblib import Parallel, delayed
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight


def forest_importances(
    X,
    is_positive,
    *,
    n_estimators=100,
    min_samples_leaf=1,
    n_drawn=None,
    class_weight=None,
    random_state=None,
):
    """Return how much each feature lessens the Gini impurity in the trees of a random forest.

    Trees are grown by as many threads as the ``n_jobs`` of ``joblib.parallel_config`` says, one
    without it; that does not change the result, which is that of scikit-learn's forest.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples; compared in single precision.
    is_positive : ndarray of bool of shape (n_samples,)
        The class.
    n_estimators : int in [1, inf), default=100
        Trees.
    min_samples_leaf : int in [1, inf), default=1
        Fewest samples at the end of a branch.
    n_drawn : int in [1, inf), default=None
        Samples drawn for each tree, with replacement; None means ``n_samples``.
    class_weight : {"balanced", "balanced_subsample"}, default=None
        Draw samples of both classes as often, or weigh the classes of each tree alike.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws and trees.

    Returns
    -------
    ndarray of shape (n_features,)
        In [0, 1]; they add up to 1, or are all 0 if no tree has a branch.

    References
    ----------
    L. Breiman, "Random forests", Machine Learning 45, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from core.kernels.features.forest_importances import forest_importances
    >>> X = np.array([[5, 1], [6, 1], [1, 1], [2, 1]])
    >>> forest_importances(X, X[:, 0] > 3, random_state=0).tolist()
    [1.0, 0.0]
    """
    X = X.astype(np.float32)
    seeds = check_random_state(random_state).randint(np.iinfo(np.int32).max, size=n_estimators)
    jobs = (
        delayed(_tree_importances)(
            X, is_positive, min_samples_leaf, n_drawn or len(X), class_weight, int(seed)
        )
        for seed in seeds
    )
    # Growing a tree does not hold the lock of the interpreter, and X is shared.
    total = np.sum(Parallel(require="sharedmem")(jobs), axis=0)
    return total / total.sum() if total.any() else total


def _tree_importances(X, is_positive, min_samples_leaf, n_drawn, class_weight, seed):
    counts = np.bincount(
        _draw(is_positive, n_drawn, class_weight, check_random_state(seed)),
        minlength=len(X),
    )
    if class_weight == "balanced_subsample":
        drawn = np.repeat(np.arange(len(X)), counts)
        counts = counts * compute_sample_weight("balanced", is_positive, indices=drawn)
    tree = DecisionTreeClassifier(
        max_features="sqrt", min_samples_leaf=min_samples_leaf, random_state=seed
    )
    return tree.fit(X, is_positive, sample_weight=counts, check_input=False).feature_importances_


def _draw(is_positive, n_drawn, class_weight, random):
    if class_weight != "balanced":
        return random.randint(0, len(is_positive), n_drawn, dtype=np.int32)
    weights = compute_sample_weight("balanced", is_positive)
    return random.choice(len(is_positive), n_drawn, p=weights / weights.sum())
