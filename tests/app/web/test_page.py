"""What people do with the page, in a real browser."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from app.services.review.percent import percent
from tests.app.conftest import FLOODS, PILE
from tests.app.web.steps import CSV, finish, new_project, open_tab, paste, side, train, upload


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


def test_the_documents_of_a_finding_are_read_and_labeled(
    page: Page, run_job: Callable[[], str]
) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", [*PILE, f"{FLOODS[0]} again"])
    train(page, run_job)
    open_tab(page, "Model")
    page.route("**/documents/*", lambda route: route.abort())
    page.get_by_text("The document", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute("**/documents/*")
    page.get_by_text("The document", exact=True).click(click_count=2)
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
    pile = upload(page, "The pile", "pile.txt", "\n".join(50 * ["Hochwasser steigt und"]))
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
