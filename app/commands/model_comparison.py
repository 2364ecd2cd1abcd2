"""Two models on the same labeled documents: which of them decides more of these rightly."""

import json
from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

import httpx2
import msgspec

from app.commands.client import ServiceFailed, lines_of
from app.commands.document_file import blocks_of
from app.media_types import NDJSON
from app.services.evaluation.labeled_rows import LabeledRow
from app.services.evaluation.text_keys import whole_key
from app.services.intake.rows import RowError

#: Less is taken for more than chance.
MAX_P_VALUE = 0.05


class Compared(NamedTuple):
    """How many documents each model alone decided rightly, of how many that both predicted."""

    n_documents: int
    n_first: int
    n_second: int

    @property
    def p_value(self) -> float:
        """Of the exact sign test of McNemar: how likely chance alone tells so much."""
        n, n_ways, ways = self.n_first + self.n_second, 0, 1
        for k in range(min(self.n_first, self.n_second) + 1):
            n_ways += ways
            ways = ways * (n - k) // (k + 1)
        return min(1.0, 2 * n_ways / (1 << n))


def compare(
    client: httpx2.Client, models: tuple[str, str], rows: Iterable[LabeledRow | RowError]
) -> Compared:
    """Let two models predict documents whose labels are known, each text once.

    Raises
    ------
    ServiceFailed
    """
    is_positive = bytearray()
    # Where each text stands among those that are sent, and which have both labels.
    places, contradicted = dict[int, int](), set[int]()
    with TemporaryFile() as spool:
        for row in rows:
            if not isinstance(row, LabeledRow):
                continue
            place = places.setdefault(whole_key(row.row), len(is_positive))
            if place == len(is_positive):
                is_positive.append(row.is_positive)
                spool.write(_line(row))
            elif is_positive[place] != row.is_positive:
                contradicted.add(place)
        first, second = (_decisions(client, model, spool) for model in models)
    n_right = [0, 0]
    n_documents = 0
    told = enumerate(zip(is_positive, first, second, strict=True))
    for place, (truth, one, other) in told:
        if place in contradicted or one is None or other is None:
            continue
        n_documents += 1
        if one != other:
            n_right[other == truth] += 1
    return Compared(n_documents, *n_right)


def in_words(found: Compared, names: tuple[str, str]) -> str:
    """Return what the comparison tells."""
    n_different = found.n_first + found.n_second
    if not n_different:
        return f"Both models decide all {found.n_documents:,} documents alike."
    told = (
        f"They decide {n_different:,} of {found.n_documents:,} documents differently: model "
        f"{names[0]} is right in {found.n_first:,} of these, {names[1]} in {found.n_second:,} "
        f"(p-value {found.p_value:.2g})."
    )
    if found.p_value >= MAX_P_VALUE:
        return f"{told} That does not tell which is better at its cut: chance alone may do so much."
    better = names[0] if found.n_first > found.n_second else names[1]
    return f"{told} So {better} is better at its cut, on documents like these."


def _line(labeled: LabeledRow) -> bytes:
    document: dict[str, Any] = {"text": labeled.row.text}
    if labeled.row.vector is not None:
        document["vector"] = labeled.row.vector
    return msgspec.json.encode(document) + b"\n"


def _decisions(client: httpx2.Client, model_id: str, spool: IO[bytes]) -> list[bool | None]:
    """Return whether each document is predicted positive; None where it cannot be predicted."""
    spool.seek(0)
    with client.stream(
        "POST",
        "/predict",
        params={"model_id": model_id},
        headers={"content-type": NDJSON},
        content=blocks_of(spool),
    ) as response:
        answers = [json.loads(line) for line in lines_of(response)]
    for answer in answers:
        if "error" in answer and "line" not in answer["error"]:
            raise ServiceFailed(answer["error"]["reason"])
    return [None if "error" in each else each["label"] == "positive" for each in answers]
