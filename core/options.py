"""Parameters that have to be one of some values."""

from sklearn.utils import _param_validation


class Options(_param_validation.Options):
    """One of a set of values of a type; errors list them in order.

    Examples
    --------
    >>> from core.options import Options
    >>> print(Options(int, {3, 1, 2}))
    one of {1, 2, 3}
    """

    def __str__(self):
        return f"one of {{{', '.join(map(repr, sorted(self.options)))}}}"


class StrOptions(Options, _param_validation.StrOptions):
    """One of a set of words; errors list them in order."""
