from itertools import count

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import cpu_count, parallel_config
from numpy.testing import assert_allclose

from core.auto.entries import Candidate
from core.auto.race import race, train_alone
from core.auto.race_seconds import race_seconds
from core.auto.winner import winner
from core.datasets import make_pu_data
from core.errors import Refused
from core.evaluation.hide_positives import HiddenPositives
from core.progress import listening
from core.registry import ALGORITHMS
from core.text import TermWeighting

X, Y, _ = make_pu_data(200, 20, random_state=0)
COUNTS, MARKS = sp.csr_array(X), (Y == 1, Y == 2)
TWO = [Candidate("prototype"), Candidate("random_ranking", is_baseline=True)]


def run(candidates, **options):
    return race(COUNTS, *MARKS, candidates, **options)


def test_a_method_that_learns_beats_chance():
    learned, chance = run(TWO)
    assert learned.place < 0.2 < chance.place
    assert learned.seconds > 0


def test_the_same_seed_gives_the_same_places():
    names = ["place", "recall", "accepted"]
    first, second = ([[getattr(e, name) for name in names] for e in run(TWO)] for _ in range(2))
    assert first == second


def test_what_a_candidate_has_by_default_cannot_change():
    with pytest.raises(TypeError, match="item assignment"):
        TWO[0].params["alpha"] = 1


def test_one_that_fails_loses_without_failing_the_others():
    bad = Candidate("prototype", {"no_such": 1})
    failed, ran = run([bad, TWO[0]])
    assert "no_such" in failed.reason
    assert failed.place is None
    assert ran.place is not None
    assert winner([failed, ran]) == 1


def test_one_that_needs_too_much_memory_loses_without_failing_the_others(monkeypatch):
    def fit(*_, **__):
        raise MemoryError("no room")

    monkeypatch.setattr(ALGORITHMS["prototype"], "fit", fit)
    failed, ran = run(TWO)
    assert (failed.place, failed.reason) == (None, "no room")
    assert ran.place is not None


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RuntimeError("it broke"), "RuntimeError: it broke"),
        (KeyError("a"), "KeyError: 'a'"),
        (IndexError(), "IndexError"),
        (OSError(28, "No space left"), "OSError: [Errno 28] No space left"),
        (ValueError("no such shape"), "ValueError: no such shape"),
        (ZeroDivisionError("by 0"), "ZeroDivisionError: by 0"),
    ],
)
def test_one_with_a_fault_of_its_code_loses_without_failing_the_others(monkeypatch, error, reason):
    def fit(*_, **__):
        raise error

    monkeypatch.setattr(ALGORITHMS["prototype"], "fit", fit)
    failed, ran = run([TWO[0], Candidate("lgn")])
    assert (failed.place, failed.reason) == (None, reason)
    assert "in fit\n" in failed.trace  # where it was raised
    assert (ran.trace, ran.reason) == (None, None)
    assert winner([failed, ran]) == 1


@pytest.mark.parametrize(
    ("backend", "n_jobs", "n_trained"),
    [("threading", 1, 0), ("threading", 2, 1), ("threading", -1, cpu_count() > 1), ("loky", 2, 0)],
)
def test_the_favourite_is_trained_beside_where_a_thread_may_be_idle(backend, n_jobs, n_trained):
    trained = []

    def train(candidate, terms):
        trained.append(candidate)
        return terms.shape

    with parallel_config(backend, n_jobs=n_jobs):
        entries = run(TWO, train=train)
    assert [candidate.algorithm for candidate in trained] == ["prototype"] * n_trained
    assert entries[0].trained == (COUNTS.shape if n_trained else None)
    assert entries[1].trained is None
    assert [entry.place for entry in entries] == [entry.place for entry in run(TWO)]


def test_a_favourite_that_cannot_be_trained_beside_is_judged_as_with_one_thread():
    def train(candidate, terms):
        raise ValueError("too much for it")

    with parallel_config("threading", n_jobs=2):
        first, second = run([TWO[0], Candidate("lgn")], train=train)
    assert first.trained is None
    assert first.place == run(TWO)[0].place
    assert winner([first, second]) == 0


def test_one_that_is_alone_is_trained_and_nothing_is_hidden_from_it():
    candidate = Candidate("prototype")
    found = train_alone(
        COUNTS, candidate, lambda *seen: seen, vectorizer={"representation": "counts"}
    )
    assert found.trained[0] == found.candidate == candidate
    assert (found.trained[1] != COUNTS).nnz == 0
    assert (found.place, found.outcome, found.reason) == (None, None, None)
    assert winner([found]) == 0

    def fail(*_):
        raise Refused("too much for it")

    failed = train_alone(COUNTS, candidate, fail)
    assert (failed.trained, failed.reason) == (None, "too much for it")


def test_a_refusal_has_no_trace():
    (failed,) = run([Candidate("prototype", {"no_such": 1})])
    assert failed.reason is not None
    assert failed.trace is None


