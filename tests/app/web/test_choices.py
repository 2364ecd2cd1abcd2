"""What the page lets people choose among is what the service takes."""

import re
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Page, expect

from app.languages import NAMES
from app.schemas.projects import LanguageName
from app.services.intake.csv_columns import Delimiter
from core.calibration.cuts import RULES
from core.text.stop_words import STOP_WORDS

PAGE = Path(__file__).parents[3] / "app/web/page"
LANGUAGES = {*get_args(LanguageName)}


@pytest.mark.parametrize(
    ("file", "name", "expected"),
    [
        ("projects.js", "LANGUAGES", LANGUAGES),
        ("training.js", "CUTS", {*RULES}),
        ("file_columns.js", "DELIMITERS", {*get_args(Delimiter)} - {"comma"}),  # is the default
    ],
)
def test_the_page_offers_what_the_service_takes(file: str, name: str, expected: set[str]) -> None:
    (listed,) = re.findall(rf"const {name} = \[(.*?)\n?\];", (PAGE / file).read_text(), re.DOTALL)
    # Of pairs, the value comes first; it is empty for the default.
    values = re.findall(r'\["(\w*)",', listed) or re.findall(r'"(\w+)"', listed)
    assert {value for value in values if value} == expected


def test_languages_are_written_as_names(page: Page) -> None:
    options = page.get_by_label("Language of the texts").locator("option")
    expect(options).to_have_count(len(LANGUAGES))
    told = options.all_inner_texts()
    assert told == [name.title() for name in told]
    assert {name.lower() for name in told} == LANGUAGES


def test_languages_are_those_with_function_words() -> None:
    assert {*NAMES.values(), "other"} == LANGUAGES
    assert {*NAMES.values()} == {*STOP_WORDS}
