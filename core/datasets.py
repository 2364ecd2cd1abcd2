"""Synthetic PU data with known answers."""

from itertools import pairwise
from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import minmax_scale
from sklearn.utils import check_random_state

from core.errors import BadParameter
from core.options import (
    ABOVE_ZERO,
    AT_LEAST_ONE,
    AT_LEAST_ZERO,
    INNER_SHARE,
    SHARE_ABOVE_ZERO,
    Interval,
    validate_params,
)


@validate_params(
    {
        "n_samples": [AT_LEAST_ONE],
        "n_features": [Interval(Integral, 10, None, closed="left")],
        "label_frequency": [SHARE_ABOVE_ZERO],
        "class_prior": [INNER_SHARE],
        "n_words": [ABOVE_ZERO],
        "sparse": ["boolean"],
        "random_state": ["random_state"],
    },
    prefer_skip_nested_validation=True,
)
def make_pu_data(
    n_samples=200,
    n_features=60,
    *,
    label_frequency=0.5,
    class_prior=0.3,
    n_words=30,
    sparse=True,
    random_state=None,
):
    """Draw term counts of texts on two topics, some texts of the first one labeled.

    The words of a text come half from the background, over all terms with Zipf's frequencies,
    and half from its topic: a tenth of the terms is the topic of the positives, another tenth
    that of the negatives. Labels are missing completely at random.

    Parameters
    ----------
    n_samples : int in [1, inf), default=200
        Number of texts.
    n_features : int in [10, inf), default=60
        Number of terms.
    label_frequency : float in (0, 1], default=0.5
        Share of the positives that is labeled, c in the literature; at least one is.
    class_prior : float in (0, 1), default=0.3
        Share of positives among all texts.
    n_words : float in (0, inf), default=30
        Mean length of a text.
    sparse : bool, default=True
        Whether X is a sparse array; else a dense one.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : sparse array or ndarray of shape (n_samples, n_features)
        Term counts, float64.
    y : ndarray of shape (n_samples,)
        1 labeled positive, 0 unlabeled.
    y_true : ndarray of shape (n_samples,)
        1 positive, 0 negative.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> X, y, y_true = make_pu_data(100, label_frequency=0.2, class_prior=0.25, random_state=0)
    >>> X.shape, int(y.sum()), int(y_true.sum())
    ((100, 60), 5, 25)
    """
    random = check_random_state(random_state)
    positives = random.permutation(n_samples)[: round(class_prior * n_samples)]
    y_true = np.zeros(n_samples, dtype=int)
    y_true[positives] = 1
    y = np.zeros(n_samples, dtype=int)
    y[positives[: max(1, round(label_frequency * len(positives)))]] = 1

    rows = np.repeat(np.arange(n_samples), random.poisson(n_words, size=n_samples))
    words = _words(random, y_true[rows], n_features)
    counts = (np.ones(len(rows)), (rows, words))
    X = sp.coo_array(counts, shape=(n_samples, n_features)).tocsr()
    return (X if sparse else X.toarray()), y, y_true


def _words(random, topic, n_features):
    """Draw one term for each word of a text on topic 0 or 1."""
    zipf = 1 / np.arange(1, n_features + 1)
    words = random.choice(n_features, size=len(topic), p=zipf / zipf.sum())
    # The topics lie behind the most frequent terms, side by side.
    edges = n_features // 10 * np.arange(1, 4)
    is_topical = random.uniform(size=len(topic)) < 0.5
    for label, (start, stop) in enumerate(pairwise(edges)):
        mask = is_topical & (topic == label)
        words[mask] = random.randint(start, stop, size=mask.sum())
    return words


