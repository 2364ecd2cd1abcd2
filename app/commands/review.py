"""``seedbed review``: how far a review is, what is left, and whether to stop."""

from shlex import quote
from typing import Any

from app.commands.client import answer, connected, existing_project, next_command, plain_console


def run(url: str, project: str, target: float) -> None:
    """Print what is known of the review.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    with connected(url, "Run the command again.") as client:
        path = f"/projects/{existing_project(client, project)}/review"
        known = answer(client.get(path, params={"target": target}))
        for line in _lines(known):
            console.print(line, soft_wrap=True)
        if known["suggestion"] != "stop" and known["n_left"]:
            command = next_command(client, f"next {quote(project)} --output round.csv")
            console.print(command, soft_wrap=True)


def _lines(known: dict[str, Any]) -> list[str]:
    """Return the lines that tell it."""
    read = (
        f"{known['n_judged']:,} judged: {known['n_found']:,} positive, {known['n_unsure']:,} "
        f"unsure; {known['n_left']:,} left. Positives given at the start: {known['n_seeds']:,}."
    )
    if not known["n_judged"]:
        return [read]
    if known["recall"]["value"] is None:
        return [read, known["why"]]
    return [
        read,
        f"Positives that remain: {_interval(known['remaining'], ',.0f')}. "
        f"Recall: {_interval(known['recall'], '.2f')}.",
        f"Suggestion: {known['suggestion']}. {known['why']}",
        f"Assumed: {known['assumption']}",
    ]


def _interval(known: dict[str, Any], form: str) -> str:
    return f"{known['value']:{form}} ({known['low']:{form}} to {known['high']:{form}})"
