"""What classifiers share whose risk holds the class prior: where it comes from, and the cut."""

from core.calibration.prior_cut import prior_cut
from core.class_prior.given_or_estimated import given_or_estimated_prior
from core.kernels.rows.row_blocks import has_entries
from core.options import StrOptions


class ClassPriorMixin:
    """For classifiers with the parameter ``class_prior``, None meaning that it is estimated.

    Attributes
    ----------
    class_prior_ : float
        The class prior it was trained with.
    """

    #: The parameter of those that leave the cut to their caller.
    _cut_constraints: dict = {"cut": [StrOptions({"prior", "zero"})]}

    def _set_class_prior(self, X, is_positive, is_negative):
        """Set and report ``class_prior_``; flag one that nothing tells."""
        self.class_prior_, source = given_or_estimated_prior(
            self.class_prior, X, is_positive, is_negative
        )
        self.report_ |= {"class_prior": self.class_prior_, "class_prior_source": source}
        if source == "unknown":
            self.add_flag("prior_unknown")
        elif source == "given" and self.class_prior_ != self.class_prior:
            self.add_flag("prior_clamped")

    def _risk_cut(self, scores, X, is_unlabeled):
        """Return the cut on the scores of X that ``cut`` asks for."""
        return 0.0 if self.cut == "zero" else self._prior_cut(scores, X, is_unlabeled)

    def _prior_cut(self, scores, X, is_unlabeled):
        """Return the cut that accepts the class prior of the unlabeled samples, no empty one."""
        candidates = scores[is_unlabeled & has_entries(X)]
        if not len(candidates):
            return 0.0
        return prior_cut(candidates, self.class_prior_, self.report_["n_unlabeled"])
