from itertools import pairwise

import pytest
from rich.progress import Progress

from app.commands.row_count import RowCount

NDJSON = b'{"text": "a \\n b"}\n{"text": "c"}\n'
CSV = b'id,text\n1,"two\nlines, ""quoted""\n"\n2,one\n'


@pytest.mark.parametrize(
    ("media_type", "body", "n_rows"),
    [
        ("application/x-ndjson", NDJSON, 2),
        ("text/plain", b"one\ntwo\nthree\n", 3),
        ("text/csv", CSV, 3),
        ("application/json", b"[\n]", 0),
    ],
)
@pytest.mark.parametrize("n_bytes", [1, 7, 1000])
def test_rows_are_counted_however_they_are_cut(
    media_type: str, body: bytes, n_rows: int, n_bytes: int
) -> None:
    count = RowCount({"content-type": media_type})
    ends = [*range(0, len(body), n_bytes), len(body)]
    blocks = [body[start:end] for start, end in pairwise(ends)]
    assert list(count.counted(iter(blocks))) == blocks
    assert count.n_rows == n_rows


@pytest.mark.parametrize(
    ("headers", "shown"),
    [
        ({"content-type": "application/x-ndjson"}, "2 documents/s"),
        ({"content-type": "text/csv"}, "about 2 documents/s"),
        ({"content-type": "application/x-ndjson", "content-encoding": "gzip"}, ""),
        ({"content-type": "application/json"}, ""),
    ],
)
def test_the_rate_is_that_since_the_start(headers: dict[str, str], shown: str) -> None:
    now = 0.0
    progress = Progress(auto_refresh=False, get_time=lambda: now)
    progress.add_task("")
    count = RowCount(headers)
    for _ in count.counted(iter([b"a\n" * 6])):
        now = 3.0
    assert str(count.render(progress.tasks[0])) == shown
