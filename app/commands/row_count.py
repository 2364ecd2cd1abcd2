"""How many rows of a file were sent, as far as its bytes tell."""

from collections.abc import Iterator

from rich.progress import ProgressColumn, Task
from rich.text import Text

from app.media_types import CSV, NDJSON, PLAIN

#: What stands before the number of rows, by the format; of others line ends tell nothing.
PREFIXES = {NDJSON: "", PLAIN: "", CSV: "about "}


class RowCount(ProgressColumn):
    """Counts rows as they pass, and shows how many of them a second; nothing where it cannot.

    A row ends with a line; in CSV with a line end outside quotation marks, so that one which
    encloses no field makes the number wrong. Lines of compressed files and of JSON are not known.

    Parameters
    ----------
    headers : dict
        What is told of the file: its ``content-type``, and ``content-encoding`` if compressed.
    """

    def __init__(self, headers: dict[str, str]) -> None:
        super().__init__()
        self.n_rows = 0
        media_type = headers["content-type"]
        self._prefix = None if "content-encoding" in headers else PREFIXES.get(media_type)
        self._has_quotes = media_type == CSV

    def counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the blocks of a file in UTF-8, and count what is in them."""
        is_inside = False
        for block in blocks:
            if self._prefix is not None and self._has_quotes:
                # A doubled mark, which is part of a field, leaves it and enters it again.
                parts = block.split(b'"')
                self.n_rows += sum(part.count(b"\n") for part in parts[is_inside::2])
                is_inside ^= len(parts) % 2 == 0
            elif self._prefix is not None:
                self.n_rows += block.count(b"\n")
            yield block

    def render(self, task: Task) -> Text:
        """Return the rate so far."""
        if not self.n_rows or not task.elapsed:
            return Text("")
        return Text(f"{self._prefix}{self.n_rows / task.elapsed:,.0f} documents/s")
