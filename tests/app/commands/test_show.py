"""What is shown of a model."""

from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from rich.console import Console
from rich.table import Table

from app.commands import show
from app.commands.client import answer
from app.commands.model_words import without_cut


def shown(table: Table) -> list[str]:
    """Return the lines, with one blank between cells."""
    console = Console(width=80)
    with console.capture() as capture:
        console.print(table)
    return [" ".join(line.split()) for line in capture.get().splitlines()]


@pytest.mark.usefixtures("commands_here")
def test_a_model_is_shown_with_its_cuts_words_and_next_command(
    client: TestClient, model: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    show.run("", model["project_id"])

    # What the API logs comes before.
    told = capsys.readouterr().out.partition("\nBy ")[2]
    assert told.startswith(f"{model['algorithm']}, trained ")
    assert f"Its cut by {model['cut']['rule']} is at score {model['offset']:.3f}, and " in told
    cuts = client.get(f"/models/{model['id']}/cuts").json()
    assert all(f"\n{cut['rule']} " in told for cut in cuts["cuts"])
    assert f"\n{cuts['used']} (used) " in told
    terms = client.get(f"/models/{model['id']}/terms", params={"n_terms": 1}).json()
    assert f"\nWords for: {terms['terms_for'][0]['term']}" in told
    assert told.rstrip().endswith(f"seedbed ranking --url http://testserver {model['id']}")


@pytest.mark.usefixtures("commands_here")
def test_race_and_warnings_are_shown_where_there_are_some(
    model: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = {"level": "warning", "message": "No better than chance.", "documents": []}
    finding |= {"code": "no_better_than_chance", "reason": None}
    entry = {"algorithm": "lgn", "is_winner": True, "is_baseline": False, "seconds": 1.5}
    entry |= dict.fromkeys(("place", "recall", "accepted", "memory_mb"))
    raced = {"race": [entry], "choice": "It ranked best.", "doctor": [finding]}
    raced["warnings"] = [finding["message"]]

    def answer_as_raced(response: httpx2.Response) -> Any:
        told = answer(response)
        return told | raced if "race" in told else told

    monkeypatch.setattr(show, "answer", answer_as_raced)
    show.run("", model["id"])

    told = capsys.readouterr().out
    assert "\nIt ranked best.\nalgorithm " in told
    assert "\nlgn (won) " in told
    assert "No better than chance." in told


def test_a_rule_without_a_cut_has_no_figures() -> None:
    half = {"value": 0.5, "low": 0.25, "high": 1.0}
    used = {"rule": "conductance", "offset": -10.0, "reason": None, "n_accepted": 1_200_000}
    used |= {"precision": half, "recall": half, "f1": half}
    other = {**used, "rule": "own", "recall": None}
    without = {"rule": "f1", "offset": None, "reason": "class_prior_too_large"}
    without |= dict.fromkeys(("n_accepted", "precision", "recall", "f1"))
    assert shown(show.cut_table({"used": "conductance", "cuts": [other, used, without]})) == [
        "cut by score accepted precision recall F1",
        "own -10.000 1,200,000 0.50 (0.25-1.00) - 0.50",
        "conductance (used) -10.000 1,200,000 0.50 (0.25-1.00) 0.50 (0.25-1.00) 0.50",
        "f1 - - - - -",
    ]


def test_rules_without_a_cut_are_told_with_their_reasons() -> None:
    reasons = {"own": None, "f1": "found_by_reading", "lee_liu": "found_by_reading"}
    reasons |= {"mixture": "equal_scores"}
    cuts = [
        {"rule": rule, "offset": None if reason else 0.5, "reason": reason}
        for rule, reason in reasons.items()
    ]
    assert list(without_cut({"cuts": cuts})) == [
        "No cut by f1, lee_liu: most positives were found by reading, and the cut for that is "
        "prior.",
        "No cut by mixture: equal scores.",
    ]


def test_the_race_is_shown_with_those_that_failed() -> None:
    entry = {"algorithm": "lgn", "is_winner": True, "is_baseline": False, "seconds": 1.5}
    entry |= {"place": 0.0125, "recall": 0.5, "accepted": 0.1, "memory_mb": 27.1}
    lost = {**entry, "algorithm": "upu", "is_winner": False}
    lost |= dict.fromkeys(("place", "recall", "accepted", "memory_mb"))
    baseline = {**entry, "algorithm": "naive_nb", "is_winner": False, "is_baseline": True}
    assert shown(show.race_table([entry, lost, baseline])) == [
        "algorithm ranks above recall accepted seconds MiB",
        "lgn (won) 0.0125 0.50 0.10 1.5 27",
        "upu - - - 1.5 -",
        "naive_nb (baseline) 0.0125 0.50 0.10 1.5 27",
    ]
