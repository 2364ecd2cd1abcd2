import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from uuid import uuid4

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app import migrate
from app.database import Database
from app.logs import configure_logging
from app.settings import Settings


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def test_logs_of_libraries_and_ours_are_json_lines_with_the_context(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(settings)
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger("app.tests").info("ours", n=1)
        logging.getLogger("uvicorn.error").warning("theirs: %d", 2)

    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["n"], ours["level"]) == ("ours", 1, "info")
    assert (theirs["event"], theirs["logger"]) == ("theirs: 2", "uvicorn.error")
    assert ours["request_id"] == theirs["request_id"] == "r1"
    assert ours["time"].endswith("Z")


def test_lines_for_people_begin_with_the_time_and_have_no_colors_in_a_file(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(settings.model_copy(update={"log_format": "console"}))
    structlog.get_logger("app.tests").info("ours", n=1)

    log = capsys.readouterr().err
    assert re.match(r"\d{4}-\d\d-\d\dT\S+Z \[info +\] ours +\[app\.tests\] n=1\n$", log)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_lines_for_people_unless_told_otherwise(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for log_format, begin in ((None, "\x1b["), ("json", "{")):
        monkeypatch.setattr(sys, "stderr", Terminal())
        configure_logging(settings.model_copy(update={"log_format": log_format}))
        structlog.get_logger("app.tests").info("ours", n=1)

        assert sys.stderr.getvalue().startswith(begin)  # type: ignore[attr-defined]
        structlog.reset_defaults()


def test_level_of_the_settings_holds_for_all_logs(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(settings.model_copy(update={"log_level": "warning"}))
    structlog.get_logger("app.tests").info("ours")
    logging.getLogger("uvicorn.error").info("theirs")

    assert capsys.readouterr().err == ""


def test_a_look_at_the_schema_is_not_logged(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(settings)
    database = Database(settings.database_url)
    migrate.is_current(database)
    database.close()

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_trace_of_an_error_shows_no_text_of_a_document(
    log_format: str, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(settings.model_copy(update={"log_format": log_format}))
    document = uuid4().hex
    database = Database(settings.database_url)
    try:
        with database.reading() as session:
            session.execute(text("SELECT :document FROM nowhere"), {"document": document})
    except SQLAlchemyError:
        structlog.get_logger("app.tests").exception("failed")
    database.close()

    log = capsys.readouterr().err
    assert "nowhere" in log
    assert "Traceback" in log
    assert document not in log
