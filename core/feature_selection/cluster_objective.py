"""How well the clusters of the data, seen through a mask of features, single out the positives."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from joblib import cpu_count, effective_n_jobs
from sklearn.mixture import GaussianMixture

from core.feature_selection.silence import silence
from core.kernels.clusters.cluster_subset import best_cluster_subset
from core.kernels.clusters.gaussian_mixture import (
    ROWS_PER_FEATURE,
    mixture_log_densities,
    smoothed_memberships,
)
from core.kernels.clusters.kmeans_start import kmeans_start
from core.kernels.hardware.blas import one_thread

#: Features are divided by this power of their spread where clusters start. With 0 the widest
#: decide, be they noise; with 1 the positives stand out so early that half of the features do.
SPREAD_POWER = 0.2
#: Steps of expectation-maximisation: two tell masks apart as well as four, in half the time.
N_STEPS = 2
#: Unlabeled rows that are taken even where fewer would do for full covariances.
ENOUGH_UNLABELED = 1000
#: Entries of rows times products of features from which a pair is worth two threads.
THREAD_ENTRIES = 2**18


class QuickObjective:
    """Recall times precision of the best clusters, on a fixed sample, after a few steps.

    All positives are in the sample; an unlabeled row counts as many as it stands for.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Rows, columns scaled to [0, 1].
    is_positive : ndarray of bool of shape (n_samples,)
        Which are labeled positive.
    n_clusters : int
        Most clusters.
    n_selected : int
        Features of the masks to come: with many for the rows, covariances are diagonal.
    max_unlabeled : int
        Most unlabeled rows in the sample; a thousand, if they are enough for full covariances.
    random : numpy.random.Generator
        Source of the sample and of the starts.
    """

    def __init__(self, X, is_positive, *, n_clusters, n_selected, max_unlabeled, random):
        n_needed = ROWS_PER_FEATURE * n_clusters * n_selected
        n_unlabeled = min(max_unlabeled, max(ENOUGH_UNLABELED, n_needed - is_positive.sum()))
        rows, weights = _rows_to_compare(is_positive, n_unlabeled, random)
        self._is_positive, self._weights = is_positive[rows], weights
        centred = X[rows] - np.average(X[rows], axis=0, weights=weights)
        self._columns = np.ascontiguousarray(centred.T, dtype=np.float32)
        spread = np.maximum(self._columns.std(axis=1, keepdims=True), np.finfo(np.float32).eps)
        self._start_columns = self._columns / spread**SPREAD_POWER
        self._n_clusters, self._random = n_clusters, random
        self.n_rows = len(rows)
        self.covariance = "full" if self.n_rows >= n_needed else "diagonal"
        is_full = self.covariance == "full"
        n_products = n_selected * (n_selected + 1) // 2 if is_full else n_selected
        self.is_large = n_products * self.n_rows >= THREAD_ENTRIES

    def draw_start(self):
        """Draw what a pair of masks starts from alike."""
        return self._random.random(self._n_clusters)

    def value(self, mask, start):
        """Return recall times precision of the best clusters through a mask."""
        # Positives, of which the sample has more than their share, are likelier seeds.
        clusters = kmeans_start(self._start_columns[mask], start)
        densities = mixture_log_densities(
            self._columns[mask],
            self._weights,
            smoothed_memberships(clusters, self._n_clusters),
            covariance=self.covariance,
            n_iter=N_STEPS,
        )
        clusters = densities.argmax(axis=0)
        return best_cluster_subset(
            np.bincount(clusters[self._is_positive], minlength=self._n_clusters),
            np.bincount(clusters, self._weights, minlength=self._n_clusters),
        )[0]


class PaperObjective:
    """The same as published: a mixture of all rows, until it converges, by scikit-learn.

    Parameters
    ----------
    X, is_positive, n_clusters, random
        As for :class:`QuickObjective`.
    """

    covariance = "full"
    is_large = False

    def __init__(self, X, is_positive, *, n_clusters, random):
        self._X, self._is_positive = X, is_positive
        self._n_clusters, self._random = n_clusters, random
        self.n_rows = len(X)

    def draw_start(self):
        """Return nothing: each mask gets a start of its own."""
        return

    def value(self, mask, start):
        """Return recall times precision of the clusters that the paper's algorithm 1 takes."""
        mixture = GaussianMixture(
            self._n_clusters, random_state=int(self._random.integers(2**31 - 1))
        )
        with silence:
            clusters = mixture.fit_predict(self._X[:, mask])
        return best_cluster_subset(
            np.bincount(clusters[self._is_positive], minlength=self._n_clusters),
            np.bincount(clusters, minlength=self._n_clusters),
            early_stop=True,
        )[0]


#: By the modes of FSCPU.
OBJECTIVES = {"fast": QuickObjective, "paper": PaperObjective}


@contextmanager
def pair_evaluation(objective):
    """Yield the function of two masks to their values, in two threads where that pays.

    That is where the ``n_jobs`` of ``joblib.parallel_config`` allows it and the sample is large.

    Parameters
    ----------
    objective : QuickObjective or PaperObjective
        What values the masks.

    Yields
    ------
    callable
        The values are the same in either case.
    """
    # Products, and distances of k-means, are too small for threads of their own.
    with one_thread(None):
        if not objective.is_large or min(effective_n_jobs(None), cpu_count()) < 2:
            yield lambda *masks: _values(map, objective, masks)
            return
        with ThreadPoolExecutor(2) as pool:
            yield lambda *masks: _values(pool.map, objective, masks)


def _values(apply, objective, masks):
    start = objective.draw_start()
    return tuple(apply(lambda mask: objective.value(mask, start), masks))


def _rows_to_compare(is_positive, max_unlabeled, random):
    """Return the rows of a sample in random order, and how many each stands for."""
    unlabeled = np.flatnonzero(~is_positive)
    n_drawn = min(max_unlabeled, len(unlabeled))
    drawn = random.choice(unlabeled, n_drawn, replace=False)
    rows = random.permutation(np.concatenate([np.flatnonzero(is_positive), drawn]))
    return rows, np.where(is_positive[rows], 1, len(unlabeled) / n_drawn).astype(np.float32)
