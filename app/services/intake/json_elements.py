"""The elements of a JSON array of any length, as bytes.

Parsers that stream replace lone surrogates silently and stop at the first invalid byte; here
each element is cut out unread, so that a bad one is refused alone.
"""

import re
from collections.abc import Iterator
from json import loads
from typing import NoReturn

from app.errors import InvalidRequest, UnreadableBody

_HEAD = re.compile(rb'[ \t\r\n]*(?:\[|\{[ \t\r\n]*"(documents|ids)"[ \t\r\n]*:[ \t\r\n]*\[)')
_HEAD_BYTES = 4096
EXPECTED = (
    'Expected a list of documents or texts, {"documents": [...]} or {"ids": [...]}; send one '
    "document per line as application/x-ndjson."
)
#: Parsers refuse an element long before; to look for the end of a deeper one keeps a thread busy.
MAX_DEPTH = 10**6
_MARK = re.compile(rb'["\[\]{},]')
#: Within an element commas say nothing, and a vector has a thousand of them.
_INNER_MARK = re.compile(rb'["\[\]{}]')
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


def json_elements(
    chunks: Iterator[bytes], *, max_bytes: int, expected: str = EXPECTED
) -> tuple[str, Iterator[bytes | None]]:
    """Return what the body lists, ``documents`` or ``ids``, and its elements.

    None stands for an element of more than ``max_bytes``; ``expected`` is said of other bodies.

    Raises
    ------
    InvalidRequest, UnreadableBody
    """
    start, is_whole = b"", False
    for chunk in chunks:
        start += chunk
        if len(start) >= _HEAD_BYTES:
            break
    else:
        is_whole = True
    head = _HEAD.match(start)
    if head is None:
        _refuse(start, is_whole, expected)
    key = (head[1] or b"documents").decode()
    end = b"]" if head[1] is None else b"]}"
    return key, _elements(bytearray(start[head.end() :]), chunks, end, max_bytes)


def _refuse(start: bytes, is_whole: bool, expected: str) -> NoReturn:
    try:
        # Python reads no integer of thousands of digits.
        loads(start, parse_int=float)
    except ValueError as error:
        # The start of an object is no JSON by itself, but may become it by what follows.
        if is_whole or not start.lstrip().startswith(b"{"):
            raise UnreadableBody(f"The body is not JSON: {error}. {expected}") from error
    except RecursionError:
        pass  # JSON of another shape, as far as can be told
    raise InvalidRequest(expected)


def _elements(
    data: bytearray, chunks: Iterator[bytes], end: bytes, max_bytes: int
) -> Iterator[bytes | None]:
    start = position = depth = n_bytes = 0  # n_bytes: of this element, without those in data
    is_first, in_string = True, False
    while True:
        position, depth, in_string, is_at_end = _advance(data, position, depth, in_string)
        if not is_at_end:
            n_bytes += position - 1 - start
            element = bytes(data[start : position - 1])
            is_last = data[position - 1 : position] != b","
            if not (is_first and is_last and not element.strip()):
                yield None if n_bytes > max_bytes else element
            if is_last:
                return _check_end(bytes(data[position - 1 :]), chunks, end)
            start, n_bytes, is_first = position, 0, False
            continue
        chunk = next(chunks, None)
        if chunk is None:
            raise UnreadableBody("The JSON body ends too early.")
        if n_bytes + position - start > max_bytes:
            n_bytes += position - start
            start = position
        del data[:start]
        position -= start
        start = 0
        data += chunk


def _advance(
    data: bytearray, position: int, depth: int, in_string: bool
) -> tuple[int, int, bool, bool]:
    """Go on behind the next comma or closing bracket of depth 0, or to the end of the data."""
    while True:
        if in_string:
            inside = _IN_STRING.match(data, position)
            position = inside.end() if inside else position
            if data[position : position + 1] != b'"':  # the end, or half an escape before it
                return position, depth, True, True
            position += 1
            in_string = False
        mark = (_INNER_MARK if depth else _MARK).search(data, position)
        if mark is None:
            return len(data), depth, False, True
        position = mark.end()
        character = mark[0]
        if character == b'"':
            in_string = True
        elif character in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableBody(f"The JSON body nests more than {MAX_DEPTH:,} levels deep.")
        elif depth == 0:
            return position, depth, False, False
        elif character in b"]}":
            depth -= 1


def _check_end(rest: bytes, chunks: Iterator[bytes], end: bytes) -> None:
    for chunk in chunks:
        if len(rest) > _HEAD_BYTES:
            break
        rest = (rest + chunk).rstrip()
    if rest.startswith(b"]") and rest[1:].lstrip().startswith(b",") and end == b"]}":
        raise InvalidRequest("The list must be the only member of the body.")
    if b"".join(rest.split()) != end:
        raise UnreadableBody("The body is not JSON: the list does not end where it should.")
