"""Files that are uploaded: how they are read, and how far they are."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from app.services.documents import upload_job
from tests.app.conftest import PILE
from tests.app.processes import eventually
from tests.app.slow_upload import SlowUpload
from tests.app.web.steps import new_project, open_tab, side, upload


def test_what_is_wrong_with_a_file_is_said(page: Page) -> None:
    new_project(page)
    upload(page, "The pile", "pile.csv", "title,abstract\na,b\n")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("its columns are: 'title', 'abstract'")
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()

    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Text", exact=True).fill("title, abstract")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added")

    upload(page, "The pile", "pile.ndjson", '{"text": "water"}\n{"text": 7}\n')
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 refused")
    expect(article.get_by_role("row")).to_have_count(2)

    upload(page, "The pile", "pile.csv", "text\n")
    expect(article.get_by_role("status")).to_contain_text(re.compile("^Received 0[.]"))

    for content in ('{"items": [{"text": "water"}]}', '{"text": "rain"}\n{"text": "dam"}'):
        upload(page, "The pile", "pile.json", content)
        expect(alert).to_contain_text('A .json file holds a list of texts, ["…", "…"], or of')
        expect(alert).not_to_contain_text("application/")

    upload(page, "The pile", "pile.xls", "")
    expect(alert).to_contain_text(re.compile("must end in.* Save a spreadsheet as .xlsx or CSV"))


def test_several_files_are_uploaded_one_after_the_other(page: Page) -> None:
    new_project(page)
    article = side(page, "The pile")
    contents = {"a.txt": "one flood\n", "b.csv": "id,note\n1,goal\n", "c.txt": "never sent\n"}
    files: list[Any] = [
        {"name": name, "mimeType": "", "buffer": content.encode()}
        for name, content in contents.items()
    ]
    article.get_by_label("File", exact=True).set_input_files(files)
    article.get_by_role("button", name="Upload").click()

    expect(article.get_by_role("status")).to_have_text("a.txtReceived 1: 1 added.")
    expect(page.locator("#problem")).to_contain_text("b.csv: The CSV has no column 'text'")
    expect(page.locator(".counts")).to_contain_text("1 unlabeled")


@pytest.mark.parametrize(
    ("name", "content", "delimiter"),
    [("pile.tsv", "id\ttext\na\twater\n", ""), ("pile.csv", "id;text\na;water\n", "semicolon")],
)
def test_columns_need_not_be_parted_by_commas(
    page: Page, name: str, content: str, delimiter: str
) -> None:
    new_project(page)
    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Parted by").select_option(delimiter)
    upload(page, "The pile", name, content)
    expect(article.get_by_role("status")).to_contain_text("1 added")


def test_a_file_need_not_be_utf_8(page: Page) -> None:
    new_project(page)
    content = "id,text\na,Überschwemmung\n".encode("cp1252")
    article = upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("1 refused")
    expect(article.get_by_role("status")).to_contain_text("name its encoding under")

    article.get_by_text("Columns and encoding").first.click()
    article.get_by_label("Encoding").select_option("windows-1252")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added")
    page.get_by_label("Search for words").fill("Überschwemmung")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("button", name="This is one")).to_be_visible()


def test_a_reason_why_many_rows_are_refused_stands_once(page: Page) -> None:
    new_project(page)
    refused = [f"{i},Überschwemmung\n" for i in range(120)]
    content = "".join(["id,text\n", *refused, "z,rain\n"]).encode("cp1252")
    article = upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("The first 100 refused:")
    expect(article.locator("tbody tr")).to_have_count(1)
    expect(article.locator("td").first).to_have_text("2, 3, 4, 5, 6 and 95 more")


def test_what_was_refused_in_part_is_sent_again_with_the_same_columns(page: Page) -> None:
    new_project(page)
    article = side(page, "The pile")
    article.get_by_text("Columns and encoding").click()
    article.get_by_label("Text", exact=True).fill("title")
    article.get_by_label("Id", exact=True).fill("key")
    content = "key,title\na,rain\nb,Überschwemmung\n".encode("cp1252")
    upload(page, "The pile", "pile.csv", content)
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 refused")

    article.get_by_label("Encoding").select_option("windows-1252")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_contain_text("1 added, 1 there already")
    # The next file may be another kind.
    expect(article.get_by_label("Encoding")).to_have_value("")
    expect(article.get_by_label("Text", exact=True)).to_have_value("")


def test_an_upload_is_cancelled(page: Page) -> None:
    new_project(page)
    page.route("**/unlabeled*", lambda _route: None)  # which is never answered
    pile = upload(page, "The pile", "pile.txt", "\n".join(PILE))
    pile.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("was cancelled")
    expect(pile.get_by_role("button", name="Upload")).to_be_focused()
    page.unroute("**/unlabeled*")
    pile.get_by_role("button", name="Upload").click()
    expect(pile.get_by_role("status")).to_contain_text("6 added")


def test_who_closes_the_page_during_an_upload_is_asked(page: Page) -> None:
    new_project(page)
    held: list[Route] = []
    page.route("**/unlabeled*", lambda route: held.append(route))
    pile = upload(page, "The pile", "pile.txt", "\n".join(PILE))
    expect(pile.get_by_role("button", name="Cancel")).to_be_visible()
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    held[0].continue_()
    expect(pile.get_by_role("status")).to_contain_text("6 added")
    with page.expect_event("close"):
        page.close(run_before_unload=True)


def test_an_upload_that_goes_on_is_shown(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_job, "TELL_SECONDS", 0.05)
    new_project(page)
    url, _, project_id = page.url.partition("/#/")
    slow = SlowUpload(url, f"/projects/{project_id.partition('/')[0]}/unlabeled")
    eventually(lambda: page.request.get("/jobs?kind=upload").json()["jobs"], "it is a job")
    open_tab(page, "Review")
    open_tab(page, "Documents")
    expect(page.get_by_text("An upload is at work")).to_be_visible()
    slow.finish()
    expect(page.get_by_text("An upload is at work")).to_be_hidden()
    expect(page.get_by_text("Received 2: 2 added.")).to_be_visible()
    expect(page.locator(".counts")).to_contain_text("2 unlabeled")


def test_an_upload_that_was_cancelled_while_its_process_was_gone_is_over(page: Page) -> None:
    new_project(page)
    running = {"jobs": [{"id": "a"}]}
    page.route("**/jobs?*kind=upload*", lambda route: route.fulfill(json=running))
    ended = json.dumps({"status": "cancelled", "result": None, "error": None})
    page.route(
        "**/jobs/a/events",
        lambda route: route.fulfill(
            content_type="text/event-stream", body=f"event: end\ndata: {ended}\n\n"
        ),
    )
    open_tab(page, "Review")
    open_tab(page, "Documents")
    expect(page.get_by_role("heading", name="An upload ended")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.get_by_role("alert")).to_be_hidden()
