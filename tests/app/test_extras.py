"""The service starts where no extra of pyproject.toml is installed."""

import subprocess
import sys

from psycopg.errors import DiskFull
from sqlalchemy.exc import OperationalError

from app.database import is_full
from app.settings import Settings

CREATE = """
import sys
for extra in ("psycopg", "lightgbm", "boto3"):
    sys.modules[extra] = None  # its import fails as that of a package that is not there
from app import migrate
from app.main import create_app
from app.serving import supervisor
from app.worker import job_child, job_preload, job_runners, worker
from app.settings import Settings
create_app(Settings.from_environment())
"""


def test_the_service_needs_no_extra(settings: Settings) -> None:
    command = [sys.executable, "-c", CREATE]
    ended = subprocess.run(command, env=settings.to_environment(), capture_output=True, text=True)

    assert ended.returncode == 0, ended.stderr


def test_a_full_postgresql_is_known_without_its_driver() -> None:
    assert is_full(OperationalError("INSERT", None, DiskFull("no space left")))
    assert not is_full(OperationalError("INSERT", None, Exception("something else")))
