"""JSON Schema of the parameters of an estimator, from what the estimator says of itself."""

import math
import re
from inspect import Parameter, cleandoc, signature
from numbers import Integral, Real

from core.options import MAX_LAYERS, UNITS, Interval, Options

#: Parameters that a caller sets in another way than by value.
EXCLUDED = {"pos_label"}

#: Constraints of scikit-learn that are neither ranges nor options.
TYPES = {
    None: [{"type": "null"}],
    "boolean": [{"type": "boolean"}],
    "random_state": [
        {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
        {"type": "null"},
    ],
    bool: [{"type": "boolean"}],
    str: [{"type": "string"}],
    list: [{"type": "array", "items": {"type": "string"}}],
    # Sizes of layers.
    tuple: [
        {
            "type": "array",
            "items": {"type": "integer", "minimum": UNITS.left, "maximum": UNITS.right},
            "maxItems": MAX_LAYERS,
        }
    ],
    Integral: [{"type": "integer"}],
    Real: [{"type": "number"}],
}


def parameter_schema(estimator_class):
    """Return the JSON Schema of the constructor parameters of an estimator.

    Types and ranges are those the estimator checks, defaults are those of its signature and
    descriptions those of its docstring. Parameters that JSON cannot express, and ``pos_label``,
    are left out.

    Parameters
    ----------
    estimator_class : type
        A class with ``_parameter_constraints`` and a numpydoc docstring.

    Returns
    -------
    dict
        A schema of an object, draft 2020-12, without required properties.

    Examples
    --------
    >>> from core.classifiers import Prototype
    >>> from core.parameter_schema import parameter_schema
    >>> schema = parameter_schema(Prototype)["properties"]["quantile"]
    >>> schema["type"], schema["minimum"], schema["maximum"], schema["default"]
    ('number', 0, 1, 0.05)
    """
    descriptions = parameter_descriptions(estimator_class.__doc__)
    properties = {}
    for name, parameter in signature(estimator_class).parameters.items():
        constraints = estimator_class._parameter_constraints[name]
        alternatives = [schema for one in constraints for schema in _schemas(one)]
        if name in EXCLUDED or not alternatives:
            continue
        properties[name] = alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
        properties[name] = {"description": descriptions[name], **properties[name]}
        if parameter.default is not Parameter.empty:
            properties[name]["default"] = _plain(parameter.default)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def parameter_descriptions(docstring):
    """Return the texts of the section "Parameters" of a numpydoc docstring: dict of str to str.

    Examples
    --------
    >>> from core.parameter_schema import parameter_descriptions
    >>> parameter_descriptions('''Do it.
    ...
    ...     Parameters
    ...     ----------
    ...     a, b : int, default=1
    ...         How often,
    ...         and where.
    ...     ''')
    {'a': 'How often, and where.', 'b': 'How often, and where.'}
    """
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\S|\Z)", cleandoc(docstring), re.M | re.S)
    descriptions = {}
    for block in re.split(r"\n(?=\S)", section[1]) if section else []:
        head, *lines = block.splitlines()
        for name in head.partition(" :")[0].split(","):
            descriptions[name.strip()] = " ".join(" ".join(lines).split())
    return descriptions


def _schemas(constraint):
    """Return the alternatives that a constraint means; none where JSON has no words for it."""
    if isinstance(constraint, Interval):
        return [_interval(constraint)]
    if isinstance(constraint, Options):
        return [{"enum": sorted(_plain(option) for option in constraint.options)}]
    return TYPES.get(constraint, [])


def _interval(interval):
    schema = {"type": "integer" if interval.type is Integral else "number"}
    if interval.left is not None and not math.isinf(interval.left):
        is_closed = interval.closed in ("left", "both")
        schema["minimum" if is_closed else "exclusiveMinimum"] = interval.left
    if interval.right is not None and not math.isinf(interval.right):
        is_closed = interval.closed in ("right", "both")
        schema["maximum" if is_closed else "exclusiveMaximum"] = interval.right
    return schema


def _plain(value):
    return list(value) if isinstance(value, tuple) else value
