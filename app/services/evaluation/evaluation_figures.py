"""What positives that were hidden and found again, or not, say of a model."""

from statistics import stdev
from typing import Any

from app.services.class_prior.class_prior_words import found_by_reading
from app.services.evaluation.evaluation_prior import EvaluationPrior
from app.services.figure_fields import figure_fields
from core.doctor.model_state import ENOUGH_TO_ESTIMATE
from core.evaluation.figures import Figure, figures_with_prior
from core.metrics import contingency_bounds
from core.pu_rates import auc_with_prior, is_prior_contradicted, is_prior_too_large

ASSUMPTION = (
    "All but the bounds assume that chance decided which positives were labeled; the bounds need "
    "the class prior alone. If the labeled ones are the obvious cases, the model finds fewer of "
    "the others."
)
_WITH_PRIOR = (
    *("precision", "f1", "false_positive_rate", "accuracy"),
    *("unbiased_risk", "non_negative_risk", "proxy_accuracy", "auc"),
)
NOTHING_SHARED = (
    "No unlabeled document shares a word with the positives, so where hidden positives rank tells "
    "nothing. Add positives in the words of the documents you look for, train again, then evaluate "
    "the new model."
)
#: Where the ends of a precision are further apart, words tell the ends and no value.
_MOST_RATIO = 2
_CLIPPED = ("precision", "f1", "false_positive_rate", "accuracy")
_TOO_LARGE, _CONTRADICTED = "class_prior_too_large", "class_prior_contradicted"
_WHY = {
    _TOO_LARGE: "less than recall and prior account for",
    _CONTRADICTED: "more than recall and prior allow",
}
_REVERSED = (
    "Hidden positives rank lower than the class prior allows: it is too large, or the model puts "
    "other documents above them. Trust neither ranking nor cut. If you gave class_prior, give a "
    "smaller one. Check that the positives are of one kind, train again with algorithm auto, then "
    "evaluate the new model."
)
_DOUBTFUL = (
    "Recall and class prior account for more documents than are predicted positive: the prior is "
    "too large, or the positives are easier to find than those not labeled. Do not trust precision."
)
_TOLD_TOO_LARGE = "the class prior that was given is far larger than these positives allow"
_REFUSED = (
    "The class prior that was given is far larger than hidden positives allow, so only the bounds "
    "follow from it. Check it, or give none. Check, too, that the positives are of the kind that "
    "you look for."
)
_INADMISSIBLE = (
    "The class prior is larger than hidden positives allow, so the figures that need it promise "
    "too much. Check that the positives are of the kind that you look for."
)
_MOVED = (
    "The class prior that was given leaves less than one positive or one negative, so it was moved "
    "to leave one. Give the share of positives among the unlabeled documents."
)
_FEW = (
    f"With fewer than {ENOUGH_TO_ESTIMATE} positives the figures are little more than a guess, the "
    "precision most of all. Go by the ends of recall and auc_unlabeled; label more, train, then "
    "evaluate again."
)
_OF_CUT = (
    "GET /models/{{id}}/cuts expects a precision of {value:.0%} (between {low:.0%} and {high:.0%}) "
    "of the same cut. Both rest on the same few positives: where they disagree, trust neither. "
    "Judge 20 documents from the top (GET /projects/{{id}}/next?strategy=relevance&n=20) and count "
    "the positives, or send labeled documents to POST /models/{{id}}/test."
)
_NOTHING = (
    "No training predicted an unlabeled document positive, so there is no precision. Read the "
    "ranking from the top and choose the cut yourself."
)
_NO_CUT = (
    "The cut accepts no unlabeled document, so there is neither recall nor precision. Go by "
    "auc_unlabeled and by the curve, or train with another cut and evaluate the new model."
)
_NO_PRIOR = (
    "The class prior could not be estimated, so there is no precision. Give class_prior, or label "
    "more positives, or add documents to the pile, and train again."
)


def prior_figures(found: dict[str, Any], prior: EvaluationPrior) -> dict[str, Any]:
    """Return the figures that need a class prior; ``found`` are those that do not."""
    if prior.ends is None:
        return _no_figures("class_prior_unknown")
    if prior.is_refused:
        return _no_figures(_TOO_LARGE)
    code, is_impossible = _contradiction(found, prior.ends)
    if is_impossible:
        return _no_figures(code)
    if found["recall"] is None:
        return _no_figures("nothing_predicted") | {"auc": _auc(found, prior.ends)}
    figures: dict[str, Any] = {
        name: figure_fields(ends)
        for name, ends in figures_with_prior(found["recall"], found["accepted"], prior.ends).items()
    }
    if not found["accepted"]:
        figures |= {name: figure_fields(None, "nothing_predicted") for name in ("precision", "f1")}
    elif code:
        figures |= {name: figures[name] | {"value": None, "reason": code} for name in _CLIPPED}
    return figures | {"auc": _auc(found, prior.ends)}


def _no_figures(reason: str | None) -> dict[str, Any]:
    return {name: figure_fields(None, reason) for name in _WITH_PRIOR}


