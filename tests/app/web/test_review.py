"""A review: one document after the other, judged by keys."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.app.conftest import PILE
from tests.app.web.steps import ANSWERED, labels, open_tab


def test_documents_are_judged_by_keys_and_taken_back(ranked: Page) -> None:
    open_tab(ranked, "Review")
    first = ranked.locator(".card .text").inner_text()
    ranked.keyboard.press("p")
    expect(ranked.locator(".card .text")).not_to_have_text(first)
    expect(ranked.locator("aside")).to_contain_text("judged1")
    assert sorted(labels(ranked).values()) == ["positive", *5 * ["unlabeled"]]

    ranked.keyboard.press("z")
    expect(ranked.locator(".card .text")).to_have_text(first)
    # A key that came before it would be taken for one that was counted already.
    expect(ranked.locator("aside")).to_contain_text("judged0")
    assert set(labels(ranked).values()) == {"unlabeled"}

    # Caps lock is no reason to be deaf.
    for n_judged, key in enumerate("PnUnnn", start=1):
        ranked.keyboard.press(key)
        expect(ranked.locator("aside")).to_contain_text(f"judged{n_judged}")
    expect(ranked.locator(".card")).to_contain_text("judged")
    assert sorted(labels(ranked).values()) == [*4 * ["negative"], "positive", "unsure"]
    expect(ranked.locator("aside")).to_contain_text("judged6found1")


def test_a_review_tells_after_how_many_more_to_stop(ranked: Page) -> None:
    def answer(route: Route) -> None:
        known = {**route.fetch().json(), "why": "Read on.", "n_until_stop": 1240}
        route.fulfill(json=known)

    ranked.route("**/review", answer)
    open_tab(ranked, "Review")
    ranked.keyboard.press("p")
    expect(ranked.locator("aside")).to_contain_text(
        "Read on. Stop after 1,240 more in a row of which none is positive."
    )


KEYS_WHILE_LOADING = """
async () => {
  location.hash = location.hash.replace("ranking", "review");
  while (!document.querySelector(".card")) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}
"""


def test_a_key_that_comes_too_early_does_no_harm(ranked: Page) -> None:
    ranked.evaluate(KEYS_WHILE_LOADING)
    ranked.keyboard.press("n")
    expect(ranked.locator("aside")).to_contain_text("judged1")


def test_the_focus_stays_with_the_documents(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_role("button", name="negative (N)").press("Enter")
    expect(ranked.locator(".card")).to_be_focused()


def test_keys_mean_nothing_in_a_field(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_text("Choose the algorithm").click()
    ranked.get_by_label("Share of positives").press("n")
    ranked.get_by_label("Algorithm", exact=True).press("p")
    ranked.reload()
    expect(ranked.locator("aside")).to_contain_text("judged0")


def test_keys_mean_nothing_where_the_reader_wants_none(ranked: Page) -> None:
    open_tab(ranked, "Review")
    ranked.get_by_label("Judge by keys").uncheck()
    ranked.keyboard.press("n")
    ranked.locator(".card").get_by_role("button", name="positive").click()
    expect(ranked.locator("aside")).to_contain_text("judged1found1")
    # It stays so for the next review.
    open_tab(ranked, "Ranking")
    open_tab(ranked, "Review")
    expect(ranked.get_by_label("Judge by keys")).not_to_be_checked()
    assert Counter(labels(ranked).values()) == {"positive": 1, "unlabeled": 5}


def test_judgements_are_counted_together_while_the_service_counts(ranked: Page) -> None:
    held: list[Route] = []
    open_tab(ranked, "Review")
    ranked.route("**/review", lambda route: route.continue_() if held else held.append(route))
    for _ in range(3):
        text = ranked.locator(".card .text").inner_text()
        ranked.keyboard.press("n")
        expect(ranked.locator(".card .text")).not_to_have_text(text)
    expect(ranked.locator("aside")).to_contain_text("judged0")
    held[0].continue_()
    expect(ranked.locator("aside")).to_contain_text("judged3")


TOP = "(element) => element.getBoundingClientRect().top"


#: Each text is as high as the window from now on.
LONG_TEXTS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.insertRule(".card .text { min-height: 100vh }");
  document.adoptedStyleSheets.push(sheet);
}"""


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


COME_BACK = 'dispatchEvent(new Event("focus"))'
COPIED = "the river burst its banks and the water stands in all streets of the town"


@pytest.fixture
def copied(ranked: Page, model: dict[str, Any]) -> Page:
    """Return the page at the review of a pile of copies."""
    documents = [{"id": f"u{i}", "text": f"{COPIED} {i}"} for i in range(len(PILE))]
    project = f"/projects/{model['project_id']}"
    ranked.request.post(f"{project}/unlabeled", data={"documents": documents})
    open_tab(ranked, "Review")
    return ranked


