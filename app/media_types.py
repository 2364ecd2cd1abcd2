"""Media types of bodies, by the names that routes and services use."""

from collections.abc import Iterable

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"
#: What curl sends with -F, and with --data-binary alone.
_FORMS = {"multipart/form-data", "application/x-www-form-urlencoded"}


def not_among(offered: Iterable[str], media_type: str) -> str:
    """Return which media types are offered, and how to send one where a form came."""
    told = f"Content-Type must be one of: {', '.join(offered)}."
    if media_type not in _FORMS:
        return told
    return (
        f"{told} Send the file itself, not a form; with curl: -H 'Content-Type: TYPE' "
        "--data-binary @FILE."
    )
