"""The page's CSV has a column for each field of the metadata, as that of the command has."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import Page, expect

from app.commands.spreadsheet_file import write_rows
from app.orm import Label
from app.services.intake.csv_columns import DELIMITERS, Delimiter
from app.services.intake.spreadsheet_cells import CELL_LENGTH, unprotected
from app.services.ranking.exports import CSV_COLUMNS, csv_lines
from app.services.ranking.ranking import RankedDocument
from tests.app.conftest import FLOODS, PILE
from tests.app.web.steps import new_project, paste, train, upload

# By default Python reads no longer cells than 131,072 characters.
csv.field_size_limit(2**31 - 1)

METADATA: list[dict[str, Any] | None] = [
    {"title": "=SUM(A1)", "year": 1999, "__proto__": "a"},
    None,
    {"weight": 1.5, "title": 'a "b", c;\td|\r\ne\nf', "it's, it;": True, "none": None},
    {},
    {"title": "'as it is", "wide": 0.25},
]
TEXTS = ["rain", 'say ""', '"', "a\r\nb", '",""\r\n"']
TO_CSV = """async ([csv, delimiter]) => {
  const { forSpreadsheet } = await import("/page/spreadsheet.js");
  const { content, nCut } = await forSpreadsheet(new Blob([csv]), delimiter);
  return [await content.text(), nCut];
}"""


def document(text: str, metadata: dict[str, Any] | None) -> RankedDocument:
    return RankedDocument(1, "-1", 2.5, None, True, Label.UNLABELED, None, text, metadata)


def cells_of(content: str, delimiter: Delimiter) -> list[list[Any]]:
    """Return the cells, the last ones as what their JSON says."""
    header, *rows = csv.reader(io.StringIO(content, newline=""), delimiter=DELIMITERS[delimiter])
    return [header, *([*cells, json.loads(last or "null")] for *cells, last in rows)]


def test_the_csv_is_that_of_the_command(page: Page, tmp_path: Path) -> None:
    documents = [document(*each) for each in zip(TEXTS, METADATA, strict=True)]
    plain = cells_of(b"".join(csv_lines(iter(documents))).decode(), "comma")
    rows = [(cells, metadata) for *cells, metadata in plain[1:]]
    for delimiter in get_args(Delimiter):
        served = b"".join(csv_lines(iter(documents), delimiter)).decode()
        shown, n_cut = page.evaluate(TO_CSV, [served, delimiter])

        path = tmp_path / f"{delimiter}.csv"
        with path.open("x", encoding="utf-8", newline="") as file:
            assert write_rows(file, plain[0][:-1], rows, delimiter).n_cut == n_cut == 0
        expected = cells_of(path.read_bytes().decode("utf-8-sig"), delimiter)
        assert cells_of(shown, delimiter) == expected


def test_a_ranking_is_saved_with_the_fields(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    lines = [{"text": text, "metadata": {"year": 2000 + i}} for i, text in enumerate(PILE)]
    article = upload(page, "The pile", "pile.ndjson", "\n".join(map(json.dumps, lines)))
    expect(article.get_by_role("status")).to_contain_text("6 added")
    train(page, run_job)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    content = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    header, *rows = cells_of(content, "comma")
    assert header[-3:] == ["text", "metadata.year", "metadata"]
    found = {unprotected(text): (year, metadata) for *_, text, year, metadata in rows}
    assert found == {one["text"]: (str(one["metadata"]["year"]), one["metadata"]) for one in lines}


@pytest.mark.parametrize("metadata", [{"title": "rain", "year": 1999}, None])
def test_long_cells_are_cut_as_the_command_does(
    page: Page, tmp_path: Path, metadata: dict[str, Any] | None
) -> None:
    # A browser reads less than the first in one go, and hands over less at once.
    texts = [100_000 * 'a "word",\r\n🙂; ', "'" + 32_766 * "x", "x" + 20_000 * "🙂", 20_000 * "🙂"]
    texts += [n * "x" for n in (32_766, 32_767, 32_768)]
    documents = [document(text, metadata) for text in texts]
    documents.append(document("a", metadata and metadata | {"title": "=" + 32_766 * "y"}))
    lines = list(csv_lines(iter(documents)))
    shown, n_cut = page.evaluate(TO_CSV, [b"".join(lines).decode(), "comma"])

    header, *plain = csv.reader(io.StringIO(b"".join(lines).decode(), newline=""))
    rows = [(cells, json.loads(told or "null")) for *cells, told in plain]
    path = tmp_path / "ranking.csv"
    with path.open("x", encoding="utf-8", newline="") as file:
        written = write_rows(file, header[:-1], rows)
    with path.open(encoding="utf-8-sig", newline="") as file:
        expected = list(csv.reader(file))
    found = list(csv.reader(io.StringIO(shown, newline="")))
    n_cells = len(CSV_COLUMNS) - 1 + len(metadata or ())
    assert [row[:n_cells] for row in found] == [row[:n_cells] for row in expected]
    # One apostrophe is added to what begins with one.
    assert n_cut == written.n_cut == 5 + (metadata is not None)
    assert max(len(cell.encode("utf-16-le")) // 2 for row in found for cell in row) == CELL_LENGTH


def test_what_was_cut_is_told_and_can_be_had_whole(page: Page, run_job: Callable[[], str]) -> None:
    new_project(page)
    paste(page, "Examples", FLOODS)
    paste(page, "The pile", [*PILE, text := "x " * 20_000 + "x"])
    train(page, run_job)
    page.get_by_label("CSV parted by").select_option("semicolon")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    content = Path(download.value.path()).read_text("utf-8-sig")
    assert f";{text[: CELL_LENGTH - 1]}…;" in content
    told = page.get_by_role("status").filter(has_text="Rows cut to the 32,767 characters")
    expect(told).to_contain_text("with … at the end: 1.")

    with page.expect_download() as download:
        told.get_by_role("button", name="Download them whole, as NDJSON").click()
    assert download.value.suggested_filename == "floods ranking.ndjson"
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert text in [json.loads(line)["text"] for line in lines]
    with page.expect_download():
        page.get_by_role("button", name="Download what is accepted").click()
    expect(told).to_have_count(0)


def test_where_nothing_has_metadata_the_csv_is_that_of_the_service(page: Page) -> None:
    served = b"".join(csv_lines(iter([document("rain", None)]))).decode()
    assert page.evaluate(TO_CSV, [served, "comma"]) == [served, 0]


def test_large_numbers_stay_as_they_are(page: Page) -> None:
    metadata = {"id": 2**60 + 1}
    served = b"".join(csv_lines(iter([document("rain", metadata)]))).decode()
    shown, _ = page.evaluate(TO_CSV, [served, "comma"])
    assert cells_of(shown, "comma")[1][-2:] == [str(2**60 + 1), metadata]


def test_the_page_parts_columns_as_the_service_does(page: Page) -> None:
    signs = page.evaluate('() => import("/page/spreadsheet.js").then(({ SIGNS }) => SIGNS)')
    assert signs == DELIMITERS
