"""Names that users type."""

from difflib import get_close_matches

from core.errors import BadParameter


def check_name(name, names, what):
    """Return the name where it is one of the names.

    Parameters
    ----------
    name : str
        What was typed.
    names : iterable of str
        What may be.
    what : str
        What they are names of, for the error.

    Raises
    ------
    BadParameter
        If it is none; the message has the nearest and all of the names, the attribute ``name``
        what was typed.

    Examples
    --------
    >>> from core.names import check_name
    >>> check_name("lgn", ["lgn", "onb"], "kind")
    'lgn'
    >>> check_name("onn", ["lgn", "onb"], "kind")
    Traceback (most recent call last):
    core.errors.BadParameter: 'onn' is not a known kind. Did you mean 'onb'? Valid names: lgn, onb.
    """
    if name in names:
        return name
    hint = did_you_mean(name, names)
    raise BadParameter(
        f"{name!r} is not a known {what}.{hint} Valid names: {', '.join(sorted(names))}.", name
    )


def did_you_mean(name, names):
    """Return a sentence with the names nearest to the one typed, after a space; "" without any.

    Examples
    --------
    >>> from core.names import did_you_mean
    >>> did_you_mean("Label", ["label", "size"])
    " Did you mean 'label'?"
    >>> did_you_mean("x", ["label", "size"])
    ''
    >>> did_you_mean("knn", ["knn_density", "lgn"])
    " Did you mean 'knn_density'?"
    """
    near = get_close_matches(str(name), names)
    if not near and name:
        near = [other for other in names if other.startswith(str(name))]
    near += [other for other in names if other.lower() == str(name).lower() and other not in near]
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
