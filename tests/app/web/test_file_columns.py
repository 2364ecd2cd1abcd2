"""What was named of a file is set for the next one, where it fits that."""

import gzip
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.app.web.steps import new_project, open_tab, side, upload


def choose(article: Locator, name: str, content: str | bytes) -> None:
    buffer = content.encode() if isinstance(content, str) else content
    file: Any = {"name": name, "mimeType": "", "buffer": buffer}
    article.get_by_label("File", exact=True).set_input_files(file)


def field(article: Locator, name: str) -> Locator:
    return article.get_by_label(name, exact=True)


@pytest.fixture
def article(page: Page) -> Locator:
    """The pile of a project, to which a file went whose columns and encoding were named."""
    new_project(page)
    pile = side(page, "The pile")
    pile.get_by_text("Columns and encoding").click()
    field(pile, "Text").fill("title, abstract")
    field(pile, "Id").fill("key")
    field(pile, "Parted by").select_option("semicolon")
    field(pile, "Encoding").select_option("windows-1252")
    upload(page, "The pile", "a.csv", "key;title;abstract\na;Überflutung;rain\n".encode("cp1252"))
    expect(pile.get_by_role("status")).to_contain_text("1 added")
    expect(field(pile, "Text")).to_have_value("")
    return pile


SET = (
    "Set as for the last .csv: Text title, abstract; Id key; Parted by semicolon; "
    "Encoding Windows, Western Europe."
)


def test_what_was_named_is_set_for_the_next_file(article: Locator, page: Page) -> None:
    choose(article, "b.csv", '"key";"title";abstract;more\nb;Übung;goal;1\n'.encode("cp1252"))
    expect(article.get_by_text(SET)).to_be_visible()
    expect(field(article, "Text")).to_have_value("title, abstract")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_have_text("Received 1: 1 added.")
    expect(article.get_by_text("Set as for")).to_have_count(0)
    project_id = page.url.split("/")[4]
    found = page.request.get(f"/projects/{project_id}/documents").json()["documents"]
    assert {one["id"]: one["text"] for one in found} == {
        "a": "Überflutung\nrain",
        "b": "Übung\ngoal",
    }

    # Also after something else was looked at, but not for what goes elsewhere.
    open_tab(page, "Review")
    open_tab(page, "Documents")
    choose(article, "c.csv", "key;title;abstract\n")
    expect(article.get_by_text(SET)).to_be_visible()
    examples = side(page, "Examples")
    choose(examples, "c.csv", "key;title;abstract\n")
    expect(field(examples, "Text")).to_have_value("")


def test_what_does_not_fit_a_file_is_not_set(article: Locator) -> None:
    for content, reason in [
        ("key;title\nc;rain\n", "c.csv has no column “abstract”"),
        ("id,text\nc,rain\n", "c.csv has no column “title”"),
        ("key;title;abstract\nc;Übung;goal\n", "c.csv is in another encoding"),
    ]:
        # One that fits comes before each.
        choose(article, "b.csv", "key;title;abstract\n")
        expect(article.get_by_text(SET)).to_be_visible()
        choose(article, "c.csv", content)
        told = f"What was named for the last .csv is not set: {reason}."
        expect(article.get_by_text(told)).to_be_visible()
        for name in ("Text", "Id", "Parted by", "Encoding"):
            expect(field(article, name)).to_have_value("")


def test_files_of_another_form_are_read_as_usual(article: Locator) -> None:
    choose(article, "c.txt", "one document\n")
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_have_text("Received 1: 1 added.")


def test_what_a_file_is_refused_with_is_set_no_more(article: Locator, page: Page) -> None:
    field(article, "Text").fill("title")
    upload(article.page, "The pile", "c.csv", "title\nrain\n")
    expect(article.get_by_role("status")).to_have_text("Received 1: 1 added.")
    # Nobody looks into what is packed.
    choose(article, "d.csv.gz", gzip.compress(b"id,text\nd,goal\n"))
    expect(field(article, "Text")).to_have_value("title")
    article.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("alert")).to_contain_text("The CSV has no column 'title'")
    expect(article.get_by_text("is not set any more")).to_be_visible()
    article.get_by_role("button", name="Upload").click()
    expect(article.get_by_role("status")).to_have_text("Received 1: 1 added.")


