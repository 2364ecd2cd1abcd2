"""Whether trainings fit into the memory of a job, told before they start."""

from dataclasses import dataclass
from typing import Any

import psutil
from joblib import effective_n_jobs
from scipy.sparse import csr_array
from sqlalchemy.orm import Session

from app.errors import MemoryLimit
from app.repositories.documents import DocumentRepository
from app.services.fitting import Documents
from app.services.labels import Labels
from core.auto import GRAPH_SHARE, graph_seconds
from core.base import BasePUClassifier
from core.class_prior.prior_memory import ranks_bytes
from core.evaluation import N_SPLITS
from core.race import Candidate
from core.registry import ALGORITHMS

#: For each document: labels, scores, probabilities and the order of the ranking.
DOCUMENT_BYTES = 80
#: For each term of a model that is loaded: its str, and its place among them.
TERM_BYTES = 150
#: For each entry of the matrix: its weight, and what that is made from.
ENTRY_BYTES = 12
#: What is named to those whose algorithm does not fit, the first that does.
FRUGAL = ("weighted_logistic_regression", "prototype", "lgn")


@dataclass(frozen=True)
class JobMemory:
    """What a job may take, and the size of what it trains on.

    ``held_bytes`` is taken already, ``n_fits`` run side by side, and ``alike_bytes`` are for the
    graph of calibration, or for the class prior of an evaluation. Without a limit everything fits.
    """

    limit_mb: int | None
    n_documents: int
    n_terms: int = 0
    n_entries: int = 0
    n_labeled: int = 0
    n_fits: int = 1
    held_bytes: int = 0
    alike_bytes: int = 0

    def needed_mb(self, classifier: BasePUClassifier) -> float:
        """Return what a training of the classifier and its ranking need at most, in MiB."""
        n_bytes = self.held_bytes + self.alike_bytes + self.n_fits * self._fit_bytes(classifier)
        n_bytes += DOCUMENT_BYTES * self.n_documents + ENTRY_BYTES * self.n_entries
        return n_bytes / 2**20

    def _fit_bytes(self, classifier: BasePUClassifier) -> int:
        shape = self.n_documents, self.n_terms, self.n_entries
        return classifier.memory_bytes(*shape, self.n_labeled)

    def fits(self, candidate: Candidate) -> bool:
        """Tell whether an algorithm with these parameters may be trained."""
        return self.limit_mb is None or self.needed_mb(_made(candidate)) <= self.limit_mb

    def check(self, candidate: Candidate) -> None:
        """Refuse an algorithm that needs more.

        Raises
        ------
        MemoryLimit
        """
        if self.fits(candidate):
            return
        needed = self.needed_mb(_made(candidate))
        detail = (
            f"{candidate.algorithm} may need {needed:,.0f} MiB for {self._size()}; a job may take "
            f"{self.limit_mb:,} (SEEDBED_JOB_MEMORY_MB). {self._advice()}"
        )
        raise MemoryLimit(detail, errors=[{"pointer": "/algorithm", "detail": detail}])

    def _size(self) -> str:
        if not self.n_terms:
            return f"{self.n_documents:,} documents alone"
        return (
            f"{self.n_documents:,} documents of {self.n_terms:,} terms and {self.n_entries:,} "
            f"entries, in {self.n_fits} trainings side by side"
        )

    def _advice(self) -> str:
        for name in FRUGAL:
            if self.fits(Candidate(name)):
                needed = self.needed_mb(_made(Candidate(name)))
                return f"Take {name}, which needs {needed:,.0f} at most, or raise the limit."
        return (
            "No algorithm needs much less: take fewer terms (min_df, max_features) or raise the "
            "limit."
        )


def before_counting(session: Session, project_id: str, limit_mb: int | None) -> JobMemory:
    """Return what is known at the request: the documents, whose number alone can be too much."""
    return JobMemory(limit_mb, DocumentRepository(session).counts(project_id)["total"])


def check_ranking(limit_mb: int | None, n_documents: int, n_terms: int) -> None:
    """Refuse to bring a ranking up to date whose columns do not fit.

    Raises
    ------
    MemoryLimit
    """
    needed = (DOCUMENT_BYTES * n_documents + TERM_BYTES * n_terms) / 2**20
    if limit_mb is not None and needed > limit_mb:
        raise MemoryLimit(
            f"A ranking of {n_documents:,} documents may need {needed:,.0f} MiB; a job may take "
            f"{limit_mb:,} (SEEDBED_JOB_MEMORY_MB). Raise the limit."
        )


def after_counting(
    limit_mb: int | None, spec: dict[str, Any], documents: Documents, n_splits: int = N_SPLITS
) -> JobMemory:
    """Return what is known when the documents are counted, inside the job's process."""
    counts, labels = documents.counts, documents.labels
    n_positive, n_negative = int(labels.is_positive.sum()), int(labels.is_negative.sum())
    n_documents, n_terms = counts.shape
    shape = n_documents, n_terms, counts.nnz, n_positive + n_negative
    # Positives are hidden in trainings side by side, as many as there are threads.
    n_fits = _side_by_side(n_splits, n_positive) if spec["calibrate"] else 1
    has_graph = spec["calibrate"] and graph_seconds(counts) <= GRAPH_SHARE * spec["time_budget"]
    return JobMemory(
        limit_mb,
        *shape,
        n_fits=n_fits,
        held_bytes=held_bytes(),
        # Its parts are among those of seed expansion.
        alike_bytes=ALGORITHMS["seed_expansion"]().memory_bytes(*shape) if has_graph else 0,
    )


def of_evaluation(
    limit_mb: int | None,
    X: csr_array,
    labels: Labels,
    n_splits: int,
    held_bytes: int,
    *,
    has_prior: bool,
) -> JobMemory:
    """Return what is known before positives are hidden; ``held_bytes`` was taken without X.

    Where it has no class prior, that is estimated.
    """
    n_positive, n_negative = int(labels.is_positive.sum()), int(labels.is_negative.sum())
    n_documents, n_terms = X.shape
    return JobMemory(
        limit_mb,
        n_documents,
        n_terms,
        n_entries=X.nnz,
        n_labeled=n_positive + n_negative,
        n_fits=_side_by_side(n_splits, n_positive),
        held_bytes=held_bytes,
        alike_bytes=0 if has_prior else ranks_bytes(n_documents, n_terms, X.nnz, n_positive),
    )


def held_bytes() -> int:
    """Return what the process has taken, mapped files aside."""
    held = psutil.Process().memory_info()
    taken: int = held.rss - getattr(held, "shared", 0)
    return taken


def _side_by_side(n_splits: int, n_positive: int) -> int:
    n_threads: int = effective_n_jobs(None)
    return max(1, min(n_threads, n_splits, n_positive))


def _made(candidate: Candidate) -> BasePUClassifier:
    return ALGORITHMS[candidate.algorithm](**candidate.params)
