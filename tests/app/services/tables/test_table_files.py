import csv
import io
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.errors import BodyTooLarge, InvalidTable, UnreadableBody
from app.services.intake.csv_columns import Delimiter
from app.services.tables.table_files import BLOCK_BYTES, Limits, TableOptions, read_columns

LIMITS = Limits(max_bytes=2**30, max_columns=1000)
OPTIONS = TableOptions(label_column="kind", positive=["1"])
CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"


def read(body: str | bytes, media_type: str = CSV, limits: Limits = LIMITS) -> dict[str, Any]:
    data = body.encode() if isinstance(body, str) else body
    found: dict[str, Any] = read_columns(io.BytesIO(data), media_type, limits, OPTIONS).to_pydict()
    return found


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, **options)
    return sink.getvalue()


def faults(act: Callable[[], object]) -> list[dict[str, Any]]:
    with pytest.raises(InvalidTable) as caught:
        act()
    assert caught.value.errors is not None
    return caught.value.errors


def test_columns_of_csv_are_text_as_it_stands() -> None:
    assert read('a,"b, c"\n 1,x\n"2\n3",""\n') == {"a": [" 1", "2\n3"], "b, c": ["x", None]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n\n"])
def test_ends_of_lines_do_not_matter(line_end: str) -> None:
    assert read(line_end.join(["a,b", "1,2", "3,4"])) == {"a": ["1", "3"], "b": ["2", "4"]}


@pytest.mark.parametrize("text", ["", "?", "NA", "n/a", "N/A", "NaN", "na", "null", "NULL", "none"])
def test_words_for_missing_values_are_null_but_among_labels(text: str) -> None:
    assert read(f"a,b\n{text},0\n")["a"] == [None]
    body = f"a,b\n{text},0\n".encode()
    table = read_columns(io.BytesIO(body), CSV, LIMITS, OPTIONS._replace(label_column="a"))
    assert table.to_pydict() == {"a": [text], "b": ["0"]}


@pytest.mark.parametrize(("name", "delimiter"), [("semicolon", ";"), ("tab", "\t"), ("pipe", "|")])
def test_columns_may_be_separated_otherwise(name: Delimiter, delimiter: str) -> None:
    body = delimiter.join(["a", "b\n1", "2,5\n"]).encode()
    table = read_columns(io.BytesIO(body), CSV, LIMITS, OPTIONS._replace(delimiter=name))
    assert table.to_pydict() == {"a": ["1"], "b": ["2,5"]}

    found = faults(lambda: read(body))
    assert [(f["code"], f["pointer"]) for f in found] == [("wrong_delimiter", "?delimiter")]
    assert found[0]["detail"].endswith(f"send delimiter={name}.")
    quoted = f'"a"{delimiter}"b"\n1{delimiter}2\n'
    assert faults(lambda: read(quoted))[0]["detail"].endswith(f"send delimiter={name}.")


def test_ragged_rows_are_named_with_any_delimiter() -> None:
    body = b"a;b\n1;2\n3\n"
    options = OPTIONS._replace(delimiter="semicolon")
    found = faults(lambda: read_columns(io.BytesIO(body), CSV, LIMITS, options))
    assert [(f["code"], f["line"]) for f in found] == [("ragged_row", 3)]


@pytest.mark.parametrize("body", [b"a,b\n-,?\n", b"a,b\n - , ?\n", b"a,b\n-, \n"])
@pytest.mark.parametrize("marker", ["-", " - "])
def test_further_texts_may_be_missing_values(body: bytes, marker: str) -> None:
    table = read_columns(io.BytesIO(body), CSV, LIMITS, OPTIONS._replace(missing_marker=[marker]))
    assert table.to_pydict() == {"a": [None], "b": [None]}


def test_ragged_rows_are_named_by_their_lines() -> None:
    body = 'a,b\n1,"x\ny"\n\n2\n3,4\n5,6,7\n'
    found = faults(lambda: read(body))

    assert [(f["code"], f["line"], f["row"], f["pointer"]) for f in found] == [
        ("ragged_row", 5, 2, "/rows/2"),
        ("ragged_row", 7, 4, "/rows/4"),
    ]
    assert found[0]["detail"] == "Line 5: The row has 1 fields; the header has 2."


@pytest.mark.parametrize(
    ("body", "code", "row", "line", "told"),
    [
        (b"a,b\n1,2\n\n3,caf\xe9\n", "invalid_unicode", 2, 4, "iconv -f cp1252 -t utf-8 FILE"),
        (b'a,b\n1,"2\n3,4\n', "invalid_csv", 1, 2, "Lines 2 to 3, read as one row, are not CSV"),
        (b'a,b\n1,2\n"3,4\n', "invalid_csv", 2, 3, "a quotation mark opens there"),
        (b'a,b\n1,2\n3,"4', "invalid_csv", 2, 3, "a quotation mark opens there"),
        (b'a,b\r1,2\r3,"4\r5,6\r', "invalid_csv", 2, 3, "Lines 3 to 4, read as one row"),
    ],
)
def test_rows_that_cannot_be_read_are_told_as_in_uploads(
    body: bytes, code: str, row: int, line: int, told: str
) -> None:
    (fault,) = faults(lambda: read(body))

    assert (fault["code"], fault["row"], fault["line"]) == (code, row, line)
    assert told in fault["detail"]


def test_lines_in_quotation_marks_are_one_value() -> None:
    assert read('a,b\n"1\n2",3\n4,5\n') == {"a": ["1\n2", "4"], "b": ["3", "5"]}


def test_a_quotation_mark_in_a_text_is_one() -> None:
    assert read('a,b\n5",1\n') == {"a": ['5"'], "b": ["1"]}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'a,"b\n1,2\n', "a quotation mark opens in the first line and is not closed"),
        (b"caf\xe9,b\n1,2\n", "iconv -f cp1252"),
        (parquet({"a": [1]}), "Content-Type: application/vnd.apache.parquet"),
    ],
)
def test_a_header_that_cannot_be_read_is_told_with_what_to_do(body: bytes, told: str) -> None:
    with pytest.raises(UnreadableBody, match=told):
        read(body)


