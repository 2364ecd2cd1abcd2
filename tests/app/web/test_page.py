"""What people do with the page, in a real browser."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.services.review.percent import percent
from app.settings import Settings
from tests.app.conftest import FLOODS, PILE, api_on
from tests.app.web.conftest import opened
from tests.app.web.steps import (
    CSV,
    finish,
    labels,
    new_project,
    open_tab,
    paste,
    side,
    train,
    upload,
)


def test_from_examples_to_the_ranking(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    upload(page, "The pile", "pile.csv", CSV)
    expect(side(page, "The pile").get_by_role("status")).to_contain_text("6 added")
    train(page, run_job)
    expect(page.get_by_role("link", name="Ranking")).to_have_attribute("aria-current", "page")
    expect(page.locator(".counts")).to_have_text("3 positive6 unlabeled")
    rows = page.locator(".ranking li")
    expect(rows).to_have_count(6)
    floods = [rows.nth(i).inner_text() for i in range(2)]
    assert all(re.search("water|river", text) for text in floods)
    expect(page.locator(".cut")).to_have_count(1)


def test_documents_are_judged_by_keys_and_taken_back(ranked: Page) -> None:
    open_tab(ranked, "Review")
    first = ranked.locator(".card .text").inner_text()
    ranked.keyboard.press("p")
    expect(ranked.locator(".card .text")).not_to_have_text(first)
    expect(ranked.locator("aside")).to_contain_text("judged1")
    assert sorted(labels(ranked).values()) == ["positive", *5 * ["unlabeled"]]

    ranked.keyboard.press("z")
    expect(ranked.locator(".card .text")).to_have_text(first)
    # A key that came before it would be taken for one that was counted already.
    expect(ranked.locator("aside")).to_contain_text("judged0")
    assert set(labels(ranked).values()) == {"unlabeled"}

    # Caps lock is no reason to be deaf.
    for n_judged, key in enumerate("PnUnnn", start=1):
        ranked.keyboard.press(key)
        expect(ranked.locator("aside")).to_contain_text(f"judged{n_judged}")
    expect(ranked.locator(".card")).to_contain_text("judged")
    assert sorted(labels(ranked).values()) == [*4 * ["negative"], "positive", "unsure"]
    expect(ranked.locator("aside")).to_contain_text("judged6found1")


def test_a_review_tells_after_how_many_more_to_stop(ranked: Page) -> None:
    def answer(route: Route) -> None:
        known = {**route.fetch().json(), "why": "Read on.", "n_until_stop": 1240}
        route.fulfill(json=known)

    ranked.route("**/review", answer)
    open_tab(ranked, "Review")
    ranked.keyboard.press("p")
    expect(ranked.locator("aside")).to_contain_text(
        "Read on. Stop after 1,240 more in a row of which none is positive."
    )


KEYS_WHILE_LOADING = """
async () => {
  location.hash = location.hash.replace("ranking", "review");
  while (!document.querySelector(".card")) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}
