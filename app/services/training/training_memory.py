"""Whether trainings fit into the memory of a job, told before they start."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from joblib import effective_n_jobs
from scipy.sparse import csr_array

from app.services.documents.labels import Labels
from app.services.jobs import memory_limit
from app.services.jobs.limit_words import FEWER_DOCUMENTS, FEWER_TERMS
from app.services.training.fitting import Documents
from app.services.training.training_spec import AUTO, TrainingSpec
from core.auto.candidates import rows_in_graph
from core.auto.entries import Candidate
from core.class_prior.prior_memory import ranks_bytes
from core.doctor.examine_memory import examine_bytes
from core.evaluation.hide_positives import N_SPLITS
from core.registry import ALGORITHMS, USUAL

#: For each document: labels, scores, probabilities and the order of the ranking.
DOCUMENT_BYTES = 80
#: For each entry of a matrix in memory: its weight, and what that is made from.
ENTRY_BYTES = 12
#: For each document and term: a graph that is kept, and directions.
KEPT_BYTES = 240
#: Compiled code, which the process loads as it gets there.
CODE_BYTES = 40 * 2**20
#: Algorithms to advise where another one does not fit: the first of them that does.
FRUGAL_ALGORITHMS = ("weighted_logistic_regression", "prototype", "lgn")
_NONE_IS_FRUGAL = f"Not even {', '.join(FRUGAL_ALGORITHMS)} would fit: take"


@dataclass(frozen=True)
class TrainingMemory:
    """What a job may take, and the size of what it trains on.

    ``held_bytes`` are taken already. ``n_fits`` run side by side and share ``weights_bytes``.
    ``alike_bytes`` are for the graph of calibration, or for the class prior of an evaluation,
    ``examine_bytes`` for the doctor. Fits, graph and doctor take turns. ``is_calibrated`` tells
    that there would be fewer fits and no graph without calibration. Without a limit all fits.
    """

    memory_mb: int | None
    n_documents: int
    n_terms: int = 0
    n_entries: int = 0
    n_labeled: int = 0
    n_fits: int = 1
    held_bytes: int = 0
    weights_bytes: int = 0
    alike_bytes: int = 0
    examine_bytes: int = 0
    is_calibrated: bool = False

    def needed_bytes(self, candidate: Candidate) -> int:
        """Return what a training of the candidate and its ranking need at most."""
        made = ALGORITHMS[candidate.algorithm](**candidate.params)
        shape = self.n_documents, self.n_terms, self.n_entries
        fits = self.n_fits * made.memory_bytes(*shape, self.n_labeled) + self.weights_bytes
        n_bytes = self.held_bytes + CODE_BYTES + DOCUMENT_BYTES * self.n_documents
        if self.alike_bytes:
            n_bytes += KEPT_BYTES * (self.n_documents + self.n_terms)
        return n_bytes + max(fits, self.alike_bytes, self.examine_bytes)

    def fits(self, candidate: Candidate) -> bool:
        """Tell whether an algorithm with these parameters may be trained."""
        return not memory_limit.exceeds(self.memory_mb, self.needed_bytes(candidate))

    def for_any(self, candidates: Iterable[Candidate]) -> "TrainingMemory":
        """Return this; without the graph of calibration where no candidate fits beside it."""
        if any(map(self.fits, candidates)):
            return self
        return replace(self, alike_bytes=0)

    def check(self, candidate: Candidate) -> None:
        """Refuse an algorithm that needs more.

        Raises
        ------
        MemoryLimit
        """
        size = memory_limit.size_in_words(self.n_documents, self.n_terms, self.n_entries)
        if self.n_fits > 1:
            size += f", in {self.n_fits} trainings side by side"
        frugal, is_counted = self._frugal(candidate), self.n_terms > 0
        less = FEWER_TERMS if is_counted else FEWER_DOCUMENTS
        otherwise = f"{_NONE_IS_FRUGAL} {less}, or raise the limit."
        advice = memory_limit.advise(self.memory_mb, frugal, otherwise, is_counted=is_counted)
        needed = self.needed_bytes(candidate)
        memory_limit.check(
            self.memory_mb, candidate.algorithm, needed, size, advice, pointer="/algorithm"
        )

    def _frugal(self, candidate: Candidate) -> Iterator[tuple[str, int]]:
        """Yield what to take instead, each with what it needs in bytes."""
        frugal = [Candidate(name) for name in FRUGAL_ALGORITHMS]
        for other in frugal:
            yield other.algorithm, self.needed_bytes(other)
        if self.is_calibrated:
            alone = replace(self, n_fits=1, alike_bytes=0)
            for other in (candidate, *frugal):
                yield f'{other.algorithm} with "calibrate": false', alone.needed_bytes(other)


def before_counting(memory_mb: int | None, n_documents: int) -> TrainingMemory:
    """Return what is known at the request: the documents, whose number alone can be too much."""
    return TrainingMemory(
        memory_mb,
        n_documents,
        held_bytes=memory_limit.START_BYTES,
        examine_bytes=examine_bytes(n_documents, 0, 0, 0),
    )


def after_counting(
    memory_mb: int | None, held_bytes: int, spec: TrainingSpec, documents: Documents
) -> TrainingMemory:
    """Return what is known when the documents are counted, inside the job's process.

    ``held_bytes`` were held before counting. What counting leaves behind is free for what follows,
    and a request must end alike whether or not its counts were there already.
    """
    counts, labels = documents.counts, documents.labels
    n_documents, n_terms = counts.shape
    n_labeled = labels.n_positive + labels.n_negative
    shape = n_documents, n_terms, counts.nnz, n_labeled
    # Labels are hidden in trainings side by side, as many as there are threads.
    n_hidden = n_labeled if labels.is_mostly_found else labels.n_positive
    # A race trains the model beside them, where it has two positives to hide.
    is_raced = spec.algorithm == AUTO and labels.n_positive > 1 and not labels.is_mostly_found
    n_more = 1 if is_raced else 0
    n_fits = _side_by_side(N_SPLITS, n_hidden, n_more) if spec.calibrate else 1
    of_graph = rows_in_graph(counts, spec.graph_budget) if spec.calibrate else 0
    return TrainingMemory(
        memory_mb,
        *shape,
        n_fits=n_fits,
        held_bytes=held_bytes,
        # The weights of a race are not mapped from a file.
        weights_bytes=ENTRY_BYTES * counts.nnz if spec.algorithm == AUTO else 0,
        # All that a graph needs is part of what seed expansion needs.
        alike_bytes=_graph_bytes(of_graph, *shape),
        examine_bytes=examine_bytes(n_documents, n_terms, counts.nnz, labels.n_positive),
        is_calibrated=spec.calibrate,
    )


def _graph_bytes(
    n_rows: int, n_documents: int, n_terms: int, n_entries: int, n_labeled: int
) -> int:
    """Return what a graph of so many of the documents takes, with all that is made for it."""
    if not n_rows:
        return 0
    share = n_rows / n_documents
    n_bytes: int = ALGORITHMS[USUAL]().memory_bytes(
        n_rows, n_terms, round(share * n_entries), min(n_labeled, n_rows)
    )
    return n_bytes


def of_evaluation(
    memory_mb: int | None,
    X: csr_array,
    labels: Labels,
    n_splits: int,
    held_bytes: int,
    *,
    has_prior: bool,
) -> TrainingMemory:
    """Return what is known before positives are hidden; ``held_bytes`` was taken without X.

    Where it has no class prior, that is estimated.
    """
    n_documents, n_terms = X.shape
    return TrainingMemory(
        memory_mb,
        n_documents,
        n_terms,
        n_entries=X.nnz,
        n_labeled=labels.n_positive + labels.n_negative,
        n_fits=_side_by_side(n_splits, labels.n_positive),
        held_bytes=held_bytes,
        weights_bytes=ENTRY_BYTES * X.nnz,
        alike_bytes=0 if has_prior else ranks_bytes(n_documents, n_terms, X.nnz, labels.n_positive),
    )


def _side_by_side(n_splits: int, n_hidden: int, n_more: int = 0) -> int:
    n_threads: int = effective_n_jobs(None)
    return max(1, min(n_threads, min(n_splits, n_hidden) + n_more))
