"""A browser that looks at the page of a service."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.settings import Settings
from tests.app.conftest import PILE, api_on, served
from tests.app.processes import PATIENCE

#: The first that there is. That without windows takes half the time of the others.
CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
# Debian's refuses to run as root with its sandbox, and containers have a small /dev/shm.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]

expect.set_options(timeout=1000 * PATIENCE)


# Not of the whole run: while it is open, nothing else can run a loop of asyncio.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = [path for path in map(shutil.which, CHROMIUM) if path is not None]
    if not found:
        assert "CI" not in os.environ, "Chromium is missing"
        pytest.skip(f"needs Chromium; on Debian: apt-get install {CHROMIUM[0]}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found[0], args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, api: FastAPI, before_host: str = "", **options: Any) -> Iterator[Page]:
    """Open the page of a service without a worker; nothing in it may go wrong unnoticed."""
    faults: list[str] = []
    with ExitStack() as stack:
        url = stack.enter_context(served(api))
        base_url = url.replace("http://", f"http://{before_host}")
        context = browser.new_context(base_url=base_url, **options)
        stack.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Policy" in line.text else None)
        # The first route() answers before the page sends by it, so a key right after it may get
        # past (twice in 150 times on a busy machine). Later ones hold at once.
        page.route(lambda _url: False, lambda _route: None)
        page.goto("/")
        yield page
    assert faults == []


@pytest.fixture
def page(browser: Browser, settings: Settings, sqlite_url: str) -> Iterator[Page]:
    assert settings.database_url == sqlite_url
    with opened(browser, api_on(settings)) as page:
        # What a test intercepts must not hit what the page asks for at its start.
        expect(page.get_by_label("What do you look for?")).to_be_attached()
        yield page


@pytest.fixture
def ranked(model: dict[str, Any], page: Page) -> Page:
    """Return the page with the ranking of a small project."""
    page.goto(f"/#/{model['project_id']}/ranking")
    expect(page.locator(".ranking li")).to_have_count(len(PILE))
    return page
