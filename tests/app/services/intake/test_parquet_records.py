from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from app.document_sizes import MAX_VECTOR_NUMBERS
from app.errors import BodyTooLarge, InvalidRequest, UnreadableBody
from app.media_types import PARQUET
from app.services.intake import parquet_records
from app.services.intake.intake import read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError
from tests.app.parquet import parquet_of


def read(
    body: bytes,
    folder: Path | None = None,
    warn: Callable[[str], object] = pytest.fail,
    **more: Any,
) -> list[Row | RowError]:
    pieces = (body[i : i + 1000] for i in range(0, len(body), 1000))
    options = Options(10_000, folder=folder, warn=warn, **more)
    return list(read_rows(pieces, media_type=PARQUET, options=options))


def told(rows: list[Row | RowError]) -> list[tuple[int, str, str | None, dict[str, Any] | None]]:
    assert all(isinstance(row, Row) for row in rows), rows
    return [(row.position, row.id, row.text, row.metadata) for row in rows if isinstance(row, Row)]


def faults(rows: list[Row | RowError]) -> list[tuple[int, str]]:
    return [(row.position, row.code) for row in rows if isinstance(row, RowError)]


def test_rows_are_documents_as_in_a_csv(tmp_path: Path) -> None:
    morning = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
    columns = {
        " id ": pa.array([7, 8]),
        "text": ["Two\nlines", "ünï"],
        "day": pa.array([date(2026, 11, 1), None]),
        "midnight": pa.array([datetime(2026, 11, 1), None], pa.timestamp("ns")),
        "ns": pa.array([1, None], pa.timestamp("ns")),
        "zoned": pa.array([morning, None], pa.timestamp("ms", "Europe/Berlin")),
        "hour": pa.array([time(9, 30), None]),
        "price": [Decimal("1.50"), None],
        "share": [0.25, float("nan")],
        "whole": [123456789012.0, None],
        "ok": [True, False],
        "team": pa.array(["a", "b"]).dictionary_encode(),
        "large": pa.array(["a", None], pa.large_string()),
        "none": pa.nulls(2),
    }
    first, second = told(read(parquet_of(columns), tmp_path))
    assert first == (
        1,
        "7",
        "Two\nlines",
        {
            "day": "2026-11-01",
            "midnight": "2026-11-01",
            "ns": "1970-01-01",
            "zoned": "2026-11-01T09:30:00+00:00",
            "hour": "09:30:00",
            "price": "1.50",
            "share": "0.25",
            "whole": "123456789012",
            "ok": "TRUE",
            "team": "a",
            "large": "a",
            "none": "",
        },
    )
    gaps = dict.fromkeys(columns.keys() - {" id ", "text"}, "") | {"ok": "FALSE", "team": "b"}
    assert second == (2, "8", "ünï", gaps)


def test_times_that_python_has_not_are_texts_all_the_same() -> None:
    days = pa.array([0, 2**24, None], pa.int32())
    columns = {
        "day": days.cast(pa.date32()),
        "moment": pa.array([0, 86_400_000 * 2**24, None], pa.timestamp("ms")),
        "took": pa.array([86_400 * 10**9, 1_500, None], pa.duration("ns")),
        "span": pa.array([0, 86_400 * 10**9, None], pa.duration("s")),
        "hour": pa.array([0, 1_500, None], pa.time64("ns")),
    }
    rows = told(read(parquet_of({"text": list("abc"), **columns})))
    # Four hundred years have 146,097 days: 114 times that many are gone, and 122,158 days.
    day = date.fromordinal(date(1970, 1, 1).toordinal() + 2**24 - 114 * 146_097)
    far = f"{day.year + 114 * 400}-{day:%m-%d}"
    assert [row[3] for row in rows] == [
        {
            "day": "1970-01-01",
            "moment": "1970-01-01",
            "took": "1 day, 0:00:00",
            "span": "0:00:00",
            "hour": "00:00:00",
        },
        {
            "day": far,
            "moment": f"{far}T00:00:00.000000",
            "took": "0:00:00.000001",
            "span": f"{86_400 * 10**9} seconds",
            "hour": "00:00:00.000001",
        },
        dict.fromkeys(columns, ""),
    ]


def test_texts_of_several_columns_are_joined_and_ids_are_named() -> None:
    body = parquet_of({"title": ["a", "b"], "abstract": ["c", None], "key": ["x", "y"]})
    rows = told(read(body, text_columns=["title", "abstract"], id_column="key"))
    assert rows == [(1, "x", "a\nc", None), (2, "y", "b", None)]


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.float32()), pa.large_list(pa.float64()), pa.list_(pa.float32(), 2)]
)
def test_a_column_of_lists_of_numbers_is_the_vector(kind: pa.DataType) -> None:
    vectors = pa.array([[0.5, 1], None, [0.25, 0]], kind)
    rows = read(parquet_of({"text": ["a", "b", "c"], "vector": vectors}))
    assert [row.vector for row in rows if isinstance(row, Row)] == [[0.5, 1], None, [0.25, 0]]


