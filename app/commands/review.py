"""``seedbed review``: how far a review is, what is left, and whether to stop."""

from collections.abc import Callable
from shlex import quote
from typing import Any

import httpx2

from app.commands.client import (
    answer,
    connected,
    existing_project,
    newest_model,
    next_command,
    plain_console,
)
from app.commands.next_steps import is_novelty, reading
from app.commands.shell_words import in_shell
from app.services.review.percent import percent

#: Where what does not belong is read from the end, positives become more frequent on the way.
READ_FROM_THE_TOP = (
    "These figures hold for a ranking that is read from its top. If you read it from its end, for "
    "what does not belong, do not go by them."
)
#: What the service says whole, in short.
ASSUMED = (
    "Assumed as before: read in the order of a ranking, judged rightly, seeds given by chance, and "
    "no other kind of positives left."
)


def run(url: str, project: str, target: float) -> None:
    """Print what is known of the review.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    with connected(url, "Run the command again.") as client:
        project_id = existing_project(client, project)
        known = answer(client.get(f"/projects/{project_id}/review", params={"target": target}))
        model = newest_model(client, project_id)
        # A model that learned from judgements is there from the second round on.
        is_later = model is not None and model["n_negative"] > 0
        for line in _lines(known, quote(project), is_later=is_later):
            console.print(line)
        if known["n_judged"] and model is not None and is_novelty(model):
            console.print(READ_FROM_THE_TOP)
        command = _next_command(client, project_id, known, quote(project))
        if command is not None:
            console.print(next_command(client, command))


def _next_command(
    client: httpx2.Client, project_id: str, known: dict[str, Any], name: str
) -> str | None:
    if known["suggestion"] == "stop":
        return f"ranking {name} --label positive --output found.csv" if known["n_found"] else None
    if known["n_left"]:
        return reading(client, project_id, name)
    if known["n_unsure"]:
        return f"ranking {name} --label unsure --output unsure.csv"
    return None


def _lines(known: dict[str, Any], name: str, *, is_later: bool = False) -> list[str]:
    """Return the lines that tell it; what is assumed whole in the first round, and at the stop."""
    n_unranked = known["n_unranked"]
    unranked = f", {n_unranked:,} of them not ranked yet" if n_unranked else ""
    n_corrected = known["n_corrected"]
    corrected = f" ({n_corrected:,} more set aside since)" if n_corrected else ""
    read = (
        f"{known['n_judged']:,} judged: {known['n_found']:,} positive, {known['n_negative']:,} "
        f"negative, {known['n_unsure']:,} unsure; {known['n_left']:,} left{unranked}. Positives "
        f"given at the start: {known['n_seeds']:,}{corrected}."
    )
    if not known["n_judged"] and known["n_left"]:
        return [read, *_expected(known)]
    is_told = is_later and known["suggestion"] != "stop"
    assumed = ASSUMED if is_told else f"Assumed: {known['assumption']}"
    if known["recall"]["value"] is None:
        suggestion = f"Suggestion: {known['suggestion']}. " if known["suggestion"] else ""
        lines = [read, *_expected(known), suggestion + in_shell(known["why"], name)]
        has_figures = known["remaining"]["value"] is not None and known["n_left"]
        return [*lines, assumed] if has_figures else lines
    return [
        read,
        f"Positives that remain: {_number(known['remaining'])}{_apart(known)}. "
        f"Recall: {_interval(known['recall'], percent)}.",
        f"Suggestion: {known['suggestion']}. {in_shell(known['why'], name)}{_until_stop(known)}",
        assumed,
    ]


def _expected(known: dict[str, Any]) -> list[str]:
    """Return what is known before anything is found."""
    if known["remaining"]["value"] is not None and known["n_left"]:
        return [f"Positives that remain: {_number(known['remaining'])}{_apart(known)}."]
    if known["by_seeds"]["value"] is None or not known["n_left"]:
        return []
    told = _number(known["by_seeds"])
    return [f"Positives that remain, by those given at the start alone: {told}."]


def _apart(known: dict[str, Any]) -> str:
    """Return what each source tells alone, where there are two, and which counts more."""
    if known["by_seeds"]["value"] is None:
        return ""
    return (
        f", of two sources of which the surer counts more: the order of the judgements alone says "
        f"{_number(known['by_order'])}, the positives given at the start "
        f"{_number(known['by_seeds'])}"
    )


def _number(known: dict[str, Any]) -> str:
    return _interval(known, "{:,.0f}".format)


def _until_stop(known: dict[str, Any]) -> str:
    if not known["n_until_stop"]:
        return ""
    return f" Stop after {known['n_until_stop']:,} more in a row of which none is positive."


def _interval(known: dict[str, Any], shown: Callable[[float], str]) -> str:
    value, low, high = (shown(known[name]) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"
