"""``seedbed predict``: new texts by a model, a line for each."""

import codecs
import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from select import select
from tempfile import TemporaryFile
from typing import IO, Any

import typer

from app.commands import prediction_file
from app.commands.champion import champion_of
from app.commands.client import (
    ServiceFailed,
    answer,
    connected,
    find_model,
    lines_of,
    printable,
)
from app.commands.document_file import INCOMPLETE, headers_of, kept_input, piped, recoded
from app.commands.prediction_rows import PredictionRows, Refused, row_unit
from app.commands.refused_rows import RefusedRows
from app.media_types import JSON, NDJSON, PARQUET
from app.services.intake.csv_columns import TO_UTF8
from app.services.intake.rows import RowError

READ_BYTES = 2**20
#: The form in which nothing is printed but what cannot be predicted.
FILE = "file"
#: The service gives up on a body of which nothing comes: so long a pipe may pause at a time.
PAUSE_SECONDS = 2.0
BROKEN = "Run the command again: what was printed so far is right, but not all."
#: Formats in which a document may have a vector.
WITH_VECTORS = {JSON, NDJSON, PARQUET}
NO_VECTORS = (
    "Note: the model learned from vectors, too, and these texts have none: they are scored by "
    "their words alone. Give vectors in .ndjson, .json or .parquet."
)
_FILE_AS_TEXT = "{name} is a file, but is taken for a text here. For what is in it, give --file."


def run(
    url: str,
    name: str,
    texts: list[str],
    *,
    file: Path | None,
    stdin: str,
    columns: dict[str, Any],
    charset: str,
    form: str,
    is_accepted: bool = False,
    output: Path | None = None,
) -> None:
    """Print a line for each text as the answers come, or write them to a file.

    If ``is_accepted``, documents below the cut are left out. ``stdin`` is the format of what comes
    there, where there are neither texts nor a file; ``columns`` tells how to read rows, as far as
    they are not None.

    Raises
    ------
    ServiceFailed
    typer.Exit
        If there are rows with a text that could not be predicted, or ``texts`` that are empty.
    """
    # Unlike a blank line of a file, an argument was meant to be a text.
    n_lost = sum(not text.strip() for text in texts)
    for text in filter(os.path.isfile, texts):
        typer.echo(_FILE_AS_TEXT.format(name=printable(text)), err=True)
    if output is not None:
        prediction_file.check(output)
    with connected(url, BROKEN) as client, TemporaryFile() as spool:
        model_id = find_model(client, name, champion_of)
        content, refused = content_of(
            texts, file=file, stdin=stdin, columns=columns, charset=charset
        )
        if output is not None:
            content, form = prediction_file.kept(content, spool), FILE
        headers = {"content-type": NDJSON}
        source = file or piped(stdin)
        told = RefusedRows("text" if texts else row_unit(source))
        answers = Answers(form, refused, told)
        with client.stream(
            "POST", "/predict", params={"model_id": model_id}, headers=headers, content=content
        ) as response:
            # All is sent before the first answer comes.
            lines = answers.shown(lines_of(response), is_accepted=is_accepted)
            try:
                if output is None:
                    for _ in lines:
                        pass
                else:
                    typer.echo(prediction_file.write(output, _with_texts(lines, spool)))
            finally:
                for reason in told.lines():
                    typer.echo(reason, err=True)
        may_have_vectors = not texts and headers_of(source)["content-type"] in WITH_VECTORS
        if not may_have_vectors and learned_from_vectors(answer(client.get(f"/models/{model_id}"))):
            typer.echo(NO_VECTORS, err=True)
    if n_lost or answers.n_lost:
        raise typer.Exit(INCOMPLETE)


def learned_from_vectors(model: dict[str, Any]) -> bool:
    """Tell whether a document that a model learned from had a vector: the doctor looks then."""
    return any(finding["code"] == "missing_vectors" for finding in model["doctor"])


def is_above_cut(line: bytes) -> bool:
    """Return False for the answer of a document below the cut, True for others, errors too."""
    return bool(json.loads(line).get("label") != "negative")


