"""What people do with the page, step by step."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import PILE

CSV = "id,text\n" + "\n".join(f'p{i},"{text}"' for i, text in enumerate(PILE))

#: Until the page has read what came before.
ANSWERED = "() => fetch('livez').then((answer) => answer.text())"


def new_project(page: Page, name: str = "floods") -> None:
    page.get_by_label("What do you look for?").fill(name)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def side(page: Page, title: str) -> Locator:
    return page.locator("article", has=page.get_by_role("heading", name=title, exact=True))


def paste(page: Page, title: str, texts: list[str]) -> None:
    article = side(page, title)
    article.get_by_text("Type or paste them").click()
    article.get_by_label("One document a line").fill("\n".join(texts))
    article.get_by_role("button", name="Add", exact=True).click()
    expect(article.get_by_role("status")).to_contain_text(f"{len(texts)} added")


def upload(page: Page, title: str, name: str, content: str | bytes) -> Locator:
    article = side(page, title)
    buffer = content.encode() if isinstance(content, str) else content
    file: Any = {"name": name, "mimeType": "", "buffer": buffer}
    article.get_by_label("File", exact=True).set_input_files(file)
    article.get_by_role("button", name="Upload").click()
    return article


def train(page: Page, run_job: Callable[[], str], algorithm: str = "prototype") -> None:
    page.get_by_text("Choose the algorithm").click()
    page.get_by_label("Algorithm", exact=True).select_option(algorithm)
    finish(page, run_job)


def finish(page: Page, run_job: Callable[[], str]) -> None:
    """Train as it was chosen, until the page shows what came of it."""
    page.get_by_role("button", name="Train so").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(page.get_by_role("button", name="Train again")).to_be_visible()


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )


def labels(page: Page) -> dict[str, str]:
    """Return the labels of the pile, as the service has them."""
    project_id = page.url.split("/")[4]
    answer = page.request.get(f"/projects/{project_id}/documents").json()
    return {one["id"]: one["label"] for one in answer["documents"] if one["text"] in PILE}