def test_a_line_of_blanks_is_no_table_whatever_was_read_before() -> None:
    # One limit for the whole process, which reading documents raises.
    csv.field_size_limit(100)
    assert [f["code"] for f in faults(lambda: read(" " * 101 + "\n"))] == ["no_rows"]


def test_at_most_a_hundred_ragged_rows_are_named() -> None:
    assert len(faults(lambda: read("a,b\n" + "1\n" * 500))) == 100


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ("", "no_rows", ""),
        ("\n\n", "no_rows", ""),
        ("a,b\n", "no_rows", ""),
        ("a,b", "no_rows", ""),
        ("1,2\n3,4\n", "no_header", ""),
        (",a\n3,4\n", "no_header", ""),
        (",\n3,4\n", "no_header", ""),
        ("a,,\n1, ,\n3,,4\n", "invalid_row", "/rows/2"),
        ("a,b,a\n1,2,3\n", "duplicate_column", "/columns/a"),
        ("a/~,a/~\n1,2\n", "duplicate_column", "/columns/a~1~0"),
        ("a,b\n1,2\na,b\n3,4\n", "repeated_header", "/rows/2"),
    ],
)
def test_faults_of_the_header_are_named(body: str, code: str, pointer: str) -> None:
    assert [(f["code"], f["pointer"]) for f in faults(lambda: read(body))] == [(code, pointer)]


def test_empty_columns_behind_the_last_name_are_left_out() -> None:
    assert read("a,b,, \n1,2,,\n3,4, ,\n") == {"a": ["1", "3"], "b": ["2", "4"]}


def test_name_of_a_column_may_be_a_value_too() -> None:
    assert read("a,b\na,1\n2,b\n") == {"a": ["a", "2"], "b": ["1", "b"]}


def test_parquet_keeps_its_types() -> None:
    body = parquet({"x": pa.array([1, None], pa.float32()), "s": ["a", "b"]})
    table = read_columns(io.BytesIO(body), PARQUET, LIMITS, OPTIONS)

    assert table.column("x").type == pa.float32()
    assert table.to_pydict() == {"x": [1, None], "s": ["a", "b"]}


def test_one_value_in_every_row_does_not_grow_beyond_the_limit() -> None:
    for values in (["x" * 1000], [b"x" * 1000]):
        column = pa.array(values).dictionary_encode().take(pa.array([0] * 2000))
        body = parquet({"a": column, "n": range(2000)})
        assert len(body) < 50_000
        assert read(body, PARQUET)["a"] == values * 2000
        with pytest.raises(BodyTooLarge, match="more than 1000000 bytes"):
            read(body, PARQUET, Limits(10**6, 10))


def test_what_is_no_feature_is_not_read() -> None:
    columns = {
        "a": ["x", "y"],
        "a.list": [[1], [2]],
        "s": [{"k": 1}, None],
        "f": pa.array([b"xy", b"z "], pa.binary(2)),
    }
    table = read_columns(io.BytesIO(parquet(columns)), PARQUET, LIMITS, OPTIONS)
    assert table.column_names == list(columns)
    assert table.column("a").to_pylist() == ["x", "y"]
    for name in list(columns)[1:]:
        assert table.column(name).null_count == 2
    assert pa.types.is_list(table.column("a.list").type)


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view()], ids=str)
def test_texts_are_read_in_whatever_way_they_are_held(kind: pa.DataType) -> None:
    text = {pa.string_view(): "ä", pa.binary_view(): "ä".encode()}[kind]
    table = read_columns(
        io.BytesIO(parquet({"v": pa.array([text, None], kind)})), PARQUET, LIMITS, OPTIONS
    )
    assert table.to_pydict() == {"v": [text, None]}


def test_names_of_parquet_that_are_not_utf_8_are_told() -> None:
    body = parquet({"a": [1], "odd_name": [2]}).replace(b"odd_name", b"odd\xffname")
    with pytest.raises(UnreadableBody, match="column names of the Parquet are not UTF-8"):
        read(body, PARQUET)


