"""The models of a project on the page: told apart, chosen, deleted."""

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.settings import Settings
from tests.app.conftest import PILE
from tests.app.web.steps import open_tab

COME_BACK = 'dispatchEvent(new Event("focus"))'


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
    open_tab(ranked, "Try a text")
    options = ranked.get_by_label("Model", exact=True).locator("option")
    expect(options).to_have_count(len(made))
    told = options.all_inner_texts()
    assert len({*told}) == len(told)
    ends = [name.partition("M")[2] for name in told]
    assert ends == [" (newest)", ", 3 of 3", "", ", 2 of 3", ", 1 of 3"]


def train_again(page: Page, run_job: Callable[[], str]) -> dict[str, Any]:
    """Train a model elsewhere, which the page shows when it is loaded again; return the older."""
    (older,) = page.request.get("/models").json()["models"]
    body = {"project_id": older["project_id"], "algorithm": "pnb"}
    assert page.request.post("/train", data=body).ok
    run_job()
    page.reload()
    expect(chosen(page)).to_contain_text("pnb")
    return dict(older)


def chosen(page: Page) -> Locator:
    return page.get_by_label("Model", exact=True).locator("option:checked")


def model_ids(page: Page) -> list[str]:
    return [model["id"] for model in page.request.get("/models").json()["models"]]


def test_a_model_is_deleted_and_another_one_shown(ranked: Page, run_job: Callable[[], str]) -> None:
    older = train_again(ranked, run_job)
    open_tab(ranked, "Model")
    asked: list[str] = []
    ranked.on("dialog", lambda dialog: asked.append(dialog.message))
    ranked.once("dialog", lambda dialog: dialog.dismiss())
    delete = ranked.get_by_role("button", name="Delete the model")
    delete.click()
    assert asked[0].startswith("Delete the model “pnb, ")
    assert "answers" not in asked[0]
    assert len(model_ids(ranked)) == 2
    expect(ranked.locator("details pre")).to_contain_text('"pnb"')

    ranked.on("dialog", lambda dialog: dialog.accept())
    delete.click()
    # With one model there is none to choose.
    expect(ranked.get_by_label("Model", exact=True)).to_have_count(0)
    expect(ranked.locator("details pre")).to_contain_text(older["id"])
    assert model_ids(ranked) == [older["id"]]

    delete.click()
    expect(ranked.get_by_text("No model is trained yet")).to_be_visible()
    expect(ranked.get_by_role("button", name="Train", exact=True)).to_be_visible()
    assert "none will until you choose another, or train" in asked[-1]
    assert model_ids(ranked) == []


