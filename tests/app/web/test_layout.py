"""The page fits the windows that it is shown in."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.app.conftest import FLOODS, PILE
from tests.app.web.steps import new_project, open_tab, paste, train

WIDTH = "document.documentElement.scrollWidth"


def test_on_a_phone_nothing_is_wider_than_the_window(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    # With two models the page has one to choose.
    train(ranked, run_job, "weighted_logistic_regression")
    expect(ranked.get_by_label("Model", exact=True)).to_be_visible()
    ranked.set_viewport_size({"width": 320, "height": 640})
    for name in ("Documents", "Review", "Ranking", "Model", "Try a text"):
        open_tab(ranked, name)
        assert ranked.evaluate(WIDTH) <= 320, name


def test_on_a_phone_the_name_of_the_model_is_told_whole(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    train(ranked, run_job, "weighted_logistic_regression")
    whole = ranked.locator(".whole")
    expect(whole).to_be_hidden()
    ranked.set_viewport_size({"width": 360, "height": 640})
    expect(whole).to_be_visible()
    choice = ranked.get_by_label("Model", exact=True)
    for index in (0, 1):
        choice.select_option(index=index)
        chosen = choice.locator("option").nth(index).inner_text()
        expect(whole).to_have_text(chosen)
    assert whole.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0


#: What ranks first.
LONG = 300 * "river, banks, water, streets, rain, cellars, dam\n" + "the last line"


def test_a_long_text_is_read_with_the_page_and_the_next_one_from_its_top(
    page: Page, run_job: Callable[[], str]
) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    documents = {"documents": [LONG, *PILE]}
    page.request.post(f"/projects/{page.url.split('/')[4]}/unlabeled", data=documents)
    train(page, run_job)
    open_tab(page, "Review")
    text = page.locator(".card .text")
    expect(text).to_contain_text("the last line")
    assert text.evaluate("(text) => text.scrollHeight - text.clientHeight") == 0

    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_role("button", name="negative (N)")).to_be_in_viewport()
    page.keyboard.press("n")
    expect(text).not_to_contain_text("the last line")
    expect(page.locator(".card")).to_be_in_viewport()
    assert page.locator(".card").evaluate("(card) => card.getBoundingClientRect().top") >= 0


def test_the_rank_below_the_cut_stands_beside_its_row(ranked: Page) -> None:
    row = ranked.locator(".ranking li:has(.cut)")
    place = """(row) => {
      const line = row.querySelector(".cut").getBoundingClientRect().bottom;
      const area = row.querySelector(".score").getBoundingClientRect().top;
      return [line <= area, getComputedStyle(row, "::before").gridRowStart];
    }"""
    assert row.evaluate(place) == [True, "2"]


def test_on_a_phone_the_answers_stand_in_one_row(ranked: Page) -> None:
    for width in (320, 360, 375):
        ranked.set_viewport_size({"width": width, "height": 667})
        open_tab(ranked, "Review")
        tops = ranked.locator(".answers button").evaluate_all(
            "(answers) => answers.map((answer) => answer.getBoundingClientRect().top)"
        )
        assert len(tops) == 3
        assert len(set(tops)) == 1
        assert ranked.evaluate(WIDTH) <= width
        open_tab(ranked, "Ranking")


def test_on_a_phone_a_rank_of_five_digits_stands_in_one_line(ranked: Page) -> None:
    ranked.set_viewport_size({"width": 320, "height": 640})
    # As wide as the page has it, and as the text itself is.
    widths = """(row) => {
      const { width, font } = getComputedStyle(row, "::before");
      const rank = document.createElement("span");
      rank.textContent = "32995";
      rank.style.font = font;
      row.append(rank);
      rank.style.position = "absolute";
      return [rank.getBoundingClientRect().width, parseFloat(width)];
    }"""
    text, place = ranked.locator(".ranking li").first.evaluate(widths)
    assert text <= place


def test_an_open_row_of_the_ranking_does_not_begin_twice(ranked: Page) -> None:
    ranked.set_viewport_size({"width": 375, "height": 667})
    beginning = ranked.locator(".ranking summary").first
    height = "(one) => one.getBoundingClientRect().height"
    closed = beginning.evaluate(height)
    beginning.click()
    expect(ranked.locator(".ranking .text").first).to_be_visible()
    assert beginning.evaluate(height) < closed


def test_names_without_blanks_are_no_wider_than_the_window(
    page: Page, run_job: Callable[[], str]
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_label("Notes").fill(300 * "n" + 300 * "\nline")
    new_project(page, 200 * "x")
    assert page.evaluate(WIDTH) <= 320
    paste(page, "Examples", FLOODS)
    metadata = {60 * "a": 300 * "b", "title": "c"}
    documents = {"documents": [{"text": text, "metadata": metadata} for text in PILE]}
    page.request.post(f"/projects/{page.url.split('/')[4]}/unlabeled", data=documents)
    train(page, run_job)
    page.locator(".ranking summary").first.click()
    expect(page.locator(".ranking dl")).to_be_visible()
    assert page.evaluate(WIDTH) <= 320
    open_tab(page, "Review")
    expect(page.locator(".card dl")).to_be_visible()
    assert page.evaluate(WIDTH) <= 320

    page.get_by_role("link", name="Seedbed").click()
    notes = page.locator(".projects p")
    expect(notes).to_be_visible()
    assert page.evaluate(WIDTH) <= 320
    # The next project is in sight.
    assert notes.evaluate("(one) => one.clientHeight") < 200


def test_a_long_message_leaves_the_page_within_reach(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    detail = 5000 * "word "
    page.route("**/projects", lambda route: route.fulfill(status=503, json={"detail": detail}))
    page.get_by_label("What do you look for?").fill("floods")
    page.get_by_role("button", name="Create").click()
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    assert alert.evaluate("(one) => one.offsetHeight") <= 320
    alert.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    expect(alert.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
