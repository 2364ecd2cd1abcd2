"""The page of a service that asks for names and passwords."""

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from app.settings import Settings
from tests.app.conftest import FLOODS
from tests.app.web.conftest import opened
from tests.app.web.steps import CSV, new_project, paste, side, train, upload


def test_who_signed_in_does_everything(
    browser: Browser, settings: Settings, sqlite_url: str, run_job: Callable[[], str]
) -> None:
    assert settings.database_url == sqlite_url
    anna = {"username": "anna", "password": "0123456789abcdef"}
    closed = settings.model_copy(update={"users": "{username}:{password}".format(**anna)})
    with opened(browser, closed, http_credentials=anna) as page:
        new_project(page)
        paste(page, "Examples", FLOODS)
        upload(page, "The pile", "pile.csv", CSV)
        expect(side(page, "The pile").get_by_role("status")).to_contain_text("6 added")
        train(page, run_job)
        with page.expect_download():
            page.get_by_role("button", name="Download as CSV").click()
