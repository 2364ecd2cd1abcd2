"""Specification part F; the numbers are those of its toy examples."""

from dataclasses import replace

import pytest

from app.services.evaluation.evaluation_figures import (
    bounds,
    cautions,
    prior_figures,
    spread,
    summary,
)
from app.services.evaluation.evaluation_prior import EvaluationPrior
from app.services.figure_fields import figure_fields
from core.evaluation.figures import Figure

#: Recall 0.8, 0.4 of the unlabeled accepted, area 0.8.
FOUND = {
    "recall": Figure(0.8, 0.6, 0.9),
    "accepted": 0.4,
    "lee_liu": 1.6,
    "auc_unlabeled": Figure(0.8, 0.7, 0.85),
}
PRIOR = EvaluationPrior(Figure(0.3, 0.2, 0.4), "model")
UNKNOWN = EvaluationPrior()
#: FOUND turned round: what was accepted is rejected.
REVERSED = {
    "recall": Figure(0.2, 0.1, 0.4),
    "accepted": 0.6,
    "lee_liu": 0.2**2 / 0.6,
    "auc_unlabeled": Figure(0.2, 0.15, 0.3),
}


def prior_of(
    value: float, low: float, high: float, largest: float | None = None
) -> EvaluationPrior:
    return EvaluationPrior(Figure(value, low, high), "model", largest)


def test_figures_with_a_prior_are_those_of_the_specification() -> None:
    figures = prior_figures(FOUND, PRIOR)

    values = {name: each["value"] for name, each in figures.items()}
    assert values == {
        "precision": pytest.approx(0.6),
        "f1": pytest.approx(0.685714, abs=1e-6),
        "false_positive_rate": pytest.approx(0.228571, abs=1e-6),
        "accuracy": pytest.approx(0.3 * 0.8 + 0.7 * (1 - 0.228571), abs=1e-6),
        "unbiased_risk": pytest.approx(2 * 0.3 * 0.2 + 0.4 - 0.3),
        "non_negative_risk": pytest.approx(2 * 0.3 * 0.2 + 0.4 - 0.3),
        "proxy_accuracy": pytest.approx(2 * 0.3 * 0.8 + 1 - 0.4),
        "auc": pytest.approx(0.928571, abs=1e-6),
    }
    assert figures["precision"]["low"] == pytest.approx(0.2 * 0.6 / 0.4)
    assert figures["precision"]["high"] == pytest.approx(0.4 * 0.9 / 0.4)
    assert figures["auc"]["low"] == pytest.approx((0.7 - 0.1) / 0.8)
    assert figures["auc"]["high"] == 1  # (0.85 - 0.2) / 0.6 is more


def test_without_a_prior_there_is_no_number_and_a_reason() -> None:
    figures = prior_figures(FOUND, UNKNOWN)

    assert set(figures) == set(prior_figures(FOUND, PRIOR))
    for each in figures.values():
        assert each == {"value": None, "low": None, "high": None, "reason": "class_prior_unknown"}
    assert {each["reason"] for each in bounds(400, 1000, None).values()} == {"class_prior_unknown"}
    assert "is unknown" in summary(FOUND, UNKNOWN, figure_fields(None), 10, "own")


def test_nothing_predicted_has_no_precision() -> None:
    nothing = {**FOUND, "recall": Figure(0.0, 0.0, 0.5), "accepted": 0.0}
    figures = prior_figures(nothing, PRIOR)

    assert figures["precision"] == figures["f1"] == figure_fields(None, "nothing_predicted")
    assert figures["accuracy"]["value"] == pytest.approx(0.7)
    assert bounds(0, 1000, PRIOR.ends)["precision"]["reason"] == "nothing_predicted"
    assert any("no precision" in warning for warning in cautions(nothing, PRIOR, 10, 0))


