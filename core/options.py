"""Parameters of estimators: their names, and constraints plainer than those of scikit-learn."""

from collections.abc import Mapping
from numbers import Integral, Real

from sklearn.utils import _param_validation

from core.errors import BadParameter

#: Decorates a function: its parameters are checked against constraints like those of estimators.
validate_params = _param_validation.validate_params


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


class Interval(_param_validation.Interval):
    """A number in a range; True and False are no numbers.

    Examples
    --------
    >>> from numbers import Integral
    >>> from core.options import Interval
    >>> at_least_one = Interval(Integral, 1, None, closed="left")
    >>> at_least_one.is_satisfied_by(2), at_least_one.is_satisfied_by(True)
    (True, False)
    """

    def is_satisfied_by(self, val):
        """Tell whether a value is a number in the range."""
        return not isinstance(val, bool) and super().is_satisfied_by(val)


#: The ranges that most parameters have: numbers, shares, whole numbers.
ABOVE_ZERO = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
SHARE = Interval(Real, 0, 1, closed="both")
SHARE_ABOVE_ZERO = Interval(Real, 0, 1, closed="right")
INNER_SHARE = Interval(Real, 0, 1, closed="neither")
AT_LEAST_ZERO = Interval(Integral, 0, None, closed="left")
AT_LEAST_ONE = Interval(Integral, 1, None, closed="left")
AT_LEAST_TWO = Interval(Integral, 2, None, closed="left")
#: How often something is done that nothing ends before: more would take days.
REPEATS = Interval(Integral, 1, 100_000, closed="both")
#: Hidden layers of a network, and units in each: more would take days, too.
MAX_LAYERS, UNITS = 10, Interval(Integral, 1, 10_000, closed="both")


def as_dict(parameters, name):
    """Return a dict of parameters, an empty one for None; anything else is refused.

    Examples
    --------
    >>> from core.options import as_dict
    >>> as_dict(None, "params")
    {}
    >>> as_dict(0.1, "params")
    Traceback (most recent call last):
    core.errors.BadParameter: params must be a dict of parameters by name, not a float.
    """
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        kind = type(parameters).__name__
        raise BadParameter(f"{name} must be a dict of parameters by name, not a {kind}.", name)
    return dict(parameters)


def parameter_names(estimator_class):
    """Return the names of the parameters that the constructor of an estimator takes, sorted."""
    return estimator_class._get_param_names()


def checked(estimator):
    """Return an estimator; BadParameter if a parameter is out of its range.

    Examples
    --------
    >>> from core.classifiers.prototype import Prototype
    >>> from core.errors import BadParameter
    >>> from core.options import checked
    >>> try:
    ...     checked(Prototype(quantile=2))
    ... except BadParameter as error:
    ...     print(error.name)
    quantile
    """
    try:
        estimator._validate_params()
    except _param_validation.InvalidParameterError as error:
        raise BadParameter(str(error), _first_fault(estimator)) from None
    return estimator


def _first_fault(estimator):
    """Return the parameter that scikit-learn names in its message, and nowhere else."""
    for name, value in estimator.get_params(deep=False).items():
        try:
            _param_validation.validate_parameter_constraints(
                estimator._parameter_constraints, {name: value}, type(estimator).__name__
            )
        except _param_validation.InvalidParameterError:
            return name
    raise AssertionError("no parameter is out of its range")
