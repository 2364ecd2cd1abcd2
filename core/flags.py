"""Codes that tell what to doubt of a fit."""


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
        >>> from core.classifiers.prototype import Prototype
        >>> classifier = Prototype().fit([[1, 0], [1, 1], [0, 1]], [1, 0, 0])
        >>> classifier.add_flag("unreliable")
        >>> "unreliable" in classifier.report_["flags"]
        True
        """
        self.report_["flags"] = sorted({*self.report_["flags"], code})