def labeled(page: Page) -> Counter[str]:
    """Return how many copies have each label."""
    path = f"/projects/{page.url.split('/')[4]}/documents"
    found = page.request.get(path, params={"q": "of the town"}).json()
    return Counter(document["label"] for document in found["documents"])


def label_elsewhere(page: Page, text: str | None, label: str) -> None:
    """Label the document of a text, as another reader does."""
    path = f"/projects/{page.url.split('/')[4]}"
    (one,) = page.request.get(f"{path}/documents", params={"q": text or ""}).json()["documents"]
    page.request.put(f"{path}/labels", data=[{"id": one["id"], "label": label}])


def test_those_that_say_nearly_the_same_are_judged_alike(copied: Page) -> None:
    ranked, card, aside = copied, copied.locator(".card"), copied.locator("aside")
    card.get_by_text("What they say").click()
    expect(card.get_by_role("listitem")).to_have_count(5)
    expect(card.get_by_role("listitem").first).to_contain_text(COPIED)

    # Keys work from the box, too.
    card.get_by_label("this label, too").check()
    ranked.keyboard.press("p")
    expect(aside).to_contain_text("judged6found6")
    expect(card).to_contain_text("The last one: positive, with 5 that say nearly the same")
    assert labeled(ranked) == {"positive": 6}
    ranked.keyboard.press("z")
    expect(aside).to_contain_text("judged0found0")
    assert labeled(ranked) == {"unlabeled": 6}

    # What was chosen stays so for the next documents, until it is taken back.
    expect(card.get_by_label("this label, too")).to_be_checked()
    card.get_by_label("this label, too").uncheck()
    ranked.keyboard.press("n")
    expect(aside).to_contain_text("judged1found0")
    expect(card).to_contain_text("4 other documents that say nearly the same")


def test_a_copy_that_another_reader_judged_meanwhile_keeps_that_label(copied: Page) -> None:
    card, aside = copied.locator(".card"), copied.locator("aside")
    card.get_by_label("this label, too").check()
    label_elsewhere(copied, card.locator("li").last.text_content(), "unsure")
    copied.evaluate(COME_BACK)
    expect(card).to_contain_text("4 other documents that say nearly the same")
    copied.keyboard.press("p")
    expect(aside).to_contain_text("judged6found5")
    assert labeled(copied) == {"positive": 5, "unsure": 1}


def test_a_single_copy_is_told_as_one(copied: Page) -> None:
    card = copied.locator(".card")
    for text in card.locator("li").all_text_contents()[1:]:
        label_elsewhere(copied, text, "negative")
    copied.evaluate(COME_BACK)
    card.get_by_label("Give another document that says nearly the same this label, too").check()
    copied.keyboard.press("p")
    expect(card).to_contain_text("positive, with 1 that says nearly the same")


def test_what_another_reader_said_of_a_copy_meanwhile_is_not_taken_back(copied: Page) -> None:
    card, aside = copied.locator(".card"), copied.locator("aside")
    card.get_by_label("this label, too").check()
    listed = card.locator("li").last.text_content()
    copied.keyboard.press("p")
    expect(aside).to_contain_text("judged6found6")
    label_elsewhere(copied, listed, "negative")
    copied.keyboard.press("z")
    expect(card).to_contain_text("4 other documents that say nearly the same")
    expect(aside).to_contain_text("judged1found0")
    assert labeled(copied) == {"unlabeled": 5, "negative": 1}


def test_what_was_judged_alike_is_not_asked_about_after_something_was_taken_back(
    copied: Page,
) -> None:
    card, aside = copied.locator(".card"), copied.locator("aside")
    copied.keyboard.press("p")
    expect(card).to_contain_text("4 other documents that say nearly the same")
    copied.keyboard.press("z")
    expect(card).to_contain_text("5 other documents that say nearly the same")
    card.get_by_label("this label, too").check()
    copied.keyboard.press("p")
    expect(aside).to_contain_text("judged6found6")
    expect(card).to_contain_text("Every document of the project is judged.")


