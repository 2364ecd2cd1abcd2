"""The examples of the README, and those of the documents that go on from it, run as they stand."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.running_service import running_service

ROOT = Path(__file__).parents[1]


def code(document: str, language: str) -> str:
    """Return the code blocks of a language, one behind another."""
    text = (ROOT / document).read_text()
    return "".join(re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL))


def output(command: list[str], folder: Path) -> str:
    """Return what a command prints, which has to succeed."""
    finished = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def answers(printed: str) -> list[dict]:
    return [json.loads(line) for line in printed.splitlines() if line.startswith('{"')]


@pytest.fixture(scope="module")
def service_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, job_poll_seconds=0.05) as url:
        yield url


def test_first_calls(service_url: str, tmp_path: Path) -> None:
    script = code("README.md", "bash").replace("http://127.0.0.1:8000", service_url)

    printed = output(["bash", "-euo", "pipefail", "-c", script], tmp_path)

    prediction = answers(printed)[-1]["predictions"][0]
    assert prediction["label"] == "positive"
    assert {"score", "probability"} <= set(prediction)


def test_commands(service_url: str, tmp_path: Path) -> None:
    command = f'seedbed() {{ "{sys.executable}" -m app "$@" --url {service_url}; }}\n'
    script = command + code("docs/command_line.md", "sh") + code("docs/review.md", "sh")

    printed = output(["bash", "-euo", "pipefail", "-c", script], tmp_path)

    assert "10 inserted" in printed
    assert "5 changed" in printed
    assert "3 documents in round-2.csv" in printed
    assert "3 changed" in printed
    assert "8 judged: " in printed
    assert "Suggestion: " in printed
    with (tmp_path / "ranking.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    is_flood = ["water" in row["text"] or "river" in row["text"] for row in rows]
    assert is_flood == [True] * 3 + [False] * 7
    assert [row["predicted"] == "true" for row in rows] == is_flood
    with (tmp_path / "found.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    # The seeds, the words beside them, and what a reader found.
    assert len(found) == 5 + 1 + sum(is_flood)
    assert {row["label"] for row in found} == {"positive"}
    predicted = [line for line in printed.splitlines() if line.endswith(("\t1", "\t2"))]
    assert [line.split("\t")[0] for line in predicted] == ["positive", "negative"]


def test_calls(service_url: str, tmp_path: Path) -> None:
    script = code("docs/http.md", "bash").replace("http://127.0.0.1:8000", service_url)

    printed = output(["bash", "-euo", "pipefail", "-c", script], tmp_path)

    ends = re.findall(r"event: end\ndata: (.*)", printed)
    assert [json.loads(end)["status"] for end in ends] == ["succeeded"] * script.count("/events")
    ranking = printed[printed.index("rank,") :].splitlines()
    assert {line.split(",")[1] for line in ranking[1:4]} == {"a1", "a2", "a3"}
    predictions = [answer["predictions"] for answer in answers(printed) if "predictions" in answer]
    assert [prediction[0]["label"] for prediction in predictions] == ["positive"] * 2
    selection = answers(printed)[-1]
    assert selection["features"][0]["name"] == "duration"
    assert selection["stability"]["n_bootstraps"] == 10


def test_python_example(tmp_path: Path) -> None:
    printed = output([sys.executable, "-c", code("README.md", "python")], tmp_path)

    *_, last, probabilities = printed.splitlines()
    assert "striker" in last or "shares" in last
    not_positive, positive = map(float, probabilities.strip("[]").split())
    assert not_positive < 0.5 < positive
