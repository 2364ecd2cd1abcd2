"""What the page says beside figures and fields, so that they are taken for what they are."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.app.conftest import FLOODS, PILE
from tests.app.web.steps import new_project, open_tab, side, train, upload


def with_fields(**fields: Any) -> Callable[[Route], None]:
    """Return what has the service answer with other fields."""
    return lambda route: route.fulfill(json={**route.fetch().json(), **fields})


WATER = [{"term": "water", "weight": 1.0}]


def test_words_have_a_heading_where_there_are_some(ranked: Page) -> None:
    terms: dict[str, Any] = {}
    ranked.route("**/terms?*", lambda route: with_fields(**terms)(route))
    for terms_for, terms_against, headings in [
        (WATER, WATER, ["Words for", "Words against"]),
        (WATER, [], ["Words for"]),
        ([], WATER, ["Words against"]),
        ([], [], []),
    ]:
        terms |= {"terms_for": terms_for, "terms_against": terms_against}
        open_tab(ranked, "Model")
        expect(ranked.get_by_text("Other cuts")).to_be_visible()
        expect(ranked.locator("h2", has_text="Words")).to_have_text(headings)
        open_tab(ranked, "Ranking")
        expect(ranked.get_by_text("Other cuts")).to_have_count(0)


def test_warnings_that_are_no_finding_of_the_doctor_are_shown_once(ranked: Page) -> None:
    told = "9 unlabeled documents are predicted positive, more than the budget of 7"
    found: list[str] = []

    def warned(route: Route) -> None:
        answer = route.fetch().json()
        for model in answer["models"]:
            found[:] = [one["message"] for one in model["doctor"] if one["level"] == "caution"][:1]
            model["warnings"] = [*found, told]
        route.fulfill(json=answer)

    ranked.route("**/models?*", warned)
    ranked.reload()
    open_tab(ranked, "Model")
    expect(ranked.get_by_role("heading", name="Reasons for care")).to_be_visible()
    expect(ranked.locator("p.warning")).to_have_text([told])
    expect(ranked.get_by_text(found[0], exact=True)).to_have_count(1)


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


NO_VECTOR = "its words alone are scored"


def test_a_model_of_vectors_says_that_a_text_to_try_has_none(
    page: Page, run_job: Callable[[], str]
) -> None:
    new_project(page)
    for title, texts in (("Examples", FLOODS), ("The pile", PILE)):
        lines = [json.dumps({"text": text, "vector": [len(text), 1]}) for text in texts]
        upload(page, title, "documents.ndjson", "\n".join(lines))
        expect(side(page, title).get_by_role("status")).to_contain_text(f"{len(texts)} added")
    train(page, run_job)
    open_tab(page, "Try a text")
    expect(page.get_by_text(NO_VECTOR)).to_be_visible()


def test_a_model_of_words_says_nothing_of_vectors(ranked: Page) -> None:
    open_tab(ranked, "Try a text")
    expect(ranked.get_by_role("button", name="Score it")).to_be_visible()
    expect(ranked.get_by_text(NO_VECTOR)).to_have_count(0)


def test_a_review_tells_of_what_came_in_since_and_has_it_ranked(
    ranked: Page, run_job: Callable[[], str]
) -> None:
    path = f"/projects/{ranked.url.split('/')[4]}/unlabeled"
    ranked.request.post(path, data={"documents": ["the cellar is full of water"]})
    open_tab(ranked, "Review")
    caution = ranked.locator(".card .caution")
    expect(caution).to_contain_text("came in since the ranking was made (1) are not in it")
    rank_new = ranked.get_by_role("button", name="Rank what came in since")
    above, below = rank_new.bounding_box(), ranked.locator(".card .bar small").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    rank_new.click()
    expect(ranked.get_by_text("Waiting for a worker")).to_be_visible()
    with ranked.expect_response("**/jobs?*"):
        rank_new.click()
    jobs = ranked.request.get("/jobs", params={"kind": "ranking"}).json()["jobs"]
    assert [job["status"] for job in jobs] == ["queued"]
    run_job()
    expect(caution).to_have_count(0)
    expect(ranked.locator("aside")).to_contain_text(f"not judged{len(PILE) + 1}")


def test_what_came_in_is_ranked_though_another_model_ranks(ranked: Page) -> None:
    path = f"/projects/{ranked.url.split('/')[4]}/unlabeled"
    ranked.request.post(path, data={"documents": ["the cellar is full of water"]})
    open_tab(ranked, "Review")
    rank_new = ranked.get_by_role("button", name="Rank what came in since")
    expect(rank_new).to_be_visible()
    other = {"id": "a1", "kind": "ranking", "status": "running", "spec": {"model_id": "b2"}}
    ranked.route("**/jobs?*", lambda route: route.fulfill(json={"jobs": [other]}))
    with ranked.expect_request(lambda sent: (sent.method, sent.url[-8:]) == ("POST", "/ranking")):
        rank_new.click()
