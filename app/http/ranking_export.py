"""Rankings as files: what is sent, and which parameters have no meaning then."""

from collections.abc import Iterator

from fastapi import Request, Response

from app.errors import InvalidRequest
from app.http.broken_off import or_broken_off
from app.http.pieces_response import PiecesResponse
from app.media_types import CSV, JSON, NDJSON, RIS
from app.services.intake.csv_columns import Delimiter
from app.services.ranking import exports, ranking

#: What writes them, and how the names of their files end.
EXPORTS = {
    NDJSON: (exports.ndjson_lines, "ndjson"),
    CSV: (exports.csv_lines, "csv"),
    RIS: (exports.ris_lines, "ris"),
}


def exported(
    rows: Iterator[ranking.RankedDocument], media_type: str, model_id: str, delimiter: Delimiter
) -> Response:
    """Return a whole ranking as a file."""
    write, ending = EXPORTS[media_type]
    headers = {
        "vary": "accept",
        "cache-control": "private, no-cache",
        "content-disposition": f'attachment; filename="{model_id}.{ending}"',
    }
    lines = exports.csv_lines(rows, delimiter) if media_type == CSV else write(rows)
    return PiecesResponse(or_broken_off(lines), media_type, headers)


def refuse_idle(request: Request, media_type: str, delimiter: Delimiter) -> None:
    """Refuse parameters that would do nothing, but for commas: some clients always send them."""
    idle = {} if media_type == CSV or delimiter == "comma" else {"delimiter": ("columns", CSV)}
    if media_type in EXPORTS:
        idle |= dict.fromkeys(("page_size", "page_token"), ("pages", JSON))
    errors = [
        {
            "pointer": f"?{name}",
            "detail": f"{media_type} has no {lacks}: leave it out, or send Accept: {other}.",
        }
        for name, (lacks, other) in idle.items()
        if name in request.query_params
    ]
    if errors:
        raise InvalidRequest.of(errors)
