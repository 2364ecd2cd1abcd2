"""The README's examples run as they stand."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.demo import running_service

README = Path(__file__).parents[1] / "README.md"


def code(language: str) -> str:
    """Return the code blocks of a language, one behind another."""
    return "".join(re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.DOTALL))


@pytest.fixture(scope="module")
def service_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, job_poll_seconds=0.05) as url:
        yield url


# Before the next one, which makes a project of the same name.
def test_shell_example(service_url: str, tmp_path: Path) -> None:
    command = f'seedbed() {{ "{sys.executable}" -m app.cli "$@" --url {service_url}; }}\n'
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command + code("sh")],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(README.parent)},
    )

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "10 inserted" in finished.stdout
    with (tmp_path / "ranking.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    is_flood = ["water" in row["text"] or "river" in row["text"] for row in rows]
    assert is_flood == [True] * 3 + [False] * 7
    assert [row["predicted"] == "true" for row in rows] == is_flood
    predicted = [line for line in finished.stdout.splitlines() if line.endswith(("\t1", "\t2"))]
    assert [line.split("\t")[0] for line in predicted] == ["positive", "negative"]


def test_curl_example(service_url: str) -> None:
    script = code("bash").replace("http://127.0.0.1:8000", service_url)

    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=120
    )

    assert finished.returncode == 0, finished.stdout + finished.stderr
    ranking = finished.stdout[finished.stdout.index("rank,") :].splitlines()
    assert {line.split(",")[1] for line in ranking[1:4]} == {"a1", "a2", "a3"}
    assert finished.stdout.count('"succeeded"') >= 3
    answers = [line for line in finished.stdout.splitlines() if line.startswith("{")]
    predictions = [json.loads(line)["predictions"] for line in answers if '"predictions"' in line]
    assert [prediction[0]["label"] for prediction in predictions] == ["positive"] * 2
    selection = json.loads(answers[-1])
    assert selection["features"][0]["name"] == "duration"
    assert selection["stability"]["n_bootstraps"] == 10


def test_python_example() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", code("python")],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=README.parent,
        env=os.environ,
    )

    assert finished.returncode == 0, finished.stderr
    *_, last = finished.stdout.splitlines()
    assert "striker" in last or "shares" in last