@validate_params(
    {
        "n_clusters": [tuple, None],
        "label_frequency": [SHARE_ABOVE_ZERO],
        "n_samples": [AT_LEAST_ONE],
        "n_positive": [AT_LEAST_ONE],
        "n_relevant": [AT_LEAST_ZERO],
        "n_irrelevant": [AT_LEAST_ZERO],
        "n_copies": [AT_LEAST_ZERO],
        "random_state": ["random_state"],
    },
    prefer_skip_nested_validation=True,
)
def make_clustered_pu_data(
    n_clusters=(8, 1),
    *,
    label_frequency=0.1,
    n_samples=4500,
    n_positive=500,
    n_relevant=25,
    n_irrelevant=20,
    n_copies=5,
    random_state=None,
):
    """Draw a table whose positives fall into clusters in some of its features.

    The relevant features are spherical normals around random centres, the rows of each class
    spread evenly over its centres. The irrelevant ones are uniform; some of them come a second
    time, with noise. Rows and columns are shuffled, features scaled to [0, 1], labels missing
    completely at random.

    Parameters
    ----------
    n_clusters : tuple of two ints in [1, inf) or None, default=(8, 1)
        Clusters of the negatives and of the positives. None draws all rows from one normal and
        takes those farthest out for positive: no clusters to find.
    label_frequency : float in (0, 1], default=0.1
        Share of the positives that is labeled, c in the literature.
    n_samples : int in [1, inf), default=4500
        Number of rows.
    n_positive : int in [1, n_samples], default=500
        How many of them are positive.
    n_relevant : int in [0, inf), default=25
        Features that tell the classes apart.
    n_irrelevant : int in [0, inf), default=20
        Features that do not.
    n_copies : int in [0, n_irrelevant], default=5
        Of these, how many come a second time.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : ndarray of shape (n_samples, n_relevant + n_irrelevant + n_copies)
        Features in [0, 1].
    y : ndarray of shape (n_samples,)
        1 labeled positive, 0 unlabeled.
    y_true : ndarray of shape (n_samples,)
        1 positive, 0 negative.
    is_relevant : ndarray of bool of shape (n_features,)
        Which features tell the classes apart.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    References
    ----------
    K. Uchikoshi and Y. Akimoto, "Feature selection based on cluster assumption in PU learning",
    GECCO 2025, section 5.1.

    Examples
    --------
    >>> from core.datasets import make_clustered_pu_data
    >>> X, y, y_true, is_relevant = make_clustered_pu_data((1, 2), random_state=0)
    >>> X.shape, int(y.sum()), int(y_true.sum()), int(is_relevant.sum())
    ((4500, 50), 50, 500, 25)
    """
    if n_clusters is not None and not (len(n_clusters) == 2 and min(n_clusters) >= 1):
        raise BadParameter(f"n_clusters={n_clusters} is no two ints from 1 on.", "n_clusters")
    if n_positive > n_samples:
        raise BadParameter(f"n_positive={n_positive} is not in [1, {n_samples}].", "n_positive")
    if n_copies > n_irrelevant:
        raise BadParameter(f"n_copies={n_copies} is not in [0, {n_irrelevant}].", "n_copies")
    random = check_random_state(random_state)
    y_true = np.arange(n_samples) >= n_samples - n_positive
    if n_clusters is None:
        relevant = random.normal(scale=5, size=(n_samples, n_relevant))
        # The rows farthest out come last, where the positives are.
        relevant = relevant[np.argsort((relevant**2).sum(axis=1), kind="stable")]
    else:
        sizes = (n_samples - n_positive, n_positive)
        classes = zip(sizes, n_clusters, strict=True)
        relevant = np.vstack([_clusters(*pair, n_relevant, random) for pair in classes])
    irrelevant = random.uniform(-10, 10, size=(n_samples, n_irrelevant))
    copied = irrelevant[:, random.permutation(n_irrelevant)[:n_copies]]
    copies = copied + random.normal(size=copied.shape)

    X = minmax_scale(np.hstack([relevant, irrelevant, copies]))
    y = np.zeros(n_samples, dtype=int)
    positives = random.permutation(np.flatnonzero(y_true))
    y[positives[: round(label_frequency * n_positive)]] = 1
    rows, columns = random.permutation(n_samples), random.permutation(X.shape[1])
    is_relevant = columns < n_relevant
    return X[np.ix_(rows, columns)], y[rows], y_true[rows].astype(int), is_relevant


def _clusters(n_rows, n_clusters, n_features, random):
    """Return rows spread evenly over normals of variance 10 around random centres."""
    centres = random.uniform(-5, 5, size=(n_clusters, n_features))
    rows = centres[np.arange(n_rows) % n_clusters]
    return rows + random.normal(scale=np.sqrt(10), size=rows.shape)
