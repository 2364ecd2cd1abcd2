import gzip
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import BodyTooLarge, UnreadableBody, UnsupportedMediaType
from app.media_types import CSV, PARQUET, PLAIN, XLSX
from app.services.intake.decoding import MAX_TABLE, decoded, find_encoding, whole_lines, zstd

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
}
MIB = 2**20


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


def decode(data: bytes, encoding: str, *, size: int = 7, max_bytes: int = 10 * MIB) -> bytes:
    body = pieces(data, size)
    return b"".join(decoded(body, media_type=PLAIN, encoding=encoding, max_bytes=max_bytes))


def decode_table(data: bytes) -> bytes:
    body = iter([data])
    read = decoded(body, media_type=CSV, encoding="identity", max_bytes=99, setting=MAX_TABLE)
    return b"".join(read)


@pytest.mark.parametrize("encoding", COMPRESS)
@given(data=st.binary(), size=st.integers(1, 50))
def test_a_body_is_what_was_sent_however_it_is_cut(encoding: str, data: bytes, size: int) -> None:
    data = b"." + data  # so that it does not begin with a byte order mark
    assert decode(COMPRESS[encoding](data), encoding, size=size) == data


@pytest.mark.parametrize("encoding", COMPRESS)
def test_a_byte_order_mark_is_removed(encoding: str) -> None:
    body = COMPRESS[encoding](b"\xef\xbb\xbftext")
    assert decode(body, encoding, size=1) == b"text"


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_told_by_its_mark(charset: str) -> None:
    pieces = (bytes([byte]) for byte in "\ufefftext\na".encode(charset))
    with pytest.raises(UnreadableBody, match=r"is UTF-16: .*iconv -f utf-16 .* --encoding utf-16"):
        list(decoded(pieces, media_type=PLAIN, encoding="identity", max_bytes=100))


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_members_one_behind_another_are_one_body(encoding: str) -> None:
    compress = COMPRESS[encoding]
    assert decode(compress(b"one,") + compress(b"") + compress(b"two"), encoding) == b"one,two"


def test_padding_behind_gzip_is_not_read() -> None:
    assert decode(gzip.compress(b"text") + bytes(1000), "gzip") == b"text"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_body_that_ends_too_early_is_unreadable(encoding: str) -> None:
    body = COMPRESS[encoding](b"text " * 1000)
    with pytest.raises(UnreadableBody, match="too early"):
        decode(body[:-1], encoding)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_garbage_is_unreadable(encoding: str) -> None:
    with pytest.raises(UnreadableBody, match=f"not {encoding}"):
        decode(b"this is plain text, not compressed", encoding)


def test_a_zstd_window_that_needs_much_memory_is_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 27}
    compressor = zstd.ZstdCompressor(options=options)
    body = compressor.compress(b"text " * 1000) + compressor.flush()
    with pytest.raises(UnreadableBody, match=r"more than 8 MiB\. .* without --ultra and --long"):
        decode(body, "zstd")


def test_decoded_bytes_are_counted() -> None:
    assert decode(bytes(100), "identity", max_bytes=100) == bytes(100)
    for encoding, compress in COMPRESS.items():
        with pytest.raises(BodyTooLarge):
            decode(compress(bytes(101)), encoding, max_bytes=100)


def test_members_without_content_are_counted() -> None:
    with pytest.raises(BodyTooLarge):
        decode(gzip.compress(b"") * 1000, "gzip", max_bytes=10_000)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_bomb_is_refused_in_flat_memory(encoding: str) -> None:
    # 64 MiB of zeros, of which the limit lets 32 MiB through.
    bomb = COMPRESS[encoding](bytes(64 * MIB))
    assert len(bomb) < 70_000
    tracemalloc.start()
    with pytest.raises(BodyTooLarge):
        for _ in decoded(iter([bomb]), media_type=PLAIN, encoding=encoding, max_bytes=32 * MIB):
            pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * MIB


def test_encodings_are_found_in_any_case() -> None:
    assert [find_encoding(name) for name in ("", "GZIP", "zstd", "identity")] == [
        "identity",
        "gzip",
        "zstd",
        "identity",
    ]
    with pytest.raises(UnsupportedMediaType, match="gzip, zstd"):
        find_encoding("br")


@given(data=st.text("ab\n").map(str.encode), size=st.integers(1, 5))
def test_blocks_of_lines_end_where_lines_end(data: bytes, size: int) -> None:
    blocks = [block for block in whole_lines(pieces(data, size), max_bytes=100) if block]
    assert b"".join(blocks) == data
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_a_line_that_is_too_long_is_left_out_alone() -> None:
    data = b"one\n" + b"x" * 1000 + b"\ntwo\n" + b"y" * 1000
    blocks = list(whole_lines(pieces(data, 10), max_bytes=100))
    assert blocks.count(None) == 2
    assert b"".join(block for block in blocks if block) == b"one\ntwo\n"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_compressed_body_that_does_not_say_so_is_told_how_to(encoding: str) -> None:
    with pytest.raises(UnreadableBody, match=f"Content-Encoding: {encoding}"):
        decode(COMPRESS[encoding](b"text"), "identity", size=1)


def test_files_that_are_no_text_are_told_what_to_be_saved_as() -> None:
    workbook = b"PK\x03\x04\x14\x00\n"
    with pytest.raises(
        UnreadableBody, match=r"a spreadsheet, or another zip file\. Send an Excel "
    ):
        decode(workbook, "identity", size=1)
    with pytest.raises(UnreadableBody, match="a spreadsheet, or another zip file: save it as CSV"):
        decode_table(workbook)
    sent = decoded(iter([workbook]), media_type=XLSX, encoding="identity", max_bytes=99)
    assert b"".join(sent) == workbook
    parquet = b"PAR1\x15\x04\x15"
    with pytest.raises(UnreadableBody, match=f"is Parquet. Send it as {PARQUET};"):
        decode(parquet, "identity", size=1)
    sent = decoded(iter([parquet]), media_type=PARQUET, encoding="identity", max_bytes=99)
    assert b"".join(sent) == parquet
    assert decode(b"PAR1 antagonists", "identity", size=1) == b"PAR1 antagonists"
    assert decode_table(parquet) == parquet


@pytest.mark.parametrize("first", [b"a", b"PAx", b"one\n"])
def test_what_came_is_passed_on_before_more_comes(first: bytes) -> None:
    def sent() -> Iterator[bytes]:
        for i in range(len(first)):
            yield first[i : i + 1]
        pytest.fail("more was asked for")

    body = decoded(sent(), media_type=PLAIN, encoding="identity", max_bytes=99)
    assert first.startswith(next(body))