def test_where_no_cut_was_there_is_no_recall_and_nothing_that_needs_one() -> None:
    found = {**FOUND, "recall": None, "lee_liu": None, "accepted": 0.0}
    figures = prior_figures(found, PRIOR)

    assert figures.pop("auc") == prior_figures(FOUND, PRIOR)["auc"]
    assert set(figures) == set(prior_figures(FOUND, PRIOR)) - {"auc"}
    for each in figures.values():
        assert each == figure_fields(None, "nothing_predicted")
    assert spread([found, found], PRIOR)["recall"] is None
    told = summary(found, PRIOR, figures["precision"], 5, "prior")
    assert told.startswith("The cut prior accepts no unlabeled document")
    assert "5 positives that were hidden" in told
    assert "%" not in told
    [warning] = cautions(found, PRIOR, 10, 0)
    assert "neither recall nor precision" in warning


def test_bounds_hold_for_the_whole_interval_of_the_prior() -> None:
    assert bounds(400, 1000, Figure(0.3, 0.3, 0.3)) == {
        "precision": {"low": 0.0, "high": 0.75, "reason": None},
        "recall": {"low": 0.0, "high": 1.0, "reason": None},
    }
    wide = bounds(400, 1000, Figure(0.3, 0.1, 0.7))
    assert wide["precision"]["low"] == 0.0
    assert wide["precision"]["high"] == 1.0
    assert bounds(400, 1000, Figure(0.7, 0.7, 0.7))["precision"]["low"] == pytest.approx(0.25)


def test_contradictions_and_few_positives_are_warned_of() -> None:
    assert cautions(FOUND, PRIOR, 10, 0) == []
    assert [
        "too large" in warning for warning in cautions(FOUND, prior_of(0.6, 0.6, 0.6), 10, 0)
    ] == [True]
    assert len(cautions(FOUND, UNKNOWN, 9, 0)) == 2
    assert "fewer than 10 positives" in cautions(FOUND, PRIOR, 9, 0)[0]
    assert "found by reading" in cautions(FOUND, PRIOR, 10, 3)[0]
    bounded = replace(PRIOR, largest=0.21)
    assert cautions(FOUND, bounded, 10, 0) == []
    bounded = replace(PRIOR, largest=0.19)
    assert "larger than hidden positives allow" in cautions(FOUND, bounded, 10, 0)[0]
    # Half more than 0.784 is no share, but 0.15 of negatives is more than 1.5 times 0.09.
    found = {**FOUND, "recall": Figure(0.5, 0.4, 0.6), "accepted": 0.5}
    bounded = prior_of(0.91, 0.91, 0.91, largest=0.784)
    assert "larger than hidden positives allow" in cautions(found, bounded, 10, 0)[0]


def test_of_few_positives_the_precision_expected_at_the_cut_is_told() -> None:
    of_cut = {"value": 0.77, "low": 0.19, "high": 0.99}

    few, expected = cautions(FOUND, PRIOR, 9, 0, of_cut=of_cut)

    assert "fewer than 10 positives" in few
    assert "GET /models/{id}/cuts expects a precision of 77% (between 19% and 99%)" in expected
    assert "where they disagree, trust neither" in expected
    assert "/next?strategy=relevance&n=20" in expected
    assert len(cautions(FOUND, PRIOR, 9, 0)) == 1
    assert cautions(FOUND, PRIOR, 10, 0, of_cut=of_cut) == []


def test_more_found_than_accepted_is_not_a_precision_of_one() -> None:
    # 0.6 x 0.8 of the unlabeled would be found, where 0.4 are accepted.
    prior = prior_of(0.6, 0.3, 0.7)
    figures = prior_figures(FOUND, prior)

    for name in ("precision", "f1", "false_positive_rate", "accuracy"):
        assert figures[name]["value"] is None
        assert figures[name]["reason"] == "class_prior_too_large"
    assert figures["precision"]["low"] == pytest.approx(0.3 * 0.6 / 0.4)
    assert figures["proxy_accuracy"]["value"] == pytest.approx(2 * 0.6 * 0.8 + 1 - 0.4)
    told = summary(FOUND, prior, figures["precision"], 10, "own")
    assert told.endswith("All that is known of the precision: it is between 45% and 100%.")