"""


def test_a_key_that_comes_too_early_does_no_harm(ranked: Page) -> None:
    ranked.evaluate(KEYS_WHILE_LOADING)
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged1")


def test_the_focus_stays_with_the_documents(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_role("button", name="negative (N)").press("Enter")
    expect(ranked.locator(".card")).to_be_focused()


def test_keys_mean_nothing_in_a_field(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_text("Choose the algorithm").click()
    ranked.get_by_label("Share of positives").press("n")
    ranked.get_by_label("Algorithm", exact=True).press("p")
    ranked.reload()
    expect(ranked.locator("aside")).to_contain_text("judged0")


def test_the_ranking_is_read_from_any_rank(ranked: Page) -> None:
    ranked.get_by_label("Show").select_option("")
    expect(ranked.locator(".ranking li")).to_have_count(9)
    ranked.get_by_label("from rank").fill("8")
    ranked.get_by_label("from rank").press("Enter")
    expect(ranked.locator(".ranking li")).to_have_count(2)
    assert ranked.locator(".ranking li").first.get_attribute("value") == "8"


def test_what_does_not_belong_is_read_at_the_end(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page, "tickets")
    paste(page, "Examples", [f"printer on floor {i} is out of toner" for i in range(30)])
    batch = [f"printer {i} is out of toner" for i in range(24)]
    paste(page, "The pile", [*batch, "a late goal won the match"])
    train(page, run_job, "knn_density")
    page.get_by_role("button", name="to the end").click()
    expect(page.locator(".ranking li")).to_have_count(20)
    expect(page.locator(".ranking li").last).to_contain_text("a late goal won the match")
    open_tab(page, "Review")
    expect(page.locator(".card .caution")).to_contain_text("read the end of the ranking")


def test_a_rank_that_is_none_is_told(ranked: Page) -> None:
    start = ranked.get_by_label("from rank")
    start.fill("8")
    start.press("Enter")
    expect(ranked.locator(".ranking li")).to_have_count(2)
    start.fill("99")
    start.press("Tab")
    # The browser says why beside it.
    expect(start).to_be_focused()
    expect(ranked.locator(".ranking li")).to_have_count(2)


def test_a_label_is_changed_in_the_ranking(ranked: Page) -> None:
    ranked.get_by_label("Label of rank").last.select_option("negative")
    expect(ranked.locator(".counts")).to_contain_text("1 negative")
    ranked.get_by_label("Show").select_option("negative")
    expect(ranked.locator(".ranking li")).to_have_count(1)


def test_the_words_that_count_are_marked(ranked: Page) -> None:
    ranked.locator(".ranking summary").first.click()
    expect(ranked.locator(".ranking mark.for").first).to_be_visible()

    open_tab(ranked, "Model")
    # The counts above have the unsure ones apart.
    n_documents = f"Of {len(PILE)} documents, unlabeled or unsure when it was trained, it takes "
    expect(ranked.get_by_text(n_documents)).to_be_visible()
    expect(ranked.get_by_role("heading", name="Words for")).to_be_visible()
    expect(ranked.locator(".bars li").first).to_have_text(re.compile("^[a-z]+$"))


def test_what_a_vector_adds_is_told_below_the_text(ranked: Page) -> None:
    terms = [{"term": "(vector)", "weight": -1.5}, {"term": "water", "weight": 1}]
    ranked.route("**/explanation", lambda route: route.fulfill(json={"terms": terms}))
    first = ranked.locator(".ranking li").first
    first.locator("summary").click()
    expect(first).to_contain_text("Its vector speaks against it (-1.50).")


def test_words_of_ones_own_are_enough_to_begin_with(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    examples = side(page, "Examples")
    examples.get_by_label("In your own words").fill("water, river")
    examples.get_by_role("button", name="Add these words").click()
    expect(examples.get_by_role("status")).to_contain_text("1 added")
    paste(page, "The pile", PILE)
    train(page, run_job)
    rows = page.locator(".ranking li")
    expect(rows).to_have_count(6)
    assert all(re.search("water|river", rows.nth(i).inner_text()) for i in range(2))


def test_documents_are_deleted(ranked: Page) -> None:
    ranked.on("dialog", lambda dialog: dialog.accept())
    ranked.locator(".ranking summary").first.click()
    ranked.get_by_role("button", name="Delete the document").click()
    expect(ranked.locator(".ranking li")).to_have_count(len(PILE) - 1)
    expect(ranked.locator(".counts")).to_contain_text(f"{len(PILE) - 1} unlabeled")

    open_tab(ranked, "Documents")
    ranked.get_by_label("Search for words").fill("dam")
    ranked.get_by_role("button", name="Search").click()
    ranked.get_by_role("button", name="Delete the document").click()
    expect(ranked.get_by_role("button", name="Delete the document")).to_have_count(0)
    expect(ranked.locator(".documents")).to_be_focused()
    expect(ranked.locator(".counts")).to_contain_text(f"{len(FLOODS) - 1} positive")


def test_what_is_below_a_deleted_document_has_focus_and_cut(ranked: Page) -> None:
    ranked.on("dialog", lambda dialog: dialog.accept())
    rows = ranked.locator(".ranking li")
    below = ranked.locator(".ranking li:has(.cut)")
    rank = int(below.get_attribute("value") or 0)
    below.locator("summary").press("Enter")
    ranked.get_by_role("button", name="Delete the document").press("Enter")
    expect(rows).to_have_count(len(PILE) - 1)
    assert below.get_attribute("value") == str(rank + 1)
    expect(below.locator("summary")).to_be_focused()

    # Of the last one, what is above it.
    rows.last.locator("summary").press("Enter")
    ranked.get_by_role("button", name="Delete the document").press("Enter")
    expect(rows).to_have_count(len(PILE) - 2)
    expect(rows.last.locator("summary")).to_be_focused()


def test_what_is_added_to_a_ranking_has_the_focus(ranked: Page) -> None:
    def fewer(route: Route) -> None:
        route.continue_(url=route.request.url.replace("page_size=50", "page_size=4"))

    ranked.route("**/ranking?*", fewer)
    ranked.get_by_label("Show").select_option("negative")
    ranked.get_by_label("Show").select_option("unlabeled")
    rows = ranked.locator(".ranking li")
    expect(rows).to_have_count(4)
    ranked.get_by_role("button", name="More").press("Enter")
    expect(rows).to_have_count(6)
    expect(rows.nth(4).locator("summary")).to_be_focused()


def test_what_is_added_to_the_projects_has_the_focus(page: Page) -> None:
    for i in range(3):
        page.request.post("/projects", data={"name": f"project {i}"})

    def fewer(route: Route) -> None:
        path, _, token = route.request.url.partition("?")
        route.continue_(url=f"{path}?page_size=2&{token}")

    page.route(re.compile(r"/projects(\?|$)"), fewer)
    page.reload()
    expect(page.locator(".projects li")).to_have_count(2)
    page.get_by_role("button", name="More projects").press("Enter")
    expect(page.locator(".projects li")).to_have_count(3)
    expect(page.get_by_role("link", name="project 0")).to_be_focused()
    expect(page.get_by_role("button", name="More projects")).to_have_count(0)


def test_words_of_the_model_become_an_example(ranked: Page) -> None:
    open_tab(ranked, "Model")
    words_for = ranked.locator("section", has=ranked.get_by_role("heading", name="Words for"))
    add = words_for.get_by_role("button", name="Add the chosen words")
    add.click()
    expect(ranked.get_by_role("alert")).to_contain_text("Choose some of the words")
    words_for.get_by_label("water", exact=True).check()
    words_for.get_by_label("river", exact=True).check()
    add.click()
    expect(ranked.locator(".counts")).to_contain_text(f"{len(FLOODS) + 1} positive")
    expect(words_for.get_by_role("status")).to_contain_text("is an example now")
    expect(words_for.get_by_label("water", exact=True)).not_to_be_checked()
    words_for.get_by_label("water", exact=True).check()
    words_for.get_by_label("river", exact=True).check()
    add.click()
    expect(words_for.get_by_role("status")).to_contain_text("is an example already")


def test_why_there_are_no_figures_is_told(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS[:1])
    paste(page, "The pile", PILE)
    train(page, run_job)
    open_tab(page, "Model")
    expect(page.get_by_text("nothing to expect: too few different positives.")).to_be_visible()


def test_a_text_is_tried(ranked: Page) -> None:
    open_tab(ranked, "Try a text")
    ranked.get_by_label("Text", exact=True).fill("The river! Water stands in the cellar")
    ranked.get_by_role("button", name="Score it").click()
    expect(ranked.get_by_role("status")).to_contain_text("positive: score")
    assert "Water" in ranked.locator("mark.for").all_inner_texts()


@pytest.mark.parametrize(
    ("name", "begin", "row"),
    [("CSV", "\ufeffrank,", "unlabeled,"), ("RIS", "TY  - GEN\n", "TY  - ")],
)
def test_the_ranking_is_saved_for_other_programs(
    ranked: Page, name: str, begin: str, row: str
) -> None:
    with ranked.expect_download() as download:
        ranked.get_by_role("button", name=f"Download as {name}").click()
    content = Path(download.value.path()).read_text("utf-8")

    assert download.value.suggested_filename == f"floods ranking.{name.lower()}"
    assert content.startswith(begin)
    assert content.count(row) == 6


@pytest.mark.parametrize(("locale", "sign"), [("de-DE", ";"), ("en-GB", ",")])
def test_a_csv_is_parted_as_the_spreadsheets_of_the_country_expect(
    browser: Browser, model: dict[str, Any], settings: Settings, locale: str, sign: str
) -> None:
    with opened(browser, api_on(settings), locale=locale) as page:
        page.goto(f"/#/{model['project_id']}/ranking")
        for chosen in (sign, "\t"):
            with page.expect_download() as download:
                page.get_by_role("button", name="Download as CSV").click()
            begin = Path(download.value.path()).read_text("utf-8")[:20]
            assert begin.startswith(f"\ufeffrank{chosen}id{chosen}score")
            page.get_by_label("CSV parted by").select_option("tab")


def test_what_is_accepted_is_saved_and_the_cut_jumped_to(ranked: Page) -> None:
    ranked.get_by_label("from rank").fill("9")
    ranked.get_by_label("from rank").press("Enter")
    expect(ranked.locator(".cut")).to_have_count(0)
    ranked.get_by_role("button", name="to the cut").click()
    expect(ranked.locator(".cut")).to_have_count(1)
    with ranked.expect_download() as download:
        ranked.get_by_role("button", name="Download what is accepted").click()
    content = Path(download.value.path()).read_text("utf-8")

    assert download.value.suggested_filename == "floods accepted.csv"
    assert 1 < len(content.splitlines()) < 7
    assert "false" not in content


def test_what_was_judged_negative_moves_no_cut(ranked: Page) -> None:
    ranked.get_by_label("Show").select_option("")
    expect(ranked.locator(".ranking li")).to_have_count(9)
    below = ranked.locator(".ranking li:has(.cut)")
    rank = below.get_attribute("value")
    ranked.get_by_label("Label of rank 2", exact=True).select_option("negative")
    expect(ranked.locator(".counts")).to_contain_text("1 negative")

    open_tab(ranked, "Review")
    open_tab(ranked, "Ranking")
    ranked.get_by_label("Show").select_option("")
    expect(ranked.locator(".ranking li")).to_have_count(9)
    expect(below).to_have_count(1)
    assert below.get_attribute("value") == rank


def test_documents_are_shown_as_text(page: Page, run_job: Callable[[], str]) -> None:
    hebrew = "מים ברחובות"
    evil = "<img src=x onerror=alert(1)> water in the streets </script><b>"
    new_project(page, "<b>floods</b>")
    paste(page, "Examples", FLOODS)
    pile = [{"id": "a/<i>?b#c", "text": evil, "metadata": {"url": "javascript:alert(1)"}}, hebrew]
    upload(page, "The pile", "pile.json", json.dumps({"documents": pile}))
    expect(side(page, "The pile").get_by_role("status")).to_contain_text("2 added")
    train(page, run_job)

    page.locator(".ranking summary").first.click()
    expect(page.locator(".ranking .text")).to_have_text(evil)
    expect(page.locator(".ranking mark").first).to_be_visible()
    assert page.locator("main img, main b, main i, main a[href^=javascript]").count() == 0
    expect(page.locator("summary", has_text=hebrew)).to_have_css("direction", "rtl")


def test_what_is_wrong_with_a_file_is_said(page: Page) -> None:
    new_project(page)
    upload(page, "The pile", "pile.csv", "title,abstract\na,b\n")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("its columns are: 'title', 'abstract'")
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()

    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Text", exact=True).fill("title, abstract")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added")

    upload(page, "The pile", "pile.ndjson", '{"text": "water"}\n{"text": 7}\n')
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 refused")
    expect(article.get_by_role("row")).to_have_count(2)

    upload(page, "The pile", "pile.csv", "text\n")
    expect(article.get_by_role("status")).to_contain_text(re.compile("^Received 0[.]"))

    for content in ('{"items": [{"text": "water"}]}', '{"text": "rain"}\n{"text": "dam"}'):
        upload(page, "The pile", "pile.json", content)
        expect(alert).to_contain_text('A .json file holds a list of texts, ["…", "…"], or of')
        expect(alert).not_to_contain_text("application/")

    upload(page, "The pile", "pile.xls", "")
    expect(alert).to_contain_text(re.compile("must end in.* Save a spreadsheet as .xlsx or CSV"))


def test_several_files_are_uploaded_one_after_the_other(page: Page) -> None:
    new_project(page)
    article = side(page, "The pile")
    contents = {"a.txt": "one flood\n", "b.csv": "id,note\n1,goal\n", "c.txt": "never sent\n"}
    files: list[Any] = [
        {"name": name, "mimeType": "", "buffer": content.encode()}
        for name, content in contents.items()
    ]
    article.get_by_label("File", exact=True).set_input_files(files)
    article.get_by_role("button", name="Upload").click()

    expect(article.get_by_role("status")).to_have_text("a.txtReceived 1: 1 added.")
    expect(page.locator("#problem")).to_contain_text("b.csv: The CSV has no column 'text'")
    expect(page.locator(".counts")).to_contain_text("1 unlabeled")


@pytest.mark.parametrize(
    ("name", "content", "delimiter"),
    [("pile.tsv", "id\ttext\na\twater\n", ""), ("pile.csv", "id;text\na;water\n", "semicolon")],
)
def test_columns_need_not_be_parted_by_commas(
    page: Page, name: str, content: str, delimiter: str
) -> None:
    new_project(page)
    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Parted by").select_option(delimiter)
    upload(page, "The pile", name, content)
    expect(article.get_by_role("status")).to_contain_text("1 added")


def test_a_file_need_not_be_utf_8(page: Page) -> None:
    new_project(page)
    content = "id,text\na,Überschwemmung\n".encode("cp1252")
    article = upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("1 refused")
    expect(article.get_by_role("status")).to_contain_text("name its encoding under")

    article.get_by_text("Columns and encoding").first.click()
    article.get_by_label("Encoding").select_option("windows-1252")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added")
    page.get_by_label("Search for words").fill("Überschwemmung")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("button", name="This is one")).to_be_visible()


def test_a_reason_why_many_rows_are_refused_stands_once(page: Page) -> None:
    new_project(page)
    refused = [f"{i},Überschwemmung\n" for i in range(120)]
    content = "".join(["id,text\n", *refused, "z,rain\n"]).encode("cp1252")
    article = upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("The first 100 refused:")
    expect(article.locator("tbody tr")).to_have_count(1)
    expect(article.locator("td").first).to_have_text("2, 3, 4, 5, 6 and 95 more")


def test_what_was_refused_in_part_is_sent_again_with_the_same_columns(page: Page) -> None:
    new_project(page)
    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Text", exact=True).fill("title")
    article.get_by_label("Id", exact=True).fill("key")
    content = "key,title\na,rain\nb,Überschwemmung\n".encode("cp1252")
    upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 refused")

    article.get_by_label("Encoding").select_option("windows-1252")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 there already")
    # The next file may be another kind.
    expect(article.get_by_label("Encoding")).to_have_value("")
    expect(article.get_by_label("Text", exact=True)).to_have_value("")


def test_the_documents_of_a_finding_are_read_and_labeled(
    page: Page, run_job: Callable[[], str]
) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", [*PILE, f"{FLOODS[0]} again"])
    train(page, run_job)
    open_tab(page, "Model")
    page.get_by_text("The document", exact=True).click()
    expect(page.locator(".documents .text")).to_have_text(f"{FLOODS[0]} again")
    page.get_by_label("Label of").select_option("positive")
    expect(page.locator(".counts")).to_have_text("4 positive6 unlabeled")


def test_of_many_documents_of_a_finding_the_first_are_listed(ranked: Page) -> None:
    finding = {"level": "caution", "message": "Bare.", "documents": ["a", "b"]}
    numbers: list[dict[str, int]] = [{"n_found": 1234}, {"n_found": 2}, {}]

    def more(route: Route) -> None:
        found = route.fetch().json()
        for model in found["models"]:
            model["doctor"] = [finding | {"numbers": each} for each in numbers]
        route.fulfill(json=found)

    ranked.route("**/models?*", more)
    open_tab(ranked, "Model")
    told = ["The first 2 of 1,234 documents", "The 2 documents", "The 2 documents"]
    expect(ranked.locator("details:has(.documents) > summary")).to_have_text(told)


def test_what_an_algorithm_assumes_is_told_before_the_training(page: Page) -> None:
    new_project(page)
    page.get_by_text("Choose the algorithm").click()
    page.get_by_label("Algorithm", exact=True).select_option("prototype")
    expect(page.get_by_text("Assumes: All positives are about one thing")).to_be_visible()


def test_a_training_that_cannot_start_says_why(page: Page) -> None:
    new_project(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("needs examples and the pile")


def test_as_many_are_accepted_as_can_be_read(ranked: Page, run_job: Callable[[], str]) -> None:
    ranked.get_by_text("Choose the algorithm").click()
    ranked.get_by_label("Documents to accept").fill("2")
    finish(ranked, run_job)
    expect(ranked.locator(".ranking li[data-predicted=true]")).to_have_count(2)


def test_judgements_are_counted_together_while_the_service_counts(ranked: Page) -> None:
    held: list[Route] = []
    open_tab(ranked, "Review")
    ranked.route("**/review", lambda route: route.continue_() if held else held.append(route))
    for _ in range(3):
        text = ranked.locator(".card .text").inner_text()
        ranked.keyboard.press("n")
        expect(ranked.locator(".card .text")).not_to_have_text(text)
    expect(ranked.locator("aside")).to_contain_text("judged0")
    held[0].continue_()
    expect(ranked.locator("aside")).to_contain_text("judged3")


def test_a_training_is_cancelled(page: Page) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_examples_are_found_in_the_pile(page: Page) -> None:
    new_project(page)
    paste(page, "The pile", PILE)
    page.get_by_label("Search for words").fill("river")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="This is one").press("Enter")
    expect(page.locator(".counts")).to_have_text("1 positive5 unlabeled")
    expect(page.locator(".documents small")).to_be_focused()


def test_a_project_is_renamed_and_deleted(page: Page) -> None:
    new_project(page)
    page.get_by_text("Change or delete").click()
    page.get_by_label("Name", exact=True).fill("high water")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="high water")).to_be_visible()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page).to_have_title(re.compile("^high water "))
    expect(page.get_by_role("button", name="Save")).to_be_focused()

    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is none yet")).to_be_visible()
    assert asked[0].startswith("Delete “high water” with")


def test_a_pile_in_another_language_is_told_and_the_language_changed(page: Page) -> None:
    new_project(page)
    path = f"/projects/{page.url.split('/')[4]}"
    pile = upload(page, "The pile", "pile.txt", "\n".join(40 * ["Hochwasser steigt und"]))
    expect(pile.get_by_role("status")).to_contain_text("under “Change or delete the project”.")
    page.get_by_text("Change or delete the project", exact=True).click()
    language = page.get_by_label("Language of the texts")
    expect(language).to_have_value("english")
    # What is changed elsewhere before this page is saved.
    page.request.patch(path, data={"name": "Hochwasser"})
    language.select_option("german")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Hochwasser")).to_be_visible()
    expect(language).to_have_value("german")
    pile = upload(page, "The pile", "pile.txt", "\n".join(40 * ["Der Fluss steigt und"]))
    expect(pile.get_by_role("status")).to_contain_text("Received 40")
    expect(pile.get_by_role("status")).not_to_contain_text("The texts look")


def test_a_language_that_is_not_the_first_of_the_list_is_no_half_written_form(
    page: Page, run_job: Callable[[], str]
) -> None:
    page.get_by_label("Language of the texts").select_option("german")
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(page.locator(".ranking li")).to_have_count(len(PILE))


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
        # As another token_pattern has them.
        ("an x-ray", [["x-ray", 1]], ["an ", ["x-ray", "for"]]),
        # Parts of words are no terms, in any script.
        ("high tides, étide", [["tide", 1]], ["high tides, étide"]),
        ("high  tide", [["tide", 1], ["high tide", 2]], [["high  tide", "for"]]),
        # A sign behind a word begins none, and what goes on is not all.
        (
            "sea-tide, -tide #tide",
            [["-tide", 1], ["#tide", 1]],
            ["sea-tide, ", ["-tide", "for"], " ", ["#tide", "for"]],
        ),
        ("high tides", [["high tide", 2], ["high", 1]], [["high", "for"], " tides"]),
        ("अल्पप्राण जल", [["अल्पप्राण", 1]], [["अल्पप्राण", "for"], " जल"]),
        # Of two pairs that overlap one is marked.
        ("洪水警报", [["洪水", 1], ["水警", 1]], [["洪水", "for"], "警报"]),
        ("洪水 警报", [["洪水 警报", 1], ["洪水", -1]], [["洪水 警报", "for"]]),
        ("大洪水tide", [["洪水", 1], ["tide", -1]], ["大", ["洪水", "for"], "tide"]),
        ("tide 洪水", [["洪水", 1], ["tide", -1]], [["tide", "against"], " ", ["洪水", "for"]]),
    ],
)
def test_terms_are_marked(page: Page, text: str, terms: list[Any], parts: list[Any]) -> None:
    assert page.evaluate(MARKED, [text, terms]) == parts


def test_terms_of_a_long_text_are_marked(page: Page) -> None:
    # So many and so long that one expression of all is too large, or takes minutes.
    digits = str.maketrans("0123456789", "qwertyuiop")
    words = [str(i**3).translate(digits) for i in range(30_000)] + ["tide" * 100_000]
    phrases = [f"{words[i]} {words[i + 1]}" for i in range(0, 10_000, 2)]
    terms = [[word, 1] for word in [*words, *phrases]]
    parts = page.evaluate(MARKED, [" ".join(words), terms])
    assert [part[0] for part in parts[::2]] == [*phrases, *words[10_000:]]


def test_a_book_is_marked_at_its_beginning(page: Page) -> None:
    parts = page.evaluate(MARKED, ["tide " * 60_000, [["tide", 1]]])
    assert sum(isinstance(part, list) for part in parts) == 50_000
    assert parts[-1] == " " + "tide " * 10_000


def test_an_element_may_have_any_number_of_children(page: Page) -> None:
    # No call takes as many arguments.
    count = """() => import("/page/dom.js").then(({ el }) =>
      el("div", {}, Array(400_000).fill("tide")).childNodes.length)"""
    assert page.evaluate(count) == 400_000


def test_what_was_found_is_rounded_down_as_the_service_does(page: Page) -> None:
    shares = [0, 0.004, 0.29, 0.2999, 0.57, 0.9999, 1]
    asked = """(shares) =>
      import("/page/dom.js").then(({ shareFound }) => shares.map(shareFound))"""
    assert page.evaluate(asked, shares) == [percent(share) for share in shares]


def test_reasons_are_told_in_words(page: Page) -> None:
    asked = """(told) =>
      import("/page/words.js").then(({ reasonInWords }) => told.map(reasonInWords))"""
    codes = ["found_by_reading", "equal_scores", "The value of alpha_0 is too large."]
    told = page.evaluate(asked, [*codes, None])
    assert told[0].startswith("most positives were found by reading")
    assert told[1:] == ["equal scores", codes[2], None]


def test_in_a_review_the_cut_to_take_is_named(page: Page) -> None:
    asked = """() => import("/page/words.js").then(({ whyNoCut }) =>
      ["found_by_reading", "accepts_all"].map(whyNoCut))"""
    told = page.evaluate(asked)
    assert told[0].endswith("the cut for that is prior")
    assert told[1] == "to accept all would be best"


def test_a_figure_that_cannot_be_had_is_a_dash(page: Page) -> None:
    # Where a cut accepts nothing it has no precision at all.
    asked = """() => import("/page/dom.js").then(({ figure }) => figure(null, String))"""
    assert page.evaluate(asked) == "\u2013"
