"""The command line, as a user types it."""

import gzip
import json
import os
import random
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from app.cli import app
from app.commands import options
from app.commands.collection_file import CollectionFile
from app.commands.labeled_collection import read_collection
from app.settings import Settings
from core.review.choice import STRATEGIES
from tests.app.seedbed_command import Finished, seedbed, seedbed_process


def test_misspelt_setting_stops_the_start() -> None:
    finished = seedbed("serve", SEEDBED_PROT="8123")

    assert finished.returncode == 2
    assert "SEEDBED_PROT: there is no such setting" in finished.stderr


def test_setting_out_of_range_stops_the_start() -> None:
    finished = seedbed("worker", SEEDBED_WORKER_SLOTS="0")

    assert finished.returncode == 2
    assert "SEEDBED_WORKER_SLOTS: " in finished.stderr


@pytest.mark.parametrize(
    ("command", "url", "why"),
    [
        ("serve", "az://models", "no account of the object store"),
        ("api", "/proc/none", "No such file or dir"),
        ("worker", "/proc/none", "No such file or dir"),
    ],
)
def test_a_store_that_cannot_be_opened_stops_the_start(command: str, url: str, why: str) -> None:
    finished = seedbed(command, SEEDBED_ARTIFACTS_URL=url)

    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith(f"SEEDBED_ARTIFACTS_URL: {url} cannot be opened: ")
    assert line.count(why) == 1


@pytest.mark.parametrize(("command", "n_processes"), [("serve", 1), ("api", 1), ("api", 2)])
def test_taken_port_stops_the_start(command: str, n_processes: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        settings = {"SEEDBED_API_PROCESSES": str(n_processes)}
        finished = seedbed_process(command, "--port", port, **settings)

    assert finished.returncode == 1
    assert len(finished.stderr.splitlines()) == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in finished.stderr
    assert "--port" in finished.stderr


@pytest.mark.parametrize("host", ["nosuch.invalid", "no..name", "", "192.0.2.1"])
def test_an_address_of_another_machine_stops_the_start(host: str) -> None:
    finished = seedbed_process("api", "--host", host, "--port", "45871")

    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith(f"Cannot listen on {host}:45871: ")
    assert line.endswith("Choose another address with --host or SEEDBED_HOST.")


@pytest.mark.parametrize(
    "url", ["postgresql://user:secret@127.0.0.1:1/name", "sqlite:////proc/none/seedbed.db"]
)
@pytest.mark.parametrize("words", [("migrate",), ("serve", "--port", "0")])
def test_database_out_of_reach_stops_the_start(words: tuple[str, ...], url: str) -> None:
    finished = seedbed(*words, SEEDBED_DATABASE_URL=url)

    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith("Cannot use the database of SEEDBED_DATABASE_URL: ")
    assert "secret" not in line


def test_a_database_with_tables_of_others_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE projects (x)")

    assert_one_line(seedbed("migrate", SEEDBED_DATABASE_URL=f"sqlite:///{path}"), "already exists")


def test_a_database_that_cannot_be_written_to_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "seedbed.db"
    path.with_name("seedbed.db-wal").mkdir()  # root could write to a file without rights
    finished = seedbed("serve", "--port", "0", SEEDBED_DATABASE_URL=f"sqlite:///{path}")

    assert_one_line(finished, "disk I/O error")


def assert_one_line(finished: Finished, reason: str) -> None:
    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith("Cannot use the database of SEEDBED_DATABASE_URL: ")
    assert reason in line


def test_migrate_tells_that_it_is_done(tmp_path: Path) -> None:
    finished = seedbed("migrate", SEEDBED_DATABASE_URL=f"sqlite:///{tmp_path}/seedbed.db")

    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == "The database has the schema of this version.\n"


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_umask")
def test_what_the_service_makes_only_its_user_can_read(tmp_path: Path) -> None:
    made = tmp_path / "data"
    seedbed("migrate", SEEDBED_DATABASE_URL=f"sqlite:///{made}/seedbed.db")
    # Ends when it cannot listen: the folder is made before.
    seedbed("api", SEEDBED_HOST="nosuch.invalid", SEEDBED_ARTIFACTS_URL=f"{made}/artifacts")

    rights = {path.name: path.stat().st_mode & 0o777 for path in (made, *made.iterdir())}
    assert rights == {"data": 0o700, "seedbed.db": 0o600, "artifacts": 0o700}


@pytest.mark.usefixtures("usual_umask")
def test_a_folder_that_was_there_keeps_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    seedbed("migrate", SEEDBED_DATABASE_URL=f"sqlite:///{folder}/seedbed.db")

    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "seedbed.db").stat().st_mode & 0o777 == 0o600


def test_every_setting_is_listed_and_described() -> None:
    listed = seedbed("settings").stdout

    for name, field in Settings.model_fields.items():
        assert f"SEEDBED_{name.upper()} " in listed
        assert field.description
        assert field.description in listed


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Write 60 documents about floods and 200 others, whose texts have lines of Unicode's."""
    rng = random.Random(0)
    words = {"flood": "water river rain bank dam street", "sport": "goal match score team coach"}
    between = "\N{LINE SEPARATOR}"
    rows = [
        {"id": f"{label}{i}", "text": between.join(rng.choices(terms.split(), k=8)), "label": label}
        for label, terms in words.items()
        for i in range(60 if label == "flood" else 200)
    ]
    path = tmp_path / "collection.ndjson.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def test_demo_finds_the_hidden_documents(collection: Path) -> None:
    options = ("--positive", "flood", "--seeds", "5", "--algorithm", "prototype")
    finished = seedbed("demo", "--data", str(collection), *options)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "5 seeds, 255 other documents, 55 of them" in finished.stdout
    found = re.search(r"average precision of the ranking ([\d.]+)", finished.stdout)
    assert found is not None
    assert float(found[1]) > 0.95
    assert len(re.findall(r"curl '", finished.stdout)) == 3
    assert re.search(r"&text=((water|river|rain|bank|dam|street|\+)+)'", finished.stdout)


