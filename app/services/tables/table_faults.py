"""What is wrong with a table, and where."""

from collections.abc import Sequence
from typing import Any, NoReturn

from app.errors import MAX_ERRORS, InvalidTable
from app.json_pointer import pointer_step

Fault = dict[str, Any]


def fault(code: str, detail: str, *, row: int | None = None, column: str | None = None) -> Fault:
    """Return a fault; ``row`` counts from 1 and leaves out the header."""
    place: dict[str, Any] = {"row": row, "column": column}
    place = {name: value for name, value in place.items() if value is not None}
    steps = [f"{name}s/{pointer_step(value)}" for name, value in place.items()]
    return {"code": code, "pointer": "".join(f"/{s}" for s in steps), "detail": detail, **place}


def parameter_fault(code: str, parameter: str, detail: str) -> Fault:
    """Return the fault of a query parameter that does not fit the table."""
    return {"code": code, "pointer": f"?{parameter}", "detail": detail}


def refuse(faults: Sequence[Fault]) -> NoReturn:
    """Raise the error that tells of these faults."""
    n_more = len(faults) - 1
    more = f" And {n_more} more: see errors." if n_more else ""
    raise InvalidTable(faults[0]["detail"] + more, errors=list(faults[:MAX_ERRORS]))


def shown(names: Sequence[str]) -> str:
    """Return names as they stand in a message: the first of them."""
    return ", ".join(map(repr, names[:20])) + (", ..." if len(names) > 20 else "")
