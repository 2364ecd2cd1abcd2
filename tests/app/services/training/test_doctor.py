from typing import Any

import numpy as np
import pytest

from app.artifacts import Artifacts
from app.database import Database
from app.orm import Label
from app.services.documents.judgements import set_labels
from app.services.documents.labels import Labels
from app.services.training.doctor import of_a_review
from app.services.training.training_spec import AUTO
from core.doctor.finding import Finding
from core.doctor.flag_words import FLAG_WORDS
from core.registry import ALGORITHMS
from core.text import vector_words
from tests.app.services.corpora import FLOODS, SPORTS, add_project, selected
from tests.app.services.training.test_training import train


def card_of(
    database: Database, artifacts: Artifacts, project_id: str, **asked: Any
) -> dict[str, Any]:
    return train(database, artifacts, project_id, **asked).card


def test_a_contradiction_is_a_warning_that_names_the_document(
    database: Database, artifacts: Artifacts
) -> None:
    # Documents are numbered d0, d1, ... positives first, judged negatives last.
    project_id = add_project(
        database, positive=FLOODS[:3], unlabeled=FLOODS[3:] + SPORTS, negative=[FLOODS[1]]
    )
    card = card_of(database, artifacts, project_id)

    (finding,) = [f for f in card["doctor"] if f["code"] == "contradicting_labels"]
    assert finding["level"] == "warning"
    assert finding["documents"] == [f"d{len(FLOODS) + len(SPORTS)}"]
    assert finding["message"] in card["warnings"]