def test_a_model_that_is_shown_and_was_deleted_elsewhere(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    older = train_again(ranked, run_job)
    with ranked.expect_response(f"**/models/{older['id']}/ranking?*"):
        ranked.get_by_label("Model", exact=True).select_option(older["id"])
    expect(ranked.locator(".ranking li")).to_have_count(len(PILE))
    assert ranked.request.delete(f"/models/{older['id']}").ok
    ranked.evaluate(COME_BACK)
    expect(ranked.get_by_text("The model “prototype, ")).to_contain_text("was deleted.")
    ranked.get_by_role("button", name="Go on without it").click()
    expect(ranked.get_by_text("was deleted.")).to_have_count(0)
    expect(ranked.get_by_label("Model", exact=True)).to_have_count(0)
    expect(ranked.locator(".ranking li")).to_have_count(len(PILE))


def test_a_model_that_was_deleted_elsewhere_is_chosen(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    older = train_again(ranked, run_job)
    open_tab(ranked, "Model")
    assert ranked.request.delete(f"/models/{older['id']}").ok
    ranked.get_by_label("Model", exact=True).select_option(older["id"])
    expect(ranked.get_by_role("alert")).to_contain_text("It may have been deleted.")
    # Nothing is shown that is of the other.
    expect(ranked.get_by_text("Other cuts")).to_have_count(0)
    ranked.get_by_role("button", name="Try again").click()
    expect(ranked.locator("details pre")).to_contain_text('"pnb"')
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_the_model_that_was_chosen_last_is_shown(ranked: Page, run_job: Callable[[], str]) -> None:
    older = train_again(ranked, run_job)
    open_tab(ranked, "Model")
    expect(ranked.locator("details pre")).to_contain_text('"pnb"')
    choice = ranked.get_by_label("Model", exact=True)
    held: list[Route] = []
    ranked.route(f"**/models/{older['id']}/cuts", lambda route: held.append(route))
    with ranked.expect_request("**/cuts"):
        choice.select_option(older["id"])
    newest = choice.locator("option").first.get_attribute("value")
    with ranked.expect_response(f"**/models/{newest}/terms*"):
        choice.select_option(newest)
    with ranked.expect_response(f"**/models/{older['id']}/cuts"):
        held[0].continue_()
    ranked.keyboard.press("x")
    expect(ranked.locator("details pre")).to_contain_text('"pnb"')


def test_documents_have_no_model_to_choose(ranked: Page, run_job: Callable[[], str]) -> None:
    train_again(ranked, run_job)
    open_tab(ranked, "Documents")
    # To show them anew would take away what is typed in there, and what is being sent.
    expect(ranked.get_by_label("Model", exact=True)).to_have_count(0)


def test_older_models_are_added_and_stay_while_one_is_looked_at(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    oldest = train_again(ranked, run_job)
    for _ in range(2):
        body = {"project_id": oldest["project_id"], "algorithm": "pnb"}
        assert ranked.request.post("/train", data=body).ok
        run_job()

    def two_at_a_time(route: Route) -> None:
        route.continue_(url=route.request.url.replace("page_size=50", "page_size=2"))

    ranked.route("**/models?*", two_at_a_time)
    open_tab(ranked, "Model")
    choice = ranked.get_by_label("Model", exact=True)
    options = choice.locator("option")
    expect(options).to_have_count(2)
    ranked.get_by_role("button", name="Show older models").focus()
    ranked.keyboard.press("Enter")
    expect(options).to_have_count(4)
    expect(choice).to_be_focused()
    expect(ranked.get_by_text("4 models can be chosen")).to_be_visible()
    expect(ranked.get_by_role("button", name="Show older models")).to_have_count(0)
    listed = options.evaluate_all("(options) => options.map((one) => one.value)")
    assert listed == model_ids(ranked)
    expect(choice).to_have_value(listed[0])

    choice.select_option(oldest["id"])
    expect(ranked.locator("details pre")).to_contain_text('"prototype"')
    ranked.reload()
    expect(options).to_have_count(2)
    ranked.get_by_role("button", name="Show older models").click()
    choice.select_option(oldest["id"])
    # Where the page shows another part, too.
    open_tab(ranked, "Try a text")
    expect(choice).to_have_value(oldest["id"])
    expect(options).to_have_count(4)


def test_a_model_whose_file_is_lost_says_so_and_is_deleted(
    model: dict[str, Any], page: Page, settings: Settings
) -> None:
    rmtree(Path(settings.artifacts_url) / "models")
    page.goto(f"/#/{model['project_id']}/model")
    expect(page.locator(".warning", has_text="cannot be used: it is missing.")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete the model").click()
    expect(page.get_by_text("No model is trained yet")).to_be_visible()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()
    expect(page.get_by_text("Choose the algorithm")).to_be_visible()
    assert model_ids(page) == []


@pytest.mark.parametrize("part", ["ranking", "review"])
def test_a_ranking_whose_file_is_lost_is_made_anew(
    model: dict[str, Any], page: Page, settings: Settings, run_job: Callable[[], str], part: str
) -> None:
    rmtree(Path(settings.artifacts_url) / "rankings")
    page.goto(f"/#/{model['project_id']}/{part}")
    expect(page.get_by_role("alert")).to_contain_text("or press “Rank anew” below.")
    # The other parts are within reach.
    open_tab(page, "Model")
    expect(page.get_by_text("Other cuts")).to_be_visible()
    open_tab(page, part.title())
    page.get_by_role("button", name="Rank anew").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(page.locator(f".{part}")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
