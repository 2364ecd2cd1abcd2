import numpy as np
import pytest
from scipy.sparse import csr_array
from structlog.testing import capture_logs

from app.services.documents.labels import Labels
from app.services.training import fitting, racing
from app.services.training.training_memory import TrainingMemory
from core.auto.entries import Candidate, Entry
from core.base import BasePUClassifier
from core.datasets import make_pu_data
from core.errors import Refused
from core.registry import ALGORITHMS
from tests.app.services.corpora import training_spec

X, _, TRUTH = make_pu_data(200, 20, random_state=0)
NO_LIMIT = TrainingMemory(None, 200)


def choice(n_seeds: int, n_found: int, n_negative: int) -> racing.Choice:
    positives, negatives = np.flatnonzero(TRUTH == 1), np.flatnonzero(TRUTH != 1)
    is_positive, is_negative, is_judged = np.zeros((3, len(TRUTH)), dtype=bool)
    is_positive[positives[: n_seeds + n_found]] = True
    is_negative[negatives[:n_negative]] = True
    is_judged[positives[n_seeds : n_seeds + n_found]] = is_judged[negatives[:n_negative]] = True
    labels, counts = Labels(is_positive, is_negative, is_judged), csr_array(X)
    field, _ = racing.enter(counts, labels, 60.0, NO_LIMIT)
    return chosen(counts, labels, field, 60.0)


def chosen(
    counts: csr_array, labels: Labels, field: racing.Field, time_budget: float
) -> racing.Choice:
    def train(candidate: Candidate, X: csr_array) -> BasePUClassifier:
        spec = training_spec(algorithm=candidate.algorithm, params=dict(candidate.params))
        return fitting.fitted(spec, X, labels)

    return racing.choose(counts, labels, training_spec(time_budget=time_budget), field, train)


@pytest.mark.parametrize(("n_negative", "favourite"), [(10, "judged_svm"), (1, "seed_expansion")])
def test_in_a_review_the_favourite_is_trained_without_a_race(
    n_negative: int, favourite: str
) -> None:
    found = choice(n_seeds=3, n_found=4, n_negative=n_negative)
    assert found.candidate.algorithm == favourite
    assert found.reason.endswith("Others were not compared: most positives were found by reading.")
    # It is trained already, and no seeds were hidden from it: class prior and cut go by judgements.
    assert type(found.classifier) is ALGORITHMS[favourite]
    assert found.classifier.report_["n_positive"] == 7
    assert found.outcome is None
    first, *others = found.entries
    assert first["is_winner"]
    assert others
    assert {entry["reason"] for entry in found.entries} == {racing.REASONS["review"]}
    assert {entry["place"] for entry in found.entries} == {None}


def test_in_a_review_the_others_race_where_the_favourite_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.classifiers.judged_svm.fit_svm", fail)

    found = choice(n_seeds=3, n_found=4, n_negative=10)

    failed, *others = found.entries
    assert (failed["algorithm"], failed["place"], failed["reason"]) == ("judged_svm", None, "odd")
    assert found.candidate.algorithm in {e["algorithm"] for e in others if not e["is_baseline"]}
    assert found.reason.endswith("judged_svm, the favourite, failed. Odd.")
    assert {entry["reason"] for entry in others} == {None}


def test_a_fault_in_the_code_of_a_candidate_is_told_and_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fit(*args: object, **options: object) -> None:
        raise RuntimeError("it broke")

    monkeypatch.setattr("core.classifiers.judged_svm.fit_svm", fit)

    with capture_logs() as logs:
        found = choice(n_seeds=3, n_found=4, n_negative=10)

    assert found.entries[0]["reason"] == "RuntimeError: it broke"
    assert found.reason.endswith(
        "judged_svm, the favourite, failed. That is a fault in its code, which the log of the "
        "worker has: RuntimeError: it broke."
    )
    (log,) = logs
    assert (log["event"], log["log_level"]) == ("candidate failed", "error")
    assert log["algorithm"] == "judged_svm"
    assert log["exception"].startswith("Traceback")


def test_where_others_had_no_time_no_comparison_is_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_positive = np.zeros(len(TRUTH), dtype=bool)
    is_positive[np.flatnonzero(TRUTH == 1)[:10]] = True
    labels = Labels(is_positive, np.zeros_like(is_positive), np.zeros_like(is_positive))
    counts = csr_array(X)
    field, _ = racing.enter(counts, labels, 1e-9, NO_LIMIT)
    found = chosen(counts, labels, field, 1e-9)

    assert found.candidate.algorithm == "prototype"
    assert {entry["reason"] for entry in found.entries[1:]} == {racing.REASONS["time_budget"]}
    assert found.reason.endswith(
        "seed_expansion, which ranks best, may take longer than the time budget. No other that can "
        "win was compared: race says why."
    )
    (warning,) = found.warnings
    assert "longer than the time budget of 1e-09" in warning


def fail(*args: object, **options: object) -> None:
    raise Refused("odd")


@pytest.mark.parametrize(
    ("n_seeds", "n_found", "n_negative"), [(4, 4, 10), (3, 4, 0)], ids=["seeds", "negatives"]
)
def test_before_most_was_found_all_race(n_seeds: int, n_found: int, n_negative: int) -> None:
    found = choice(n_seeds, n_found, n_negative)
    assert {entry["reason"] for entry in found.entries} == {None}
    assert len(found.entries) > 1


@pytest.mark.parametrize("code", ["no_unlabeled", "too_few_positives", "missing_package"])
def test_a_favourite_that_failed_is_told_of_in_a_sentence(code: str) -> None:
    entries = [Entry(Candidate("lgn"), reason=code), Entry(Candidate("prototype"), place=0.2)]
    told = racing._reason(entries, 1, 100, "it is the favourite")
    assert told.endswith(f"lgn, the favourite, failed. {racing.REASONS[code]}")
    assert code not in told


def test_a_favourite_that_lost_is_told_of_otherwise() -> None:
    entries = [Entry(Candidate("lgn"), place=0.3), Entry(Candidate("prototype"), place=0.2)]
    told = racing._reason(entries, 1, 100, "it is the favourite")
    assert told.endswith("rank clearly higher than those hidden from lgn, the favourite.")


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((0.2, 0.3, 0.1), "and no other that can win ranked hidden positives higher."),
        ((0.2, 0.1, 0.1), "lgn ranked hidden positives higher here, but not clearly: it may be"),
        ((0.2, None, 0.1), "No other that can win was compared"),
    ],
)
def test_it_is_told_who_ranked_better_than_the_favourite(
    places: tuple[float | None, ...], told: str
) -> None:
    candidates = [Candidate("prototype"), Candidate("lgn"), Candidate("naive_nb", is_baseline=True)]
    entries = [Entry(c, place=place) for c, place in zip(candidates, places, strict=True)]
    assert told in racing._reason(entries, 0, 100, "it is the favourite")
