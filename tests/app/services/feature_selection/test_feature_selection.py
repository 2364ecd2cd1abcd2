from dataclasses import replace
from typing import Any

import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import chi2

import app.errors
from app.artifacts import Artifacts
from app.database import Database
from app.errors import (
    InvalidParameter,
    NoPositives,
    NoUnlabeled,
    TooFewPositives,
    UnsuitableDocuments,
)
from app.job_kinds import JobStatus
from app.orm import FeatureSelection
from app.repositories.feature_selections import FeatureSelectionRepository
from app.repositories.jobs import JobRepository
from app.services.feature_selection import feature_selection, selection_request
from app.services.feature_selection.selection_card import WARNINGS
from app.services.stored_files import load_arrays
from core.errors import MissingPackage
from core.feature_selection.k_best import KBest
from core.registry import FEATURE_SELECTORS
from tests.app.services.corpora import (
    FLOODS,
    SPORTS,
    Log,
    add_project,
    claim,
    queue,
    selected,
    stored_keys,
)


def select(
    database: Database, artifacts: Artifacts, project_id: str, **asked: Any
) -> FeatureSelection:
    result = selected(database, artifacts, project_id, **asked)
    with database.reading() as session:
        return FeatureSelectionRepository(session).get(result["feature_selection_id"])


