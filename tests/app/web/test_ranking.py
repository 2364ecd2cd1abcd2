"""The ranking: read, labeled, saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.settings import Settings
from tests.app.conftest import PILE, api_on
from tests.app.web.conftest import opened
from tests.app.web.steps import new_project, open_tab, paste, train


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


def test_the_ranking_is_saved_for_other_programs(ranked: Page) -> None:
    for name, begin, row in (
        ("CSV", "\ufeffrank,", "unlabeled,"),
        ("RIS", "TY  - GEN\n", "TY  - "),
    ):
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
