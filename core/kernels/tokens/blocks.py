"""Texts from any iterable, in blocks."""

from collections.abc import Mapping
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from core.errors import Refused
from core.kernels.tokens.characters import SPECIAL_CASES

#: A block is full when it has so many bytes (characters if texts are str), or so many texts.
BLOCK_BYTES = 1 << 21
BLOCK_TEXTS = 20_000
#: Texts that are read before their sizes are looked at; one by one would take three times as long.
LOOKED_AT_ONCE = 64

_SPECIAL = [character.encode() for character in SPECIAL_CASES]


class Block(NamedTuple):
    """Texts one after the other.

    Attributes
    ----------
    start : int
        Number of the first text.
    texts : list of str or bytes
    size : int
        Their bytes (characters, of str).
    """

    start: int
    texts: list
    size: int


def check_texts(texts):
    """Refuse what is an iterable but not of texts: one text, or a table."""
    if isinstance(texts, str | bytes):
        raise Refused("X must be an iterable of texts, not one text.")
    # A table is an iterable of its columns or of their names, a mapping one of its keys.
    if isinstance(texts, Mapping) or len(getattr(texts, "shape", (0,))) != 1:
        raise Refused("X must be one column of texts, such as df['text'].")


def read_blocks(texts):
    """Yield blocks of texts, one at least.

    Parameters
    ----------
    texts : iterable of str or bytes
        Read once.

    Raises
    ------
    ValueError
        If something has no length; whether it is str or bytes is looked at by who reads the block.
    """
    texts, start, block, size = iter(texts), 0, [], 0
    while some := list(islice(texts, min(LOOKED_AT_ONCE, BLOCK_TEXTS - len(block)))):
        try:
            size += sum(map(len, some))
        except TypeError:
            _refuse_others(some, start + len(block))
            raise
        block += some
        if size >= BLOCK_BYTES or len(block) >= BLOCK_TEXTS:
            yield Block(start, block, size)
            start, block, size = start + len(block), [], 0
    if block or not start:
        yield Block(start, block, size)


def _refuse_others(texts, start):
    for number, text in enumerate(texts, start):
        if not isinstance(text, str | bytes):
            kind = type(text).__name__
            # That of pandas is known by its name: without pandas there is none.
            is_missing = kind in {"NoneType", "NAType"} or (
                isinstance(text, float) and text != text
            )
            raise Refused(
                f"text {number} is not a str or bytes but of type {kind}"
                + (': fill it, say by texts.fillna(""), or leave it out.' if is_missing else ".")
            )


def _kinds(block):
    """Return the types of the texts; raises ValueError if one is neither str nor bytes."""
    kinds = set(map(type, block.texts))
    if not kinds <= {str, bytes}:
        _refuse_others(block.texts, block.start)
    return kinds


def looked_into(blocks, n_bytes):
    """Return the same blocks, and whether there are so many bytes or as many texts as a block has.

    Parameters
    ----------
    blocks : iterator of Block
    n_bytes : int
        More than these are not looked at.
    """
    some, size, n_texts = [], 0, 0
    while size < n_bytes and n_texts < BLOCK_TEXTS and (block := next(blocks, None)):
        some.append(block)
        size, n_texts = size + block.size, n_texts + len(block.texts)
    return chain(some, blocks), size >= n_bytes or n_texts >= BLOCK_TEXTS


def decoded(block):
    """Return the texts of a block as a list of str.

    Raises
    ------
    ValueError
        If bytes are not UTF-8, or something is neither str nor bytes.
    """
    _kinds(block)
    return [
        text if isinstance(text, str) else _decoded(text, block.start + i)
        for i, text in enumerate(block.texts)
    ]


def _decoded(text, number):
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"text {number} is not UTF-8: {error}.") from error


def packed(block, *, is_lowered):
    """Return the texts of a block in UTF-8, as compiled code reads them.

    Parameters
    ----------
    block : Block
    is_lowered : bool
        Whether the texts will be turned to lower case: those for which this takes more than a
        table of characters then are already.

    Returns
    -------
    data : ndarray of uint8
        The texts, a byte between each and the next.
    bounds : ndarray of int64 of shape (n_texts + 1,)
        Where each starts, and where one more would.

    Raises
    ------
    ValueError
        If bytes are not UTF-8, or something is neither str nor bytes.
    """
    texts = block.texts
    if _kinds(block) != {bytes}:
        texts = [
            text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
            for text in texts
        ]
    data = b"\n".join([*texts, b""])
    if not data.isascii():
        _check(block, data)
        # To look for the first byte alone is ten times as fast, and most texts do not have it.
        if is_lowered and any(one[:1] in data and one in data for one in _SPECIAL):
            texts = [_lowered(text) for text in texts]
            data = b"\n".join([*texts, b""])
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=bounds[1:])
    return np.frombuffer(data, dtype=np.uint8), bounds


def _check(block, data):
    """Raise ValueError if a text is not UTF-8; look at each only if all together are not."""
    try:
        data.decode()
    except UnicodeDecodeError:
        for number, text in enumerate(block.texts, block.start):
            if isinstance(text, bytes):
                _decoded(text, number)


def _lowered(text):
    if not any(special in text for special in _SPECIAL):
        return text
    return text.decode("utf-8", "surrogatepass").lower().encode("utf-8", "surrogatepass")
