"""Names that users type."""

from difflib import get_close_matches


def known(name, names, what):
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
    ValueError
        If it is none; the message has the nearest and all of the names.

    Examples
    --------
    >>> from core.names import known
    >>> known("lgn", ["lgn", "onb"], "algorithm")
    'lgn'
    >>> known("onn", ["lgn", "onb"], "algorithm")
    Traceback (most recent call last):
    ValueError: 'onn' is no algorithm. Did you mean 'onb'? There are: lgn, onb.
    """
    if name in names:
        return name
    near = get_close_matches(str(name), names)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ValueError(f"{name!r} is no {what}.{hint} There are: {', '.join(sorted(names))}.")
