"""The choice of an algorithm where none was named: a race, and what is told of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from scipy.sparse import csr_array

from app.services.documents.labels import Labels
from app.services.training.training_memory import TrainingMemory
from app.services.training.training_spec import TrainingSpec
from core.auto.candidates import LINEAR, auto_candidates
from core.auto.entries import Candidate, Entry
from core.auto.race import race, train_alone
from core.auto.winner import winner
from core.base import BasePUClassifier
from core.evaluation.hide_positives import HiddenPositives
from core.registry import USUAL

logger = structlog.get_logger(__name__)

#: Fits a candidate to its weighted terms.
Train = Callable[[Candidate, csr_array], BasePUClassifier]

#: Why a candidate has no figures: nothing was hidden from it.
REVIEW = "review"
REASONS = {
    "no_unlabeled": "No unlabeled document is left to hide positives among.",
    "too_few_positives": "Too few positives to hide some of them.",
    "missing_package": "A package that it needs is not installed.",
    "time_budget": "With it the race might take longer than the time budget.",
    "memory_limit": "It may need more memory than a job may take.",
    REVIEW: "Not compared: most positives were found by reading.",
}


@dataclass(frozen=True)
class Field:
    """Who races, who does not and for which reason, and why the first is the favourite.

    ``reserves`` race only where the favourite fails.
    """

    candidates: list[Candidate]
    reserves: list[Candidate]
    left_out: list[Entry]
    favour: str


@dataclass(frozen=True)
class Choice:
    """The algorithm to train, and how it was found.

    ``outcome`` is what came of hiding positives from it; ``classifier`` is fitted where it was
    trained during the race.
    """

    candidate: Candidate
    reason: str
    warnings: list[str]
    entries: list[dict[str, Any]]
    outcome: HiddenPositives | None
    classifier: BasePUClassifier | None


def enter(
    counts: csr_array, labels: Labels, seconds: float, memory: TrainingMemory
) -> tuple[Field, TrainingMemory]:
    """Return who races, and the memory, without a graph where none would fit beside one.

    In a review the favourite enters alone, without hidden positives, and the others are reserves:
    in replayed reviews a race in each round saved no reading, and the few seeds that can be hidden
    say little of what is left.

    Raises
    ------
    MemoryLimit
        If none of them fits.
    """
    candidates, favour = auto_candidates(
        counts, labels.n_positive, labels.n_negative, seconds=seconds
    )
    memory = memory.for_any(c for c in candidates if not c.is_baseline)
    kept, too_large = by_memory(candidates, memory)
    left_out = [Entry(candidate, reason="memory_limit") for candidate in too_large]
    reserves: list[Candidate] = []
    if candidates[0] in too_large and kept[0].algorithm == candidates[0].algorithm:
        favour = "it fits into memory without neighbors and latent directions"
    elif candidates[0] in too_large:
        favour = f"{candidates[0].algorithm}, the favourite, may need more memory than there is"
    elif labels.is_mostly_found:
        kept, reserves = kept[:1], kept[1:]
    return Field(kept, reserves, left_out, favour), memory


def choose(
    counts: csr_array,
    labels: Labels,
    spec: TrainingSpec,
    field: Field,
    train: Train,
) -> Choice:
    """Race the algorithms of the field; reports its progress as stage "race".

    ``train`` fits with all labels: the favourite, where it is alone or a thread would be idle.
    """
    options: dict[str, Any] = {
        "train": train,
        "is_hideable": labels.is_seed,
        "vectorizer": spec.vectorizer,
        "seconds": spec.time_budget,
        "random_state": spec.random_state,
    }
    entries, left_out = [], field.left_out
    if field.reserves:
        entries = [_alone(counts, spec, field.candidates[0], train)]
    if entries and entries[0].reason == REVIEW:
        left_out = [Entry(candidate, reason=REVIEW) for candidate in field.reserves] + left_out
    else:
        racers = field.reserves or field.candidates
        entries += race(counts, labels.is_positive, labels.is_negative, racers, **options)
    for entry in entries:
        if entry.trace is not None:
            name = entry.candidate.algorithm
            logger.error("candidate failed", algorithm=name, exception=entry.trace)
    taken = winner(entries)
    return Choice(
        candidate=entries[taken].candidate,
        reason=_reason(entries, taken, counts.shape[0], field.favour),
        warnings=_warnings(entries, spec.time_budget),
        entries=[_entry_fields(entry, is_winner=i == taken) for i, entry in enumerate(entries)]
        + [_entry_fields(entry, is_winner=False) for entry in left_out],
        outcome=entries[taken].outcome,
        classifier=entries[taken].trained,
    )


def _alone(counts: csr_array, spec: TrainingSpec, candidate: Candidate, train: Train) -> Entry:
    options = {"vectorizer": spec.vectorizer, "random_state": spec.random_state}
    entry: Entry = train_alone(counts, candidate, train, **options)
    return entry if entry.trained is None else entry._replace(reason=REVIEW)


def by_memory(
    candidates: list[Candidate], memory: TrainingMemory
) -> tuple[list[Candidate], list[Candidate]]:
    """Return those that fit and those that do not; seed expansion may fit in its linear form."""
    kept: list[Candidate] = []
    too_large = [candidate for candidate in candidates if not memory.fits(candidate)]
    for candidate in candidates:
        if candidate not in too_large:
            kept.append(candidate)
        elif candidate.algorithm == USUAL and candidate.params != LINEAR:
            kept += filter(memory.fits, [candidate._replace(params=LINEAR)])
    if all(candidate.is_baseline for candidate in kept):
        memory.check(too_large[0])
    return kept, too_large


def _reason(entries: list[Entry], taken: int, n_documents: int, favour: str) -> str:
    name = entries[taken].candidate.algorithm
    told = f"{name} was chosen for {n_documents:,} documents: "
    first = entries[0]
    if taken and first.place is None:
        return told + f"{first.candidate.algorithm}, the favourite, failed. {_failure(first)}"
    if taken:
        return told + (
            f"positives hidden from it rank clearly higher than those hidden from "
            f"{first.candidate.algorithm}, the favourite."
        )
    if first.reason == REVIEW:
        return told + f"{favour}. Others were not compared: most positives were found by reading."
    if first.place is None:
        return told + f"{favour}. Nothing was compared. {_in_words(first.reason)}"
    rivals = [e for e in entries[1:] if e.place is not None and not e.candidate.is_baseline]
    if not rivals:
        return told + f"{favour}. No other that can win was compared: race says why."
    if better := [e.candidate.algorithm for e in rivals if (e.place or 0.0) < first.place]:
        return told + (
            f"{favour}. {' and '.join(better)} ranked hidden positives higher here, but not "
            "clearly: it may be chance."
        )
    return told + f"{favour}, and no other that can win ranked hidden positives higher."


def _failure(entry: Entry) -> str:
    """Return a sentence that tells why one failed."""
    told = _in_words(entry.reason) or "It gave no reason."
    if entry.trace is not None:
        told = f"That is a fault in its code, which the log of the worker has: {told}"
    return f"{told[:1].upper()}{told[1:].rstrip('.')}."


def _in_words(reason: str | None) -> str | None:
    return REASONS.get(reason or "", reason)


def _warnings(entries: list[Entry], time_budget: float) -> list[str]:
    seconds = sum(entry.seconds for entry in entries)
    if seconds <= time_budget:
        return []
    return [
        f"The race took {seconds:,.3g} seconds, longer than the time budget of {time_budget:,.3g}. "
        "Which algorithms enter is decided beforehand, by sizes alone. To skip the race, name an "
        "algorithm."
    ]


def _entry_fields(entry: Entry, *, is_winner: bool) -> dict[str, Any]:
    figures = {name: getattr(entry, name) for name in ("place", "recall", "accepted", "reason")}
    return {
        "algorithm": entry.candidate.algorithm,
        "params": dict(entry.candidate.params),
        "is_baseline": entry.candidate.is_baseline,
        "is_winner": is_winner,
        **figures,
        "reason": _in_words(entry.reason),
        "seconds": round(entry.seconds, 3),
        "memory_mb": None if entry.memory_mb is None else round(entry.memory_mb, 1),
    }
