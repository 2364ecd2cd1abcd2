"""A race of algorithms on the user's own data, judged by positives hidden from them."""

import time
import traceback
from contextlib import suppress
from numbers import Real

import numpy as np
from joblib import Parallel, effective_n_jobs

from core import peak_memory
from core.auto.entries import Entry
from core.auto.places import counted, log_places
from core.auto.race_seconds import race_shares
from core.errors import Refused
from core.evaluation.hide_positives import N_SPLITS, hide_positives
from core.kernels.rows.masks import as_mask, rows_and_masks
from core.kernels.rows.near_copies import near_copy_groups
from core.kernels.rows.row_hash import content_order, copy_groups
from core.options import ABOVE_ZERO, AT_LEAST_TWO, Options, validate_params
from core.pipeline import make_text_classifier
from core.progress import part, report


@validate_params(
    {"seconds": [ABOVE_ZERO, Options(Real, {np.inf})], "n_splits": [AT_LEAST_TWO]},
    prefer_skip_nested_validation=False,
)
def race(
    counts,
    is_positive,
    is_negative,
    candidates,
    *,
    is_hideable=None,
    vectorizer=None,
    seconds=np.inf,
    n_splits=N_SPLITS,
    random_state=0,
    train=None,
):
    """Let algorithms find positives that are hidden from them, one after the other.

    Parameters
    ----------
    counts : sparse matrix of shape (n_samples, n_terms)
        How often each term occurs in each document.
    is_positive, is_negative : array-like of bool or of 0 and 1, of shape (n_samples,)
        Which samples are labeled, and which were judged not to be positive; None means none.
    candidates : list of Candidate
        The favourite first. It always runs, the others where there is time.
    is_hideable : array-like of bool or of 0 and 1, of shape (n_samples,), default=None
        Which positives are hidden in turn; None means all.
    vectorizer : dict, default=None
        Parameters of the term weighting, for all candidates.
    seconds : float in (0, inf], default=inf
        The others run where all together take no longer, as
        :func:`~core.auto.race_seconds.race_shares` estimates. The clock decides nothing, so the
        same task has the same result.
    n_splits : int in [2, inf), default=5
        Trainings of each; each positive is hidden from one. As many run side by side as
        ``joblib.parallel_config`` says.
    random_state : int, default=0
        Deals the positives out, the same for all, and seeds the candidates.
    train : callable, default=None
        Called with the favourite and its weighted terms, side by side with the trainings that
        positives are hidden from: it mostly wins, and threads would else wait for the last of
        these. What it returns is ``trained`` of the entry. Not called where trainings run one after
        the other; where it fails, the caller will meet the error again.

    Returns
    -------
    list of Entry
        In the order of the candidates. One that fails is an entry with a reason.

    Examples
    --------
    >>> from core.datasets import make_pu_data
    >>> from core.auto.entries import Candidate
    >>> from core.auto.race import race
    >>> from core.auto.winner import winner
    >>> X, y, _ = make_pu_data(200, 20, random_state=0)
    >>> candidates = [Candidate("prototype"), Candidate("random_ranking", is_baseline=True)]
    >>> entries = race(X, y == 1, None, candidates)
    >>> entries[0].place < entries[1].place, entries[winner(entries)].candidate.algorithm
    (True, 'prototype')
    """
    # A candidate's error would be an entry, not raised.
    counts, is_positive, is_negative = rows_and_masks(counts, is_positive, is_negative=is_negative)
    if is_hideable is not None:
        is_hideable = as_mask(is_hideable, "is_hideable", counts.shape[0])
    entries, done = [], 0.0
    # Equal positives are copies of any length, as they are for the class prior.
    groups = near_copy_groups(counts, content_order(counts))[copy_groups(counts, is_positive)]
    weighted = _Weighted(counts)
    # Its time is told from here on, not from the end of the first training.
    report("race", done)
    for candidate, share in zip(candidates, race_shares(candidates, counts, seconds), strict=True):
        if share is None:
            entries.append(Entry(candidate, reason="time_budget"))
            continue
        # Shares are rounded: their sum may be a little more than all.
        start, done = done, min(1.0, done + share)
        with part("race", start, done):
            entries.append(
                _run(
                    candidate,
                    weighted,
                    is_positive,
                    is_negative,
                    is_hideable=is_hideable,
                    n_splits=n_splits,
                    groups=groups,
                    vectorizer=vectorizer,
                    random_state=random_state,
                    train=train if not entries and _has_threads() else None,
                )
            )
    return entries


