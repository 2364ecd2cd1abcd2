"""Whether analyses of documents or a table fit into the memory of a job, told before they start."""

from typing import Any, NamedTuple

from app.services.jobs import memory_limit
from app.services.jobs.limit_words import FEWER_DOCUMENTS, FEWER_TERMS
from core.class_prior.prior_memory import prior_bytes
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.cluster_assumption import MAX_UNLABELED
from core.feature_selection.cluster_memory import cluster_bytes
from core.kernels.scores.left_out_ranks import MAX_RANKED
from core.registry import FEATURE_SELECTORS

#: Methods to advise where another one does not fit: the first of them that does.
FRUGAL_METHODS = ("semi_jmi", "semi_mim", "k_best")
FEWER_FEATURES = "Take a table of fewer rows or columns, or raise the limit."
#: For each row that is drawn for a bootstrap, beside its entries.
ROW_BYTES = 16


class Size(NamedTuple):
    """How large the matrix of an analysis is; at the request the documents alone are known."""

    n_samples: int
    n_features: int = 0
    n_entries: int = 0
    itemsize: int = 4
    is_table: bool = False
    #: What the process holds before: at the request, what that of a job holds at its start.
    held_bytes: int = memory_limit.START_BYTES

    def in_words(self) -> str:
        if self.is_table:
            return f"a table of {self.n_samples:,} rows and {self.n_features:,} features"
        return memory_limit.size_in_words(self.n_samples, self.n_features, self.n_entries)


def of_table(n_rows: int, n_features: int) -> Size:
    """Return the size of a table, whose values are in double precision, zeros or not."""
    return Size(n_rows, n_features, n_rows * n_features, itemsize=8, is_table=True)


def of_samples(X: Any, *, is_table: bool) -> Size:
    """Return the size of what is looked at, inside the job's process."""
    n_samples, n_features = X.shape
    size = of_table(n_samples, n_features) if is_table else Size(n_samples, n_features, X.nnz)
    return size._replace(held_bytes=memory_limit.held_bytes())


def check_selection_memory(
    memory_mb: int | None, selector: BaseFeatureSelector, spec: dict[str, Any], size: Size
) -> None:
    """Refuse a feature selection that needs more than a job may take.

    Raises
    ------
    MemoryLimit
    """
    needed = _selection_bytes(selector, spec, size)
    n_features = selector.n_features_to_select
    frugal = (
        (name, _selection_bytes(FEATURE_SELECTORS[name](n_features), spec, size))
        for name in FRUGAL_METHODS
    )
    is_counted = size.n_features > 0
    less = FEWER_TERMS if is_counted else FEWER_DOCUMENTS
    otherwise = FEWER_FEATURES if size.is_table else f"Take {less}, or raise the limit."
    advice = memory_limit.advise(memory_mb, frugal, otherwise, is_counted=is_counted)
    memory_limit.check(
        memory_mb, spec["method"], needed, size.in_words(), advice, pointer="/method"
    )


def check_prior_memory(memory_mb: int | None, size: Size, n_positive: int) -> None:
    """Refuse an estimate of the class prior that needs more than a job may take.

    Raises
    ------
    MemoryLimit
    """
    needed = size.held_bytes + prior_bytes(
        size.n_samples, size.n_features, size.n_entries, n_positive
    )
    terms = f"{FEWER_TERMS}, " if size.n_features else ""
    advice = (
        f"Take {terms}a project with all positives and a random "
        f"sample of the unlabeled documents (at most {MAX_RANKED:,} are ranked), or raise the "
        "limit."
    )
    memory_limit.check(memory_mb, "The estimate", needed, size.in_words(), advice)


def check_cluster_memory(
    memory_mb: int | None, size: Size, n_positive: int, n_permutations: int
) -> None:
    """Refuse a test of the cluster assumption that needs more than a job may take.

    Raises
    ------
    MemoryLimit
    """
    needed = size.held_bytes + cluster_bytes(
        size.n_samples, size.n_features, size.itemsize, n_positive, n_permutations
    )
    kind = "rows" if size.is_table else "documents"
    advice = (
        f"Take a random sample (at most {MAX_UNLABELED:,} unlabeled {kind} are compared), fewer "
        "permutations (n_permutations), or raise the limit."
    )
    memory_limit.check(memory_mb, "The test", needed, size.in_words(), advice)


def _selection_bytes(selector: BaseFeatureSelector, spec: dict[str, Any], size: Size) -> int:
    needed = size.held_bytes + selector.memory_bytes(
        size.n_samples, size.n_features, size.n_entries, size.itemsize
    )
    if spec.get("stability"):
        # The rows of a bootstrap are a copy.
        needed += ROW_BYTES * size.n_samples + (size.itemsize + 4) * size.n_entries
    return needed
