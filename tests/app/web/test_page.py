"""What people do with the page, in a real browser."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import FLOODS, PILE

CSV = "id,text\n" + "\n".join(f'p{i},"{text}"' for i, text in enumerate(PILE))


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
    article.get_by_role("button", name="Add").click()
    expect(article.get_by_role("status")).to_contain_text(f"{len(texts)} added")


def upload(page: Page, title: str, name: str, content: str) -> Locator:
    article = side(page, title)
    file: Any = {"name": name, "mimeType": "", "buffer": content.encode()}
    article.get_by_label("File", exact=True).set_input_files(file)
    article.get_by_role("button", name="Upload").click()
    return article


def train(page: Page, run_job: Callable[[], str], algorithm: str = "prototype") -> None:
    page.get_by_text("Choose the algorithm").click()
    page.get_by_label("Algorithm", exact=True).select_option(algorithm)
    page.get_by_role("button", name="Train so").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()


@pytest.fixture
def trained(page: Page, run_job: Callable[[], str]) -> Page:
    """Return the page with the ranking of a small project."""
    new_project(page)
    paste(page, "Examples", FLOODS)
    upload(page, "The pile", "pile.csv", CSV)
    expect(side(page, "The pile").get_by_role("status")).to_contain_text("6 added")
    train(page, run_job)
    expect(page.get_by_role("link", name="Ranking")).to_have_attribute("aria-current", "page")
    return page


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )


def labels(page: Page) -> dict[str, str]:
    """Return the labels of the pile, as the service has them."""
    project_id = page.url.split("/")[4]
    answer = page.request.get(f"/projects/{project_id}/documents").json()
    return {one["id"]: one["label"] for one in answer["documents"] if one["id"].startswith("p")}


def test_from_examples_to_the_ranking(trained: Page) -> None:
    expect(trained.locator(".counts")).to_have_text("3 positive6 unlabeled")
    rows = trained.locator(".ranking li")
    expect(rows).to_have_count(6)
    floods = [rows.nth(i).inner_text() for i in range(2)]
    assert all(re.search("water|river", text) for text in floods)
    expect(trained.locator(".cut")).to_have_count(1)


def test_documents_are_judged_by_keys_and_taken_back(trained: Page) -> None:
    open_tab(trained, "Review")
    first = trained.locator(".card .text").inner_text()
    trained.keyboard.press("p")
    expect(trained.locator(".card .text")).not_to_have_text(first)
    assert sorted(labels(trained).values()) == ["positive", *5 * ["unlabeled"]]

    trained.keyboard.press("z")
    expect(trained.locator(".card .text")).to_have_text(first)
    assert set(labels(trained).values()) == {"unlabeled"}

    for n_judged, key in enumerate("pnunnn", start=1):
        trained.keyboard.press(key)
        expect(trained.locator("aside")).to_contain_text(f"judged{n_judged}")
    expect(trained.locator(".card")).to_contain_text("judged")
    assert sorted(labels(trained).values()) == [*4 * ["negative"], "positive", "unsure"]
    expect(trained.locator("aside")).to_contain_text("judged6found1")


def test_keys_mean_nothing_in_a_field(trained: Page) -> None:
    open_tab(trained, "Review")
    trained.get_by_text("Choose the algorithm").click()
    trained.get_by_label("Share of positives").press("n")
    trained.get_by_label("Algorithm", exact=True).press("p")
    trained.reload()
    expect(trained.locator("aside")).to_contain_text("judged0")


def test_a_label_is_changed_in_the_ranking(trained: Page) -> None:
    trained.get_by_label("Label of rank").last.select_option("negative")
    expect(trained.locator(".counts")).to_contain_text("1 negative")
    trained.get_by_label("Show").select_option("negative")
    expect(trained.locator(".ranking li")).to_have_count(1)


def test_the_words_that_count_are_marked(trained: Page) -> None:
    trained.locator(".ranking summary").first.click()
    expect(trained.locator(".ranking mark.for").first).to_be_visible()

    open_tab(trained, "Model")
    expect(trained.get_by_role("heading", name="Words for")).to_be_visible()
    expect(trained.locator(".bars li").first).to_have_text(re.compile("^[a-z]+$"))


def test_a_text_is_tried(trained: Page) -> None:
    open_tab(trained, "Try a text")
    trained.get_by_label("Text", exact=True).fill("The river! Water stands in the cellar")
    trained.get_by_role("button", name="Score it").click()
    expect(trained.get_by_role("status")).to_contain_text("positive: score")
    assert "Water" in trained.locator("mark.for").all_inner_texts()


def test_the_ranking_is_saved_for_a_spreadsheet(trained: Page) -> None:
    with trained.expect_download() as download:
        trained.get_by_role("button", name="Download as CSV").click()
    content = Path(download.value.path()).read_text("utf-8")

    assert download.value.suggested_filename == "floods ranking.csv"
    assert content.startswith("\ufeffrank,")
    assert len(content.splitlines()) == 7


def test_documents_are_shown_as_text(page: Page, run_job: Callable[[], str]) -> None:
    evil = "<img src=x onerror=alert(1)> water in the streets </script><b>"
    new_project(page, "<b>floods</b>")
    paste(page, "Examples", FLOODS)
    pile = [{"id": "a/<i>?b#c", "text": evil, "metadata": {"url": "javascript:alert(1)"}}, "news"]
    upload(page, "The pile", "pile.json", json.dumps({"documents": pile}))
    expect(side(page, "The pile").get_by_role("status")).to_contain_text("2 added")
    train(page, run_job)

    page.locator(".ranking summary").first.click()
    expect(page.locator(".ranking .text")).to_have_text(evil)
    expect(page.locator(".ranking mark").first).to_be_visible()
    assert page.locator("main img, main b, main i, main a[href^=javascript]").count() == 0


def test_what_is_wrong_with_a_file_is_said(page: Page) -> None:
    new_project(page)
    upload(page, "The pile", "pile.csv", "title,abstract\na,b\n")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("its columns are: 'title', 'abstract'")
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()

    article = side(page, "The pile")
    article.get_by_text("Names of the columns").click()
    article.get_by_label("Text", exact=True).fill("title, abstract")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added")

    upload(page, "The pile", "pile.ndjson", '{"text": "water"}\n{"text": 7}\n')
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 refused")
    expect(article.get_by_role("row")).to_have_count(2)

    upload(page, "The pile", "pile.xlsx", "")
    expect(alert).to_contain_text("must end in")


def test_a_training_that_cannot_start_says_why(page: Page) -> None:
    new_project(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("needs examples and the pile")


def test_a_training_is_cancelled(page: Page) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    page.get_by_role("button", name="Train", exact=True).click()
    page.reload()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_examples_are_found_in_the_pile(page: Page) -> None:
    new_project(page)
    paste(page, "The pile", PILE)
    page.get_by_label("Search for words").fill("river")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="This is one").click()
    expect(page.locator(".counts")).to_have_text("1 positive5 unlabeled")


def test_a_project_is_renamed_and_deleted(page: Page) -> None:
    new_project(page)
    page.get_by_text("Rename or delete").click()
    page.get_by_label("Name", exact=True).fill("high water")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="high water")).to_be_visible()

    page.get_by_text("Rename or delete").click()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is none yet")).to_be_visible()


MARKED = """
([text, terms]) => import("/page/marked_text.js").then(({ marked }) =>
  marked(text, terms.map(([term, weight]) => ({ term, weight })))
    .map((part) => (part.className ? [part.textContent, part.className] : part))
    .filter((part) => part.length))
"""


@pytest.mark.parametrize(
    ("text", "terms", "parts"),
    [
        ("no term", [], ["no term"]),
        (
            "A C++ tide",
            [["tide", 1], ["c++", -1]],
            ["A ", ["C++", "against"], " ", ["tide", "for"]],
        ),
        # Parts of words are no terms, in any script.
        ("high tides, étide", [["tide", 1]], ["high tides, étide"]),
        ("high  tide", [["tide", 1], ["high tide", 2]], [["high  tide", "for"]]),
        # Of two pairs that overlap one is marked.
        ("洪水警报", [["洪水", 1], ["水警", 1]], [["洪水", "for"], "警报"]),
    ],
)
def test_terms_are_marked(page: Page, text: str, terms: list[Any], parts: list[Any]) -> None:
    assert page.evaluate(MARKED, [text, terms]) == parts
