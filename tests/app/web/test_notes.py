"""What the page says beside figures and fields, so that they are taken for what they are."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.app.web.steps import open_tab


def with_fields(**fields: Any) -> Callable[[Route], None]:
    """Return what has the service answer with other fields."""
    return lambda route: route.fulfill(json={**route.fetch().json(), **fields})


WATER = [{"term": "water", "weight": 1.0}]


@pytest.mark.parametrize(
    ("terms_for", "terms_against", "headings"),
    [
        (WATER, WATER, ["Words for", "Words against"]),
        (WATER, [], ["Words for"]),
        ([], WATER, ["Words against"]),
        ([], [], []),
    ],
)
def test_words_have_a_heading_where_there_are_some(
    ranked: Page, terms_for: list[Any], terms_against: list[Any], headings: list[str]
) -> None:
    ranked.route("**/terms?*", with_fields(terms_for=terms_for, terms_against=terms_against))
    open_tab(ranked, "Model")
    expect(ranked.get_by_text("Other cuts")).to_be_visible()
    expect(ranked.locator("h2", has_text="Words")).to_have_text(headings)


def test_two_estimates_of_what_is_in_the_pile_say_what_they_go_by(ranked: Page) -> None:
    told = {"value": 1000, "low": 600, "high": 2000}

    def cuts(route: Route) -> None:
        answer = route.fetch().json()
        for cut in answer["cuts"]:
            cut["n_hidden"] = told
        route.fulfill(json=answer)

    ranked.route("**/cuts", cuts)
    ranked.route("**/review", with_fields(by_seeds={**told, "reason": None}))
    open_tab(ranked, "Model")
    shown = ranked.locator("dl").first
    expect(shown).to_contain_text("positives in the pile1,000 (600 to 2,000) by its probabilities")
    open_tab(ranked, "Review")
    expect(ranked.locator("aside")).to_contain_text(
        "expected in the pile1,000 (600 to 2,000) by the examples"
    )
