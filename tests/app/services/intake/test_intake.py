import csv
import gzip
import io
import json
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidRequest, UnreadableBody, UnsupportedMediaType
from app.services.intake.csv_columns import Delimiter
from app.services.intake.decoding import decoded, zstd
from app.services.intake.intake import find_media_type, position_name, read_rows
from app.services.intake.options import Options
from app.services.intake.rows import Row, RowError

MIB = 2**20
Document = dict[str, object]

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
}


def read(
    body: bytes,
    media_type: str = "application/x-ndjson",
    encoding: str = "identity",
    *,
    size: int = 64 * 1024,
    max_text_bytes: int = 10 * MIB,
    text_columns: Sequence[str] = (),
    id_column: str | None = None,
    delimiter: Delimiter = "comma",
    keeps_extra_fields: bool | None = None,
) -> list[Row | RowError]:
    chunks = (body[i : i + size] for i in range(0, len(body), size))
    options = Options(max_text_bytes, text_columns, id_column, delimiter, keeps_extra_fields)
    pieces = decoded(chunks, media_type=media_type, encoding=encoding, max_bytes=100 * MIB)
    return list(read_rows(pieces, media_type=media_type, options=options))


def texts(rows: list[Row | RowError]) -> list[str | None]:
    return [row.text for row in rows if isinstance(row, Row)]


def codes(rows: list[Row | RowError]) -> list[tuple[int, str]]:
    return [(row.position, row.code) for row in rows if isinstance(row, RowError)]


def to_ndjson(documents: list[Document]) -> bytes:
    return "\n".join(json.dumps(d, ensure_ascii=False) for d in documents).encode()


def to_json(documents: list[Document]) -> bytes:
    return json.dumps({"documents": documents}).encode()


def to_csv(documents: list[Document]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, ["id", "text", "source"])
    writer.writeheader()
    for document in documents:
        metadata = document["metadata"]
        assert isinstance(metadata, dict)
        writer.writerow({"id": document["id"], "text": document["text"], **metadata})
    return file.getvalue().encode()


def to_plain(documents: list[Document]) -> bytes:
    return "".join(f"{document['text']}\n" for document in documents).encode()


def is_kept_as_it_is(id_: str) -> bool:
    return {".", ".."}.isdisjoint(id_.split("/")) and id_ == id_.strip()


LETTERS = st.characters(codec="utf-8", exclude_characters="\0")
DOCUMENTS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(
                st.characters(codec="utf-8", categories=["L", "So", "P", "Zs"]), min_size=1
            ).filter(is_kept_as_it_is),
            "text": st.text(LETTERS, min_size=1).filter(lambda text: not text.isspace()),
            "metadata": st.fixed_dictionaries({"source": st.text(LETTERS)}),
        }
    ),
    max_size=4,
)


@pytest.mark.parametrize("encoding", COMPRESS)
@pytest.mark.parametrize(
    ("media_type", "write"),
    [("application/x-ndjson", to_ndjson), ("application/json", to_json), ("text/csv", to_csv)],
)
@given(documents=DOCUMENTS, size=st.integers(1, 100))
def test_documents_come_in_as_they_were_sent(
    media_type: str,
    write: Callable[[list[Document]], bytes],
    encoding: str,
    documents: list[Document],
    size: int,
) -> None:
    rows = read(COMPRESS[encoding](write(documents)), media_type, encoding, size=size)
    assert not codes(rows)
    arrived = [
        {"id": row.id, "text": row.text, "metadata": row.metadata}
        for row in rows
        if isinstance(row, Row)
    ]
    for document in documents:
        document["text"] = normalize("NFC", str(document["text"]))
    assert arrived == documents