def test_a_copy_in_the_pile_is_named_without_a_warning(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(database, unlabeled=[*SPORTS, FLOODS[0]], negative=[])
    card = card_of(database, artifacts, project_id)

    (finding,) = [f for f in card["doctor"] if f["code"] == "unlabeled_copies"]
    assert (finding["level"], finding["documents"]) == ("caution", [f"d{3 + len(SPORTS)}"])
    assert finding["message"] not in card["warnings"]


@pytest.mark.parametrize("has_vectors", [False, True])
def test_copies_are_those_of_whole_texts_where_terms_are_selected(
    database: Database, artifacts: Artifacts, has_vectors: bool
) -> None:
    texts = [*FLOODS, *SPORTS, FLOODS[0]]
    if has_vectors:
        words = vector_words(np.random.default_rng(0).standard_normal((len(texts), 20)))
        texts = [f"{text}\n{of_vector}" for text, of_vector in zip(texts, words, strict=True)]
    project_id = add_project(database, positive=texts[:3], unlabeled=texts[3:], negative=[])
    selection = selected(database, artifacts, project_id, n_features=1)
    card = card_of(database, artifacts, project_id, algorithm="prototype", **selection)

    # All floods have the term that is selected.
    found = {finding["code"]: finding["documents"] for finding in card["doctor"]}
    assert card["n_terms"] == 1
    assert found["unlabeled_copies"] == [f"d{len(texts) - 1}"]
    assert found["repeated_positives"] == []


def test_a_flag_of_the_algorithm_is_a_finding_and_one_warning(
    database: Database, artifacts: Artifacts
) -> None:
    card = card_of(database, artifacts, add_project(database, positive=["violet clouds"]))

    assert card["doctor"][0]["code"] == "nothing_shared"
    assert card["warnings"].count(card["doctor"][0]["message"]) == 1


def test_what_a_named_algorithm_tried_is_told_and_what_auto_tried_is_not(
    database: Database, artifacts: Artifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise FloatingPointError("lost")

    # Of the algorithms that may win a race this one is left.
    algorithm = "weighted_logistic_regression"
    for other in ("seed_expansion", "prototype"):
        monkeypatch.setattr(ALGORITHMS[other], "_fit", fail)
    project_id = add_project(
        database, positive=FLOODS[:5], unlabeled=FLOODS[5:] + SPORTS, negative=[]
    )
    named, raced = (
        train(database, artifacts, project_id, algorithm=asked) for asked in (algorithm, AUTO)
    )

    assert raced.algorithm == algorithm
    assert "grid_edge" in raced.card["report"]["flags"]
    told = [[f["code"] for f in model.card["doctor"]] for model in (named, raced)]
    assert ["grid_edge" in codes for codes in told] == [True, False]
    assert FLAG_WORDS["grid_edge"] in named.card["warnings"]
    assert FLAG_WORDS["grid_edge"] not in raced.card["warnings"]


def test_in_a_review_that_found_all_there_is_nothing_is_wrong(
    database: Database, artifacts: Artifacts
) -> None:
    project_id = add_project(
        database, positive=["violet sky", "violet dusk"], unlabeled=["violet", *SPORTS], negative=[]
    )
    with database.writing.begin() as session:
        set_labels(session, project_id, [("d3", Label.UNSURE), ("d2", Label.POSITIVE)])
    card = card_of(database, artifacts, project_id)

    (finding,) = [f for f in card["doctor"] if f["code"] == "nothing_shared"]
    assert finding["level"] == "caution"
    assert "nothing like those found is left" in finding["message"]
    assert card["warnings"].count(finding["message"]) == 1


@pytest.mark.parametrize(("n_positive", "is_told"), [(9, True), (10, False)])
def test_too_few_positives_to_estimate_from_are_a_warning(
    database: Database, artifacts: Artifacts, n_positive: int, is_told: bool
) -> None:
    positive = [f"{FLOODS[i % 6]} {i}" for i in range(n_positive)]
    card = card_of(database, artifacts, add_project(database, positive=positive))

    told = [warning for warning in card["warnings"] if "Go by the ends" in warning]
    assert len(told) == is_told
    (finding,) = [f for f in card["doctor"] if f["code"] == "few_positives"]
    assert finding["level"] == ("caution" if is_told else "fine")


def test_a_check_that_cannot_be_made_says_why(database: Database, artifacts: Artifacts) -> None:
    card = card_of(database, artifacts, add_project(database))

    (finding,) = [f for f in card["doctor"] if f["code"] == "random_labeling"]
    assert (finding["level"], finding["reason"]) == (None, "too_few_positives")
    assert "Label more" in finding["message"]


def test_a_cut_that_accepts_too_many_is_a_warning_that_names_another(
    database: Database, artifacts: Artifacts
) -> None:
    # 3 of 10 unlabeled documents are of the kind, and the budget takes all.
    asked = {"class_prior": 0.3, "cut": "budget:10"}
    card = card_of(database, artifacts, add_project(database), **asked)

    (finding,) = [f for f in card["doctor"] if f["code"] == "accepts_too_many"]
    assert finding["numbers"] == {"share_accepted": 1.0, "most_expected": pytest.approx(0.45)}
    assert finding["message"] in card["warnings"]
    assert "cut prior" in finding["message"]

    asked["cut"] = "prior"
    card = card_of(database, artifacts, add_project(database), **asked)
    assert "accepts_too_many" in [f["code"] for f in card["doctor"] if f["level"] == "fine"]


@pytest.mark.parametrize("class_prior", [None, 0.9])
def test_a_cut_that_accepts_nearly_all_is_a_warning_unless_nearly_all_are_of_the_kind(
    database: Database, artifacts: Artifacts, class_prior: float | None
) -> None:
    pile = [f"{flood} {other}" for flood in FLOODS for other in SPORTS]
    project_id = add_project(database, unlabeled=pile)
    asked = {"class_prior": class_prior, "cut": f"budget:{len(pile) - 1}"}
    card = card_of(database, artifacts, project_id, **asked)

    (finding,) = [f for f in card["doctor"] if f["code"] == "nearly_all_positive"]
    assert finding["level"] == (None if class_prior else "caution")
    assert (finding["message"] in card["warnings"]) == (class_prior is None)
    assert any("nearly every" in told for told in card["warnings"]) == (class_prior is None)


def test_of_equal_scores_no_cut_that_accepts_as_many_is_named(
    database: Database, artifacts: Artifacts
) -> None:
    # The class prior says 4 of 12, but 10 say the same.
    project_id = add_project(database, unlabeled=[FLOODS[3]] * 10 + SPORTS[:2])
    card = card_of(database, artifacts, project_id, class_prior=0.3, cut="prior")

    (finding,) = [f for f in card["doctor"] if f["code"] == "accepts_too_many"]
    assert finding["level"] == "warning"
    assert "Train again with the cut prior" not in finding["message"]
    assert "no cut separates documents with equal scores" in finding["message"]


def test_a_ranking_by_chance_is_told_from_one_that_knows_something(
    database: Database, artifacts: Artifacts
) -> None:
    def level(**asked: Any) -> tuple[str | None, str | None]:
        positive = {"positive": FLOODS[:5], "unlabeled": FLOODS[5:] + SPORTS[:-1]}
        card = card_of(database, artifacts, add_project(database, **positive), **asked)
        (finding,) = [f for f in card["doctor"] if f["code"] == "no_better_than_chance"]
        return finding["level"], finding["reason"]

    assert level() == ("fine", None)
    assert level(algorithm="random_ranking") == ("caution", None)
    assert level(calibrate=False) == (None, "nothing_hidden")


def test_positives_of_a_review_are_no_random_draw(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database)
    with database.writing.begin() as session:
        set_labels(session, project_id, [("d4", Label.UNSURE), ("d3", Label.POSITIVE)])
    card = card_of(database, artifacts, project_id)

    (finding,) = [f for f in card["doctor"] if f["code"] == "random_labeling"]
    assert (finding["level"], finding["numbers"]) == ("caution", {"n_found": 1, "n_positive": 4})
    assert "1 of 4 positives were found by reading" in finding["message"]
    levels = [f["level"] for f in card["doctor"]]
    assert levels == sorted(levels, key=["warning", "caution", None, "fine"].index)


@pytest.mark.parametrize(
    ("code", "level", "n_found", "expected"),
    [
        ("prior_uncertain", "warning", 3, None),
        ("prior_uncertain", "caution", 3, None),
        ("prior_uncertain", "fine", 3, "fine"),
        ("few_positives", "caution", 3, None),
        ("all_negative", "warning", 3, None),
        # What was found is of the pile, and once all is found no other has its words.
        ("foreign_positives", "warning", 3, None),
        ("isolated_positives", "caution", 3, None),
        ("own_words", "warning", 3, None),
        ("own_words", "warning", 2, "warning"),
        ("unreliable", "warning", 3, "warning"),
        # Half of the positives are not most of them.
        ("prior_uncertain", "warning", 2, "warning"),
    ],
)
def test_nothing_speaks_against_reading_where_most_was_found_so(
    code: str, level: str, n_found: int, expected: str | None
) -> None:
    # Two seeds, what was found, one judged negative, one that nobody judged.
    place = np.arange(n_found + 4)
    is_negative = place == n_found + 2
    is_judged = (place >= 2) & (place < n_found + 3)
    finding = of_a_review(Finding(code, level), Labels(place < n_found + 2, is_negative, is_judged))
    assert finding.level == expected
    assert finding.reason == (None if expected else "found_by_reading")


@pytest.mark.parametrize(
    ("class_prior", "is_given", "expected"),
    [(0.001, False, None), (0.001, True, "warning"), (0.999, False, "warning")],
)
def test_that_no_positive_is_left_is_no_warning_at_the_end_of_a_review(
    class_prior: float, expected: str | None, *, is_given: bool
) -> None:
    # A seed, two positives found by reading, one judged negative, one that nobody judged.
    place = np.arange(5)
    labels = Labels(place < 3, place == 3, (place > 0) & (place < 4))
    numbers = {"class_prior": class_prior, "is_given": is_given}

    finding = of_a_review(Finding("estimate_at_bound", "warning", numbers), labels)

    assert finding.level == expected
    assert finding.reason == (None if expected else "found_by_reading")

    unknown = Finding("estimate_at_bound", None, reason="no_class_prior")
    assert of_a_review(unknown, labels) == unknown


def test_with_one_seed_a_review_is_one_too(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, positive=FLOODS[:1], unlabeled=[*FLOODS[1:], *SPORTS])
    judged = [(f"d{i}", Label.POSITIVE) for i in range(1, 4)]
    judged += [(f"d{i}", Label.NEGATIVE) for i in range(6, 9)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)

    card = card_of(database, artifacts, project_id, algorithm="prototype")

    findings = {finding["code"]: finding for finding in card["doctor"]}
    assert findings["random_labeling"]["message"].startswith("3 of 4 positives were found by read")
    assert findings["few_positives"]["reason"] == "found_by_reading"
    assert "judged positive" in findings["random_labeling"]["message"]


@pytest.mark.parametrize(
    ("asked", "rests_on"),
    [
        ({}, "from the order in which positives were found. GET"),
        ({"class_prior": 0.3}, "and on the class prior that was given. GET"),
        ({"calibrate": False}, "are no random draw. GET"),
    ],
    ids=["estimated", "given", "not calibrated"],
)
def test_it_is_told_what_probabilities_of_a_review_rest_on(
    database: Database, artifacts: Artifacts, asked: dict[str, Any], rests_on: str
) -> None:
    project_id = add_project(database, positive=FLOODS[:2], unlabeled=[*FLOODS[2:], *SPORTS])
    judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 5)]
    judged += [(f"d{i}", Label.NEGATIVE) for i in range(6, 9)]
    with database.writing.begin() as session:
        set_labels(session, project_id, judged)

    card = card_of(database, artifacts, project_id, algorithm="prototype", **asked)

    (found,) = (finding for finding in card["doctor"] if finding["code"] == "random_labeling")
    assert rests_on in found["message"]
    reason = None if asked.get("calibrate", True) else "not_asked"
    assert card["calibration"]["reason"] == reason