def _auc(found: dict[str, Any], prior: Figure) -> dict[str, Any]:
    areas = [auc_with_prior(area, share) for area in found["auc_unlabeled"] for share in prior]
    if min(areas) == 1 or max(areas) == 0:
        return figure_fields(None, _TOO_LARGE if areas[0] else _CONTRADICTED)
    return figure_fields(Figure(areas[0], min(areas), max(areas)))


def spread(deals: list[dict[str, Any]], prior: EvaluationPrior) -> dict[str, Any]:
    """Return the standard deviation of each figure over the repeats, at one class prior."""
    each = [
        {
            "recall": found["recall"] and found["recall"].value,
            "auc_unlabeled": found["auc_unlabeled"].value,
            **{name: found[name] for name in ("accepted", "lee_liu")},
            **{name: told["value"] for name, told in prior_figures(found, prior).items()},
        }
        for found in deals
    ]
    deviations = {
        name: _deviation([figures[name] for figures in each if figures[name] is not None])
        for name in each[0]
    }
    return {**deviations, "reason": "one_repeat" if len(deals) == 1 else None}


def _deviation(values: list[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def bounds(n_predicted: int, n_unlabeled: int, prior: Figure | None) -> dict[str, Any]:
    """Return what precision and recall of the model can be, however positives were labeled."""
    names = ("precision", "recall")
    if prior is None:
        return {
            name: {"low": None, "high": None, "reason": "class_prior_unknown"} for name in names
        }
    each = [contingency_bounds(n_predicted, n_unlabeled, class_prior=share) for share in prior]
    told = {
        name: {
            "low": min(b[name][0] for b in each),
            "high": max(b[name][1] for b in each),
            "reason": None,
        }
        for name in names
    }
    if not n_predicted:
        told["precision"] = {"low": None, "high": None, "reason": "nothing_predicted"}
    return told


def cautions(
    found: dict[str, Any],
    prior: EvaluationPrior,
    n_positive: int,
    n_found: int,
    of_cut: dict[str, float] | None = None,
) -> list[str]:
    """Return what to be careful about, and what to do; ``n_found`` positives were not hidden.

    ``of_cut`` is the precision that probabilities make one expect of the model's cut, where they
    are known.
    """
    ends = prior.ends
    is_few, has_recall = n_positive < ENOUGH_TO_ESTIMATE, found["recall"] is not None
    code, _ = _contradiction(found, ends)
    is_due = {
        _FEW: is_few,
        _NO_PRIOR: ends is None,
        _NO_CUT: not has_recall,
        _NOTHING: has_recall and not found["accepted"],
        _DOUBTFUL: code == _TOO_LARGE,
        _REVERSED: ends is not None and _CONTRADICTED in (code, _auc(found, ends)["reason"]),
        _MOVED: prior.is_moved,
        _REFUSED: prior.is_refused,
        _INADMISSIBLE: prior.is_inadmissible and not prior.is_refused,
    }
    warnings = found_by_reading(n_found) + [text for text in is_due if is_due[text]]
    return [*warnings, _OF_CUT.format(**of_cut)] if is_few and of_cut else warnings


def _contradiction(found: dict[str, Any], prior: Figure | None) -> tuple[str | None, bool]:
    """Return how the class prior is contradicted, and whether it is all over its interval.

    More positives are expected above the cut than there are documents, or below it.
    """
    if prior is None or found["recall"] is None:
        return None, False
    (recall, low, high), accepted = found["recall"], found["accepted"]
    if accepted and is_prior_too_large(recall, accepted, prior.value):
        return _TOO_LARGE, bool(low * prior.low >= accepted)
    if accepted < 1 and is_prior_contradicted(recall, accepted, prior.value):
        return _CONTRADICTED, bool((1 - high) * prior.low >= 1 - accepted)
    return None, False


def summary(
    found: dict[str, Any],
    prior: EvaluationPrior,
    precision: dict[str, Any],
    n_positive: int,
    rule: str,
) -> str:
    """Return recall and precision in words."""
    if found["recall"] is None:
        return (
            f"The cut {rule} accepts no unlabeled document, so none of the {n_positive:,} "
            "positives that were hidden could be found: recall and precision are unknown."
        )
    recall, low, high = found["recall"]
    told = (
        f"Of {n_positive:,} positives, hidden in turn, {round(recall * n_positive):,} were found "
        f"again: a recall of {recall:.0%}, between {low:.0%} and {high:.0%}. With the cut {rule}, "
        f"{found['accepted']:.2%} of the unlabeled documents were predicted positive"
    )
    if prior.is_refused:
        return f"{told}; {_TOLD_TOO_LARGE}, so the precision is unknown."
    why = _WHY.get(precision["reason"])
    if why:
        told += f", which is {why}: the prior is too large, or the recall is chance"
    if precision["low"] is None:
        return f"{told}{', and' if why else ';'} the precision is unknown."
    between = f"between {precision['low']:.0%} and {precision['high']:.0%}"
    if why:
        return f"{told}. All that is known of the precision: it is {between}."
    is_rough = precision["high"] > _MOST_RATIO * precision["low"]
    if n_positive < ENOUGH_TO_ESTIMATE or is_rough:
        return f"{told}, with a precision {between}."
    return f"{told}, with a precision of about {precision['value']:.0%}, {between}."