@pytest.mark.parametrize("encoding", COMPRESS)
@given(
    lines=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r"), min_size=1)),
    ending=st.sampled_from(["\n", "\r\n"]),
    size=st.integers(1, 100),
)
def test_plain_text_is_a_document_a_line(
    encoding: str, lines: list[str], ending: str, size: int
) -> None:
    body = COMPRESS[encoding](ending.join(lines).encode())
    rows = read(body, "text/plain", encoding, size=size)
    assert texts(rows) == [normalize("NFC", line) for line in lines if line.strip()]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (b'{"text": NaN}', "invalid_json"),
        (b'{"text": "a"} {"text": "b"}', "invalid_json"),
        (b'{"text": "a"]', "invalid_json"),
        (b"5", "invalid_json"),
        (b"[]", "invalid_json"),
        (b"[" * 100_000 + b"]" * 100_000, "invalid_json"),
        (b"{}", "missing_text"),
        (b'{"text": null}', "empty_text"),
        (b'{"text": 5}', "invalid_text"),
        (b'{"text": ""}', "empty_text"),
        (b'{"text": " \\t\\n "}', "empty_text"),
        (b'{"text": "a\\u0000b"}', "nul_character"),
        (b'{"text": "a\xff"}', "invalid_unicode"),
        (b'"a\xff"', "invalid_unicode"),
        (b'{"text": "a\\ud800"}', "invalid_unicode"),
        (b'{"text": "a\\udc00b"}', "invalid_unicode"),
        (b'"\\ud800"', "invalid_unicode"),
        (b'{"text": "a", "id": ""}', "invalid_id"),
        (b'{"text": "a", "id": 5.5}', "invalid_id"),
        (b'{"text": "a", "id": true}', "invalid_id"),
        (b'{"text": "a", "id": ' + b"9" * 513 + b"}", "invalid_id"),
        (b'{"text": "a", "id": ' + b"9" * 5000 + b"}", "invalid_id"),
        (b'{"text": "a", "id": "a\\u0000"}', "invalid_id"),
        (b'{"text": "a", "id": "a\\n"}', "invalid_id"),
        (b'{"text": "a", "id": "' + b"x" * 513 + b'"}', "invalid_id"),
        (b'{"text": "a", "label": "positive"}', "unknown_field"),
        (b'{"text": "a", "\\ud800": 1}', "unknown_field"),
        (b'{"text": "a", "metadata": []}', "invalid_metadata"),
        (b'{"text": "a", "metadata": {"a": 1e999}}', "invalid_metadata"),
        (b'{"text": "a", "metadata": {"a": ' + b"9" * 5000 + b"}}", "invalid_metadata"),
        (b'{"text":"a","metadata":' + b'{"a":' * 33 + b"1" + b"}" * 34, "invalid_metadata"),
        (b'{"text": "' + b"x" * 2001 + b'"}', "text_too_long"),
        (b'{"text": "' + "é".encode() * 1001 + b'"}', "text_too_long"),
        (b'{"text": "a", "metadata": {"a": "' + b"x" * 2 * MIB + b'"}}', "row_too_long"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_bad_row_is_refused_alone_and_with_its_place(row: bytes, code: str) -> None:
    lines = read(b'"first"\n' + row + b'\n"last"\n', max_text_bytes=2000)
    assert texts(lines) == ["first", "last"]
    assert codes(lines) == [(2, code)]
    elements = read(b'["first", ' + row + b', "last"]', "application/json", max_text_bytes=2000)
    assert texts(elements) == ["first", "last"]
    assert codes(elements) == [(1, code)]


@pytest.mark.parametrize("line", [b'{"text": "a"', b'"a', b"[" * 100_000])
def test_a_line_that_is_cut_off_is_refused_alone(line: bytes) -> None:
    rows = read(b'"first"\n' + line + b'\n"last"\n')
    assert texts(rows) == ["first", "last"]
    assert codes(rows) == [(2, "invalid_json")]


def test_limits_themselves_are_allowed() -> None:
    nested: object = 1
    for _ in range(31):
        nested = {"a": nested}
    document = {"id": "é" * 512, "text": "é" * 1000, "metadata": {"a": nested}}
    assert not codes(read(to_ndjson([document]), max_text_bytes=2000))


def test_a_text_of_five_megabytes_is_accepted_in_every_format() -> None:
    text = "word " * MIB
    documents: list[Document] = [{"id": "a", "text": text, "metadata": {"source": "b"}}]
    for media_type, body in {
        "application/x-ndjson": to_ndjson(documents),
        "application/json": to_json(documents),
        "text/csv": to_csv(documents),
        "text/plain": to_plain(documents),
    }.items():
        assert texts(read(body, media_type)) == [text], media_type


def test_a_text_written_with_escapes_may_be_as_long() -> None:
    body = json.dumps({"text": "я" * MIB}).encode()  # six bytes each instead of two
    assert texts(read(body, max_text_bytes=2 * MIB)) == ["я" * MIB]


def test_blank_lines_count_as_lines_but_not_as_rows() -> None:
    rows = read(b'\n{"text": "a"}\r\n \t\n{}\n\n{"text": "b"}')
    assert [row.position for row in rows] == [2, 4, 6]
    rows = read(b"\na\r\n \t\n\xff\n\nb", "text/plain")
    assert [row.position for row in rows] == [2, 4, 6]
    rows = read(b"text,n\n\na,1\n\nb\n", "text/csv")
    assert [row.position for row in rows] == [3, 5]


def test_a_row_without_id_gets_the_same_one_from_its_text_each_time() -> None:
    rows = read(b'{"text": "a"}\n{"text": "b"}\n"a"\n{"text": "a", "id": null}')
    first, second, *others = [row.id for row in rows if isinstance(row, Row)]
    assert first != second
    assert others == [first, first]
    assert len(first) == 32


def test_letters_apart_from_their_marks_make_the_same_document() -> None:
    apart = normalize("NFD", "Überschwemmung in Köln")
    first, second = read(f"Überschwemmung in Köln\n{apart}\n".encode(), "text/plain")
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert second.text == first.text == "Überschwemmung in Köln"
    assert (second.id, second.digest) == (first.id, first.digest)


def test_ids_name_documents_that_are_there() -> None:
    rows = read(b'{"ids": ["a", 5, "", "b/\\u00e9", 5.5]}', "application/json")
    assert [row.id for row in rows if isinstance(row, Row)] == ["a", "5", "b/é"]
    assert texts(rows) == [None, None, None]
    assert codes(rows) == [(2, "invalid_id"), (4, "invalid_id")]


def test_ids_that_lead_a_path_elsewhere_are_refused() -> None:
    ids = ["..", ".", "../../other", "a/../b", "a/.", "./a"]
    documents = [{"id": id_, "text": "a"} for id_ in ids]
    for body in (documents, {"ids": ids}):
        rows = read(json.dumps(body).encode(), "application/json")
        assert codes(rows) == [(index, "invalid_id") for index in range(len(ids))]


def test_dots_are_letters_of_ids_otherwise() -> None:
    ids = ["...", ".a", "a.", "a..b", "a/..b", "/", "a//b"]
    rows = read(json.dumps({"ids": ids}).encode(), "application/json")
    assert [row.id for row in rows if isinstance(row, Row)] == ids


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "application/json"])
def test_fields_that_documents_do_not_have_become_metadata_if_wanted(media_type: str) -> None:
    rows = [
        b'{"id": 5, "text": "a", "label": "x", "n": 1, "metadata": {"n": 2}}',
        b'"b"',
        b'{"text": "c", "label": "x", "metadata": []}',
        b'{"txt": "d"}',
        b'{"text": "e", "label": 1e400}',
        b'{"text": "f", "label": "\\ud800"}',
        b'{"text": "g", "label": "x", "id": ' + b"9" * 5000 + b"}",
    ]
    body = b"\n".join(rows) if "nd" in media_type else b"[" + b",".join(rows) + b"]"
    first, second, *bad = read(body, media_type, keeps_extra_fields=True)
    assert isinstance(first, Row)
    assert (first.id, first.text, first.metadata) == ("5", "a", {"label": "x", "n": 2})
    assert isinstance(second, Row)
    assert (second.text, second.metadata) == ("b", None)
    assert [code for _, code in codes(bad)] == [
        "invalid_metadata",
        "missing_text",
        "invalid_metadata",
        "invalid_unicode",
        "invalid_id",
    ]

    refused = read(body, media_type)[0]
    assert isinstance(refused, RowError)
    assert refused.reason.endswith("Send extra_fields=metadata to keep it.")


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "application/json"])
def test_fields_of_json_can_be_named_and_the_others_become_metadata(media_type: str) -> None:
    rows = [
        b'{"key": 7, "title": "a", "abstract": "b", "text": "whole", "n": 1}',
        b'{"key": null, "title": null, "abstract": "c"}',
        b'{"key": "x", "title": " ", "abstract": null}',
        b'{"key": "x", "title": "d", "abstract": 5}',
        b'{"title": "no key"}',
        b'{"title": "no key", "Key": 8}',
        b'{"key": "x", "text": "e"}',
    ]
    body = b"\n".join(rows) if "nd" in media_type else b"[" + b",".join(rows) + b"]"
    named = ["title", "abstract"]
    first, second, *bad = read(body, media_type, text_columns=named, id_column="key")
    assert isinstance(first, Row)
    assert (first.id, first.text, first.metadata) == ("7", "a\nb", {"text": "whole", "n": 1})
    assert isinstance(second, Row)
    assert (second.text, second.has_own_id, second.metadata) == ("c", False, None)
    expected = ["empty_text", "invalid_text", "missing_id", "missing_id", "missing_text"]
    assert [code for _, code in codes(bad)] == expected
    assert "no field 'key'; its fields are: 'title', 'Key'. If the id stands" in bad[-2].reason
    assert "id_column=NAME; for the command, --id-column NAME." in bad[-2].reason
    assert "no field 'title', 'abstract'; its fields are: 'key', 'text'." in bad[-1].reason


