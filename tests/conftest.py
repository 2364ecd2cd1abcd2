"""What holds for all tests."""

import gc
import os

import pytest
from hypothesis import settings

# The many processes that tests start would compile the sources anew if they might not be kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A machine that is busy is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# Passes over all objects, of which thousands of tests have many, are a twentieth of the time by
# default.
gc.set_threshold(10_000, 20, 20)

#: They start processes and wait for them, or ask for hundreds of answers.
LONGEST = {
    *("test_readme.py", "test_crashes.py", "test_openapi.py", "test_api_process.py"),
    *("test_worker.py", "test_supervisor.py"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest: at the end, they would wait while nothing else is left to do."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """What is there by now is no garbage: leave it out of each pass."""
    gc.collect()
    gc.freeze()
