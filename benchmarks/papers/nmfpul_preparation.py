"""What the LP-PUL study most likely did apart from its algorithms: terms, weights, centre, stop.

Nothing of it is public but the numbers; the preparation is what its authors' tool for texts does:
words of letters, no English stop words, Porter stems, none of a single document, and tf-idf with
log(N / df) as the rarity. ``pip install --target PEER snowballstemmer``, then ``PYTHONPATH=PEER``.
"""

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks import collections
from benchmarks.papers.nmfpul_scores import Collection
from core.classifiers.lp_pul import LPPUL
from core.classifiers.one_class_kmeans import OneClassKMeans
from core.kernels.graphs.label_propagation import mass_difference
from core.kernels.rows.row_blocks import mean_row

try:
    import snowballstemmer
except ImportError:
    snowballstemmer = None

#: Change of a mass down to which the propagation of the study is taken to go on; fitted.
LEAST_CHANGE = 2e-3


def study_collection(name: str, data_dir: Path) -> Collection:
    _, texts, labels = collections.load(name, data_dir)
    stem = snowballstemmer.stemmer("porter").stemWord
    words = CountVectorizer(stop_words="english", token_pattern="[a-z]+").build_analyzer()
    vectorizer = CountVectorizer(analyzer=lambda text: map(stem, words(text)), min_df=2)
    counts = vectorizer.fit_transform(texts).astype(np.float64)
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = sp.diags_array(np.log(len(texts) / frequencies))
    return Collection(name, labels, {"tfidf": sp.csr_matrix(counts @ rarity)})


class StudyKMeans(OneClassKMeans):
    """One centre: the mean of the positives at their own lengths, so that long ones count more."""

    def _fit(self, X, is_positive, is_negative):
        centre = mean_row(X, is_positive)
        self.centers_ = (centre / np.linalg.norm(centre))[:, None]
        self.offset_ = self.threshold


class StudyLPPUL(LPPUL):
    """GFHF in sweeps that end when no mass changes by more than LEAST_CHANGE."""

    def _propagate(self, graph, positives, negatives, n_candidates):
        mass = np.zeros((graph.shape[0], 2))
        mass[positives, 0] = mass[negatives, 1] = 1
        self.mass_ = _sweeps(graph, mass)
        self.transduction_scores_ = mass_difference(self.mass_)


def _sweeps(graph: sp.csr_array, seeds: NDArray[np.float64]) -> NDArray[np.float64]:
    is_seed = seeds.any(axis=1)
    step = sp.diags_array(1 / np.maximum(graph.sum(axis=1), 1e-12)) @ graph
    mass, change = seeds, np.inf
    while change > LEAST_CHANGE:
        previous, mass = mass, step @ mass
        mass[is_seed] = seeds[is_seed]
        change = np.abs(mass - previous).max()
    return mass