def _with_texts(lines: Iterable[bytes], spool: IO[bytes]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield predictions with their texts; an empty line is one that is left out."""
    texts: Iterator[str] | None = None
    for line in lines:
        texts = texts or prediction_file.texts_of(spool)
        text, found = next(texts), json.loads(line or b"{}")
        if "label" in found:
            yield found, text


def content_of(
    texts: list[str], *, file: Path | None, stdin: str, columns: dict[str, Any], charset: str
) -> tuple[Iterator[bytes], Refused]:
    """Return blocks to send, and what cannot be sent, which is known when all else is."""
    if texts and file is not None:
        raise ServiceFailed("Give either texts or, with --file, a file of them.")
    if not texts and file is None and (sys.stdin is None or sys.stdin.isatty()):
        raise ServiceFailed("Give texts, or --file, or texts on standard input, one a line.")
    if file is not None:
        rows = PredictionRows(file, columns, charset)
        return _read(file.open("rb"), rows), rows.refused
    rows = PredictionRows(piped(stdin), columns, charset)
    if texts:
        given = [text.encode(errors="surrogateescape") for text in texts]
        return _numbered([given], rows.refused, tells_blanks=True), rows.refused
    if stdin == "txt":
        lines = _lines(recoded(_pieces(sys.stdin.buffer), charset))
        return _numbered(lines, rows.refused), rows.refused
    return _read(kept_input(TemporaryFile()), rows), rows.refused


def _read(stream: IO[bytes], rows: PredictionRows) -> Iterator[bytes]:
    with stream:
        yield from rows.blocks(stream)


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what comes, as it comes; nothing where nothing comes."""
    while True:
        if not select([stream], [], [], PAUSE_SECONDS)[0]:
            yield b""
        elif block := os.read(stream.fileno(), READ_BYTES):
            yield block
        else:
            return


def _lines(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines that end in each block, maybe none."""
    begun: list[bytes] = []
    for block in blocks:
        first, *others = block.split(b"\n")
        begun.append(first)
        lines = []
        if others:
            lines = [b"".join(begun), *others[:-1]]
            begun = [others[-1]]
        yield lines
    if last := b"".join(begun):
        yield [last]


def _numbered(
    blocks: Iterable[list[bytes]], refused: Refused, *, tells_blanks: bool = False
) -> Iterator[bytes]:
    """Yield blocks of NDJSON in which texts have their numbers as ids; note what is no text."""
    numbers, n_sent = count(1), 0
    for texts in blocks:
        sent = []
        for text in texts:
            number = next(numbers)
            row = _checked(number, text)
            if isinstance(row, str):
                sent.append(json.dumps({"id": str(number), "text": row}).encode())
                n_sent += 1
                continue
            sent.append(b"")
            if tells_blanks or text.strip():
                refused.append((n_sent, number, row))
        # A blank before a line keeps the connection, and the numbers of the lines.
        yield b"".join(line + b"\n" for line in sent) or b" "


def _checked(number: int, text: bytes) -> str | RowError:
    try:
        told = text.rstrip(b"\r\n").decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        return RowError(number, "invalid_unicode", f"The line is not UTF-8. {TO_UTF8}")
    return told if told.strip() else RowError(number, "empty_text", "The text is empty.")


class Answers:
    """Shows answers in a form; what was ``refused`` before it was sent comes at its place.

    In a form that has no place for it, that is noted in ``told``. ``n_lost`` counts texts that
    could not be predicted.
    """

    def __init__(self, form: str, refused: Refused, told: RefusedRows) -> None:
        self._form, self._refused, self._told = form, refused, told
        # What reads a pipe needs ids as they are.
        self._for_output = printable if sys.stdout.isatty() else str
        self.n_lost = 0

    def shown(self, lines: Iterable[bytes], *, is_accepted: bool = False) -> Iterator[bytes]:
        """Show lines as they come, and yield them; one that is left out is empty."""
        for number, line in enumerate(lines):
            self._show_refused(number)
            if is_accepted and not is_above_cut(line):
                yield b""
                continue
            self.show(line)
            yield line
        self._show_refused(None)

    def show(self, line: bytes) -> None:
        """Show an answer; ServiceFailed where it tells that the service could not go on."""
        found: dict[str, Any] = json.loads(line)
        error = found.get("error")
        if error is not None and "line" not in error:
            raise ServiceFailed(error["reason"])
        self.n_lost += error is not None and error["code"] != "empty_text"
        if self._form == "ndjson":
            # JSON has an escape of its own for what the output cannot encode.
            is_utf8 = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
            told = line.decode().rstrip("\n") if is_utf8 else json.dumps(found)
            sys.stdout.write(self._for_output(told) + "\n")
        elif error is not None:
            self._told.add(error)
        elif self._form != FILE:
            probability = found["probability"]
            shown = "-" if probability is None else f"{probability:.3f}"
            document_id = "-" if found["id"] is None else self._for_output(found["id"])
            sys.stdout.write(f"{found['label']}\t{found['score']:.3f}\t{shown}\t{document_id}\n")

    def _show_refused(self, n_answers: int | None) -> None:
        """Show what was refused before the row with this answer; without one, the rest."""
        while self._refused and (n_answers is None or self._refused[0][0] <= n_answers):
            _, number, row = self._refused.popleft()
            error = {"line": number, "code": row.code, "reason": row.reason}
            self.show(json.dumps({"error": error}).encode() + b"\n")