def train_alone(counts, candidate, train, *, vectorizer=None, random_state=0):
    """Return the entry of the only candidate: nothing is hidden from it, and it has no place.

    Parameters
    ----------
    counts, candidate
        As of :func:`race`.
    train : callable
        Called with the candidate and its weighted terms; what it returns is ``trained``.
    vectorizer, random_state
        As of :func:`race`.

    Returns
    -------
    Entry
        With a reason if it fails.
    """
    return _tried(
        candidate,
        _Weighted(counts),
        vectorizer,
        random_state,
        lambda _, X: {"trained": train(candidate, X)},
    )


class _Weighted:
    """The terms as the last candidate had them weighted; most others have them alike."""

    def __init__(self, counts):
        self.counts = counts
        self.params = self.terms = None

    def by(self, weights):
        """Return the terms weighted as an unfitted TermWeighting says."""
        if weights.get_params() != self.params:
            self.params = self.terms = None  # never two of them at a time
            self.terms = weights.fit_transform(self.counts)
            self.params = weights.get_params()
        return self.terms


def _has_threads():
    """Tell whether trainings run side by side. Only threads do: processes would share nothing."""
    return effective_n_jobs(Parallel(require="sharedmem").n_jobs) > 1


def _run(
    candidate,
    weighted,
    is_positive,
    is_negative,
    *,
    groups,
    vectorizer,
    random_state,
    train,
    **options,
):
    """Return the entry of a candidate, also of one that failed."""

    def hide(classifier, X):
        trained = []

        def train_beside():
            # One thread trains the winner afterwards: several must not come to another result.
            with suppress(Exception):
                trained.append(train(candidate, X))

        outcome = hide_positives(
            classifier,
            X,
            is_positive,
            is_negative,
            groups=groups,
            random_state=random_state,
            beside=train and train_beside,
            **options,
        )
        places = log_places(outcome, counted(groups, is_positive | is_negative))
        return {
            "place": float(np.exp(places.mean())),
            "recall": outcome.recall,
            "accepted": outcome.accepted,
            "outcome": outcome,
            "log_places": places,
            "trained": trained[0] if trained else None,
        }

    return _tried(candidate, weighted, vectorizer, random_state, hide)


def _tried(candidate, weighted, vectorizer, random_state, function):
    """Return the entry of a candidate: what ``function(classifier, X)`` told, and what it took."""
    start = time.monotonic()
    try:
        pipeline = make_text_classifier(
            candidate.algorithm,
            candidate.params,
            vectorizer=vectorizer,
            pos_label=1,
            random_state=random_state,
        )
        X = weighted.by(pipeline["weights"])
        held, start = peak_memory.reset_peak(), time.monotonic()
        told = function(pipeline["classifier"], X)
    except Exception as error:
        return Entry(candidate, seconds=time.monotonic() - start, **_why(error))
    peak = peak_memory.peak()
    return Entry(
        candidate,
        seconds=time.monotonic() - start,
        memory_mb=None if held is None or peak is None else max(0.0, peak - held),
        **told,
    )


def _why(error):
    """Return why a candidate failed: the reason and, of a fault in the code, the traceback."""
    if isinstance(error, Refused):
        return {"reason": error.code or str(error)}
    if isinstance(error, MemoryError):
        return {"reason": str(error) or type(error).__name__}
    (reason,) = traceback.format_exception_only(error)[-1:]
    return {"reason": reason.strip(), "trace": traceback.format_exc()}
