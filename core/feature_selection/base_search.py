"""What selectors share that search for the best mask of features by comparing masks in pairs."""

from numbers import Real

from core.feature_selection.base_dense import BaseDenseSelector
from core.kernels.features.compact_ga import STOP_FLAGS
from core.options import AT_LEAST_ONE, NOT_NEGATIVE, Interval


class BaseSearchSelector(BaseDenseSelector):
    """Feature selector by a search over masks.

    See :func:`~core.kernels.features.compact_ga.search_masks`. A subclass has the parameters
    ``learning_rate``, ``max_iter``, ``max_seconds`` and ``random_state``, and tells of its search
    by ``_report_search``.
    """

    _parameter_constraints: dict = {
        **BaseDenseSelector._parameter_constraints,
        "learning_rate": [Interval(Real, 0, 0.5, closed="neither")],
        "max_iter": [AT_LEAST_ONE],
        "max_seconds": [NOT_NEGATIVE, None],
        "random_state": ["random_state"],
    }

    def _report_search(self, search):
        self.n_iter_ = len(search.objective)
        self.report_.update(
            n_iter=self.n_iter_,
            stop_reason=search.stop_reason,
            converged=search.stop_reason == "converged",
            converged_share=search.converged_share,
        )
        if search.stop_reason in STOP_FLAGS:
            self.add_flag(STOP_FLAGS[search.stop_reason])
        # More iterations would not have helped a search that was ended.
        elif search.converged_share < 0.5:
            self.add_flag("not_converged")
