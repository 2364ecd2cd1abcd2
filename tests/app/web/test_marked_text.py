"""Words that count are marked in a text, however long it is."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.app.conftest import PILE
from tests.app.web.steps import open_tab

MARKED = """
([text, terms, vectorizer]) => import("/page/marked_text.js").then(({ marked }) =>
  marked(text, terms.map(([term, weight]) => ({ term, weight })), { vectorizer: vectorizer ?? {} })
    .map((part) => (part.className ? [part.textContent, part.className] : part))
    .filter((part) => part.length))
"""


#: Texts, terms with their weights, and the parts that the page makes of them.
TEXTS: list[tuple[str, list[Any], list[Any]]] = [
    ("no term", [], ["no term"]),
    (
        "A C++ tide",
        [["tide", 1], ["c++", -1]],
        ["A ", ["C++", "against"], " ", ["tide", "for"]],
    ),
    # As another token_pattern has them.
    ("an x-ray", [["x-ray", 1]], ["an ", ["x-ray", "for"]]),
    # Parts of words are no terms, in any script.
    ("high tides, étide", [["tide", 1]], ["high tides, étide"]),
    ("high  tide", [["tide", 1], ["high tide", 2]], [["high  tide", "for"]]),
    # A sign behind a word begins none, and what goes on is not all.
    (
        "sea-tide, -tide #tide",
        [["-tide", 1], ["#tide", 1]],
        ["sea-tide, ", ["-tide", "for"], " ", ["#tide", "for"]],
    ),
    ("high tides", [["high tide", 2], ["high", 1]], [["high", "for"], " tides"]),
    ("अल्पप्राण जल", [["अल्पप्राण", 1]], [["अल्पप्राण", "for"], " जल"]),
    # Of two pairs that overlap one is marked.
    ("洪水警报", [["洪水", 1], ["水警", 1]], [["洪水", "for"], "警报"]),
    ("洪水 警报", [["洪水 警报", 1], ["洪水", -1]], [["洪水 警报", "for"]]),
    ("大洪水tide", [["洪水", 1], ["tide", -1]], ["大", ["洪水", "for"], "tide"]),
    ("tide 洪水", [["洪水", 1], ["tide", -1]], [["tide", "against"], " ", ["洪水", "for"]]),
]


def test_terms_are_marked(page: Page) -> None:
    marked = [page.evaluate(MARKED, [text, terms]) for text, terms, _ in TEXTS]
    assert marked == [parts for _, _, parts in TEXTS]


def test_long_numbers_are_marked_by_their_length_where_they_are_counted_so(page: Page) -> None:
    text, terms = "on 20267, 2026 or 2x267: 00000", [["00000", 1], ["or", -1], ["0000", 1]]
    by_length = page.evaluate(MARKED, [text, terms, {"long_numbers_as_zeros": True}])
    as_they_stand = page.evaluate(MARKED, [text, terms, {"long_numbers_as_zeros": False}])
    ends = [", 2026 ", ["or", "against"], " 2x267: ", ["00000", "for"]]
    assert by_length == ["on ", ["20267", "for"], *ends]
    assert as_they_stand == ["on 20267, 2026 ", *ends[1:]]


def test_terms_of_a_long_text_are_marked(page: Page) -> None:
    # So many and so long that one expression of all is too large, or takes minutes.
    digits = str.maketrans("0123456789", "qwertyuiop")
    words = [str(i**3).translate(digits) for i in range(30_000)] + ["tide" * 100_000]
    phrases = [f"{words[i]} {words[i + 1]}" for i in range(0, 10_000, 2)]
    terms = [[word, 1] for word in [*words, *phrases]]
    parts = page.evaluate(MARKED, [" ".join(words), terms])
    assert [part[0] for part in parts[::2]] == [*phrases, *words[10_000:]]


def test_a_book_is_marked_at_its_beginning(page: Page) -> None:
    # Counted in the page: to hand over all parts takes seconds.
    count = f"""([text, terms]) => ({MARKED})([text, terms]).then((parts) =>
      [parts.filter(Array.isArray).length, parts.at(-1)])"""
    n_marked, last = page.evaluate(count, ["tide " * 60_000, [["tide", 1]]])
    assert n_marked == 50_000
    assert last == " " + "tide " * 10_000


def test_an_element_may_have_any_number_of_children(page: Page) -> None:
    # No call takes as many arguments.
    count = """() => import("/page/dom.js").then(({ el }) =>
      el("div", {}, Array(400_000).fill("tide")).childNodes.length)"""
    assert page.evaluate(count) == 400_000


def test_the_words_that_count_are_marked(ranked: Page) -> None:
    ranked.locator(".ranking summary").first.click()
    expect(ranked.locator(".ranking mark.for").first).to_be_visible()

    open_tab(ranked, "Model")
    # The counts above have the unsure ones apart.
    n_documents = f"Of {len(PILE)} documents, unlabeled or unsure when it was trained, it takes "
    expect(ranked.get_by_text(n_documents)).to_be_visible()
    expect(ranked.get_by_role("heading", name="Words for")).to_be_visible()
    expect(ranked.locator(".bars li").first).to_have_text(re.compile("^[a-z]+$"))


def test_what_a_vector_adds_is_told_below_the_text(ranked: Page) -> None:
    terms = [{"term": "(vector)", "weight": -1.5}, {"term": "water", "weight": 1}]
    ranked.route("**/explanation", lambda route: route.fulfill(json={"terms": terms}))
    first = ranked.locator(".ranking li").first
    first.locator("summary").click()
    expect(first).to_contain_text("Its vector speaks against it (-1.50).")
