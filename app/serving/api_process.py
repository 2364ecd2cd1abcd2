"""The process of the API, or one of several: those are handed the socket that they share."""

from multiprocessing import parent_process

from fastapi import FastAPI

from app.logs import configure_logging
from app.main import create_app
from app.parent_death import die_with_parent
from app.settings import Settings
from app.warm_up import warm_up


def create_only() -> FastAPI:
    """Return the API for the only process."""
    return _lasting(create_app())


def create() -> FastAPI:
    """Return the API for a process that uvicorn has just started afresh."""
    parent = parent_process()
    assert parent is not None
    assert parent.pid is not None
    die_with_parent(parent.pid)
    settings = Settings.from_environment()
    configure_logging(settings)
    return _lasting(create_app(settings))


def _lasting(api: FastAPI) -> FastAPI:
    warm_up()
    return api