@pytest.mark.parametrize("id_column", ["name", None])
@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("text/csv", b"%s,n\na,1\n"),
        ("application/x-ndjson", b'{"%s": "a", "n": "1"}'),
        ("application/json", b'[{"%s": "a", "n": "1"}]'),
    ],
)
def test_one_field_may_be_text_and_id(media_type: str, body: bytes, id_column: str | None) -> None:
    name = id_column or "id"
    (row,) = read(body % name.encode(), media_type, text_columns=[name], id_column=id_column)
    assert isinstance(row, Row)
    assert (row.id, row.text, row.metadata) == ("a", "a", {"n": "1"})


def test_other_fields_are_refused_beside_named_ones_if_that_is_asked_for() -> None:
    rows = (
        b'{"key": "a", "body": "water"}\n'
        b'{"key": "b", "body": "water", "text": "other", "n": 1}\n'
        b'{"key": "c", "body": "water", "metadata": {"n": 1}, "vector": [1]}\n'
    )
    named: dict[str, Any] = {"text_columns": ["body"], "id_column": "key"}
    found = read(rows, **named, keeps_extra_fields=False)
    assert codes(found) == [(2, "unknown_field")]
    assert isinstance(found[1], RowError)
    assert "'n' is none of those that were named" in found[1].reason
    assert found[1].reason.endswith("Send extra_fields=metadata to keep it.")
    assert codes(read(rows, **named)) == []