def test_a_prior_that_no_recall_allows_gives_no_figure_and_no_end() -> None:
    # At least 0.7 x 0.6 of the unlabeled would be found, where 0.4 are accepted.
    prior = prior_of(0.8, 0.7, 0.9)
    figures = prior_figures(FOUND, prior)

    assert figures == dict.fromkeys(figures, figure_fields(None, "class_prior_too_large"))
    told = summary(FOUND, prior, figures["precision"], 10, "own")
    assert told.endswith("the recall is chance, and the precision is unknown.")


def test_a_given_prior_far_above_what_hidden_positives_allow_gives_no_figure() -> None:
    # Nearly all are accepted, so that recall and prior contradict nothing.
    found = {**FOUND, "recall": Figure(0.95, 0.9, 0.99), "accepted": 0.95}
    given = EvaluationPrior(Figure(0.95, 0.95, 0.95), "given")
    assert prior_figures(found, given)["precision"]["value"] == pytest.approx(0.95)
    refused = replace(given, largest=0.5)
    figures = prior_figures(found, refused)

    assert figures == dict.fromkeys(figures, figure_fields(None, "class_prior_too_large"))
    told = summary(found, refused, figures["precision"], 10, "own")
    assert told.endswith("larger than these positives allow, so the precision is unknown.")
    [warning] = cautions(found, refused, 10, 0)
    assert "only the bounds follow from it" in warning
    assert spread([found, found], refused)["precision"] is None
    assert prior_figures(found, replace(given, largest=0.94)) == prior_figures(found, given)
    # One that was estimated is only told of.
    assert prior_figures(found, replace(refused, source="model")) == prior_figures(found, given)


def test_an_area_that_no_class_prior_of_the_interval_allows_is_not_one() -> None:
    # Were all positives above all negatives, the area would be 1 - 0.2 / 2.
    found = {**FOUND, "auc_unlabeled": Figure(0.95, 0.91, 0.97)}
    assert prior_figures(found, PRIOR)["auc"] == figure_fields(None, "class_prior_too_large")
    found = {**FOUND, "auc_unlabeled": Figure(0.95, 0.89, 0.97)}
    assert prior_figures(found, PRIOR)["auc"]["low"] == pytest.approx((0.89 - 0.1) / 0.8)


def test_more_accepted_than_recall_and_prior_allow_has_no_value() -> None:
    # 0.6 x 0.8 of the unlabeled would be missed, where 0.4 are rejected.
    prior = prior_of(0.6, 0.3, 0.7)
    figures = prior_figures(REVERSED, prior)

    for name in ("precision", "f1", "false_positive_rate", "accuracy"):
        assert figures[name]["value"] is None
        assert figures[name]["reason"] == "class_prior_contradicted"
    assert figures["false_positive_rate"]["low"] == pytest.approx((0.6 - 0.3 * 0.4) / 0.7)
    assert figures["false_positive_rate"]["high"] == 1
    assert figures["unbiased_risk"]["value"] == pytest.approx(2 * 0.6 * 0.8 + 0.6 - 0.6)
    # From 0.3 x 0.1 to 0.7 x 0.4 of the unlabeled are found, of 0.6.
    told = summary(REVERSED, prior, figures["precision"], 10, "own")
    assert "more than recall and prior allow" in told
    assert "between 5% and 47%" in told
    [warning] = cautions(REVERSED, prior, 10, 0)
    assert "rank lower than the class prior allows" in warning
    assert "If you gave class_prior, give a smaller one" in warning


