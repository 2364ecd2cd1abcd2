"""Who may import what. A new arrow between layers is a decision: record it."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

WATCHED = {"app", "core", "fastapi", "starlette", "pydantic", "sqlalchemy", "typer", "uvicorn"}

ALLOWED = {
    "core": {"core"},
    "core/kernels": {
        *("core.kernels", "core.errors", "core.progress", "core.shared_work"),
        "core.caller_warning",
    },
    "app/errors.py": set(),
    "app/command_failed.py": set(),
    "app/json_pointer.py": set(),
    "app/kernel_cache.py": {"app.command_failed"},
    "app/column_types.py": {"sqlalchemy"},
    "app/document_sizes.py": set(),
    "app/job_kinds.py": set(),
    "app/orm.py": {
        *("sqlalchemy", "app.column_types", "app.document_sizes", "app.job_kinds"),
    },
    "app/database.py": {"sqlalchemy"},
    "app/sql_functions.py": {"sqlalchemy"},
    "app/database_errors.py": {"sqlalchemy", "app.database", "app.errors"},
    "app/settings.py": {"pydantic"},
    "app/artifact_errors.py": {"app.errors"},
    "app/local_files.py": set(),
    "app/artifacts.py": {"app.artifact_errors", "app.local_files"},
    "app/storage_room.py": {"app.artifacts", "app.database"},
    "app/media_types.py": {"app.errors"},
    "app/repositories": {
        *("sqlalchemy", "app.orm", "app.errors", "app.sql_functions", "app.repositories"),
        *("app.database", "app.document_sizes", "app.job_kinds"),
    },
    "app/services": {
        *("sqlalchemy.orm", "app.orm", "app.errors", "app.database", "app.media_types"),
        *("app.repositories", "app.services", "app.artifacts", "app.artifact_errors", "core"),
        *("app.json_pointer", "app.document_sizes", "app.job_kinds", "app.database_errors"),
        "app.storage_room",
    },
    "app/schemas": {
        *("pydantic", "app.orm", "app.schemas", "app.media_types", "app.languages"),
        *("app.document_sizes", "app.job_kinds", "core"),
    },
    "app/http": {
        *("fastapi", "starlette", "pydantic", "sqlalchemy", "app.http", "app.schemas"),
        *("app.services", "app.repositories", "app.orm", "app.database", "app.artifacts"),
        *("app.settings", "app.errors", "app.database_errors", "app.document_sizes"),
        *("app.json_pointer", "app.media_types", "app.metrics", "app.migrate", "core"),
        "app.storage_room",
    },
    "app/routes": {
        *("fastapi", "starlette", "pydantic", "app.http", "app.schemas", "app.services"),
        *("app.repositories", "app.orm", "app.errors", "app.database_errors"),
        *("app.media_types", "app.job_kinds", "core"),
    },
    "app/migrate.py": {"sqlalchemy", "app.command_failed", "app.database", "app.settings"},
    "app/metrics_folder.py": {"app.local_files"},
    "app/metrics.py": {
        *("sqlalchemy", "app.repositories", "app.orm", "app.database", "app.metrics_folder"),
    },
    "app/main.py": {
        *("fastapi", "pydantic", "app.routes", "app.http", "app.schemas", "app.services"),
        *("app.database", "app.artifacts", "app.settings", "app.errors", "app.metrics"),
        *("app.media_types", "core.version"),
    },
    "app/worker": {
        *("sqlalchemy", "app.worker", "app.services", "app.repositories", "app.orm"),
        *("app.database", "app.artifacts", "app.artifact_errors", "app.settings", "app.errors"),
        *("app.database_errors", "app.job_kinds", "app.logs", "app.parent_death", "app.warm_up"),
        *("app.kernel_cache", "app.local_files", "app.storage_room"),
        *("app.command_failed", "app.stop_signals", "core"),
    },
    "app/serving": {
        *("uvicorn", "fastapi", "app.serving", "app.main", "app.http", "app.settings"),
        *("app.errors", "app.logs", "app.metrics_folder", "app.migrate", "app.parent_death"),
        *("app.command_failed", "app.stop_signals", "app.warm_up"),
    },
    "app/commands": {
        *("typer", "app.commands", "app.command_failed", "app.errors", "app.settings"),
        *("app.services", "app.document_sizes", "app.media_types", "app.languages"),
        *("app.parent_death", "core"),
    },
}

#: The subjects of a layer, each of which knows only those before it.
SUBJECTS = {
    "core/kernels": [
        *("hardware", "rows", "tokens", "graphs", "scores", "linear", "two_step", "bayes"),
        *("factors", "clusters", "networks", "features"),
    ],
    "app/services": [
        *("jobs", "intake", "documents", "counting", "tables", "feature_selection"),
        *("class_prior", "ranking", "prediction", "review", "training", "models", "evaluation"),
    ],
}


def watched_imports(path: Path) -> Iterator[str]:
    """Yield ``module.name`` of each import of a watched package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [f"{alias.name}." for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}." for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] in WATCHED)


@pytest.mark.parametrize("layer", ALLOWED)
def test_layer_imports_only_layers_below(layer: str) -> None:
    base = ROOT / layer
    paths = [base] if base.is_file() else sorted(base.rglob("*.py"))
    assert paths
    used = set()
    for path in paths:
        for name in watched_imports(path):
            allowed = {prefix for prefix in ALLOWED[layer] if name.startswith(f"{prefix}.")}
            assert allowed, f"{path.relative_to(ROOT)} imports {name}"
            used |= allowed
    assert used == ALLOWED[layer]


@pytest.mark.parametrize("layer", SUBJECTS)
def test_subject_imports_only_subjects_before_it(layer: str) -> None:
    subjects = SUBJECTS[layer]
    base = ROOT / layer
    assert sorted(subjects) == sorted(path.parent.name for path in base.glob("*/__init__.py"))
    for place, subject in enumerate(subjects):
        later = tuple(f"{layer.replace('/', '.')}.{name}." for name in subjects[place + 1 :])
        for path in sorted((base / subject).rglob("*.py")):
            for name in watched_imports(path):
                assert not name.startswith(later), f"{path.relative_to(ROOT)} imports {name}"


def test_the_service_runs_without_the_command_line() -> None:
    for path in sorted((ROOT / "app").rglob("*.py")):
        if path != ROOT / "app/cli.py" and path.parent.name != "commands":
            for name in watched_imports(path):
                is_command = name.startswith(("app.commands.", "typer."))
                assert not is_command, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("package", ["app", "core"])
def test_no_import_stands_inside_a_function(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = [
                    n for n in ast.walk(function) if isinstance(n, ast.Import | ast.ImportFrom)
                ]
                assert not inner, f"{path.relative_to(ROOT)}:{inner[0].lineno}"


@pytest.mark.parametrize("package", ["app", "core"])
def test_files_stay_small(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        n_lines = len(path.read_text().splitlines())
        assert n_lines <= 300, f"{path.relative_to(ROOT)} has {n_lines} lines: split it by meaning"


@pytest.mark.parametrize("package", ["app", "core"])
def test_a_package_that_is_checked_tells_its_types(package: str) -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert package in tool["mypy"]["packages"]
    assert package in tool["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert (ROOT / package / "py.typed").is_file()
