"""The words of a model on the page: they become an example, or are left out."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.app.conftest import FLOODS
from tests.app.web.steps import open_tab, train


def shown_words(page: Page, heading: str) -> Locator:
    """Open the words of the model; return those under a heading."""
    open_tab(page, "Model")
    return page.locator(".columns > section", has=page.get_by_role("heading", name=heading))


def test_words_of_the_model_become_an_example(ranked: Page) -> None:
    words_for = shown_words(ranked, "Words for")
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


def test_words_of_the_model_are_left_out_and_taken_back(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    words_for = shown_words(ranked, "Words for")
    leave_out = words_for.get_by_role("button", name="Leave the chosen words out")
    leave_out.click()
    expect(ranked.get_by_role("alert")).to_contain_text("Choose some of the words")
    words_for.get_by_label("water", exact=True).check()
    leave_out.click()
    expect(words_for.get_by_role("status")).to_contain_text("water: left out from now on")
    expect(words_for.get_by_label("water", exact=True)).not_to_be_checked()

    open_tab(ranked, "Documents")
    ranked.get_by_text("Change or delete").click()
    listed = ranked.get_by_label("Words to leave out")
    expect(listed).to_have_value("water")
    listed.fill("water; River")
    ranked.get_by_role("button", name="Save").click()
    expect(ranked.get_by_text("Saved.")).to_be_visible()
    train(ranked, run_job)
    expect(shown_words(ranked, "Words for")).to_be_visible()
    for word in ("water", "river"):
        expect(ranked.get_by_label(word, exact=True)).to_have_count(0)

    open_tab(ranked, "Documents")
    ranked.get_by_text("Change or delete").click()
    expect(listed).to_have_value("water, River")
    listed.fill("")
    ranked.get_by_role("button", name="Save").click()
    expect(ranked.get_by_text("Saved.")).to_be_visible()
    train(ranked, run_job)
    open_tab(ranked, "Model")
    expect(ranked.get_by_label("water", exact=True)).to_have_count(1)


def counting(**parameters: Any) -> Callable[[Route], None]:
    """Return what answers with models that have other parameters of the vectorizer."""

    def answer(route: Route) -> None:
        answer = route.fetch().json()
        for model in answer["models"]:
            model["vectorizer"] |= parameters
        route.fulfill(json=answer)

    return answer


def test_words_that_speak_against_are_left_out_where_words_are_counted(ranked: Page) -> None:
    terms = {"terms_for": [], "terms_against": [{"term": "dry land", "weight": -1.0}]}
    ranked.route("**/terms?*", lambda route: route.fulfill(json=terms))
    against = shown_words(ranked, "Words against")
    against.get_by_label("dry land").check()
    against.get_by_role("button", name="Leave the chosen words out").click()
    expect(against.get_by_role("status")).to_contain_text("dry, land: left out")

    for of_no_words in ({"analyzer": "char_wb"}, {"n_features": 1024}):
        ranked.route("**/models?*", counting(**of_no_words))
        ranked.reload()
        expect(ranked.get_by_label("dry land")).to_be_visible()
        expect(ranked.get_by_role("button", name="Leave the chosen words out")).to_have_count(0)
        ranked.unroute("**/models?*")
