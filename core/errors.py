"""What is refused on purpose: a ValueError whose message says why, and what to do.

Any other error, be it a ValueError too, is a fault of the code.
"""


class Refused(ValueError):
    """Samples, labels or parameters with which what was asked for cannot be done.

    Attributes
    ----------
    code : str or None
        Stable name of the reason, where programs may want to read it.
    """

    code: str | None = None


class BadParameter(Refused):
    """A parameter that is not known, out of its range, or does not go with others.

    Parameters
    ----------
    message : str
        What is wrong, and what to do.
    name : str
        The parameter at fault.
    *others : str
        Those that it does not go with.

    Attributes
    ----------
    name : str
        The parameter at fault.
    others : tuple of str
        Those that it does not go with.

    Examples
    --------
    >>> from core.errors import BadParameter
    >>> error = BadParameter("min_df is more than max_df.", "min_df", "max_df")
    >>> str(error), error.name, error.others
    ('min_df is more than max_df.', 'min_df', ('max_df',))
    """

    def __init__(self, message, name, *others):
        super().__init__(message, name, *others)
        self.name, self.others = name, others

    def __str__(self):
        return self.args[0]


class NoPositives(Refused):
    """There is no labeled positive with a feature."""

    code = "no_positives"


class NoUnlabeled(Refused):
    """There is no unlabeled sample to compare the positives with."""

    code = "no_unlabeled"


class OneClass(Refused):
    """All labels are the same, and nothing says which class that is."""

    code = "one_class"


class TooFewPositives(Refused):
    """A method splits the labeled positives, and there are not enough of them."""

    code = "too_few_positives"


class MissingPackage(Refused):
    """A method needs a package that is not installed."""

    code = "missing_package"