@pytest.mark.parametrize("keeps_extra_fields", [False, True])
@pytest.mark.parametrize("row", [b'{"id": "a"}', b'{"id": "a", "body": "b"}'])
def test_a_row_of_json_without_text_tells_its_fields(row: bytes, keeps_extra_fields: bool) -> None:
    (error,) = read(row, keeps_extra_fields=keeps_extra_fields)
    assert isinstance(error, RowError)
    fields = ", ".join(map(repr, json.loads(row)))
    assert error.reason.startswith(f"The row has no field 'text'; its fields are: {fields}. ")
    assert "send text_column=NAME; for the command, --text-column NAME" in error.reason


@pytest.mark.parametrize("field", ["ticket.body", "ticket"])
def test_fields_within_others_are_said_not_to_be_read(field: str) -> None:
    (error,) = read(b'{"id": "a", "ticket": {"body": "rain"}}', text_columns=[field])
    assert isinstance(error, RowError)
    told = "Fields within others are not read: write the text as a field of the row itself."
    assert error.reason.endswith(told)


def test_an_id_within_another_field_is_said_not_to_be_read() -> None:
    (error,) = read(b'{"text": "rain", "ticket": {"key": 7}}', id_column="ticket.key")
    assert isinstance(error, RowError)
    told = "Fields within others are not read: write the id as a field of the row itself."
    assert error.reason.endswith(told)


