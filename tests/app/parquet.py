"""Parquet for tests."""

from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet


def parquet_of(columns: Any, **options: Any) -> bytes:
    """Return the bytes of columns: a mapping of names to values, or a table."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    file = BytesIO()
    pa.parquet.write_table(table, file, **options)
    return file.getvalue()