def test_a_vector_that_is_none_is_refused() -> None:
    vectors = [[0.5, float("nan")], [0.5, None], [0.0, 0.0], [], [1.0] * (MAX_VECTOR_NUMBERS + 1)]
    rows = read(parquet_of({"text": list("abcde"), "vector": vectors}))
    assert faults(rows) == [(i, "invalid_vector") for i in range(1, 6)]


def test_a_text_called_vector_stays_metadata() -> None:
    warnings: list[str] = []
    (row,) = told(read(parquet_of({"text": ["a"], "vector": ["[1, 2]"]}), warn=warnings.append))
    assert row[3] == {"vector": "[1, 2]"}
    assert ["lists of numbers" in warning for warning in warnings] == [True]


def test_lists_and_the_like_are_left_out_and_told() -> None:
    warnings: list[str] = []
    many = pa.array([None], pa.list_(pa.float32(), MAX_VECTOR_NUMBERS + 1))
    columns = {"text": ["a"], "tags": [["x"]], "image": [b"\xff"], "of": [{"x": 1}]}
    body = parquet_of({**columns, "vector": many})
    ((_, _, text, metadata),) = told(read(body, warn=warnings.append))
    assert (text, metadata) == ("a", None)
    assert ["'image', 'of', 'tags', 'vector'" in warning for warning in warnings] == [True]


def test_rows_that_cannot_be_taken_are_told_by_their_number() -> None:
    not_utf8 = pa.array([b"a", b"\xff", None, b"", b"b" * 3_000_000]).view(pa.string())
    rows = read(parquet_of({"text": not_utf8, "n": [1, 2, 3, None, 5]}))
    assert faults(rows) == [(2, "invalid_unicode"), (3, "empty_text"), (5, "row_too_long")]


def test_batches_and_groups_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"id": list(range(50)), "text": [f"text {i // 3}" for i in range(50)]}
    expected = told(read(parquet_of(columns)))
    monkeypatch.setattr(parquet_records, "BATCH_ROWS", 7)
    assert told(read(parquet_of(columns, row_group_size=20))) == expected
    assert [row[:3] for row in expected] == [(i + 1, str(i), f"text {i // 3}") for i in range(50)]


def test_few_rows_that_share_a_long_text_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    body = parquet_of({"text": ["long " * 1000] * 100, "n": ["short"] * 100})
    monkeypatch.setattr(parquet_records, "BATCH_BYTES", 20_000)
    sizes: list[int] = []
    as_texts = parquet_records._as_texts
    monkeypatch.setattr(
        parquet_records, "_as_texts", lambda one: sizes.append(len(one)) or as_texts(one)
    )
    assert len(told(read(body))) == 100
    assert set(sizes) == {4}


def test_what_unpacks_to_too_much_is_refused() -> None:
    body = parquet_of({"text": [f"{i} " * 1000 for i in range(1000)]}, compression="zstd")
    with pytest.raises(BodyTooLarge):
        read(body, max_bytes=100_000)


@pytest.mark.parametrize("where", [4, 200, -200, -9])
def test_what_is_damaged_is_told(where: int) -> None:
    body = bytearray(parquet_of({"text": [f"text {i}" for i in range(1000)]}))
    body[where : where + 4 if where + 4 else None] = b"\xee" * 4
    with pytest.raises(UnreadableBody, match=r"incomplete or damaged\. Write"):
        read(bytes(body))


def test_half_a_file_is_told() -> None:
    body = parquet_of({"text": [f"text {i}" for i in range(1000)]})
    with pytest.raises(UnreadableBody):
        read(body[: len(body) // 2])


def test_a_column_that_is_not_there_is_asked_for() -> None:
    detail = r"The Parquet has no column 'text'; its columns are: 'body', 'n'\. .*name each\.$"
    with pytest.raises(InvalidRequest, match=detail):
        read(parquet_of({"body": ["a"], "n": [1]}))


@pytest.mark.parametrize("columns", [{"text": [["a"]]}, {"text": [["a"]], "id": ["b"]}])
def test_that_a_column_of_texts_holds_lists_is_told(columns: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=r"olumns of lists.*: write lists as texts"):
        read(parquet_of(columns), warn=str)


def test_columns_of_one_name_are_refused() -> None:
    table = pa.table([["a"], ["b"]], names=["text", "text"])
    with pytest.raises(InvalidRequest, match="have one name"):
        read(parquet_of(table))