def test_a_name_with_a_dot_may_be_that_of_a_field() -> None:
    (row,) = read(b'{"ticket.body": "rain", "ticket": {}}', text_columns=["ticket.body"])
    assert isinstance(row, Row)
    assert row.text == "rain"


def test_csv_columns_can_be_named_and_the_others_become_metadata() -> None:
    body = b'key,body,year\n1,"first, with a\nnew line and ""quotes""",2001\n,second,2002\n'
    first, second = read(body, "text/csv", text_columns=["body"], id_column="key")
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert first.text == 'first, with a\nnew line and "quotes"'
    assert (first.position, first.id, first.metadata) == (2, "1", {"year": "2001"})
    assert (second.position, second.text, second.id) == (4, "second", second.digest.hex())


def test_blanks_around_ids_of_csv_are_taken_off() -> None:
    rows = read(b"id , text\n d13 , rain\n a b\xc2\xa0,sun\n  ,fog\n", "text/csv")
    assert [(row.own_id, row.text) for row in rows if isinstance(row, Row)] == [
        ("d13", " rain"),
        ("a b", "sun"),
        (None, "fog"),  # blanks alone are no id
    ]


def test_texts_of_several_csv_columns_are_joined_without_the_empty_ones() -> None:
    body = b"Title,Abstract,year\nfloods, rain ,2001\ndams,,2002\n ,rivers,2003\n,,2004\n"
    rows = read(body, "text/csv", text_columns=["Title", "Abstract", "Title"])
    assert texts(rows) == ["floods\n rain ", "dams", "rivers"]
    assert codes(rows) == [(5, "empty_text")]
    assert next(row.metadata for row in rows if isinstance(row, Row)) == {"year": "2001"}


@pytest.mark.parametrize("start", ["", "\ufeff", "sep=;\r\n", "\n \n;;\n"])
def test_csv_of_spreadsheets_is_read(start: str) -> None:
    body = f"{start}id; Text ;year\n1;a, b;2001\n".encode()
    (row,) = read(body, "text/csv", text_columns=["Text"], delimiter="semicolon")
    assert isinstance(row, Row)
    assert (row.id, row.text, row.metadata) == ("1", "a, b", {"year": "2001"})


def test_empty_columns_behind_the_last_name_of_a_csv_are_none() -> None:
    # Excel leaves the last delimiters out of some rows.
    body = (
        b"id;text;year; ;\n1;one;2001;;\n2;two;2002;; \n3;three;2003\n4;four;2004;;note\n5;five\n"
    )
    rows = read(body, "text/csv", delimiter="semicolon")
    found = [(row.id, row.metadata) for row in rows if isinstance(row, Row)]
    assert found == [("1", {"year": "2001"}), ("2", {"year": "2002"}), ("3", {"year": "2003"})]
    assert codes(rows) == [(5, "invalid_row"), (6, "invalid_csv")]