def test_terms_are_ranked_as_by_scikit_learn(any_database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(any_database, language="")
    selection = select(any_database, artifacts, project_id, n_features=5)

    vectorizer = CountVectorizer()
    X = vectorizer.fit_transform(FLOODS + SPORTS)
    scores = chi2(X, [i < 3 for i in range(14)])[0]
    arrays = load_arrays(artifacts, selection.file)
    assert arrays["names"] == vectorizer.get_feature_names_out().tolist()
    assert_allclose(arrays["scores"], scores, rtol=1e-5)
    assert_array_equal(arrays["mask"].nonzero()[0], sorted(arrays["ranking"][:5]))

    features = selection.card["features"]
    assert [feature["selected"] for feature in features] == [True] * 5 + [False] * (len(scores) - 5)
    best = features[0]
    assert best["score"] == pytest.approx(scores.max())
    assert best["name"] == arrays["names"][arrays["ranking"][0]]
    assert selection.card["n_selected"] == 5


def test_words_against_the_class_are_told_from_those_for_it(
    database: Database, artifacts: Artifacts
) -> None:
    positive, pile = ["river flood"] * 5, ["goal match"] * 9 + ["river goal"]
    project_id = add_project(database, positive=positive, unlabeled=pile, negative=[])
    for method in ("semi_mim", "k_best", "lasso"):
        found = select(database, artifacts, project_id, method=method, n_features=2)
        told = {each["name"]: each for each in found.card["features"]}
        facts = {
            name: tuple(each[key] for key in ("n_positive", "n_documents", "direction"))
            for name, each in told.items()
        }
        assert facts == {
            "flood": (5, 5, "for"),
            "river": (5, 6, "for"),
            "goal": (0, 10, "against"),
            "match": (0, 9, "against"),
        }


@pytest.mark.parametrize(("method", "is_told"), [("k_best", True), ("semi_mim", False)])
def test_words_of_one_positive_alone_are_told(
    database: Database, artifacts: Artifacts, method: str, is_told: bool
) -> None:
    positive = [f"river water bridge own{i}" for i in range(5)]
    pile = [f"water goal match {i % 7}" for i in range(60)] + ["river bridge"] * 30
    project_id = add_project(database, positive=positive, unlabeled=pile, negative=[])
    found = select(database, artifacts, project_id, method=method, n_features=4)
    told = "4 of the 4 chosen terms are in only one of the 5 positives"
    assert any(told in warning for warning in found.card["warnings"]) == is_told


@pytest.mark.parametrize(("method", "is_named"), [("k_best", True), ("semi_mim", False)])
def test_the_advice_about_words_of_one_positive_is_another_method(
    database: Database, artifacts: Artifacts, method: str, is_named: bool
) -> None:
    positive = [f"river own{i} mine{i}" for i in range(5)]
    project_id = add_project(
        database, positive=positive, unlabeled=["goal match"] * 30, negative=[]
    )
    found = select(database, artifacts, project_id, method=method, n_features=10)
    (told,) = (each for each in found.card["warnings"] if "in only one of" in each)
    assert ("Take semi_mim" in told) == is_named


@pytest.mark.parametrize(
    ("of_project", "asked", "min_df"),
    [
        ({}, {}, 2),
        ({}, {"min_df": 1}, 1),
        ({"min_df": 3}, {}, 3),
        ({"min_df": 3}, {"min_df": 1}, 1),
    ],
)
def test_words_of_one_document_are_left_out_unless_asked_for(
    database: Database,
    artifacts: Artifacts,
    of_project: dict[str, Any],
    asked: dict[str, Any],
    min_df: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection_request, "IN_PILE_OF", 10)
    project_id = add_project(database, language="", vectorizer=of_project)
    found = select(database, artifacts, project_id, n_features=3, vectorizer=asked)

    assert found.card["vectorizer"]["min_df"] == min_df
    assert min(each["n_documents"] for each in found.card["features"]) == min_df


# Of "ball", "goal", "match" and "river" each tells all by semi_mim; by k_best "river" and "flood"
# come first, and those of no positive are as good as those of one.
@pytest.mark.parametrize(
    ("method", "n_features", "n_equal"),
    [("semi_mim", 2, 4), ("semi_mim", 4, None), ("k_best", 2, None), ("k_best", 4, 5)],
)
def test_words_of_equal_score_at_the_cut_are_told(
    database: Database, artifacts: Artifacts, method: str, n_features: int, n_equal: int | None
) -> None:
    positive, pile = ["river flood", "river flood ice", "river snow"], ["goal ball match"] * 9
    project_id = add_project(database, positive=positive, unlabeled=pile, negative=[])
    asked = {"method": method, "n_features": n_features, "vectorizer": {"min_df": 1}}
    found = select(database, artifacts, project_id, **asked).card["warnings"]

    told = f"{n_equal} terms have the score of the last chosen one; 2 of them are chosen, by the a"
    assert any(one.startswith(told) for one in found) == (n_equal is not None)
    assert any("as good" in one for one in found) == (n_equal is not None)


def test_method_is_fed_what_it_expects(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, language="")
    found = select(database, artifacts, project_id, method="semi_mim", n_features=3)

    X = CountVectorizer(binary=True).fit_transform(FLOODS + SPORTS)
    selector = FEATURE_SELECTORS["semi_mim"](3).fit(X, [i < 3 for i in range(14)])
    assert found.card["vectorizer"]["representation"] == "binary"
    assert_allclose(load_arrays(artifacts, found.file)["scores"], selector.scores_)


def test_user_may_choose_what_a_method_is_fed(database: Database, artifacts: Artifacts) -> None:
    asked = {"method": "semi_mim", "n_features": 3, "vectorizer": {"representation": "counts"}}
    found = select(database, artifacts, add_project(database), **asked)
    assert found.card["vectorizer"]["representation"] == "counts"


def test_progress_of_bootstraps_is_seen(database: Database, artifacts: Artifacts) -> None:
    with database.writing.begin() as session:
        queue(
            session,
            feature_selection.request,
            project_id=add_project(database),
            method="k_best",
            n_features=3,
            stability={"n_bootstraps": 4},
        )
    log = Log()
    feature_selection.run(claim(database, artifacts, log))

    assert [stage for stage, _ in log.events] == ["vectorise", "select", "stability", "save"]
    assert log.fractions == sorted(log.fractions)
    start, end = 0.3, 0.95
    for share in (0.25, 0.5, 0.75):
        assert any(f == pytest.approx(start + share * (end - start)) for f in log.fractions)


@pytest.mark.parametrize(
    ("method", "n_bootstraps", "answers", "n_finished"),
    [
        ("fscpu", None, [True], None),
        ("fscpu", 5, [True], None),
        # It cannot end early itself, and is not asked before the first bootstrap.
        ("k_best", 5, [False, False, True], 2),
        ("k_best", 5, [False, True], None),
    ],
)
def test_a_cancelled_search_publishes_the_best_so_far(
    any_database: Database,
    artifacts: Artifacts,
    method: str,
    n_bootstraps: int | None,
    answers: list[bool],
    n_finished: int | None,
) -> None:
    stability = None if n_bootstraps is None else {"n_bootstraps": n_bootstraps}
    asked = {"method": method, "n_features": 2, "stability": stability}
    with any_database.writing.begin() as session:
        queue(session, feature_selection.request, project_id=add_project(any_database), **asked)
    run = claim(any_database, artifacts)
    with any_database.writing.begin() as session:
        JobRepository(session).request_cancel(run.job_id)
    left = iter(answers)
    feature_selection.run(replace(run, stop_requested=lambda: next(left)))

    with any_database.reading() as session:
        job = JobRepository(session).get(run.job_id)
        assert job.status == JobStatus.CANCELLED
        assert job.result is not None
        card = FeatureSelectionRepository(session).get(job.result["feature_selection_id"]).card
    assert "cancelled" in card["report"]["flags"]
    assert WARNINGS["cancelled"] in card["warnings"]
    assert card["n_selected"] == 2
    assert (card["stability"] or {}).get("n_bootstraps") == n_finished


def test_an_attempt_that_lost_the_job_publishes_nothing(
    database: Database, artifacts: Artifacts
) -> None:
    with database.writing.begin() as session:
        queue(session, feature_selection.request, project_id=add_project(database), method="k_best")
    run = claim(database, artifacts)
    with database.writing.begin() as session:
        JobRepository(session).request_cancel(run.job_id)
    feature_selection.run(run)
    assert not {key for key in stored_keys(artifacts) if key.startswith("feature_selections/")}


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"method": "nothing"}, "/method"),
        ({"params": {"n_features_to_select": 0}}, "/params/n_features_to_select"),
        ({"params": {"k": 1}}, "/params/k"),
        ({"params": {"pos_label": 1}}, "/params/pos_label"),
        ({"vectorizer": {"max_df": -1}}, "/vectorizer/max_df"),
    ],
)
def test_a_wrong_value_is_pointed_at(
    database: Database, artifacts: Artifacts, asked: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidParameter) as caught:
        select(database, artifacts, add_project(database), **asked)
    assert caught.value.errors is not None
    assert [error["pointer"] for error in caught.value.errors] == [pointer]


