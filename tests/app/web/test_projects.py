"""The list of projects: found by name, and a new one at hand."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

NAMES = ("Floods", "goals", "floods 2", "Fluten", "river floods")


ROWS = ".projects li"


@pytest.fixture
def many(page: Page) -> Page:
    """Return the page with more projects than it asks for at once, here two."""

    def two(route: Route) -> None:
        path, _, asked = route.request.url.partition("?")
        route.continue_(
            url=f"{path}?page_size=2&{asked}" if route.request.method == "GET" else None
        )

    for name in NAMES:
        page.request.post("/projects", data={"name": name})
    page.route(lambda url: url.split("?")[0].endswith("/projects"), two)
    page.reload()
    expect(page.locator(ROWS)).to_have_count(2)
    return page


def search(page: Page, name: str) -> None:
    page.get_by_label("Search by name").fill(name)
    page.get_by_label("Search by name").press("Enter")


def test_projects_are_found_by_name_and_how_many_is_read_out(many: Page) -> None:
    told = many.get_by_role("status")
    links = many.locator(f"{ROWS} a")
    more = many.get_by_role("button", name="More projects")

    search(many, "FLOODS")
    expect(told).to_have_text("The newest 2 projects that have this in their name:")
    expect(links).to_have_text(["river floods", "floods 2"])
    more.press("Enter")
    expect(links).to_have_text(["river floods", "floods 2", "Floods"])
    expect(more).to_have_count(0)

    search(many, "l")
    expect(links).to_have_text(["river floods", "Fluten"])
    search(many, "fluten")
    expect(told).to_have_text("One project has this in its name:")
    expect(more).to_have_count(0)
    search(many, "fire")
    expect(told).to_have_text("No project has this in its name.")
    expect(links).to_have_count(0)
    search(many, "")
    expect(told).to_have_text("")
    expect(links).to_have_text(["river floods", "Fluten"])
    expect(more).to_be_visible()


def test_of_two_searches_at_once_the_last_is_shown(many: Page) -> None:
    held: list[Route] = []
    with many.expect_request("**/projects?*name=goals*"):
        many.route("**/projects?*name=goals*", lambda route: held.append(route))
        search(many, "goals")
    search(many, "fluten")
    told = many.get_by_role("status")
    expect(told).to_have_text("One project has this in its name:")
    with many.expect_response("**/projects?*name=goals*"):
        held[0].continue_()
    many.evaluate("new Promise(requestAnimationFrame)")
    expect(many.locator(f"{ROWS} a")).to_have_text(["Fluten"])


def test_more_projects_that_come_after_a_search_are_not_among_what_it_found(many: Page) -> None:
    held: list[Route] = []
    more = many.get_by_role("button", name="More projects")
    with many.expect_request("**/projects?*page_token*"):
        many.route("**/projects?*page_token*", lambda route: held.append(route))
        more.click()
    search(many, "fluten")
    expect(many.get_by_role("status")).to_have_text("One project has this in its name:")
    with many.expect_response("**/projects?*page_token*"):
        held[0].continue_()
    many.evaluate("new Promise(requestAnimationFrame)")
    expect(many.locator(f"{ROWS} a")).to_have_text(["Fluten"])
    expect(more).to_have_count(0)


def test_the_search_stays_for_who_comes_back(many: Page) -> None:
    search(many, "goals")
    many.get_by_role("link", name="goals").click()
    expect(many.get_by_role("heading", name="goals", exact=True)).to_be_visible()
    many.go_back()
    expect(many.locator(f"{ROWS} a")).to_have_text(["goals"])
    expect(many.get_by_label("Search by name")).to_have_value("goals")
    many.get_by_role("link", name="Seedbed", exact=True).click()
    expect(many.locator(ROWS)).to_have_count(2)
    expect(many.get_by_label("Search by name")).to_have_value("")


def test_few_projects_need_no_search(page: Page) -> None:
    page.request.post("/projects", data={"name": "floods"})
    page.reload()
    expect(page.locator(ROWS)).to_have_count(1)
    expect(page.get_by_label("Search by name")).to_have_count(0)


def test_a_new_project_stands_above_the_others(many: Page) -> None:
    new, name = many.get_by_text("New project"), many.get_by_label("What do you look for?")
    expect(name).not_to_be_visible()
    new.click()
    name.fill("another one")
    box, row = name.bounding_box(), many.locator(ROWS).first.bounding_box()
    assert box is not None
    assert row is not None
    assert box["y"] < row["y"]
    many.get_by_role("button", name="Create").click()
    expect(many.get_by_role("heading", name="another one")).to_be_visible()


def test_the_first_project_is_asked_for(page: Page) -> None:
    expect(page.get_by_label("What do you look for?")).to_be_visible()


def test_what_is_added_to_the_projects_has_the_focus(page: Page) -> None:
    for i in range(3):
        page.request.post("/projects", data={"name": f"project {i}"})

    def fewer(route: Route) -> None:
        path, _, token = route.request.url.partition("?")
        route.continue_(url=f"{path}?page_size=2&{token}")

    page.route(re.compile(r"/projects(\?|$)"), fewer)
    page.reload()
    expect(page.locator(".projects li")).to_have_count(2)
    page.get_by_role("button", name="More projects").press("Enter")
    expect(page.locator(".projects li")).to_have_count(3)
    expect(page.get_by_role("link", name="project 0")).to_be_focused()
    expect(page.get_by_role("button", name="More projects")).to_have_count(0)
