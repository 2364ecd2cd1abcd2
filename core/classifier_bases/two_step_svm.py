"""What two-step methods share whose second step is iterated SVMs."""

from core.classifier_bases.linear import UnitLinearClassifier
from core.kernels.two_step.iterative_svm import iterative_svm
from core.options import ABOVE_ZERO, AT_LEAST_ONE, SHARE


class TwoStepSVMClassifier(UnitLinearClassifier):
    """Base of classifiers that find reliable negatives and give them to iterated SVMs.

    A subclass takes ``C``, ``balanced``, ``max_iter`` and ``max_loss`` as parameters, and ends
    its ``_fit`` by ``_fit_iterated``.

    Attributes
    ----------
    n_iter_ : int
        Number of SVMs fitted.
    """

    _parameter_constraints: dict = {
        **UnitLinearClassifier._parameter_constraints,
        "C": [ABOVE_ZERO],
        "balanced": ["boolean"],
        "max_iter": [AT_LEAST_ONE],
        "max_loss": [SHARE, None],
    }

    def _fit_iterated(self, Z, is_positive, is_negative):
        """Learn weights and cut from positives and reliable negatives, both masks of unit rows."""
        self.coef_, self.intercept_, facts = iterative_svm(
            Z,
            is_positive,
            is_negative,
            C=self.C,
            balanced=self.balanced,
            max_iter=self.max_iter,
            max_loss=self.max_loss,
        )
        self.report_ |= facts
        if not facts["converged"]:
            self.flag_not_converged(facts["n_iter"])
        self.n_iter_ = facts["n_iter"]
        self.offset_ = 0.0
