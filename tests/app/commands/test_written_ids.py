import itertools

import pytest

from app.commands.label_file import Line
from app.commands.written_ids import WrittenIds
from app.errors import MAX_ERRORS

N = 1_000


def sent_to(known: set[str], labels: dict[str, str]) -> tuple[dict[str, str] | None, int]:
    """Return what a project with these documents takes in the end, and after how many requests."""
    ids = WrittenIds({id_: Line(i, label, None) for i, (id_, label) in enumerate(labels.items())})
    for n_requests in itertools.count(1):
        sent = {id_: line.label for id_, line in ids.lines.items()}
        unknown = [place for place, id_ in enumerate(sent) if id_ not in known]
        if not unknown:
            return sent, n_requests
        if not ids.rewrite(unknown[:MAX_ERRORS]):
            return None, n_requests
    raise AssertionError


BARE = [f"10.1000/A{i}" for i in range(N)]
ADDRESSES = [f"https://doi.org/{doi}" for doi in BARE]
SMALL = [doi.lower() for doi in BARE]


@pytest.mark.parametrize(
    ("known", "given", "n_requests"),
    [
        (BARE, BARE, 1),
        (BARE, ADDRESSES, 2),
        (SMALL, ADDRESSES, 3),
        (SMALL, BARE, 2),
        (SMALL[:150] + ADDRESSES[150:], ADDRESSES, None),
        (ADDRESSES[:500] + BARE[500:], ADDRESSES, None),
        ([*itertools.chain(*zip(ADDRESSES[::2], SMALL[1::2], strict=True))], ADDRESSES, None),
        ([doi if i % 10 else str(i) for i, doi in enumerate(BARE)], None, 2),
    ],
)
def test_each_id_is_found_however_it_is_written(
    known: list[str], given: list[str] | None, n_requests: int | None
) -> None:
    if given is None:  # every tenth is no DOI
        given = [id_ if id_.isdigit() else f"https://doi.org/{id_}" for id_ in known]
    labels = ["positive" if i % 7 else "negative" for i in range(N)]

    sent, n_sent = sent_to({*known}, dict(zip(given, labels, strict=True)))

    assert sent == dict(zip(known, labels, strict=True))
    # Never more than where each refusal helps with what it names, in each of the other forms.
    assert n_sent == n_requests or (n_requests is None and n_sent <= 1 + 2 * N / MAX_ERRORS)


def test_what_is_unknown_in_each_form_ends_it() -> None:
    known = {*SMALL[: N // 2]}
    assert sent_to(known, dict.fromkeys(ADDRESSES, "positive"))[0] is None
    assert sent_to(known, dict.fromkeys(ADDRESSES[N // 2 :], "positive"))[0] is None
    assert sent_to(known, {"other": "positive", **dict.fromkeys(SMALL[:3], "positive")})[0] is None


def test_no_document_gets_two_labels() -> None:
    known = {SMALL[0]}
    assert sent_to(known, {ADDRESSES[0]: "positive", BARE[0]: "positive"})[0] == {
        SMALL[0]: "positive"
    }
    for first, second in itertools.permutations((ADDRESSES[0], BARE[0], SMALL[0]), 2):
        assert sent_to(known, {first: "positive", second: "negative"})[0] is None