def test_a_project_without_the_documents_is_refused(
    database: Database, artifacts: Artifacts
) -> None:
    with pytest.raises(NoPositives):
        select(database, artifacts, add_project(database, positive=[]))
    with pytest.raises(NoUnlabeled):
        select(database, artifacts, add_project(database, unlabeled=[], negative=[]))


def test_more_features_than_terms_end_the_job_with_a_reason(
    database: Database, artifacts: Artifacts
) -> None:
    with pytest.raises(UnsuitableDocuments, match=r"n_features_to_select=1000.*min_df"):
        select(database, artifacts, add_project(database), n_features=1000)


class Unpackaged(KBest):
    def _rank_features(self, X, is_positive):
        raise MissingPackage("LightGBM is not there: pip install lightgbm.")


def test_a_missing_package_ends_the_job_with_a_reason(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FEATURE_SELECTORS, "unpackaged", Unpackaged)
    with pytest.raises(app.errors.MissingPackage, match="pip install") as caught:
        select(database, artifacts, add_project(database), method="unpackaged", n_features=2)
    assert caught.value.code() == "missing_package"


def test_the_card_tells_the_seed_that_was_used(database: Database, artifacts: Artifacts) -> None:
    asked = {"method": "random_features", "n_features": 2, "params": {"random_state": 7}}
    among, beside = (
        select(database, artifacts, add_project(database), **selection).card
        for selection in (asked, {**asked, "params": {}, "random_state": 7})
    )
    assert among["random_state"] == beside["random_state"] == 7
    assert among["features"] == beside["features"]


def test_too_few_positives_are_refused_at_once(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KBest, "min_positives", 4)
    with pytest.raises(TooFewPositives, match="at least 4 positives; there are 3") as caught:
        select(database, artifacts, add_project(database))
    assert caught.value.errors is not None
    assert caught.value.errors[0]["pointer"] == "/method"