def test_bad_csv_rows_are_refused_alone_and_with_their_first_line() -> None:
    body = b'text,n\na,1\n"b\nb",2,3\nc\n"d"x,4\n\xff,5\n"",6\ne,7\n"f\ng'
    rows = read(body, "text/csv")
    assert texts(rows) == ["a", "e"]
    assert codes(rows) == [
        (3, "invalid_csv"),  # a field too many
        (5, "invalid_csv"),  # one too few
        (6, "invalid_csv"),  # something behind a closing quote
        (7, "invalid_unicode"),
        (8, "empty_text"),
        (10, "invalid_csv"),  # a quote that is not closed
    ]
    too_many, too_few, *_ = [row.reason for row in rows if isinstance(row, RowError)]
    assert "fields; the header has 2. Put quotation marks around a text" in too_many
    assert too_few == "The row has 1 fields; the header has 2."


@pytest.mark.parametrize(
    ("body", "named", "message"),
    [
        (b"", {}, "The CSV is empty"),
        (b"a,b\n1,2\n", {}, "its columns are: 'a', 'b'"),
        (b"text,b\n1,2\n", {"text_columns": ["body"]}, "no column 'body'"),
        (b"text,b\n1,2\n", {"id_column": "key"}, "no column 'key'.* --id-column NAME[.] If the f"),
        (b"text,a,a \n1,2,3\n", {}, "2 columns .* are called 'a'"),
        (b"body,,\n1,,\n", {}, "its columns are: 'body'[.]"),
        ("id,text\n1,2\n".encode("utf-16-be"), {}, "columns .* have .*NUL, as all texts in UTF-16"),
        (b"text,\xff\n1,2\n", {}, "not in UTF-8.*iconv -f cp1252 -t utf-8 FILE.*--encoding cp1252"),
        (b"a,b\n1,2\n", {"text_columns": ["a,b"]}, "in several columns, name each"),
        (b"1;a\n2;b\n", {"delimiter": "semicolon"}, "a document already, .* before it: id;text[.]"),
        (b"Tickets of May,\nid,text\n1,a\n", {}, "If the first line is a title, take it out;"),
        (b"Text\n1\n", {}, "text_column=NAME; for the command, --text-column NAME"),
        (b"id;text\n1;2\n", {}, "delimiter=semicolon; for the command, --delimiter semicolon"),
        (b'"id";"text"\n"1";"2"\n', {}, 'columns are: \'"id";"text"\'[.] Send delimiter=semicolon'),
        (b"id\ttext\n1\t2\n", {}, "delimiter=tab"),
        (b'"id"\t"text"\n"1"\t"2"\n', {}, "delimiter=tab"),
        (b"id,text\n1,2\n", {"delimiter": "tab"}, "delimiter=comma"),
        (b'"text"x\n1\n', {}, "not CSV"),
        (b'"id"x,"text"\n1,2\n', {}, "not CSV"),
        (b'"It is "cheap"; good"\n1\n', {}, "text stands behind the closing one"),
        (b'"text;\n1\n', {}, "a quotation mark opens in the first line and is not closed"),
    ],
)
def test_a_csv_without_its_columns_is_not_valid(
    body: bytes, named: dict[str, str], message: str
) -> None:
    with pytest.raises(InvalidRequest, match=message):
        read(body, "text/csv", **named)  # type: ignore[arg-type]  # any keyword


@pytest.mark.parametrize("header", [b"id", b"Id , LABEL"])
def test_a_table_of_ids_is_not_asked_for_the_name_of_its_texts(header: bytes) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        read(header + b"\n1,positive\n", "text/csv")
    told = refusal.value.detail.partition(". ")[2]
    assert told.startswith("None of these has texts, which an upload, a prediction and a test need")
    assert "To label documents that are there, send PUT /projects/{id}/labels; for" in told
    assert "text_column" not in told