def test_a_prior_that_no_recall_allows_from_below_gives_no_figure_and_no_end() -> None:
    # At least 0.7 x 0.6 of the unlabeled would be missed, where 0.4 are rejected.
    prior = prior_of(0.8, 0.7, 0.9)
    figures = prior_figures(REVERSED, prior)

    assert figures == dict.fromkeys(figures, figure_fields(None, "class_prior_contradicted"))
    told = summary(REVERSED, prior, figures["precision"], 10, "own")
    assert "more than recall and prior allow" in told
    assert told.endswith("the recall is chance, and the precision is unknown.")


def test_a_rate_above_one_by_little_keeps_its_value() -> None:
    # (0.6 - 0.51 x 0.2) / 0.49 is 1.016, less than 2 % too much.
    prior = prior_of(0.51, 0.3, 0.7)
    figures = prior_figures(REVERSED, prior)

    assert (figures["false_positive_rate"]["value"], figures["auc"]["low"]) == (1, 0)
    assert figures["precision"]["value"] == pytest.approx(0.51 * 0.2 / 0.6)
    assert cautions(REVERSED, prior, 10, 0) == []


def test_all_accepted_is_a_rate_of_one() -> None:
    figures = prior_figures({**FOUND, "accepted": 1.0}, PRIOR)

    assert figures["false_positive_rate"] == figure_fields(Figure(1.0, 1.0, 1.0))
    assert figures["precision"]["value"] == pytest.approx(0.3 * 0.8)


def test_an_area_below_what_any_class_prior_of_the_interval_allows_is_not_one() -> None:
    # Were all positives below all negatives, the area would be 0.2 / 2.
    found = {**FOUND, "auc_unlabeled": Figure(0.05, 0.03, 0.09)}
    assert prior_figures(found, PRIOR)["auc"] == figure_fields(None, "class_prior_contradicted")
    [warning] = cautions(found, PRIOR, 10, 0)
    assert "rank lower than the class prior allows" in warning
    found = {**FOUND, "auc_unlabeled": Figure(0.05, 0.03, 0.11)}
    assert prior_figures(found, PRIOR)["auc"]["high"] == pytest.approx((0.11 - 0.1) / 0.8)
    assert cautions(found, PRIOR, 10, 0) == []


def test_summary_tells_counts_and_intervals() -> None:
    prior = prior_of(0.3, 0.3, 0.35)
    told = summary(FOUND, prior, prior_figures(FOUND, prior)["precision"], 10, "prior")

    for part in [
        "Of 10 positives",
        "8 were found",
        "80%, between 60% and 90%",
        "40.00%",
        "precision of about 60%, between 45% and 79%",
        "cut prior",
    ]:
        assert part in told


@pytest.mark.parametrize(
    ("prior", "n_positive", "ends"),
    [(prior_of(0.3, 0.3, 0.4), 9, "45% and 90%"), (prior_of(0.3, 0.2, 0.3), 10, "30% and 68%")],
)
def test_precision_that_is_hardly_known_is_told_by_its_ends(
    prior: EvaluationPrior, n_positive: int, ends: str
) -> None:
    precision = prior_figures(FOUND, prior)["precision"]

    assert summary(FOUND, prior, precision, n_positive, "own").endswith(
        f"a precision between {ends}."
    )


def test_spread_is_the_deviation_over_the_repeats() -> None:
    other = {**FOUND, "recall": Figure(0.6, 0.4, 0.8), "auc_unlabeled": Figure(0.7, 0.6, 0.8)}
    told = spread([FOUND, other], PRIOR)

    # Of two values: their difference over the root of two.
    assert told["recall"] == pytest.approx(0.2 / 2**0.5)
    assert told["precision"] == pytest.approx(0.3 * 0.2 / 0.4 / 2**0.5)
    assert told["auc"] == pytest.approx(0.1 / 0.7 / 2**0.5)
    assert spread([FOUND], PRIOR) == {**dict.fromkeys(told), "reason": "one_repeat"}
    assert spread([FOUND, other], UNKNOWN)["precision"] is None
