"""Which places of a ranking to judge next, one of several that say nearly the same."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document_sizes import PAGE_CHARACTERS
from app.orm import Model
from app.repositories.documents import DocumentRepository
from app.repositories.page_sizes import portions
from app.services.ranking.ranking_file import RankingFile
from core.review.choice import next_documents
from core.review.copies import copied_ones, near_copies, unread_around

#: How often copies are passed over for what comes after them.
MAX_ROUNDS = 10


class Picked(NamedTuple):
    """What was picked of a ranking."""

    #: By the place in the ranking: whether it was picked for being near the cut.
    is_uncertain: dict[int, bool]
    #: Others, by their place: that of the first one that says nearly the same.
    copies: dict[int, int]
    #: Documents by their number.
    rows: dict[int, Any]
    #: How many there should be.
    n_wanted: int


def pick(
    repository: DocumentRepository,
    model: Model,
    ranking: RankingFile,
    is_judged: NDArray[np.bool_],
    strategy: str,
    n: int,
) -> Picked:
    """Pick up to ``n`` documents, one of those that say the same."""
    left_out = is_judged.copy()
    found: dict[int, Any] = {}
    copies: dict[int, int] = {}
    n_wanted, cut = n, model.card["offset"]
    for _ in range(MAX_ROUNDS):
        positions, is_uncertain = next_documents(
            ranking.scores, left_out, cut, n_wanted, strategy=strategy
        )
        numbers = ranking.numbers[positions].tolist()
        if not numbers:
            return Picked({}, {}, {}, 0)
        fitting = next(portions(repository.session, numbers, PAGE_CHARACTERS))
        if len(fitting) < len(numbers):
            numbers, n_wanted = fitting, len(fitting)
            positions, is_uncertain = positions[:n_wanted], is_uncertain[:n_wanted]
        found |= repository.by_numbers([number for number in numbers if number not in found])
        if not found.keys() >= set(numbers):  # some were deleted since the training
            is_gone = ~np.isin(ranking.numbers, repository.numbers(model.project_id))
            return pick(repository, model, ranking, is_judged | is_gone, strategy, n)
        chosen = dict(zip(positions.tolist(), is_uncertain.tolist(), strict=True))
        same = positions[near_copies([found[number].text for number in numbers])]
        is_copy = same != positions
        left_out[positions[is_copy]] = True
        copies |= zip(positions[is_copy].tolist(), same[is_copy].tolist(), strict=True)
        if not is_copy.any():
            break
    picked = {place: is_near for place, is_near in chosen.items() if place not in copies}
    return Picked(picked, copies, found, n_wanted)


def filled(picked: Picked) -> Picked:
    """Add copies, those that were met first, where there is too little else."""
    n_missing = picked.n_wanted - len(picked.is_uncertain)
    filling = dict(list(picked.copies.items())[:n_missing])
    return picked._replace(
        is_uncertain=picked.is_uncertain
        | {place: picked.is_uncertain.get(first, False) for place, first in filling.items()},
        copies={place: first for place, first in picked.copies.items() if place not in filling},
    )


def found_copies(
    repository: DocumentRepository,
    ranking: RankingFile,
    is_judged: NDArray[np.bool_],
    picked: Picked,
) -> Picked:
    """Add the copies that rank near what was picked, or were passed over for it."""
    if not picked.is_uncertain:
        return picked
    places = list(picked.is_uncertain)
    others = np.union1d(unread_around(is_judged, places), list(picked.copies))
    others = np.setdiff1d(others, places).astype(np.intp)
    numbers = ranking.numbers[others].tolist()
    numbers = next(portions(repository.session, numbers, PAGE_CHARACTERS), [])
    rows = picked.rows | repository.by_numbers(sorted(set(numbers) - picked.rows.keys()))
    # Some may have been deleted since the training.
    known = [place for place in others.tolist() if int(ranking.numbers[place]) in rows]

    def texts(some: list[int]) -> list[str]:
        return [rows[int(ranking.numbers[place])].text for place in some]

    found = copied_ones(texts(places), texts(known)).tolist()
    copies = {place: places[first] for place, first in zip(known, found, strict=True) if first >= 0}
    return picked._replace(copies=copies, rows=rows)
