"""Codes that tell what to doubt of a fit."""

from core.kernels.convergence import tell_not_converged


class Flagged:
    """Part of estimators whose ``report_`` has ``flags``."""

    def add_flag(self, code):
        """Add a code to ``report_["flags"]``.

        Parameters
        ----------
        code : str
            Added once; the codes stay sorted.

        Examples
        --------
        >>> from core.classifiers import Prototype
        >>> classifier = Prototype().fit([[1, 0], [1, 1], [0, 1]], [1, 0, 0])
        >>> classifier.add_flag("unreliable")
        >>> "unreliable" in classifier.report_["flags"]
        True
        """
        self.report_["flags"] = sorted({*self.report_["flags"], code})

    def flag_not_converged(self, n_iter):
        """Add ``not_converged`` to the flags, and warn of it as scikit-learn does.

        Parameters
        ----------
        n_iter : int
            Iterations that were not enough.

        Warns
        -----
        ConvergenceWarning

        Examples
        --------
        >>> import warnings
        >>> from core.classifiers import Prototype
        >>> classifier = Prototype().fit([[1, 0], [1, 1], [0, 1]], [1, 0, 0])
        >>> with warnings.catch_warnings(record=True, action="always") as caught:
        ...     classifier.flag_not_converged(20)
        >>> str(caught[0].message), "not_converged" in classifier.report_["flags"]
        ('Prototype did not converge in 20 iterations.', True)
        """
        self.add_flag("not_converged")
        tell_not_converged(f"{type(self).__name__} did not converge in {n_iter} iterations.")
