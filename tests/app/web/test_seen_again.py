"""What the page learns of other tabs and of commands when somebody comes back to it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect

from app.services.documents import upload_job
from tests.app.conftest import FLOODS, PILE
from tests.app.processes import eventually
from tests.app.slow_upload import SlowUpload
from tests.app.web.steps import finish, labels, new_project, open_tab, paste, upload

COME_BACK = 'dispatchEvent(new Event("focus"))'
TURN = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def project_id(page: Page) -> str:
    return page.url.split("/")[4]


def train_elsewhere(page: Page) -> None:
    body = {"project_id": project_id(page), "algorithm": "prototype"}
    assert page.request.post("/train", data=body).ok


def test_a_training_that_was_started_elsewhere_is_followed(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    train_elsewhere(ranked)
    ranked.evaluate(COME_BACK)
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(ranked.get_by_label("Model", exact=True)).to_be_visible()
    expect(ranked.get_by_role("button", name="Train again")).to_be_visible()


def test_a_training_is_found_behind_many_jobs_that_came_later(ranked: Page) -> None:
    train_elsewhere(ranked)
    project_id = ranked.url.split("/")[4]
    for _ in range(25):
        answer = ranked.request.post("/train", data={"project_id": project_id})
        ranked.request.post(f"/jobs/{answer.json()['id']}/cancel")
    ranked.reload()
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()


def test_a_training_that_was_started_elsewhere_takes_no_choice_away(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    ranked.get_by_text("Choose the algorithm").click()
    algorithm = ranked.get_by_label("Algorithm", exact=True)
    algorithm.select_option("pnb")
    train_elsewhere(ranked)
    ranked.evaluate(COME_BACK)
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    expect(algorithm).to_have_value("pnb")
    # What this page asked for is no longer half a choice.
    finish(ranked, run_job)
    expect(ranked.get_by_label("Model", exact=True).locator("option").first).to_contain_text("pnb")
    expect(algorithm).to_have_value("auto")


def test_a_training_that_ended_meanwhile_is_told_and_takes_nothing_away(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    open_tab(ranked, "Try a text")
    ranked.get_by_label("Text", exact=True).fill("half a sen")
    train_elsewhere(ranked)
    run_job()
    ranked.evaluate(COME_BACK)
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    expect(ranked.get_by_label("Text", exact=True)).to_have_value("half a sen")
    ranked.get_by_role("button", name="Show it").click()
    expect(ranked.get_by_role("link", name="Ranking")).to_have_attribute("aria-current", "page")
    expect(ranked.get_by_label("Model", exact=True)).to_be_visible()
    expect(ranked.get_by_text("A new model")).to_have_count(0)


def test_what_was_ranked_meanwhile_is_told(ranked: Page, run_job: Callable[[], str]) -> None:
    documents = {"documents": ["water in the cellar"]}
    ranked.request.post(f"/projects/{project_id(ranked)}/unlabeled", data=documents)
    (model,) = ranked.request.get("/models").json()["models"]
    ranked.request.post(f"/models/{model['id']}/ranking")
    run_job()
    ranked.evaluate(COME_BACK)
    expect(ranked.locator(".counts")).to_contain_text(f"{len(PILE) + 1} unlabeled")
    ranked.get_by_role("button", name="Show it").click()
    expect(ranked.locator(".ranking li")).to_have_count(len(PILE) + 1)


def test_what_others_judged_meanwhile_is_not_asked_again(ranked: Page) -> None:
    open_tab(ranked, "Review")
    text = ranked.locator(".card .text").inner_text()
    path = f"/projects/{project_id(ranked)}"
    found = ranked.request.get(f"{path}/documents").json()["documents"]
    (id_,) = (one["id"] for one in found if one["text"] == text)
    ranked.request.put(f"{path}/labels", data=[{"id": id_, "label": "positive"}])
    ranked.evaluate(COME_BACK)
    expect(ranked.locator(".card .text")).not_to_have_text(text)
    expect(ranked.locator("aside")).to_contain_text("judged1")
    expect(ranked.locator(".counts")).to_contain_text("4 positive")
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged2")
    assert sorted(labels(ranked).values()) == ["negative", "positive", *4 * ["unlabeled"]]


def test_what_others_judged_meanwhile_is_not_taken_back(ranked: Page) -> None:
    open_tab(ranked, "Review")
    aside = ranked.locator("aside")
    ranked.keyboard.press("p")
    expect(aside).to_contain_text("judged1")
    ranked.keyboard.press("n")
    expect(aside).to_contain_text("judged2")
    before = labels(ranked)
    (id_,) = (id_ for id_, label in before.items() if label == "negative")
    path = f"/projects/{project_id(ranked)}/labels"
    ranked.request.put(path, data=[{"id": id_, "label": "unsure"}])

    ranked.keyboard.press("z")
    expect(ranked.get_by_text("Somebody labeled that document unsure meanwhile")).to_be_visible()
    assert labels(ranked) == {**before, id_: "unsure"}

    # The one before it has the label that was given here.
    ranked.keyboard.press("z")
    expect(aside).to_contain_text("judged1")
    expect(ranked.get_by_text("Somebody labeled")).to_be_hidden()
    assert sorted(labels(ranked).values()) == [*5 * ["unlabeled"], "unsure"]


def test_labels_that_others_changed_are_told_beside_a_ranking(ranked: Page) -> None:
    path = f"/projects/{project_id(ranked)}"
    ranked.request.put(f"{path}/labels", data=[{"id": "u0", "label": "positive"}])
    ranked.evaluate(COME_BACK)
    expect(ranked.get_by_text("Labels were changed meanwhile.")).to_be_visible()
    ranked.get_by_role("button", name="Show them").click()
    expect(ranked.locator(".ranking li")).to_have_count(len(PILE) - 1)
    expect(ranked.get_by_text("Labels were changed")).to_have_count(0)


def test_labels_that_were_changed_here_are_no_news(ranked: Page) -> None:
    ranked.get_by_label("Label of rank").last.select_option("negative")
    expect(ranked.locator(".counts")).to_contain_text("1 negative")
    path = f"/projects/{project_id(ranked)}/unlabeled"
    ranked.request.post(path, data={"documents": ["one more"]})
    with ranked.expect_response("**/models?*"), ranked.expect_response("**/models/*"):
        ranked.evaluate(COME_BACK)
    expect(ranked.locator(".counts")).to_contain_text(f"{len(PILE)} unlabeled")
    ranked.keyboard.press("x")
    expect(ranked.get_by_text("Labels were changed")).to_have_count(0)


def test_a_document_that_is_read_stays_as_it_is(ranked: Page) -> None:
    open_tab(ranked, "Review")
    card = ranked.locator(".card .text")
    card.evaluate("(text) => { text.dataset.place = 'the middle' }")
    with ranked.expect_response("**/next?*"), ranked.expect_response("**/review"):
        ranked.evaluate(COME_BACK)
    ranked.keyboard.press("x")
    expect(card).to_have_attribute("data-place", "the middle")


def test_counts_are_asked_for_one_after_the_other(ranked: Page) -> None:
    open_tab(ranked, "Review")
    asked: list[Request] = []
    ranked.on("request", lambda request: asked.append(request))
    held: list[Route] = []
    ranked.route("**/review", lambda route: held.append(route), times=1)
    text = ranked.locator(".card .text").inner_text()
    with ranked.expect_request("**/review"):
        ranked.evaluate(COME_BACK)
    ranked.keyboard.press("n")
    expect(ranked.locator(".card .text")).not_to_have_text(text)
    # Of two that are asked for at once, the older may come last.
    assert len([one for one in asked if one.url.endswith("/review")]) == 1
    held[0].continue_()
    expect(ranked.locator("aside")).to_contain_text("judged1")


def test_an_upload_that_was_begun_elsewhere_is_shown(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 0.05)
    new_project(page)
    slow = SlowUpload(page.url.partition("/#/")[0], f"/projects/{project_id(page)}/unlabeled")
    eventually(lambda: page.request.get("/jobs?kind=upload").json()["jobs"], "it is a job")
    for _ in range(2):
        with page.expect_response("**/jobs?*kind=upload*"):
            page.evaluate(COME_BACK)
        expect(page.get_by_text("An upload is at work")).to_have_count(1)
    page.get_by_role("button", name="Cancel").focus()
    slow.finish()
    expect(page.get_by_text("An upload is at work")).to_be_hidden()
    expect(page.get_by_role("heading", name="An upload ended")).to_be_focused()
    expect(page.locator(".counts")).to_contain_text("2 unlabeled")


def test_a_page_that_nobody_sees_asks_for_nothing(ranked: Page) -> None:
    asked: list[str] = []
    ranked.on("request", lambda request: asked.append(request.url))
    ranked.evaluate(TURN, "hidden")
    assert asked == []
    with ranked.expect_response("**/jobs?*"), ranked.expect_response("**/models?*"):
        ranked.evaluate(TURN, "visible")


def test_a_service_that_is_away_is_no_news(ranked: Page) -> None:
    ranked.route("**/models?*", lambda route: route.abort())
    ranked.route("**/jobs?*", lambda route: route.abort())
    # Until that is over, no other look begins.
    with ranked.expect_event("requestfailed", lambda request: "/models?" in request.url):
        ranked.evaluate(COME_BACK)
    ranked.unroute("**/models?*")
    with ranked.expect_response("**/models?*"):
        ranked.evaluate(COME_BACK)
    expect(ranked.get_by_role("alert")).to_be_hidden()


def test_a_training_that_ends_takes_no_text_away(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", PILE)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    words = page.get_by_label("In your own words")
    words.fill("high wat")
    run_job()
    expect(page.get_by_text("A new model was trained.")).to_be_visible()
    expect(words).to_have_value("high wat")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".ranking li")).to_have_count(len(PILE))


def test_what_this_page_sends_is_no_upload_of_others_while_another_file_ended(page: Page) -> None:
    new_project(page)
    page.route("**/events", lambda route: None)
    page.route("**/unlabeled*", lambda route: None)
    page.route("**/jobs?*kind=upload*", lambda route: route.fulfill(json={"jobs": [{"id": "a"}]}))
    pile = upload(page, "The pile", "pile.txt", "the long file")
    expect(pile.get_by_role("button", name="Cancel")).to_be_visible()
    examples = upload(page, "Examples", "examples.txt", "the short file")
    expect(examples.get_by_role("status")).to_contain_text("1 added")
    expect(examples.get_by_role("button", name="Cancel")).to_have_count(0)
    with page.expect_response("**/jobs?*kind=upload*"):
        page.evaluate(COME_BACK)
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(1)


def test_a_training_that_ends_leaves_the_document_that_is_read(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_role("button", name="Train again").click()
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged1")
    run_job()
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    ranked.keyboard.press("z")
    expect(ranked.locator("aside")).to_contain_text("judged0")
    # Whoever waits for the model has it.
    ranked.get_by_role("button", name="Train again").click()
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(ranked.get_by_label("Model", exact=True).locator("option")).to_have_count(3)
    expect(ranked.locator(".card .text")).to_be_visible()


def test_a_tab_that_nobody_sees_holds_no_connection(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    # Of six to one host; tabs share them.
    def is_stream(request: Request) -> bool:
        return request.url.endswith("/events")

    ranked.get_by_role("button", name="Train again").click()
    expect(ranked.get_by_text("Waiting for a worker: 0%")).to_be_visible()
    with ranked.expect_event("requestfailed", is_stream):
        ranked.evaluate(TURN, "hidden")
    run_job()
    with ranked.expect_request(is_stream):
        ranked.evaluate(TURN, "visible")
    expect(ranked.get_by_label("Model", exact=True)).to_be_visible()
    expect(ranked.get_by_role("button", name="Train again")).to_be_visible()
    streams: list[str] = []
    ranked.on("request", lambda asked: streams.append(asked.url) if is_stream(asked) else None)
    with ranked.expect_response("**/jobs?*"), ranked.expect_response("**/models?*"):
        ranked.evaluate(TURN, "visible")
    assert streams == []


def test_a_training_that_ends_leaves_the_words_that_are_chosen(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    open_tab(ranked, "Model")
    word = ranked.get_by_role("checkbox").first
    word.check()
    ranked.get_by_role("button", name="Train again").click()
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    run_job()
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    expect(word).to_be_checked()


def test_what_was_told_is_not_told_again(ranked: Page, run_job: Callable[[], str]) -> None:
    train_elsewhere(ranked)
    run_job()
    ranked.evaluate(COME_BACK)
    show = ranked.get_by_role("button", name="Show it")
    show.focus()
    path = f"/projects/{project_id(ranked)}/unlabeled"
    ranked.request.post(path, data={"documents": ["one more"]})
    with ranked.expect_response("**/models?*"):
        ranked.evaluate(COME_BACK)
    expect(ranked.locator(".counts")).to_contain_text(f"{len(PILE) + 1} unlabeled")
    ranked.keyboard.press("x")
    expect(show).to_be_focused()
