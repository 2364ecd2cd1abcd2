"""What the service says, in words of the page."""

import ast
import re

from playwright.sync_api import Page

from app.media_types import PARQUET, XLSX
from app.services.intake.csv_columns import AS_IN_UTF16, TO_UTF8
from app.services.intake.json_elements import EXPECTED
from core.doctor.finding import Finding
from core.doctor.flag_words import FLAG_WORDS
from core.doctor.words import words_of
from tests.app.commands.test_shell_words import SERVICES

IN_PAGE = '(told) => import("/page/words.js").then(({ inPage }) => told.map(inPage))'
ROUTE = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) /")
#: In messages that the page does not show: it neither evaluates nor tests, selects features,
#: estimates a class prior by itself, nor asks the champion.
NOT_SHOWN = r"/feature-selections|/evaluation|/test\b|/class-prior|/models/\{\{id\}\}/cuts|since"


def messages_with_routes() -> list[str]:
    """Return what messages of the services say of routes, with 7a for each value."""
    found: set[str] = set()
    for path in SERVICES.rglob("*.py"):
        tree = ast.parse(path.read_text())
        parts = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in ast.walk(node)
            if part is not node
        }
        for node in ast.walk(tree):
            if id(node) not in parts and isinstance(node, ast.Constant | ast.JoinedStr):
                told = ast.unparse(node)
                if ROUTE.search(told) and not told.startswith(("'''", '"""')):
                    found.add(re.sub(r"\{[^{}]+\}", "7a", told))
    return sorted(told for told in found if not re.search(NOT_SHOWN, told))


def test_no_message_names_a_route(page: Page) -> None:
    told = messages_with_routes()
    assert len(told) > 10
    assert [one for one in page.evaluate(IN_PAGE, told) if ROUTE.search(one)] == []


#: What the service says, and what the page shows.
SHOWN = {
    "The project has no model. Train one with POST /train and wait for its job.": (
        "The project has no model. Train one and wait for its job."
    ),
    "Send text_column=NAME; for the command, --text-column NAME. If texts": (
        "Name it under “Columns and encoding”. If texts"
    ),
    "This looks like references, in RIS: send them as application/x-research-info-systems; for the "
    "command, end the file name in .ris.": (
        "This looks like references, in RIS: end the file name in .ris."
    ),
    "To label documents that are there, send PUT /projects/{id}/labels; for the command, take "
    "seedbed judge.": (
        "The page reads no file of labels: set them under Ranking, or take the command seedbed "
        "judge."
    ),
    "Send delimiter=tab; for the command, --delimiter tab.": (
        "Choose “tab” under “Columns and encoding”."
    ),
    "The body is gzip: send it with the header Content-Encoding: gzip; for the command, end the "
    "file name in .gz.": "The file is gzip: end the name of the file in .gz or .zst.",
    f"Not JSON. {EXPECTED}": (
        'Not JSON. A .json file holds a list of texts, ["…", "…"], or of documents, '
        '[{"id": "1", "text": "…"}]. With a document a line, end its name in .ndjson.'
    ),
    "The body is a spreadsheet, or another zip file. Send an Excel workbook as "
    f"{XLSX}; for the command, end the file name in .xlsx. Save any other as CSV in UTF-8.": (
        "The file is a spreadsheet, or another zip file. End the name of an Excel workbook in "
        ".xlsx. Save any other as CSV in UTF-8."
    ),
    f"The body is Parquet. Send it as {PARQUET}; for the command, end the file name in .parquet.": (
        "The file is Parquet. End its name in .parquet."
    ),
    "If the text stands in another, send text_column=NAME; for the command, --text-column NAME. "
    "If it stands in several, name each.": (
        "If the text stands in another, name it under “Columns and encoding”. If it stands in "
        "several, name each."
    ),
    AS_IN_UTF16: (
        "the character NUL, as all texts in UTF-16 do. Save the file as UTF-8, or name its "
        "encoding under “Columns and encoding”."
    ),
    TO_UTF8: "Save the file as UTF-8, or name its encoding under “Columns and encoding”.",
    "Give each document an id of its own, or send on_conflict=error to refuse such rows. For "
    "example: a.": "Give each document an id of its own. For example: a.",
    "If so, send language=german with PATCH /projects/7a; for the command, seedbed change 7a "
    "--language german.": (
        "If so, change the project's language under “Change or delete the project”."
    ),
    "give class_prior only if you know it": "give the share of positives only if you know it",
    FLAG_WORDS["nothing_shared"]: (
        "No unlabeled document has a word in common with the positives, so the ranking says "
        "nothing. Add positives in the words of the documents you look for, and check the language "
        "of the project, whose function words are left out, and the words that you leave out."
    ),
    words_of(Finding("no_features", "warning")): (
        "No unlabeled document has a word that is counted, so there is nothing to rank. Check the "
        "language of the project, whose function words are left out, and the words that you leave "
        "out, or add documents with words."
    ),
    "name them as extra_stop_words of the vectorizer, or take them out of the texts": (
        "choose them under “Words for” and leave them out, or take them out of the texts"
    ),
}


def test_advice_of_the_doctor_is_that_of_the_page(page: Page) -> None:
    codes = ("own_words", "isolated_positives")
    told = page.evaluate(IN_PAGE, [words_of(Finding(code, "warning")) for code in codes])
    assert "choose them under “Words for” and leave them out, or take" in told[0]
    assert "train with seedbed train --vectorizer analyzer=char_wb --vectorizer" in told[1]


def test_fields_are_named_as_the_page_does(page: Page) -> None:
    assert page.evaluate(IN_PAGE, list(SHOWN)) == list(SHOWN.values())