def test_a_collection_may_be_gzipped_or_not(collection: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(gzip.decompress(collection.read_bytes()))

    assert read_collection(CollectionFile(plain), "flood") == read_collection(
        CollectionFile(collection), "flood"
    )


def test_demo_names_the_labels_there_are(collection: Path) -> None:
    finished = seedbed("demo", "--data", str(collection), "--positive", "fire")

    assert finished.returncode == 1
    assert "sport (200), flood (60)" in finished.stderr


@pytest.mark.parametrize("option", [("--label-column", "included"), ("--encoding", "utf-16")])
def test_columns_are_those_of_a_file(option: tuple[str, str]) -> None:
    refused = seedbed("simulate", *option)

    assert refused.returncode == 2
    assert "Options for columns and their encoding need --data." in refused.stderr


def test_simulation_prints_the_recall_of_a_review(collection: Path) -> None:
    options = ("--positive", "flood", "--seeds", "5", "--algorithm", "prototype")
    finished = seedbed("simulate", "--data", str(collection), *options)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "255 documents, 55 of them 'flood'" in finished.stdout
    # The terms of both kinds differ: all that is read first is of the kind.
    assert re.search(r"^ +10 +3.9% +10 +0.182 .* continue$", finished.stdout, re.MULTILINE)
    reached = re.search(r"0.95 was reached after ([\d.]+)%", finished.stdout)
    assert reached is not None
    assert 53 / 255 <= float(reached[1]) / 100 < 0.25
    assert "suggestion to stop" in finished.stdout


def test_a_simulation_judges_copies_alike(tmp_path: Path) -> None:
    kinds = {"flood": "the river burst its banks and the water", "sport": "a late goal of the team"}
    rows = [
        {"id": f"{label}{i}", "label": label, "text": f"{text} {word} {word}s {i // 4} {end}"}
        for label, text in kinds.items()
        for i in range(40)
        for word, end in [(f"word{i // 4}", "abcd"[i % 4])]
    ]
    file = tmp_path / "copied.ndjson"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ("--positive", "flood", "--seeds", "1", "--algorithm", "prototype", "--copies")
    finished = seedbed("simulate", "--data", str(file), *options)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    # Ten texts of the kind come four times each. To read 95 % would take 47 % of the pile at least.
    reached = re.search(r"0.95 was reached after ([\d.]+)%", finished.stdout)
    assert reached is not None
    assert 9 / 79 <= float(reached[1]) / 100 < 0.25


def test_a_simulation_may_start_from_words_alone(collection: Path) -> None:
    options = ("--positive", "flood", "--seeds", "0", "--algorithm", "prototype")
    words = "river, water and dam"
    finished = seedbed("simulate", "--data", str(collection), *options, "--words", words)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "260 documents, 60 of them 'flood'" in finished.stdout
    assert re.search(r"^ +10 +3.8% +10 +0.167 .* continue$", finished.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--seeds", "0"), "give --seeds or --words"),
        (("--seeds", "60"), "Take fewer seeds"),
        (("--algorithm", "luck"), "'luck' is not a known algorithm. Valid names: auto, "),
        (("--algorithm", "spy_em", "--seeds", "1"), "positives"),
    ],
)
def test_a_simulation_that_cannot_be_says_why(
    collection: Path, options: tuple[str, ...], reason: str
) -> None:
    finished = seedbed("simulate", "--data", str(collection), "--positive", "flood", *options)

    assert finished.returncode == 1
    assert reason in " ".join(finished.stderr.split())
    assert "recall" not in finished.stdout


def test_the_strategies_of_the_command_are_those_of_the_core() -> None:
    assert sorted(get_args(get_args(options.Strategy)[0])) == sorted(STRATEGIES)


def test_version() -> None:
    assert seedbed("--version").stdout.strip() == version("seedbed")


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize("command", get_command(app).commands)  # type: ignore[attr-defined]
def test_help_fills_its_lines_and_leaves_examples_as_they_are(command: str, columns: str) -> None:
    told = CliRunner(env={"COLUMNS": columns}).invoke(app, [command, "--help"]).stdout
    prose = re.split(r"^(?:Arguments|Options):", told, flags=re.MULTILINE)[0]
    source = get_command(app).commands[command].help  # type: ignore[attr-defined]

    assert [line for line in prose.splitlines() if line.startswith(6 * " ")] == [
        f"  {line}" for line in source.splitlines() if line.startswith(4 * " ")
    ]
    # Help has 78 columns at most: else the first word of a line stood in the one before.
    for line, following in pairwise(prose.splitlines()):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > 78


def test_the_list_of_commands_tells_each_in_one_line_that_ends() -> None:
    listed = seedbed("--help").stdout.partition("\nCommands:\n")[2].splitlines()

    assert len(listed) == len(get_command(app).commands)  # type: ignore[attr-defined]
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)
