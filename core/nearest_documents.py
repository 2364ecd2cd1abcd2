"""Documents of the training that texts are nearest to: what a score hangs on."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from core.classifier_bases.propagation import PropagationClassifier
from core.kernels.graphs.knn_graph import nearest_rows
from core.kernels.rows.row_hash import drawn_rows
from core.kernels.rows.unit_rows import unit_rows
from core.options import AT_LEAST_ONE
from core.validation import _fit_context


class Neighbor(NamedTuple):
    """A document near to a text."""

    #: What it was called in ``fit``.
    number: int
    #: Cosine of the weighted terms, in (0, 1].
    similarity: float
    #: 1 for positive, 0 for unlabeled, -1 for judged negative, as it was in the training.
    label: int
    #: None where only positives are kept.
    score: float | None


class NearestDocuments(BaseEstimator):
    """Find the documents of a training that texts are nearest to, by the cosine of tf-idf weights.

    Classifiers that spread labels over a graph keep the rows of all documents, so that all can be
    found, by the weights that the graph was made of. For other classifiers the positives are kept
    here.

    Parameters
    ----------
    max_positives : int in [1, inf), default=1000
        Positives that are kept, at most; of more, some drawn at random.
    random_state : int, RandomState instance or None, default=None
        Seed of the drawing.

    Attributes
    ----------
    positives_ : sparse array of shape (n_kept, n_terms)
        Positives of unit length, in CSR format.
    positive_numbers_ : ndarray of int64 of shape (n_kept,)
        What they are called.
    weights_ : TermWeighting or None
        Of tf-idf, where the classifier learned from something else.
    numbers_, labels_ : ndarray of shape (n_documents,), or None
        What all documents are called and how they were labeled, where their rows are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from core.nearest_documents import NearestDocuments
    >>> from core.pipeline import make_text_classifier
    >>> texts, y = ["red apple", "green apple", "fast car", "apple car"], np.array([1, 1, 0, 0])
    >>> pipeline = make_text_classifier("prototype").fit(texts, y)
    >>> nearest = NearestDocuments().fit(pipeline, pipeline[:-2].transform(texts), y, y)
    >>> neighbors, [positives] = nearest.find(pipeline, pipeline[:-2].transform(["green"]), 5)
    >>> neighbors is None, round(positives[0].similarity, 2)
    (True, 0.84)
    """

    _parameter_constraints: dict = {
        "max_positives": [AT_LEAST_ONE],
        "random_state": ["random_state"],
    }

    def __init__(self, *, max_positives=1000, random_state=None):
        self.max_positives = max_positives
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, pipeline, counts, labels, numbers):
        """Keep what is needed of a training.

        Parameters
        ----------
        pipeline : sklearn.pipeline.Pipeline
            A text classifier, fitted to the documents.
        counts : sparse array of shape (n_documents, n_terms)
            The terms of the documents, counted and selected: ``pipeline[:-2].transform(texts)``.
        labels : ndarray of int of shape (n_documents,)
            1 for positive, 0 for unlabeled, -1 for judged negative.
        numbers : ndarray of int of shape (n_documents,)
            What the documents are called.

        Returns
        -------
        self : object
            The fitted finder.
        """
        classifier, weights = pipeline["classifier"], pipeline["weights"]
        random = check_random_state(self.random_state)
        chosen = drawn_rows(counts, np.flatnonzero(labels == 1), self.max_positives, random)
        self.positive_numbers_ = numbers[chosen]
        self.weights_ = self.numbers_ = self.labels_ = None
        if isinstance(classifier, PropagationClassifier):
            self.numbers_, self.labels_ = numbers, labels.astype(np.int8)
            self.positives_ = classifier.X_fit_[chosen]
            return self
        if weights.representation != "tfidf":
            self.weights_ = clone(weights).set_params(representation="tfidf").fit(counts)
        self.positives_ = self._unit_rows(pipeline, counts[chosen])
        return self

    def find(self, pipeline, counts, n_nearest):
        """Find the documents that are nearest to texts.

        Parameters
        ----------
        pipeline : sklearn.pipeline.Pipeline
            The one that was given to ``fit``.
        counts : sparse array of shape (n_texts, n_terms)
            The terms of the texts, as in ``fit``.
        n_nearest : int in [1, inf)
            How many for each text, at most; those that share no term are never near.

        Returns
        -------
        neighbors : list of list of Neighbor, or None
            For each text the nearest of all documents, the nearest first, equal ones in the order
            of ``fit``; None where rows are not kept.
        positives : list of list of Neighbor
            For each text the nearest of the positives.
        """
        check_is_fitted(self)
        Q = self._unit_rows(pipeline, counts)
        n_positive = len(self.positive_numbers_)
        known = self.positive_numbers_, np.ones(n_positive, dtype=int), None
        positives = _named(nearest_rows(Q, self.positives_, n_nearest), *known)
        if self.numbers_ is None:
            return None, positives
        classifier = pipeline["classifier"]
        known = self.numbers_, self.labels_, classifier.transduction_scores_
        return _named(classifier.nearest(Q, n_nearest), *known), positives

    def _unit_rows(self, pipeline, counts):
        weights = pipeline["weights"] if self.weights_ is None else self.weights_
        return unit_rows(weights.transform(counts))


def _named(cosines, numbers, labels, scores):
    """Return the neighbors of each row of cosines, the nearest first."""
    found = []
    for row in range(cosines.shape[0]):
        part = slice(cosines.indptr[row], cosines.indptr[row + 1])
        values, columns = cosines.data[part], cosines.indices[part]
        order = np.lexsort((columns, -values))
        near = zip(columns[order], values[order], strict=True)
        found.append(
            [
                # A product of unit rows can be above 1 by rounding.
                Neighbor(
                    int(numbers[i]),
                    min(1.0, float(cosine)),
                    int(labels[i]),
                    None if scores is None else float(scores[i]),
                )
                for i, cosine in near
            ]
        )
    return found
