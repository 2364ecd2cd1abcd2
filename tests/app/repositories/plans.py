"""How SQLite answers queries."""

import sqlite3
from typing import Any

from sqlalchemy import event

from app.database import Database


def noted_plans(database: Database) -> list[str]:
    """Return a list that gets the plan of each query, or change of documents, to come."""
    plans: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def explain(_c: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE documents")):
            probe: sqlite3.Cursor = cursor.connection.cursor()
            plan = probe.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.append(" ".join(str(step[-1]) for step in plan.fetchall()))
            probe.close()

    return plans
