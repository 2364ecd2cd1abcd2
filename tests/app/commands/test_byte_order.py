"""UTF-16 in either order of its bytes, with its mark and without."""

import codecs
import json
from pathlib import Path

import pytest

from app.commands.byte_order import with_byte_order
from app.commands.client import ServiceFailed
from app.commands.document_file import recoded
from app.commands.label_file import read_lines
from app.commands.text_files import one_text_warning, rows_of

ORDERS = ("utf-16-le", "utf-16-be")
TEXTS = [
    "the river rises, again",
    "Überflutung",
    "大水在河\n最近最大的\n",  # that in the middle has the letter g in it
    "\u3000一 一",  # exchanged they are a digit and letters, but for the blank
    "नदी में बाढ़",
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("text", TEXTS)
def test_the_order_is_known_with_a_mark_and_without(text: str, order: str) -> None:
    for mark in ("", "\ufeff"):
        blocks = iter([(mark + text).encode(order), "\n".encode(order)])
        assert b"".join(recoded(blocks, "utf-16")).decode() == f"{text}\n"


@pytest.mark.parametrize("order", ORDERS)
def test_the_beginning_may_end_within_a_character(order: str) -> None:
    text = "a 🙂 b 🙂"
    content = text.encode(order)
    for end in range(3, len(content)):
        blocks = iter([content[:end], content[end:]])
        assert b"".join(recoded(blocks, "utf-16")).decode() == text


@pytest.mark.parametrize("text", ["some UTF-8, of any kind\n", "大水", "Straße"])
def test_what_tells_no_order_is_refused(text: str) -> None:
    content = text.encode("utf-16-be" if text == "大水" else "utf-8")
    with pytest.raises(ServiceFailed, match=r"are not in utf-16\."):
        list(recoded(iter([content]), "utf-16"))


def test_other_names_stay_as_they_are() -> None:
    for charset in ("cp1252", "utf-8", *ORDERS):
        assert with_byte_order(charset, b"\0a\0 ") == charset
    assert with_byte_order("utf-16", codecs.BOM_UTF16_BE + b"a\0") == "utf-16"
    assert b"".join(recoded(iter([]), "UTF_16")) == b""


@pytest.mark.parametrize("order", ORDERS)
def test_texts_of_a_folder_may_lack_the_mark(tmp_path: Path, order: str) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("Dear Sir,\r\n\r\nthe river rises.".encode(order))
    (block,) = rows_of([file], "utf-16")
    assert json.loads(block) == {"id": "a", "text": "Dear Sir,\n\nthe river rises."}
    assert one_text_warning(file, "utf-16") is not None
    file.write_bytes(b"the river rises.")
    with pytest.raises(ServiceFailed, match="is not in UTF-16"):
        list(rows_of([file], "utf-16"))
    assert one_text_warning(file, "utf-16") is None


@pytest.mark.parametrize("order", ORDERS)
def test_labels_may_lack_the_mark(tmp_path: Path, order: str) -> None:
    file = tmp_path / "round.csv"
    file.write_bytes("id\tlabel\nStraße\tpositive\n".encode(order))
    assert list(read_lines(file, "utf-16").lines) == ["Straße"]
