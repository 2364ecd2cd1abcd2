"""Judged SVM: the positives against the samples that a person judged to be negative."""

import numpy as np
from sklearn.utils import check_random_state

from core.classifier_bases.latent_linear import LatentLinearClassifier
from core.kernels.factors.latent_space import N_COMPONENTS
from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.linear.wide_rows import WideRows
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import drawn_rows
from core.kernels.rows.unit_rows import unit_rows
from core.options import ABOVE_ZERO


class JudgedSVM(LatentLinearClassifier):
    """Linear support vector machine of the positives against the judged negatives.

    It weighs terms and latent directions, which are those of all samples. What nobody judged is
    left out of the machine, so that hidden positives cannot mislead it. It is made for a review,
    where a model is trained again and again on what was read of its ranking: the negatives are then
    those hardest to tell from the positives. Where they are fewer than the positives, unlabeled
    samples are drawn to fill them up: a few negatives from the top of a ranking alone would let in
    whatever is unlike them. Without judged negatives all unlabeled samples are negatives. The
    errors are squared. The positives weigh 1 each, and all negatives together ``negative_weight``
    times as much as all positives.

    Parameters
    ----------
    C : float in (0, inf), default=1.0
        How much errors count against the length of the weights.
    negative_weight : float in (0, inf), default=0.1
        Weight of all negatives together, over that of all positives.
    n_components : int in [0, 300], default=50
        Latent directions; each takes a number per sample.
    random_state : int, RandomState instance or None, default=None
        Starts the singular value decomposition, and draws samples.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The label of unlabeled samples, then ``pos_label``.
    coef_ : ndarray of shape (n_features,)
        What one unit of each feature adds to the score at unit length, latent directions aside.
    latent_coef_ : ndarray of shape (n_components,)
        What the cosine with each latent direction adds.
    latent_columns_ : ndarray of shape (n_used,)
        The features that latent directions are made of.
    components_ : ndarray of shape (n_used, n_components)
        The directions, float32.
    intercept_ : float
        Score of an empty sample.
    offset_ : float
        The cut: half way between the mean scores of positives and negatives.
    n_features_in_ : int
        Number of features seen during ``fit``.
    report_ : dict
        Facts about the fit: ``negatives``, "judged", "judged_and_drawn" or "unlabeled".

    References
    ----------
    .. [1] The learner of ASReview, ELAS u4 (asreview 3.0.8, ``asreview.models``), whose positives
       weigh less at first; the weight of the negatives is about its own.

    Examples
    --------
    >>> from core.classifiers import JudgedSVM
    >>> X = [[2, 1, 0], [1, 0, 0], [2, 0, 1], [0, 2, 1], [0, 1, 2]]
    >>> is_negative = [False, False, False, True, False]
    >>> classifier = JudgedSVM(random_state=0).fit(X, [1, 1, 0, 0, 0], is_negative=is_negative)
    >>> classifier.score_samples([[0, 1, 0], [1, 0, 0]]).argmax()
    np.int64(1)
    """

    assumption = "The judged negatives are like those that are mistaken for positives."
    reference = "After ASReview's default learner (ELAS u4), van de Schoot et al. 2021"

    _parameter_constraints: dict = {
        **LatentLinearClassifier._parameter_constraints,
        "C": [ABOVE_ZERO],
        "negative_weight": [ABOVE_ZERO],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        C=1.0,
        negative_weight=0.1,
        n_components=N_COMPONENTS,
        random_state=None,
        pos_label=None,
    ):
        self.C = C
        self.negative_weight = negative_weight
        self.n_components = n_components
        self.random_state = random_state
        self.pos_label = pos_label

    def _fit(self, X, is_positive, is_negative):
        Z = unit_rows(X)
        is_used = has_entries(Z)
        is_positive, is_negative = is_positive & is_used, is_negative & is_used
        random = check_random_state(self.random_state)
        is_negative = self._filled_up(Z, is_positive, is_negative, is_used, random)
        latent = self._learn_latent(Z, random)
        rows = np.flatnonzero(is_positive | is_negative)
        known, is_first = WideRows(Z[rows], latent[rows]), is_positive[rows]
        weights = np.where(is_first, 1.0, self.negative_weight * is_first.sum() / (~is_first).sum())
        coef, intercept = fit_svm(known, is_first, weights, C=self.C)
        self._keep(np.append(coef, intercept), X.shape[1])
        scores = known.products(coef) + intercept
        self.offset_ = float(scores[is_first].mean() + scores[~is_first].mean()) / 2

    def _filled_up(self, Z, is_positive, is_negative, is_used, random):
        """Return which samples are negatives: as many as positives at least, or all there are."""
        n_lacking = int(is_positive.sum() - is_negative.sum())
        self.report_["negatives"] = "judged"
        is_unlabeled = is_used & ~is_positive & ~is_negative
        if not is_negative.any():
            self.report_["negatives"] = "unlabeled"
            return is_unlabeled
        if n_lacking > 0:
            self.report_["negatives"] = "judged_and_drawn"
            is_negative = is_negative.copy()
            is_negative[drawn_rows(Z, np.flatnonzero(is_unlabeled), n_lacking, random)] = True
        return is_negative