def test_columns_of_parquet_have_different_names() -> None:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), sink)

    assert faults(lambda: read(sink.getvalue(), PARQUET))[0]["code"] == "duplicate_column"


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"a,b\n1,\xff\n", CSV),
        (b"a,\xff\n1,2\n", CSV),
        (b'a,"b\n1,2\n', CSV),
        (b"a,b\n1," + b"2" * 2 * BLOCK_BYTES + b"\n3,4\n", CSV),
        (b"", PARQUET),
        (b"PAR1 no table PAR1", PARQUET),
        (parquet({"a": [1, 2]})[:-20], PARQUET),
    ],
)
def test_what_is_no_table_is_unreadable(body: bytes, media_type: str) -> None:
    with pytest.raises((UnreadableBody, InvalidTable)):
        read(body, media_type)


def test_damaged_parquet_is_unreadable() -> None:
    body = bytearray(parquet({"a": list(range(1000))}, compression="snappy"))
    body[20:60] = bytes(40)
    with pytest.raises(UnreadableBody, match="is not Parquet, or is incomplete or damaged"):
        read(bytes(body), PARQUET)


def test_codes_of_no_text_are_damage() -> None:
    body = bytearray(parquet({"a": ["x", "y", "z", "x"] * 2}, compression="none"))
    column = pq.ParquetFile(io.BytesIO(body)).metadata.row_group(0).column(0)
    # It ends with the codes, two bits each: 3 would be the fourth text of three.
    body[column.dictionary_page_offset + column.total_compressed_size - 1] = 0xFF
    with pytest.raises(UnreadableBody, match="is not Parquet, or is incomplete or damaged"):
        read(bytes(body), PARQUET)


@pytest.mark.parametrize("media_type", [CSV, PARQUET])
def test_too_many_columns_are_refused_with_the_setting(media_type: str) -> None:
    names = [f"c{i}" for i in range(12)]
    body = parquet({name: [1] for name in names}) if media_type == PARQUET else ""
    with pytest.raises(BodyTooLarge, match="SEEDBED_MAX_TABLE_COLUMNS"):
        read(body or ",".join(names) + "\n1\n", media_type, Limits(2**30, 10))


def test_values_that_unpack_to_much_are_counted_before() -> None:
    body = parquet({"a": [0.0] * 100_000})
    assert len(body) < 10_000
    with pytest.raises(BodyTooLarge, match="SEEDBED_MAX_TABLE_BYTES"):
        read(body, PARQUET, Limits(100_000, 10))


def forge(body: bytes, number: int) -> bytes:
    """Say 10 where the footer of Parquet has a number of up to 21 bits first."""
    start = len(body) - 8 - int.from_bytes(body[-8:-4], "little")
    twice = 2 * number  # as Thrift writes numbers, which are signed
    many = bytes([twice & 127 | 128, twice >> 7 & 127 | 128, twice >> 14])
    return body[:start] + body[start:].replace(many, b"\x94\x80\x00", 1)


def test_rows_that_the_footer_of_parquet_hides_are_counted_before() -> None:
    forged = forge(parquet({"a": [None] * 100_003}, row_group_size=2**20), 100_003)
    metadata = pq.ParquetFile(io.BytesIO(forged)).metadata
    assert (metadata.num_rows, metadata.row_group(0).num_rows) == (10, 100_003)

    with (
        patch.object(pq.ParquetFile, "read", side_effect=AssertionError),
        pytest.raises(BodyTooLarge, match="The table has 100003 rows"),
    ):
        read(forged, PARQUET, Limits(100_000, 10))


@pytest.mark.parametrize(
    "kind",
    [
        pa.binary(60_000),
        pa.list_(pa.int8(), 60_000),
        pa.struct([("a", pa.binary(30_000)), ("b", pa.binary(30_000))]),
    ],
    ids=str,
)
def test_what_is_not_read_takes_no_more_room_than_the_limit(kind: pa.DataType) -> None:
    body = parquet({"n": [1, 2], "f": pa.nulls(2, kind)})
    assert len(body) < 2000
    with pytest.raises(BodyTooLarge, match="more than 100000 bytes"):
        read(body, PARQUET, Limits(100_000, 10))


def test_bytes_that_the_footer_of_parquet_hides_are_counted_column_by_column() -> None:
    texts = {name: ["x" * 200_000, "y"] for name in "abc"}
    body = parquet({**texts, "n": [1, 2]}, compression="zstd", use_dictionary=False)
    forged = forge(body, pq.ParquetFile(io.BytesIO(body)).metadata.row_group(0).total_byte_size)
    assert len(forged) < 5000
    assert pq.ParquetFile(io.BytesIO(forged)).metadata.row_group(0).total_byte_size == 10

    read_whole = pq.ParquetFile.read
    asked: list[list[str]] = []

    def noted(self: pq.ParquetFile, columns: list[str], **options: Any) -> pa.Table:
        asked.append(columns)
        return read_whole(self, columns, **options)

    with patch.object(pq.ParquetFile, "read", noted), pytest.raises(BodyTooLarge):
        read(forged, PARQUET, Limits(100_000, 10))
    assert [len(columns) for columns in asked if columns != ["n"]] == [1]
