"""Whether a training repeats one that is there."""

from typing import Any

import httpx2

from app.commands.client import answer


def is_repeated(client: httpx2.Client, model: dict[str, Any], job: dict[str, Any]) -> bool:
    """Return whether a training makes the newest model of a project again.

    It does where the same was asked for, and documents and labels are as they were.
    """
    ranking = model["ranking"]
    # A ranking that was brought up to date has others than the training had.
    if not ranking["is_current"] or ranking["updated_at"] > model["created_at"]:
        return False
    before = client.get(f"/jobs/{model['job_id']}")
    if before.is_error or answer(before)["spec"] != job["spec"]:
        return False
    asked = {"n": 1, "model_id": model["id"]}
    return not answer(client.get(f"/projects/{model['project_id']}/next", params=asked))[
        "labels_changed"
    ]
