"""``seedbed predict``: new texts by a model, a line for each."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from select import select
from typing import IO, Any, TypeVar

import typer

from app.commands.client import ServiceFailed, connected, find_model, lines_of
from app.commands.upload import blocks_of, headers_of

Value = TypeVar("Value")

NDJSON = "application/x-ndjson"
READ_BYTES = 2**20
#: The service gives up on a body of which nothing comes: so long a pipe may pause at a time.
PAUSE_SECONDS = 2.0
BROKEN = "Run the command again: what was printed so far is right, but not all."


def run(url: str, name: str, texts: list[str], file: Path | None, form: str) -> None:
    """Print a line for each text as the answers come.

    Raises
    ------
    ServiceFailed
    """
    headers, content = _request(texts, file)
    with connected(url, BROKEN) as client:
        model = {"model_id": find_model(client, name)}
        with client.stream(
            "POST", "/predict", params=model, headers=headers, content=content
        ) as response:
            for line in lines_of(response):
                _print(line, form)


def _request(texts: list[str], file: Path | None) -> tuple[dict[str, str], Iterator[bytes]]:
    headers = {"content-type": NDJSON}
    if texts and file is not None:
        raise ServiceFailed("Give either texts or, with --file, a file of them.")
    if texts:
        return headers, _numbered([[os.fsencode(text) for text in texts]])
    if file is None:
        if sys.stdin.isatty():
            raise ServiceFailed("Give texts, or --file, or texts on standard input, one a line.")
        return headers, _numbered(_lines(sys.stdin.buffer))
    if file.suffix.lower() == ".txt":
        return headers, _numbered(_read(file, _lines))
    headers = headers_of(file)
    if headers["content-type"] != NDJSON:
        raise ServiceFailed(
            f"{file.name} is of no format that predict reads: write .txt with one text a line, or "
            ".ndjson with id and text, that maybe with .gz or .zst. A CSV has to be converted."
        )
    return headers, _read(file, blocks_of)


def _read(file: Path, split: Callable[[IO[bytes]], Iterator[Value]]) -> Iterator[Value]:
    with file.open("rb") as stream:
        yield from split(stream)


def _lines(stream: IO[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines as they come, those that are there at a time; none where none comes."""
    rest = b""
    while True:
        if not select([stream], [], [], PAUSE_SECONDS)[0]:
            yield []
        elif block := os.read(stream.fileno(), READ_BYTES):
            *lines, rest = (rest + block).split(b"\n")
            yield lines
        else:
            break
    if rest:
        yield [rest]


def _numbered(blocks: Iterable[list[bytes]]) -> Iterator[bytes]:
    """Yield blocks of NDJSON in which texts have their numbers as ids."""
    number = 1
    for texts in blocks:
        # A blank before a line keeps the connection, and the numbers of the lines.
        yield b"".join(map(_document, count(number), texts)) or b" "
        number += len(texts)


def _document(number: int, text: bytes) -> bytes:
    try:
        told = text.rstrip(b"\r\n").decode()
    except UnicodeDecodeError as error:
        raise ServiceFailed(f"Line {number} is not in UTF-8.") from error
    # A blank line is no text, but is counted.
    return json.dumps({"id": str(number), "text": told}).encode() + b"\n" if told.strip() else b"\n"


def _print(line: bytes, form: str) -> None:
    found: dict[str, Any] = json.loads(line)
    error = found.get("error")
    if error is not None and "line" not in error:  # the service could not go on
        raise ServiceFailed(error["reason"])
    if form == "ndjson":
        sys.stdout.write(line.decode())
    elif error is not None:
        typer.echo(f"line {error['line']}: {error['reason']}", err=True)
    else:
        probability = found["probability"]
        told = "-" if probability is None else f"{probability:.3f}"
        document_id = "-" if found["id"] is None else found["id"]
        sys.stdout.write(f"{found['label']}\t{found['score']:.3f}\t{told}\t{document_id}\n")
