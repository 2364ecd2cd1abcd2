"""The models of a project on the page: told apart, chosen."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.app.web.steps import open_tab


def models_made(*ages: tuple[str, str, str]) -> Callable[[Route], None]:
    """Return what has the service list models by id, algorithm and time, the newest first."""

    def answer(route: Route) -> None:
        (model,) = route.fetch().json()["models"]
        fields = ("id", "algorithm", "created_at")
        models = [{**model, **dict(zip(fields, age, strict=True))} for age in ages]
        route.fulfill(json={"models": models})

    return answer


def test_models_of_one_minute_are_told_apart(ranked: Page) -> None:
    made = [
        ("a", "pnb", "2026-11-30T09:31:00Z"),
        ("b", "pnb", "2026-11-30T09:30:59Z"),
        ("c", "nnpu", "2026-11-30T09:30:58Z"),
        ("d", "pnb", "2026-11-30T09:30:58Z"),
        ("e", "pnb", "2026-11-30T09:30:58Z"),
    ]
    ranked.route("**/models?*", models_made(*made))
    open_tab(ranked, "Documents")
    options = ranked.get_by_label("Model", exact=True).locator("option")
    expect(options).to_have_count(len(made))
    told = options.all_inner_texts()
    assert len({*told}) == len(told)
    ends = [name.partition("M")[2] for name in told]
    assert ends == [" (newest)", ", 3 of 3", "", ", 2 of 3", ", 1 of 3"]
