"""What to do about a job that needed more memory or time than it may take."""

from app.job_kinds import JobKind

#: The first two help while terms are counted, too; all others are held until that is done.
FEWER_TERMS = "fewer terms (n_features, ngram_range, min_df, max_features)"
#: What helps where the number of documents alone is too much, whatever terms they have.
FEWER_DOCUMENTS = "a project of fewer documents"
_SAMPLES = f"{FEWER_TERMS} or, of a table, fewer columns"

_LESS_MEMORY: dict[str, str] = {
    JobKind.TRAIN: f"Take another algorithm or {FEWER_TERMS}",
    JobKind.FEATURE_SELECTION: f"Take another method, {_SAMPLES}",
    JobKind.CLUSTER_ASSUMPTION: f"Take fewer permutations (n_permutations), {_SAMPLES}",
    JobKind.CLASS_PRIOR: f"Take {FEWER_TERMS}",
    JobKind.EVALUATION: f"Evaluate a model of {FEWER_TERMS} or of another algorithm",
    JobKind.RANKING: f"Train a model of {FEWER_TERMS}",
}
_LESS_TIME: dict[str, str] = {
    JobKind.TRAIN: 'Take a faster algorithm, "calibrate": false or, for auto, a smaller '
    "time_budget",
    JobKind.FEATURE_SELECTION: f"Take a faster method, fewer bootstraps (stability), {_SAMPLES}",
    JobKind.CLUSTER_ASSUMPTION: f"Take fewer permutations (n_permutations), {_SAMPLES}",
    JobKind.CLASS_PRIOR: f"Take {FEWER_TERMS}",
    JobKind.EVALUATION: "Take fewer trainings (n_splits, n_repeats)",
}


def less_memory(kind: str) -> str:
    """Return what makes a job need less memory, or allows it more."""
    return f"{_LESS_MEMORY[kind]}, or raise SEEDBED_JOB_MEMORY_MB."


def less_time(kind: str) -> str:
    """Return what makes a job need less time, or allows it more."""
    if kind == JobKind.RANKING:  # it has nothing to choose
        return "Raise SEEDBED_JOB_SECONDS."
    return f"{_LESS_TIME[kind]}, or raise SEEDBED_JOB_SECONDS."
