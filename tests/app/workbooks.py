"""Workbooks for tests."""

from io import BytesIO
from typing import Any

from openpyxl import Workbook


def workbook(*rows: list[Any], title: str = "Tickets") -> Workbook:
    made = Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    return made


def bytes_of(made: Workbook) -> bytes:
    file = BytesIO()
    made.save(file)
    return file.getvalue()
