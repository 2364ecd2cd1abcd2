"""What options make of what is typed."""

import gzip
import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from app.commands.client import ServiceFailed
from app.commands.document_file import kept_input, recoded
from app.commands.options import file_or_dash
from tests.app.seedbed_command import seedbed


@pytest.mark.parametrize("name", ["utf-8", "UTF-8", "utf8", "Utf_8"])
def test_utf8_by_any_of_its_names_goes_with_compressed_files(tmp_path: Path, name: str) -> None:
    file = tmp_path / "pile.txt.gz"
    file.write_bytes(gzip.compress(b"the river\n"))
    words = ("upload", str(file), "--project", "floods", "--label", "unlabeled")

    finished = seedbed(*words, "--encoding", name, "--url", "http://127.0.0.1:1")

    assert "Nothing answers at http://127.0.0.1:1." in finished.stderr


@pytest.mark.parametrize("name", ["cp1525", "base64", "zlib", "undefined", "", "\udcff"])
def test_what_is_no_encoding_of_texts_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\n")

    finished = seedbed("judge", "floods", str(file), "--encoding", name)

    assert finished.returncode == 2
    assert f"There is no encoding {name!r} of texts; try cp1252 or utf-16." in finished.stderr


@pytest.mark.parametrize("words", [("upload", "--project"), ("change", "--name")])
def test_a_name_like_an_option_is_refused(words: tuple[str, str], tmp_path: Path) -> None:
    command, option = words
    (tmp_path / "pile.txt").write_text("water\n")
    others = {"upload": (str(tmp_path / "pile.txt"), "--label", "unlabeled"), "change": ("floods",)}

    finished = seedbed(command, *others[command], option, "--positives")

    assert finished.returncode == 2
    assert "'--positives' begins as options do: give another name" in finished.stderr


@pytest.mark.parametrize("name", ["idna", "punycode", "utf-16"])
def test_a_file_in_another_encoding_leads_to_the_option(name: str) -> None:
    with pytest.raises(ServiceFailed, match=f"are not in {name}. Name their .* --encoding cp1252"):
        list(recoded(iter(["Straße".encode()]), name))


def test_a_file_to_upload_is_one_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pile.txt"
    with pytest.raises(typer.BadParameter, match="does not exist"):
        file_or_dash(str(file))
    with pytest.raises(typer.BadParameter, match="is a directory"):
        file_or_dash(str(tmp_path))
    file.touch()
    assert file_or_dash(str(file)) == file
    # Root may read all files.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(typer.BadParameter, match="is not readable"):
        file_or_dash(str(file))
    assert file_or_dash("-") == Path("-")


@pytest.mark.parametrize("is_closed", [False, True])
def test_nothing_is_read_from_a_keyboard(
    monkeypatch: pytest.MonkeyPatch, *, is_closed: bool
) -> None:
    keyboard = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(sys, "stdin", None if is_closed else keyboard)
    with pytest.raises(ServiceFailed, match="connect a pipe or a file to it"):
        kept_input(io.BytesIO())


def test_a_word_that_is_no_choice_is_refused_in_words_of_the_shell() -> None:
    refused = seedbed("next", "floods", "--strategy", "best")

    assert "'--strategy': 'best' is not one of 'mixed', " in refused.stderr
