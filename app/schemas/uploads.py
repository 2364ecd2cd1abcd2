"""The streamed body of an upload, for OpenAPI: no model of it is ever in memory."""

from typing import Any

from app.document_sizes import MAX_ID_CHARACTERS, MAX_VECTOR_NUMBERS
from app.media_types import CSV, JSON, NBIB, NDJSON, PARQUET, PLAIN, RIS, XLSX

CONTENT_ENCODING: dict[str, Any] = {
    "name": "Content-Encoding",
    "in": "header",
    "description": "How the body is compressed; leave it out if it is not.",
    "schema": {"enum": ["gzip", "zstd"]},
}
_ID_LENGTH = {"minLength": 1, "maxLength": MAX_ID_CHARACTERS}
DOCUMENT: dict[str, Any] = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "id": {"type": ["string", "integer", "null"], **_ID_LENGTH},
        "metadata": {"type": ["object", "null"]},
        "vector": {
            "type": ["array", "null"],
            "items": {"type": "number"},
            "minItems": 1,
            "maxItems": MAX_VECTOR_NUMBERS,
            "description": "An embedding of the text, of the same model for all documents. It "
            "counts beside the words, as words that only its direction decides. JSON, NDJSON and "
            "Parquet.",
        },
    },
}
_ROWS = {
    "type": "array",
    "items": {
        "anyOf": [
            {"$ref": "#/components/schemas/UploadedDocument"},
            {"type": "string", "minLength": 1},
        ]
    },
}
_IDS = {"type": "array", "items": {"type": ["string", "integer"], **_ID_LENGTH}}


def list_named(name: str, items: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [name],
        "additionalProperties": False,
        "properties": {name: items},
    }


#: An Excel workbook: its first sheet is read as a CSV would be.
WORKBOOK: dict[str, Any] = {
    "schema": {"type": "string", "format": "binary"},
    "example": "the bytes of a file .xlsx",
}
#: Its columns are read as those of a CSV would be; one of lists of numbers may be ``vector``.
PARQUET_FILE: dict[str, Any] = {
    "schema": {"type": "string", "format": "binary"},
    "example": "the bytes of a file .parquet",
}

UPLOAD_BODY: dict[str, Any] = {
    "parameters": [CONTENT_ENCODING],
    "requestBody": {
        "required": True,
        "description": (
            "Streamed, of any length up to the limit, also with Content-Encoding gzip or zstd. "
            "Rows that are not valid are refused one by one and listed in the report; if none is "
            "valid, the answer is 422 with that report. If the body breaks off or turns invalid, "
            "what came before is kept and counted in the report; with atomic=true nothing is "
            "kept. A row whose id is known replaces the document, even one from earlier in the "
            'same upload. `{"ids": [...]}` labels documents that are already there as positive; '
            "PUT labels takes labels away. The text of a reference (RIS, PubMed's format) is its "
            "title and abstract unless `text_column` names other fields; its id is the one that "
            "`id_column` names, of PubMed's else `pmid`. Ids are part of paths: one that is `.` or "
            "`..`, or has it between slashes, is refused."
        ),
        "content": {
            JSON: {
                "schema": {
                    "anyOf": [list_named("documents", _ROWS), _ROWS, list_named("ids", _IDS)]
                },
                "examples": {
                    "documents": {
                        "value": {
                            "documents": [
                                {
                                    "id": "ticket-17",
                                    "text": "The invoice is wrong.",
                                    "metadata": {"source": "mail"},
                                }
                            ]
                        }
                    },
                    "texts": {"value": ["The invoice is wrong.", "Where is my parcel?"]},
                    "ids": {"value": {"ids": ["ticket-17"]}},
                },
            },
            NDJSON: {
                "schema": {"type": "string"},
                "example": (
                    '{"id": "ticket-17", "text": "The invoice is wrong."}\n'
                    '{"text": "Where is my parcel?"}\n'
                ),
            },
            CSV: {
                "schema": {"type": "string"},
                "example": "id,text,source\nticket-17,The invoice is wrong.,mail\n",
            },
            XLSX: WORKBOOK,
            PARQUET: PARQUET_FILE,
            PLAIN: {
                "schema": {"type": "string"},
                "example": "The invoice is wrong.\nWhere is my parcel?\n",
            },
            RIS: {
                "schema": {"type": "string"},
                "example": (
                    "TY  - JOUR\nTI  - Floods in towns\nAB  - Where water stands.\n"
                    "DO  - 10.5555/17\nER  - \n"
                ),
            },
            NBIB: {
                "schema": {"type": "string"},
                "example": (
                    "PMID- 12345678\nTI  - Floods in towns.\nAB  - Where water stands\n"
                    "      after rain.\n"
                ),
            },
        },
    },
}
