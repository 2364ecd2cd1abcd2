"""Synthetic PU data with known answers."""

from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state


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
    n_samples : int, default=200
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
