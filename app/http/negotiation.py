"""Which form of an answer a client wants, and whether it has it already."""

import hashlib
import re
from typing import Annotated, Any

from fastapi import Depends, Header, Response
from pydantic import BaseModel

from app.errors import NotAcceptable
from app.media_types import JSON

IfNoneMatch = Annotated[
    str | None, Header(description="ETag of the answer you have: 304 when it is still the same.")
]
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "Still the same."}}


def accept(*offers: str) -> Any:
    """Return the dependency that chooses what to answer with; the first offer by default."""

    async def choose(accept: Annotated[str, Header(include_in_schema=False)] = "*/*") -> str:
        preferences = {offer: _preference(accept or "*/*", offer) for offer in offers}
        best = max(offers, key=preferences.__getitem__)
        if preferences[best][0] <= 0:
            raise NotAcceptable(f"This can be given as {' or '.join(offers)}.")
        return best

    return Depends(choose)


def _preference(accept: str, offer: str) -> tuple[float, int]:
    """Return the quality of the most specific range of a media type, and how specific it is."""
    wanted = {}
    for part in accept.split(","):
        media_range, *parameters = [piece.strip() for piece in part.lower().split(";")]
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        wanted[media_range] = float(quality) if re.fullmatch(r"[01](\.\d*)?", quality) else 0.0
    ranges = {offer: 2, f"{offer.partition('/')[0]}/*": 1, "*/*": 0}
    return next(((wanted[r], specific) for r, specific in ranges.items() if r in wanted), (0.0, 0))


def cacheable(body: BaseModel, if_none_match: str | None) -> Response:
    """Return the body with a strong ETag, or 304 when the client has it."""
    content = body.model_dump_json().encode()
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {"etag": etag, "cache-control": "private, no-cache", "vary": "accept"}
    if is_known(etag, if_none_match):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=JSON, headers=headers)


def is_known(etag: str, if_none_match: str | None) -> bool:
    """Tell whether the client has what an ETag stands for."""
    known = {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}
    return etag in known or "*" in known
