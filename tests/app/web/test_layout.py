"""The page fits the windows that it is shown in."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.app.web.steps import open_tab, train

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
