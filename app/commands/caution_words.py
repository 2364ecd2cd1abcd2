"""What to be careful about with a model, in words."""

from collections.abc import Iterator
from typing import Any

SHOWN_DOCUMENTS = 5


def cautions(model: dict[str, Any]) -> Iterator[str]:
    """Yield the warnings of a model, then its doctor's cautions, with the documents concerned."""
    documents = {finding["message"]: finding["documents"] for finding in model["doctor"]}
    for warning in model["warnings"]:
        yield f"Warning: {warning}{_listed(documents.get(warning, []))}"
    for finding in model["doctor"]:
        if finding["level"] == "caution" and finding["message"] not in model["warnings"]:
            yield f"Caution: {finding['message']}{_listed(finding['documents'])}"


def _listed(documents: list[str]) -> str:
    if not documents:
        return ""
    more = ", ..." if len(documents) > SHOWN_DOCUMENTS else ""
    return f" Documents: {', '.join(documents[:SHOWN_DOCUMENTS])}{more}"