def test_a_review_goes_on_by_the_model_that_was_trained_meanwhile(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    open_tab(ranked, "Review")
    card, aside = ranked.locator(".card"), ranked.locator("aside")
    ranked.keyboard.press("p")
    expect(aside).to_contain_text("judged1")
    ranked.reload()
    card.get_by_role("button", name="Train with them").click()
    expect(card).to_contain_text("A model is being trained on the last judgements.")
    expect(card.get_by_role("button", name="Train with them")).to_have_count(0)
    read = card.locator(".text").inner_text()
    ranked.keyboard.press("n")
    expect(aside).to_contain_text("judged2")
    last = card.locator(".text").inner_text()
    run_job()
    # What is read stays until it is judged.
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    expect(card.locator(".text")).to_have_text(last)

    newest = ranked.request.get("/models?page_size=1").json()["models"][0]["id"]
    with ranked.expect_response(lambda answer: "/next?" in answer.url) as asked:
        ranked.keyboard.press("n")
    assert f"model_id={newest}" in asked.value.url
    expect(aside).to_contain_text("judged3")
    expect(ranked.get_by_text("A new model was trained.")).to_have_count(0)
    expect(ranked.get_by_label("Model", exact=True).locator("option")).to_have_count(2)
    # What was judged before is within reach still.
    for text in (last, read):
        ranked.keyboard.press("z")
        expect(card.locator(".text")).to_have_text(text)
    expect(aside).to_contain_text("judged1")


def wanting_a_training_after(n_judgements: int, page: Page) -> None:
    def fewer(route: Route) -> None:
        answer = route.fetch()
        body = answer.text().replace("AFTER = 50", f"AFTER = {n_judgements}")
        route.fulfill(response=answer, body=body)

    page.route("**/habits.js", fewer)
    page.reload()
    open_tab(page, "Review")
    page.get_by_label(f"Train again after every {n_judgements} judgements").check()


def test_a_model_is_trained_after_so_many_judgements(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    wanting_a_training_after(2, ranked)
    card, aside = ranked.locator(".card"), ranked.locator("aside")
    ranked.keyboard.press("p")
    expect(aside).to_contain_text("judged1")
    expect(ranked.get_by_text("Waiting for a worker")).to_have_count(0)
    ranked.keyboard.press("n")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    # Meanwhile none is started.
    for n_judged in (3, 4):
        ranked.keyboard.press("n")
        expect(aside).to_contain_text(f"judged{n_judged}")
    run_job()
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    assert len(ranked.request.get("/jobs?kind=train").json()["jobs"]) == 2
    # What is judged goes on by it, and two more were judged since.
    ranked.keyboard.press("n")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    expect(card).to_contain_text("A model is being trained on the last judgements.")


COUNT_TEXTS = """
  window.nShown = 0;
  const count = () => { nShown += 1; };
  new MutationObserver(count).observe(document.querySelector(".card"), { childList: true });
"""


def test_what_is_read_stays_while_a_model_is_trained_by_itself(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    wanting_a_training_after(1, ranked)
    text, aside = ranked.locator(".card .text"), ranked.locator("aside")
    first = text.inner_text()
    ranked.evaluate(COUNT_TEXTS)
    ranked.keyboard.press("p")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    expect(text).not_to_have_text(first)
    # Shown twice, a long text would lose its place.
    assert ranked.evaluate("nShown") == 1
    read = text.inner_text()
    run_job()
    expect(ranked.get_by_text("A new model was trained.")).to_be_visible()
    expect(text).to_have_text(read)
    ranked.keyboard.press("z")
    expect(text).to_have_text(first)
    expect(aside).to_contain_text("judged0")


def test_judgements_count_until_a_model_is_trained_whatever_is_looked_at_between(
    ranked: Page,
) -> None:
    wanting_a_training_after(2, ranked)
    ranked.keyboard.press("p")
    expect(ranked.locator("aside")).to_contain_text("judged1")
    open_tab(ranked, "Ranking")
    open_tab(ranked, "Review")
    expect(ranked.locator(".card")).to_contain_text("It is trained again after 1 more.")
    ranked.keyboard.press("n")
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()


def test_a_training_that_cannot_be_started_is_told_once(ranked: Page) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503)

    wanting_a_training_after(2, ranked)
    ranked.route("**/train", refuse)
    text, aside = ranked.locator(".card .text"), ranked.locator("aside")
    for n_judged in (1, 2):
        ranked.keyboard.press("n")
        expect(aside).to_contain_text(f"judged{n_judged}")
    expect(ranked.get_by_role("alert")).to_contain_text("The service answered 503.")
    read = text.inner_text()
    # What is taken back and said again is no further judgement.
    ranked.keyboard.press("z")
    expect(aside).to_contain_text("judged1")
    ranked.keyboard.press("p")
    expect(aside).to_contain_text("judged2")
    expect(text).to_have_text(read)
    expect(ranked.get_by_role("alert")).to_have_count(0)
    open_tab(ranked, "Ranking")
    open_tab(ranked, "Review")
    expect(ranked.locator(".card")).to_contain_text("It is trained again after 2 more.")
    assert len(asked) == 1
