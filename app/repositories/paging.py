"""Pages of lists whose newest item comes first."""

import re
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from sqlalchemy import Select, select, tuple_

from app.errors import InvalidRequest
from app.orm import DataTable, FeatureSelection, Job, Model, Project

Entity = TypeVar("Entity", DataTable, FeatureSelection, Job, Model, Project)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def matched(pattern: str, after: str) -> re.Match[str]:
    """Return the parts of what a page token holds.

    Raises
    ------
    InvalidRequest
        If it is not of this form, as that of another list.
    """
    found = re.fullmatch(pattern, after)
    if found is None:
        raise InvalidRequest("The page token is not one of this list.", pointer="?page_token")
    return found


def place(row: DataTable | FeatureSelection | Job | Model | Project) -> str:
    """Return where the row stands in its list, as a place that outlives the row."""
    return f"{(row.created_at - _EPOCH) // _MICROSECOND}@{row.id}"


def newest_first(table: type[Entity], *, after: str | None, limit: int | None) -> Select[Entity]:
    """Select ``limit`` rows or all, the newest first, from the first behind the place ``after``.

    Raises
    ------
    InvalidRequest
        If ``after`` is no place.
    """
    query = select(table).order_by(table.created_at.desc(), table.id.desc()).limit(limit)
    if after is None:
        return query
    found = matched(r"([0-9]{1,16})@([0-9a-f]{32})", after)
    created_at = _EPOCH + int(found[1]) * _MICROSECOND
    return query.where(tuple_(table.created_at, table.id) < (created_at, found[2]))
