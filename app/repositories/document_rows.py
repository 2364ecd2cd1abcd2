"""New rows of documents, as fast as the databases take them."""

import json
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.document_sizes import DIGEST_BYTES

#: All rows are one parameter of one statement: the driver does not need Python for each of them,
#: so that the next ones can be read meanwhile.
_INSERT = {
    "sqlite": text(
        "INSERT INTO documents (project_number, id, text, digest, label, metadata, vector_code) "
        "SELECT :project, json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        f"substr(:digests, 1 + {DIGEST_BYTES} * key, {DIGEST_BYTES}), "
        "json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]') "
        "FROM json_each(:rows)"
    ),
    "postgresql": text(
        "INSERT INTO documents (project_number, id, text, digest, label, metadata, vector_code) "
        "SELECT :project, value->>0, value->>1, "
        f"substr(CAST(:digests AS bytea), {DIGEST_BYTES} * CAST(place AS int) - {DIGEST_BYTES - 1},"
        f" {DIGEST_BYTES}), value->>2, CAST(value->>3 AS json), value->>4 "
        "FROM json_array_elements(CAST(:rows AS json)) WITH ORDINALITY AS row(value, place) "
        "ORDER BY place"
    ),
}


class _Columns(msgspec.Struct, array_like=True, gc=False):
    """What is written of a document, in the order of ``_INSERT``."""

    id: str
    text: str
    label: str
    metadata: str | None
    vector_code: str | None


def insert_rows(
    session: Session, project_number: int, documents: Iterable[tuple[Any, ...]]
) -> None:
    """Add documents given as id, text, digest, label, metadata and vector_code, in this order."""
    rows, digests = [], []
    for id_, content, digest, label, metadata, vector_code in documents:
        told = None if metadata is None else json.dumps(metadata)
        rows.append(_Columns(id_, content, label, told, vector_code))
        digests.append(digest)
    session.execute(
        _INSERT[session.get_bind().dialect.name],
        {
            "project": project_number,
            "rows": msgspec.json.encode(rows).decode(),
            "digests": b"".join(digests),
        },
    )
