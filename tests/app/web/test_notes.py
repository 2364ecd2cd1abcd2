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