def test_what_is_named_for_a_file_stays_with_another(article: Locator) -> None:
    choose(article, "c.csv", "key;title;abstract\n")
    field(article, "Text").fill("abstract")
    expect(article.get_by_text("Set as for")).to_have_count(0)
    choose(article, "d.csv", "id,text\n")
    article.get_by_role("button", name="Upload").click()
    expect(article.page.get_by_role("alert")).to_contain_text("no column 'abstract'")
    expect(field(article, "Text")).to_have_value("abstract")


def test_lines_of_json_may_lack_some_of_the_fields(page: Page) -> None:
    new_project(page)
    pile = side(page, "The pile")
    pile.get_by_text("Columns and encoding").click()
    field(pile, "Text").fill("title, abstract")
    upload(page, "The pile", "a.ndjson", '{"title": "rain", "abstract": "water"}\n')
    expect(pile.get_by_role("status")).to_contain_text("1 added")
    choose(pile, "b.ndjson", '{"abstract": "goal"}\n')
    expect(field(pile, "Text")).to_have_value("title, abstract")
    choose(pile, "c.ndjson", '{"text": "goal"}\n')
    expect(pile.get_by_text("c.ndjson has no column “title”")).to_be_visible()


def pile_of_new_project(page: Page) -> Locator:
    """Return the pile of a new project, which is the only one, where nothing was named before."""
    for project in page.request.get("/projects").json()["projects"]:
        page.request.delete(f"/projects/{project['id']}")
    page.goto("/")
    new_project(page)
    return side(page, "The pile")


def stored_texts(page: Page) -> list[str]:
    project_id = page.url.split("/")[4]
    found = page.request.get(f"/projects/{project_id}/documents").json()["documents"]
    return [one["text"] for one in found]


def test_utf_16_is_read_in_either_order(page: Page) -> None:
    for order, other in (("utf-16-le", "utf-16-be"), ("utf-16-be", "utf-16-le")):
        for mark in ("", "\ufeff"):
            check_utf_16(page, order, other, mark)


def check_utf_16(page: Page, order: str, other: str, mark: str) -> None:
    pile = pile_of_new_project(page)
    texts = ["Überflutung, again 🙂", "大水在河"]
    pile.get_by_text("Columns and encoding").click()
    field(pile, "Encoding").select_option("utf-16")
    upload(page, "The pile", "a.txt", (mark + "\n".join(texts)).encode(order))
    expect(pile.get_by_role("status")).to_have_text("Received 2: 2 added.")
    assert stored_texts(page) == texts

    # A file of the other order is set to be read so, too.
    choose(pile, "b.txt", "a goal\n".encode(other))
    expect(pile.get_by_text("Set as for the last .txt: Encoding UTF-16.")).to_be_visible()
    pile.get_by_role("button", name="Upload").click()
    expect(pile.get_by_role("status")).to_have_text("Received 1: 1 added.")
    assert stored_texts(page) == [*texts, "a goal"]


def test_nothing_is_sent_in_an_encoding_that_it_is_not_in(page: Page) -> None:
    for encoding, content in [
        ("utf-16", b"some UTF-8, of any kind\n"),
        ("utf-16", "大水".encode("utf-16-be")),
        ("utf-16", "\ufefftext".encode()),
        ("utf-16", "a b".encode("utf-16-le") + b"\0"),
        ("windows-1252", "\ufefftext".encode()),
        ("windows-1252", "\ufeffa b".encode("utf-16-be")),
        ("shift_jis", b"Stra\xffe"),
    ]:
        pile = pile_of_new_project(page)
        pile.get_by_text("Columns and encoding").click()
        field(pile, "Encoding").select_option(encoding)
        name = field(pile, "Encoding").locator("option:checked").inner_text()
        upload(page, "The pile", "a.txt", content)
        told = f"The file is not in {name}: choose its encoding under “Columns and encoding”."
        expect(page.get_by_role("alert")).to_contain_text(told)
        assert stored_texts(page) == []
