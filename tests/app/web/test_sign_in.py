"""The page of a service that asks for names and passwords."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.main import create_app
from app.settings import Settings
from tests.app.conftest import FLOODS
from tests.app.web.conftest import opened
from tests.app.web.steps import CSV, new_project, paste, side, train, upload

ANNA = {"username": "anna", "password": "0123456789abcdef"}
USERS = "{username}:{password}".format(**ANNA)


@pytest.mark.parametrize(
    "how", [{"http_credentials": ANNA}, {"before_host": f"{USERS}@"}], ids=["asked", "in address"]
)
def test_who_signed_in_does_everything(
    browser: Browser,
    settings: Settings,
    sqlite_url: str,
    run_job: Callable[[], str],
    how: dict[str, Any],
) -> None:
    assert settings.database_url == sqlite_url
    api = create_app(settings.model_copy(update={"users": USERS}))
    with opened(browser, api, **how) as page:
        new_project(page)
        paste(page, "Examples", FLOODS)
        upload(page, "The pile", "pile.csv", CSV)
        expect(side(page, "The pile").get_by_role("status")).to_contain_text("6 added")
        train(page, run_job)
        with page.expect_download():
            page.get_by_role("button", name="Download as CSV").click()
        page.goto("/docs")
        expect(page.get_by_text("/projects/{project_id}/positives").first).to_be_visible()
