"""What the page does where something goes wrong, or other people changed things meanwhile."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.app.conftest import FLOODS, PILE
from tests.app.web.steps import ANSWERED, labels, new_project, open_tab, paste, side, upload


def abort(route: Route) -> None:
    route.abort()


def test_a_review_goes_on_when_the_service_is_back(ranked: Page) -> None:
    open_tab(ranked, "Review")
    text = ranked.locator(".card .text").inner_text()
    ranked.route("**/labels", abort)
    ranked.keyboard.press("n")
    expect(ranked.get_by_role("alert")).to_contain_text("does not answer")
    expect(ranked.locator(".card .text")).to_have_text(text)

    ranked.unroute("**/labels")
    ranked.keyboard.press("n")
    expect(ranked.get_by_role("alert")).to_be_hidden()
    expect(ranked.locator("aside")).to_contain_text("judged1")


def test_a_message_is_closed_by_keys_and_one_goes_on_where_it_came_up(page: Page) -> None:
    page.route("**/projects", abort)
    name = page.get_by_label("What do you look for?")
    name.fill("floods")
    alert = page.get_by_role("alert")
    for key in ("Escape", "Enter"):
        name.press("Enter")
        expect(alert).to_contain_text("does not answer")
        if key == "Enter":
            alert.get_by_role("button", name="Close").focus()
        page.keyboard.press(key)
        expect(alert).to_be_hidden()
        expect(name).to_be_focused()


def test_what_could_not_be_loaded_is_tried_again(ranked: Page) -> None:
    ranked.route("**/next?*", abort)
    ranked.get_by_role("link", name="Review", exact=True).click()
    expect(ranked.get_by_role("alert")).to_contain_text("does not answer")
    ranked.unroute("**/next?*")
    ranked.get_by_role("button", name="Try again").click()
    expect(ranked.locator(".card .text")).to_be_visible()
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_what_could_not_be_shown_is_not_called_by_what_was_there_before(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.route("**/projects/*", abort)
    ranked.get_by_role("link", name="Model", exact=True).click()
    ranked.get_by_role("alert").get_by_role("button", name="Close").press("Enter")
    expect(ranked.locator("main")).to_be_focused()
    expect(ranked.locator("main")).to_have_attribute("aria-label", "Seedbed")


def test_a_message_goes_once_another_part_of_the_ranking_is_asked_for(ranked: Page) -> None:
    ranked.route("**/ranking?*", abort)
    ranked.get_by_label("Show").select_option("")
    expect(ranked.get_by_role("alert")).to_contain_text("does not answer")
    ranked.unroute("**/ranking?*")
    ranked.get_by_label("Show").select_option("positive")
    expect(ranked.locator(".ranking li")).not_to_have_count(len(PILE))
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_nothing_is_taken_back_while_the_next_documents_are_asked_for(ranked: Page) -> None:
    open_tab(ranked, "Review")
    held: list[Route] = []
    ranked.route("**/next?*", lambda route: held.append(route))
    with ranked.expect_request("**/next?*"):  # ahead, while the last one is read
        for n_judged in range(1, 6):
            ranked.keyboard.press("n")
            expect(ranked.locator("aside")).to_contain_text(f"judged{n_judged}")
    with ranked.expect_request("**/next?*"):
        ranked.keyboard.press("n")
    ranked.keyboard.press("z")
    for route in held:
        route.continue_()
    expect(ranked.locator(".card")).to_contain_text("judged")
    expect(ranked.locator("aside")).to_contain_text("judged6")
    assert set(labels(ranked).values()) == {"negative"}


def test_a_review_by_a_model_that_was_deleted_meanwhile(ranked: Page) -> None:
    open_tab(ranked, "Review")
    (model,) = ranked.request.get("/models").json()["models"]
    ranked.request.delete(f"/models/{model['id']}")
    for n_judged in range(1, 7):
        ranked.keyboard.press("n")
        expect(ranked.locator("aside")).to_contain_text(f"judged{n_judged}")
    expect(ranked.get_by_role("alert")).to_contain_text("It may have been deleted.")
    ranked.get_by_role("button", name="Try again").click()
    expect(ranked.get_by_text("No model is trained yet")).to_be_visible()


def test_a_document_that_was_deleted_meanwhile(ranked: Page) -> None:
    open_tab(ranked, "Review")
    text = ranked.locator(".card .text").inner_text()
    documents = f"/projects/{ranked.url.split('/')[4]}/documents"
    answer = ranked.request.get(documents).json()["documents"]
    (id_,) = (one["id"] for one in answer if one["text"] == text)
    ranked.request.delete(f"{documents}/{id_}")
    ranked.keyboard.press("n")
    expect(ranked.get_by_role("alert")).to_contain_text("There is no document")
    ranked.get_by_role("button", name="Try again").click()
    expect(ranked.locator(".card .text")).not_to_have_text(text)
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_a_project_that_was_deleted_meanwhile(ranked: Page) -> None:
    ranked.request.delete(f"/projects/{ranked.url.split('/')[4]}")
    ranked.get_by_role("link", name="Review", exact=True).click()
    expect(ranked.get_by_role("alert")).to_contain_text("It may have been deleted.")
    expect(ranked.locator(".ranking")).to_have_count(0)
    expect(ranked).to_have_title("Seedbed")
    ranked.get_by_role("link", name="All projects").click()
    expect(ranked.get_by_text("There is none yet")).to_be_visible()
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_an_address_of_no_project_leads_to_all_projects(page: Page) -> None:
    for id_ in ("..", ".", "%2e%2e", "a?b", "a%20b", 65 * "a", "nonsense"):
        page.goto(f"/#/{id_}/ranking")
        told = f"No project has the id '{id_}'. It may have been deleted."
        expect(page.get_by_role("alert")).to_contain_text(told)
        page.get_by_role("link", name="All projects").click()
        expect(page.get_by_text("There is none yet")).to_be_visible()
        expect(page.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize("has_model", [True, False])
def test_an_address_of_a_part_that_there_is_not_shows_the_documents(
    ranked: Page, has_model: bool
) -> None:
    (model,) = ranked.request.get("/models").json()["models"]
    if not has_model:
        ranked.request.delete(f"/models/{model['id']}")
    for part in ("nonsense", "toString", ""):
        ranked.goto(f"/#/{model['project_id']}/{part}")
        expect(ranked.get_by_role("heading", name="Examples", exact=True)).to_be_visible()
        here = ranked.get_by_role("link", name="Documents", exact=True)
        expect(here).to_have_attribute("aria-current", "page")
        expect(ranked.get_by_role("alert")).to_be_hidden()
        ranked.goto(f"/#/{model['project_id']}/ranking")
        expect(here).not_to_have_attribute("aria-current", "page")


def test_a_label_that_was_not_stored_is_not_shown(ranked: Page) -> None:
    label = ranked.get_by_label("Label of rank").first
    ranked.route("**/labels", abort)
    label.select_option("negative")
    expect(ranked.get_by_role("alert")).to_contain_text("does not answer")
    expect(label).to_have_value("unlabeled")


def test_a_training_that_fails_says_why(page: Page) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    job = {"status": "failed", "error": {"message": "no term is left"}}
    page.route(
        "**/events",
        lambda route: route.fulfill(
            content_type="text/event-stream", body=f"event: end\ndata: {json.dumps(job)}\n\n"
        ),
    )
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("no term is left")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_a_job_that_fails_takes_away_no_other_that_is_followed(ranked: Page) -> None:
    streams: list[Route] = []
    ranked.route("**/events", lambda route: streams.append(route))
    project = ranked.url.split("/")[4]
    documents = {"documents": ["one more"]}
    assert ranked.request.post(f"/projects/{project}/unlabeled", data=documents).ok
    assert ranked.request.post("/train", data={"project_id": project}).ok
    with ranked.expect_request("**/events"):
        open_tab(ranked, "Review")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    with ranked.expect_request("**/events"):
        ranked.get_by_role("button", name="Rank what came in since").click()
    job = {"kind": "train", "status": "failed", "error": {"message": "no term is left"}}
    streams[0].fulfill(
        content_type="text/event-stream", body=f"event: end\ndata: {json.dumps(job)}\n\n"
    )
    expect(ranked.get_by_role("alert")).to_contain_text("no term is left")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    expect(ranked.get_by_role("button", name="Train again")).to_have_count(0)


def test_a_training_is_followed_by_one_stream_however_often_the_tab_is_changed(page: Page) -> None:
    # A browser opens six connections to a host: a seventh request would wait for ever.
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    page.get_by_role("button", name="Train", exact=True).click()
    for tab in 4 * ["Review", "Documents"]:
        open_tab(page, tab)
        expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_no_stream_is_opened_for_what_is_shown_no_more(ranked: Page) -> None:
    project_id = ranked.url.split("/")[4]
    assert ranked.request.post("/train", data={"project_id": project_id}).ok
    held: list[Route] = []
    ranked.route("**/jobs?*", lambda route: held.append(route), times=1)
    streams: list[str] = []
    ranked.on(
        "request", lambda asked: streams.append(asked.url) if "/events" in asked.url else None
    )
    with ranked.expect_request("**/jobs?*"):
        ranked.get_by_role("link", name="Review", exact=True).click()
    open_tab(ranked, "Model")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    with ranked.expect_response("**/jobs?*"):
        held[0].continue_()
    ranked.keyboard.press("x")
    assert len(streams) == 1


def test_what_is_wrong_with_a_name_or_a_text_is_told_without_its_place(ranked: Page) -> None:
    open_tab(ranked, "Try a text")
    ranked.get_by_label("Text", exact=True).fill(" ")
    ranked.get_by_role("button", name="Score it").click()
    expect(ranked.get_by_role("alert").locator("span")).to_have_text("The text is empty.")
    ranked.goto("/")
    ranked.get_by_text("New project").click()
    ranked.get_by_label("What do you look for?").fill(" ")
    ranked.get_by_role("button", name="Create").click()
    expect(ranked.get_by_role("alert").locator("span")).to_have_text("The name is empty")


def test_who_goes_by_keys_stays_where_the_training_is(ranked: Page) -> None:
    ranked.get_by_role("button", name="Train again").press("Enter")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    expect(ranked.locator(".training")).to_be_focused()
    ranked.keyboard.press("Tab")
    expect(ranked.get_by_role("button", name="Cancel")).to_be_focused()
    ranked.keyboard.press("Enter")
    expect(ranked.get_by_role("button", name="Train again")).to_be_visible()
    expect(ranked.locator(".training")).to_be_focused()


def test_a_job_that_no_worker_takes_is_told_of(ranked: Page, run_job: Callable[[], str]) -> None:
    ranked.clock.install()
    ranked.get_by_role("button", name="Train again").click()
    # The share comes with the job's first event, from which on the time counts.
    expect(ranked.get_by_text("Waiting for a worker: 0%")).to_be_visible()
    ranked.clock.fast_forward("00:31")
    expect(ranked.get_by_text("or none is running")).to_be_visible()
    run_job()
    expect(ranked.get_by_role("button", name="Train again")).to_be_visible()


def test_a_training_is_followed_again_when_the_service_is_back(ranked: Page) -> None:
    ranked.route("**/events", abort)
    ranked.get_by_role("button", name="Train again").click()
    expect(ranked.get_by_text("The service does not answer.")).to_be_visible()
    ranked.unroute("**/events")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()


def test_examples_that_others_added_are_known(page: Page) -> None:
    new_project(page)
    paste(page, "The pile", PILE)
    documents = {"documents": FLOODS}
    page.request.post(f"/projects/{page.url.split('/')[4]}/positives", data=documents)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()


def test_of_counts_that_are_asked_for_at_once_the_last_are_shown(page: Page) -> None:
    new_project(page)
    before = page.request.get(f"/projects/{page.url.split('/')[4]}").json()
    held: list[Route] = []
    page.route("**/projects/*", lambda route: held.append(route), times=1)
    with page.expect_request("**/projects/*"):
        paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    counts = page.locator(".counts")
    expect(counts).to_have_text("3 positive6 unlabeled")
    with page.expect_response("**/projects/*") as overtaken:
        held[0].fulfill(json=before)
    overtaken.value.finished()
    page.evaluate(ANSWERED)
    expect(counts).to_have_text("3 positive6 unlabeled")


def test_a_problem_is_forgotten_after_a_success(page: Page) -> None:
    new_project(page)
    upload(page, "The pile", "pile.csv", "title\na\n")
    expect(page.get_by_role("alert")).to_contain_text("under “Columns and encoding”")
    upload(page, "The pile", "pile.csv", "text\na\n")
    expect(side(page, "The pile").get_by_role("status")).to_contain_text("1 added")
    expect(page.get_by_role("alert")).to_be_hidden()