def test_the_term_weighting_is_that_of_the_caller_for_all():
    for entry in run(TWO, vectorizer={"no_such": 1}):
        assert "no_such" in entry.reason


def test_terms_are_weighted_once_for_all_that_take_them_alike(monkeypatch):
    weighted, fit_transform = [], TermWeighting.fit_transform

    def counted(self, counts):
        weighted.append(self.representation)
        return fit_transform(self, counts)

    monkeypatch.setattr(TermWeighting, "fit_transform", counted)
    names = ["prototype", "nearest_neighbor", "naive_nb", "lgn", "prototype"]
    together = run([Candidate(name) for name in names])
    assert weighted == ["tfidf", "counts", "tfidf"]
    for name, entry in zip(names, together, strict=True):
        assert entry.place == run([Candidate(name)])[0].place


def test_shares_are_those_of_the_hidden_and_of_the_unlabeled_each_for_itself(monkeypatch):
    n_unlabeled = int((Y == 0).sum())
    scores = np.append([9.0, 8.0], np.arange(n_unlabeled) % 8)
    outcome = HiddenPositives([scores], [scores > 7.5], [2])
    monkeypatch.setattr("core.auto.race.hide_positives", lambda *_, **__: outcome)
    (entry,) = run(TWO[:1])
    assert (entry.recall, entry.accepted) == (1.0, 0.0)


def test_a_code_is_the_reason_where_there_is_one():
    few = Y.copy()
    few[np.flatnonzero(Y)[1:]] = 0
    entry = race(COUNTS, few == 1, few == 2, TWO)[0]
    assert entry.reason == "too_few_positives"
    assert winner([entry]) == 0


def test_only_the_favourite_starts_where_there_is_no_time():
    ran, late = run(TWO, seconds=1e-9)
    assert ran.place is not None
    assert (late.place, late.reason) == (None, "time_budget")


def test_those_start_that_fit_into_the_time_together():
    slow = Candidate("weighted_logistic_regression")
    seconds = sum(race_seconds(candidate, COUNTS) for candidate in TWO)
    entries = run([TWO[0], slow, TWO[1]], seconds=seconds)
    assert [entry.reason for entry in entries] == [None, "time_budget", None]


def test_progress_goes_by_the_time_that_each_takes():
    slow, late = Candidate("seed_expansion"), Candidate("weighted_logistic_regression")
    needed = [race_seconds(candidate, COUNTS) for candidate in (slow, TWO[0])]
    told = []
    with listening(lambda stage, share, **_: told.append(share)):
        run([slow, late, TWO[0]], seconds=sum(needed))
    assert pytest.approx(needed[0] / sum(needed)) in told
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, pytest.approx(1))


def test_no_more_than_all_is_told_where_shares_are_rounded_up(monkeypatch):
    monkeypatch.setattr("core.auto.race.race_shares", lambda *_: [0.5, 0.5 + 2**-52])
    told = []
    with listening(lambda stage, share, **_: told.append(share)):
        run(TWO)
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_clock_does_not_decide_who_starts(monkeypatch):
    hours = count(step=3600.0)
    monkeypatch.setattr("core.auto.race.time.monotonic", lambda: next(hours))
    assert [entry.reason for entry in run(TWO, seconds=60.0)] == [None, None]


def test_among_judged_samples_alone_nothing_can_be_hidden():
    (entry,) = race(COUNTS, MARKS[0], ~MARKS[0], TWO[:1])
    assert (entry.place, entry.reason) == (None, "no_unlabeled")
    assert winner([entry]) == 0


def test_places_do_not_depend_on_where_the_labeled_one_of_copies_stands():
    random = np.random.default_rng(1)
    texts = [set(random.choice(300, 12, replace=False).tolist()) for _ in range(150)]
    copies = [texts[0] | {300 + i} for i in range(20)]
    counts = np.zeros((170, 320))
    for row, text in zip(counts, [*texts, *copies], strict=True):
        row[list(text)] = 1
    is_positive = np.arange(170) < 12
    found = []
    for rows in (np.arange(170), np.arange(170)[::-1], random.permutation(170)):
        entries = race(sp.csr_array(counts[rows]), is_positive[rows], None, TWO[:1])
        found.append(entries[0].place)
    assert_allclose(found[1:], found[0])


def test_a_document_that_is_copied_many_times_changes_hardly_a_place():
    random = np.random.default_rng(0)
    kinds = [np.repeat([1.0, 0], 40), np.repeat([0.0, 1], 40)]
    rows = [random.poisson(0.1 + 0.4 * kinds[i >= 40]) for i in range(400)]
    copied = random.poisson(0.1 + 0.4 * kinds[0])
    places = []
    for n_copies in (1, 300):
        counts = sp.csr_array(np.vstack([*rows, *[copied] * n_copies]))
        is_positive = np.arange(counts.shape[0]) < 12
        (entry,) = race(counts, is_positive, None, [Candidate("seed_expansion")])
        places.append(entry.place)
    assert_allclose(*places, atol=0.01)
