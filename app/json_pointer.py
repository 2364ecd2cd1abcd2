"""Pointers into JSON (RFC 6901)."""


def pointer_step(name: object) -> str:
    """Return a name as one step of a JSON pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")
