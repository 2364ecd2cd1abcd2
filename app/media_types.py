"""Media types of bodies, by the names that routes and services use."""

import re
from collections.abc import Collection

from app.errors import UnsupportedMediaType

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PLAIN = "text/plain"
RIS = "application/x-research-info-systems"
#: PubMed's own format of references.
NBIB = "application/nbib"
PARQUET = "application/vnd.apache.parquet"
PROBLEM = "application/problem+json"
BINARY = "application/octet-stream"
#: What curl sends with -F, and with --data-binary alone.
_FORMS = {"multipart/form-data", "application/x-www-form-urlencoded"}
_TABS = "text/tab-separated-values"
_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s\";]*)")


def media_type_among(offered: Collection[str], content_type: str) -> str:
    """Return the media type that a Content-Type header names, one of those offered.

    Raises
    ------
    UnsupportedMediaType
    """
    media_type, _, parameters = content_type.lower().partition(";")
    charset = _CHARSET.search(parameters)
    if media_type.strip() not in offered:
        raise UnsupportedMediaType(_refusal(offered, media_type.strip()))
    if charset and charset[1] not in {"utf-8", "utf8", "us-ascii"}:
        raise UnsupportedMediaType(f"The charset must be utf-8, not {charset[1]}.")
    return media_type.strip()


def _refusal(offered: Collection[str], media_type: str) -> str:
    """Return which media types are offered, and how to send one where a form came."""
    told = f"Content-Type must be one of: {', '.join(offered)}."
    if media_type == _TABS:
        return f"{told} Send columns with tabs between them as {CSV} with delimiter=tab."
    if media_type not in _FORMS:
        return told
    return (
        f"{told} Send the file itself, not a form; with curl: -H 'Content-Type: TYPE' "
        "--data-binary @FILE."
    )
