"""The headers of answers, for OpenAPI."""

from typing import Any

from app.media_types import PROBLEM

_TEXT = {"type": "string"}
LOCATION = {"description": "Where to find what was made.", "schema": _TEXT}
ETAG = {
    "description": "Of JSON only. Send it as If-None-Match to be spared the same answer.",
    "schema": _TEXT,
}
RETRY_AFTER = {"description": "Seconds to wait before asking again.", "schema": {"type": "integer"}}
REPLAYED = {
    "description": "true if this is the answer kept under the Idempotency-Key.",
    "schema": _TEXT,
}
MODEL_ID = {"description": "The model that answered.", "schema": _TEXT}
REQUEST_ID = {
    "description": "That of the request, or a new one. The log has it, too.",
    "schema": _TEXT,
}


def declare_headers(operation: dict[str, Any]) -> None:
    """Add to each answer of an operation the headers that it may have."""
    takes_key = any(p["name"].lower() == "idempotency-key" for p in operation.get("parameters", []))
    is_cacheable = "304" in operation["responses"]
    for status, response in operation["responses"].items():
        headers = response.setdefault("headers", {})
        headers["X-Request-Id"] = REQUEST_ID
        if status in {"201", "202"}:
            headers["Location"] = LOCATION
        if status.startswith("2") and takes_key:
            headers["Idempotency-Replayed"] = REPLAYED
        if status in {"200", "304"} and is_cacheable:
            headers["ETag"] = ETAG
        problems = response.get("content", {}).get(PROBLEM, {})
        if status == "503" or "idempotency_key_in_use" in problems.get("examples", {}):
            headers["Retry-After"] = RETRY_AFTER
