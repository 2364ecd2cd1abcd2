"""What is read out to people who hear the page."""

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.app.conftest import PILE
from tests.app.web.steps import new_project, open_tab, paste, side

#: Gathers what a live region says from now on, each time that it says something else.
LISTEN = """(region) => {
  window.heard = [];
  new MutationObserver(() => window.heard.push(region.textContent))
    .observe(region, { childList: true, characterData: true, subtree: true });
}"""


def test_the_stage_of_a_training_is_read_out_and_not_each_share(ranked: Page) -> None:
    told = [{"status": "running", "stage": "fit", "progress": i / 10} for i in range(5)]
    told += [{"status": "running", "stage": "rank", "progress": i / 10} for i in range(5, 9)]
    events = "".join(f"event: progress\ndata: {json.dumps(one)}\n\n" for one in told)
    held: list[Route] = []
    ranked.route("**/jobs/*/events", lambda route: held.append(route))
    with ranked.expect_request("**/jobs/*/events"):
        ranked.get_by_role("button", name="Train again").click()
    stage = ranked.locator(".training").get_by_role("status")
    expect(stage).to_have_text("Waiting for a worker")
    stage.evaluate(LISTEN)
    held[0].fulfill(content_type="text/event-stream", body=events)
    # The events end before the job does.
    expect(stage).to_contain_text("does not answer")
    assert ranked.evaluate("heard")[:2] == ["Training", "Ranking"]


def test_an_answer_and_what_is_shown_next_are_read_out(ranked: Page) -> None:
    open_tab(ranked, "Review")
    told = ranked.locator(".heard")
    first, second = (one["rank"] for one in next_ones(ranked))
    ranked.keyboard.press("n")
    expect(told).to_have_text(f"Rank {first} is negative. Rank {second} is shown.")
    ranked.keyboard.press("z")
    expect(told).to_have_text(f"Rank {first} is unlabeled. Rank {first} is shown.")
    for _ in PILE:
        shown = told.inner_text()
        ranked.keyboard.press("u")
        expect(told).not_to_have_text(shown)
    expect(told).to_contain_text("Nothing is left to judge.")


def test_of_a_text_that_was_scored_the_verdict_is_read_out_and_not_the_text(ranked: Page) -> None:
    open_tab(ranked, "Try a text")
    ranked.get_by_label("Text", exact=True).fill(PILE[0])
    ranked.get_by_role("button", name="Score it").click()
    told = r"(positive|negative): score \S+, cut at \S+, probability \S+%"
    expect(ranked.get_by_role("status")).to_have_text(re.compile(f"^{told}$"))
    expect(ranked.locator(".text")).to_have_text(PILE[0])


def next_ones(page: Page) -> list[dict[str, int]]:
    found = page.request.get(f"/projects/{page.url.split('/')[4]}/next?n=2").json()
    return list(found["documents"])


def test_how_many_a_search_finds_is_read_out(page: Page) -> None:
    new_project(page)
    paste(page, "The pile", [*PILE, *(f"report {i}" for i in range(21))])
    told = side(page, "Examples from the pile").get_by_role("status")
    for words, count in (
        ("report", "The first 20 documents that have this in their text:"),
        ("report 1", "11 documents have this in their text:"),
        ("report 20", "One document has this in its text:"),
        ("nowhere", "No document has this in its text."),
    ):
        page.get_by_label("Search for words").fill(words)
        page.get_by_role("button", name="Search").click()
        expect(told).to_have_text(count)


def test_how_an_upload_ended_that_was_begun_elsewhere_is_read_out(page: Page) -> None:
    new_project(page)
    page.route("**/jobs?*kind=upload*", lambda route: route.fulfill(json={"jobs": [{"id": "a"}]}))
    held: list[Route] = []
    page.route("**/jobs/a/events", lambda route: held.append(route))
    open_tab(page, "Review")
    with page.expect_request("**/jobs/a/events"):
        open_tab(page, "Documents")
    # What comes with its own region is not read out.
    page.locator(".training + [role=status]").evaluate(LISTEN)
    ended = json.dumps({"status": "cancelled", "result": None, "error": None})
    held[0].fulfill(content_type="text/event-stream", body=f"event: end\ndata: {ended}\n\n")
    expect(page.get_by_role("heading", name="An upload ended")).to_be_visible()
    assert page.evaluate("heard") == ["An upload ended"]


def test_each_part_has_a_title_that_is_read_out(ranked: Page) -> None:
    for part in ("Documents", "Review", "Ranking"):
        open_tab(ranked, part)
        title = " \u2013 ".join(["floods", part, "Seedbed"])
        expect(ranked).to_have_title(title)
        expect(ranked.get_by_role("main")).to_be_focused()
        expect(ranked.get_by_role("main")).to_have_accessible_name(title)
