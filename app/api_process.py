"""One of several processes of the API: uvicorn starts it and hands it the socket they share."""

from multiprocessing import parent_process

from fastapi import FastAPI

from app.logs import configure_logging
from app.main import create_app
from app.parent_death import die_with_parent
from app.settings import Settings


def create() -> FastAPI:
    """Return the API for a process that uvicorn has just started afresh."""
    parent = parent_process()
    assert parent is not None
    assert parent.pid is not None
    die_with_parent(parent.pid)
    settings = Settings.from_environment()
    configure_logging(settings)
    return create_app(settings)
