"""A review: one document after the other, judged by keys."""

from playwright.sync_api import Page, Route, expect

from tests.app.web.steps import open_tab

TOP = "(element) => element.getBoundingClientRect().top"
#: Each text is as high as the window from now on.
LONG_TEXTS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.insertRule(".card .text { min-height: 100vh }");
  document.adoptedStyleSheets.push(sheet);
}"""
#: Until the page has read what came before.
ANSWERED = "() => fetch('livez').then((answer) => answer.text())"


def test_what_the_last_one_was_is_told_and_taken_back(ranked: Page) -> None:
    open_tab(ranked, "Review")
    card = ranked.locator(".card")
    first = card.locator(".text").inner_text()
    expect(card).not_to_contain_text("The last one")
    ranked.keyboard.press("n")
    expect(card).to_contain_text("The last one: negative")
    ranked.keyboard.press("u")
    expect(card).to_contain_text("The last one: unsure")
    for told in ("The last one: negative", "Rank"):
        card.get_by_role("button", name="Back to it (Z)").click()
        expect(card).to_contain_text(told)
    expect(card.locator(".text")).to_have_text(first)
    expect(card).not_to_contain_text("The last one")


def test_nobody_waits_for_what_follows_the_last_that_was_asked_for(ranked: Page) -> None:
    def two(route: Route) -> None:
        route.continue_(url=route.request.url.replace("n=20", "n=2"))

    ranked.route("**/next?*", two)
    open_tab(ranked, "Review")
    text = ranked.locator(".card .text")
    shown = {text.inner_text()}
    for n_judged in range(1, 5):
        with ranked.expect_response("**/next?*") as answer:
            ranked.keyboard.press("n")
        answer.value.finished()
        ranked.evaluate(ANSWERED)
        expect(ranked.locator("aside")).to_contain_text(f"judged{n_judged}")
        shown.add(text.inner_text())
    assert len(shown) == 5
    # The one that follows is there already.
    ranked.route("**/next?*", lambda route: route.abort())
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged5")
    assert text.inner_text() not in shown
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_the_answers_stand_at_one_place_however_long_the_text_is(ranked: Page) -> None:
    open_tab(ranked, "Review")
    card, answers = ranked.locator(".card"), ranked.locator(".answers")
    place = answers.evaluate(TOP)
    ranked.keyboard.press("n")
    expect(card).to_contain_text("The last one")
    # Where the window has room for the text, nothing moves.
    assert answers.evaluate(TOP) == place
    assert card.evaluate(TOP) > 0

    # Where it has not, the head of the page makes room.
    ranked.evaluate(LONG_TEXTS)
    place = answers.evaluate(TOP)
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged2")
    assert answers.evaluate(TOP) == place
    assert 0 <= card.evaluate(TOP) < 1