@pytest.mark.parametrize("code", ["all_positive", "nearly_all_positive"])
@pytest.mark.parametrize(("n_unread", "expected"), [(0, None), (1, "warning")])
def test_where_all_is_read_nothing_is_to_be_read_from_the_top(
    n_unread: int, expected: str | None, code: str
) -> None:
    place = np.arange(12)
    # Two seeds, six found, two judged negative; the last two are unsure or unread.
    is_judged = (place >= 2) & (place < 12 - n_unread)
    labels = Labels(place < 8, (place == 8) | (place == 9), is_judged)
    assert of_a_review(Finding(code, "warning"), labels).level == expected


def test_in_a_review_a_cut_that_takes_no_more_is_no_warning(
    database: Database, artifacts: Artifacts
) -> None:
    def told(last: str) -> tuple[dict[str, Any], list[str]]:
        pile = [*FLOODS[2:], *SPORTS, "the match by the river"]
        project_id = add_project(database, positive=FLOODS[:2], unlabeled=pile)
        judged = [(f"d{i}", Label.POSITIVE) for i in range(2, 6)] + [("d6", Label(last))]
        with database.writing.begin() as session:
            set_labels(session, project_id, judged)
        card = card_of(database, artifacts, project_id, algorithm="prototype", cut="own")
        assert "all_negative" in card["report"]["flags"]
        (finding,) = [f for f in card["doctor"] if f["code"] == "all_negative"]
        return finding, [w for w in card["warnings"] if "takes no unlabeled" in w]

    finding, warnings = told("negative")
    assert (finding["level"], finding["reason"], warnings) == (None, "found_by_reading", [])
    # Nobody judged a negative: this is no review.
    finding, warnings = told("unsure")
    assert (finding["level"], len(warnings)) == ("warning", 1)


def test_a_pile_of_stop_words_is_told_as_that(database: Database, artifacts: Artifacts) -> None:
    project_id = add_project(database, unlabeled=["the of", "and the", "of it"], negative=[])
    card = card_of(database, artifacts, project_id, algorithm="prototype")

    assert card["calibration"]["reason"] == "no_features"
    assert card["cuts"]["f1"]["reason"] == "no_features"
    told = [warning for warning in card["warnings"] if "has a word that is counted" in warning]
    assert len(told) == 1
    assert not any("the same score" in warning for warning in card["warnings"])