def test_a_csv_record_that_never_ends_does_not_fill_memory() -> None:
    def endless() -> Iterator[bytes]:
        yield b'text\ngood\n"'
        while True:
            yield b"a line of a quoted text\n" * 1000

    options = Options(max_text_bytes=1000)
    rows = read_rows(endless(), media_type="text/csv", options=options)
    assert isinstance(next(rows), Row)
    with pytest.raises(UnreadableBody, match=r"Lines 3 to \d+ .* a quotation mark opens there"):
        next(rows)


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "application/json", "text/plain"])
def test_memory_stays_flat_whatever_the_size(media_type: str) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"["
        for _ in range(10):  # 1.3 MB in all, of which the rows take ten times as much
            yield b'"a short text of some words that stands for all others, as long",\n' * 2000
        yield b'"end"]'

    options = Options(max_text_bytes=MIB)
    rows = read_rows(chunks(), media_type=media_type, options=options)
    tracemalloc.start()
    n_rows = sum(1 for _ in rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_rows >= 20_000
    assert peak < 2 * MIB


def test_media_types_are_found_and_others_are_refused() -> None:
    assert find_media_type("Application/X-NDJSON") == "application/x-ndjson"
    assert find_media_type('text/csv; header=present; charset="UTF-8"') == "text/csv"
    for content_type in ("", "application/xml", "text/plain; charset=latin-1"):
        with pytest.raises(UnsupportedMediaType):
            find_media_type(content_type)
    with pytest.raises(
        UnsupportedMediaType,
        match=r"x-ndjson, text/csv, .*sheet, .*parquet, text/plain, .*nbib\.$",
    ):
        find_media_type("application/xml")


@pytest.mark.parametrize(
    "content_type", ["multipart/form-data; boundary=a", "application/x-www-form-urlencoded"]
)
def test_who_sends_a_form_is_told_how_to_send_a_file(content_type: str) -> None:
    with pytest.raises(UnsupportedMediaType, match=r"text/csv.* --data-binary @FILE"):
        find_media_type(content_type)


def test_rows_of_lists_have_an_index_and_others_a_line() -> None:
    assert position_name("application/json") == "index"
    assert position_name("text/plain") == "line"


def test_columns_in_place_of_json_are_told_once() -> None:
    options = Options(MIB, other_formats=" Columns go as text/csv.")
    rows = read_rows(
        iter([b"id,text\n1,rain\n"]), media_type="application/x-ndjson", options=options
    )
    first, second = rows
    assert isinstance(first, RowError)
    assert isinstance(second, RowError)
    assert first.reason.endswith("Each is an object or a text in quotes. Columns go as text/csv.")
    assert "text/csv" not in second.reason


def test_a_column_that_is_nearly_named_is_told() -> None:
    with pytest.raises(InvalidRequest, match=r"Did you mean 'Betreff'\?$"):
        read(b"id,Betreff\n1,Regen\n", "text/csv", text_columns=["betref"])


def test_names_of_columns_are_shown_as_they_are_written() -> None:
    with pytest.raises(InvalidRequest, match="its columns are: 'id', '本文'"):
        read("id,本文\n1,雨\n".encode(), "text/csv")


def test_formats_are_named_only_where_they_can_be_sent() -> None:
    (told,) = read(b"plain words")
    assert isinstance(told, RowError)
    assert told.reason.endswith(". Each is an object or a text in quotes.")


def test_ids_of_an_export_keep_their_blanks() -> None:
    export = b"id,rank,label,text\n lead,1,,water\n"
    assert [row.id for row in read(export, "text/csv") if isinstance(row, Row)] == [" lead"]
    other = b"id,text\n lead,water\n"
    assert [row.id for row in read(other, "text/csv") if isinstance(row, Row)] == ["lead"]


def test_a_line_with_some_of_the_fields_of_a_ranking_is_none_of_one() -> None:
    line = b'{"id": "a", "text": "x", "rank": 1, "predicted": true}'
    assert codes(read(line)) == [(1, "unknown_field")]
    (row,) = read(line, keeps_extra_fields=True)
    assert isinstance(row, Row)
    assert row.metadata == {"rank": 1, "predicted": True}
