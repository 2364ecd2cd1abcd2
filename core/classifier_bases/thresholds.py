"""Cuts on the scores of one-class methods, which have no negatives to tune one on."""

from numbers import Integral, Real

import numpy as np

from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.unit_rows import unit_rows
from core.options import SHARE, Interval, StrOptions

#: A quantile of fewer left-out scores than this says nothing.
MIN_SCORES = 5
#: Copies of a positive score as it does when it is left out, but for rounding: they are accepted.
ROUNDING = 1e-9


class OneClassMixin:
    """For classifiers that learn from the positives alone and let their caller choose the cut."""

    #: Their parameters of the cut.
    _threshold_constraints: dict = {
        "threshold": [
            StrOptions({"auto", "quantile", "min", "mean"}),
            Interval(Real, None, None, closed="neither"),
        ],
        "quantile": [SHARE],
        "n_deviations": [Interval(Integral, -3, 3, closed="both")],
    }

    @staticmethod
    def _positive_rows(X, is_positive):
        """Return the positives that are not empty, as unit rows."""
        Z = unit_rows(X[is_positive])
        return Z[has_entries(Z)]

    def _cut(self, scores, *, fixed, rule=None):
        """Return the cut by leave-one-out scores, by ``threshold`` unless a rule is given."""
        return one_class_threshold(
            self.threshold if rule is None else rule,
            scores,
            fixed=fixed,
            quantile=self.quantile,
            n_deviations=self.n_deviations,
        )


def one_class_threshold(rule, scores, *, fixed, quantile=0.05, n_deviations=0):
    """Return the score from which a sample is accepted.

    Parameters
    ----------
    rule : {"auto", "quantile", "min", "mean"} or float
        A number is the cut itself; "quantile", "min" and "mean" (plus ``n_deviations`` standard
        deviations) are taken over ``scores``; "auto" is "quantile" for five scores or more and
        ``fixed`` below.
    scores : ndarray of shape (n_positive,)
        Leave-one-out scores of the labeled positives: in-sample ones are inflated, for a single
        seed they are exactly the best score there is.
    fixed : float
        The cut where there are too few scores.
    quantile : float in [0, 1], default=0.05
        Which quantile of the scores is the cut, between two of them in proportion.
    n_deviations : int in [-3, 3], default=0
        Standard deviations added to the mean.

    Returns
    -------
    float
        The cut; one that is taken over ``scores`` is lower by a billionth of the largest of them.

    References
    ----------
    Golo, Marcacini and Rossi, "An extensive empirical evaluation of preprocessing techniques and
    supervised one class learning algorithms for text classification", ENIAC 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from core.classifier_bases.thresholds import one_class_threshold
    >>> one_class_threshold("min", np.array([0.5, 0.25, 0.75]), fixed=0.05)
    0.24999999925
    >>> one_class_threshold("auto", np.array([0.5]), fixed=0.05)
    0.05
    """
    if isinstance(rule, Real):
        return float(rule)
    if len(scores) < (MIN_SCORES if rule == "auto" else 2):
        return float(fixed)
    if rule == "min":
        cut = scores.min()
    elif rule == "mean":
        cut = scores.mean() + n_deviations * scores.std()
    else:
        cut = np.quantile(scores, quantile)
    return float(cut - ROUNDING * np.abs(scores).max())
