"""What is told of a feature selection beside its file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.services.feature_selection.feature_facts import FeatureFacts, feature_facts
from app.services.feature_selection.selection_samples import Samples
from app.services.feature_selection.selection_ties import tie_warnings
from app.services.parameters import parameters_of
from app.services.plain import plain
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.stability import jaccard_index, kuncheva_index
from core.plain_file import library_versions

#: Features that the card names besides those selected; the file has them all.
_FEATURES = 1000

_ALL_SELECTED = "Each bootstrap selected all features, so nothing could differ."

#: What features are called in warnings, and in what order they stand.
_COLUMNS = ("features", "the order of the columns")
_TERMS = ("terms", "the alphabet")

#: If more than this share of the chosen terms are in a single positive, a warning says so.
_MOST_SINGLE = 0.5

#: What the flags of the selectors mean to the user, and what to do about them.
WARNINGS = {
    "blanket_larger": "The method stopped at the number of features asked for; it would have "
    "taken more. Ask for more features to see them.",
    "cancelled": "The job was cancelled, so this is the best found by then. Ask again to search "
    "to the end.",
    "clusters_doubtful": "No set of features makes the positives stand out as clusters: no mask "
    "was twice as good as no clusters at all. Compare with semi_jmi, which needs no clusters.",
    "constant_features_selected": "There are too few features that vary, so constant ones were "
    "selected too. Ask for fewer features.",
    "diagonal_covariance": "There are too few rows for the full mixture, so the features of a "
    "cluster were taken as independent. Ask for fewer features, or compare with semi_jmi.",
    "experimental": "The method is experimental: what it selects is, as published, no better than "
    "chance. Take semi_jmi unless you study it.",
    "few_held_out": "The method judges by a fifth of the positives, here by fewer than 20, and "
    "takes what fits these, be it noise. Label more, or compare with semi_jmi.",
    "few_nonzero_weights": "The method gave a weight to fewer features than asked for; the others "
    "follow without an order of their own. Ask for fewer features.",
    "few_positives": "There are fewer than ten positives, so many selections look alike to the "
    "method. Label more; stability in the request tells how much they differ.",
    "fewer_clusters": "There are too few rows for as many clusters as asked for; fewer were taken.",
    "not_converged": "The method stopped before it settled. Raise its number of iterations; "
    "stability in the request tells how much selections differ.",
    "nothing_learned": "The method ended before it had completed a walk, so the order is not its "
    "own. Allow it more iterations, or take another method.",
    "out_of_time": "The time was up, so this is the best found by then. Raise max_seconds to "
    "search on.",
    "prior_too_large": "The class prior, 0.5 unless class_prior gives another, is larger than the "
    "samples allow. Give a smaller one.",
}


def selection_card(
    spec: dict[str, Any],
    samples: Samples,
    selector: BaseFeatureSelector,
    masks: NDArray[np.bool_] | None,
) -> dict[str, Any]:
    """Return the card of a fitted selector; ``masks`` are its selections on bootstraps."""
    report, objective = selector.report_, getattr(selector, "objective_", None)
    facts = feature_facts(samples)
    return {
        "method": spec["method"],
        "params": plain(parameters_of(selector)),
        "random_state": spec["random_state"],
        "n_samples": samples.X.shape[0],
        "n_positive": int(samples.is_positive.sum()),
        "n_features": len(samples.names),
        "n_selected": int(selector.support_.sum()),
        **samples.facts,
        "features": _features(samples, selector, masks, facts),
        "mask": selector.support_.tolist() if "table_digest" in samples.facts else None,
        "objective": None if objective is None else plain(list(objective)),
        "stability": None if masks is None else _stability(masks),
        "report": plain(report),
        "warnings": [
            *warnings(report, len(samples.names)),
            *tie_warnings(selector, *(_COLUMNS if facts.n_positive is None else _TERMS)),
            *_of_one_positive(spec["method"], selector, facts),
        ],
        "versions": library_versions(),
    }


def _features(
    samples: Samples,
    selector: BaseFeatureSelector,
    masks: NDArray[np.bool_] | None,
    facts: FeatureFacts,
) -> list[dict[str, Any]]:
    frequencies = None if masks is None else masks.mean(axis=0)
    return [
        {
            "name": samples.names[i],
            "score": plain(selector.scores_[i]),
            "selected": bool(selector.support_[i]),
            **facts.of(i),
            "frequency": None if frequencies is None else float(frequencies[i]),
        }
        for i in selector.feature_order_[: max(_FEATURES, selector.support_.sum())]
    ]


def _stability(masks: NDArray[np.bool_]) -> dict[str, Any]:
    return {
        "n_bootstraps": len(masks),
        "kuncheva": plain(kuncheva_index(masks)),
        "kuncheva_reason": _ALL_SELECTED if masks.all() else None,
        "jaccard": jaccard_index(masks),
    }


def _of_one_positive(method: str, selector: BaseFeatureSelector, facts: FeatureFacts) -> list[str]:
    """Return a warning where most terms that were chosen are of one positive alone."""
    n_positive, n_selected = selector.report_["n_positive"], int(selector.support_.sum())
    if facts.n_positive is None or n_positive < 2 or selector.support_.all():
        return []
    n_single = int((facts.n_positive[selector.support_] == 1).sum())
    if n_single <= _MOST_SINGLE * n_selected:
        return []
    advice = "Ask" if method == "semi_mim" else "Take semi_mim, ask"
    return [
        f"{n_single:,} of the {n_selected:,} chosen terms are in only one of the {n_positive:,} "
        f"positives, which tells little of others. {advice} for fewer terms, or label more "
        "positives."
    ]


def warnings(report: dict[str, Any], n_features: int) -> list[str]:
    """Return what a user should know of a selection, as sentences."""
    found = [WARNINGS.get(flag, f"The method reports: {flag}.") for flag in report["flags"]]
    if n := report["n_constant"]:
        found.append(f"Features of one value only: {n}. They come last in the ranking.")
    if n := report["n_duplicates"]:
        found.append(f"Features equal to an earlier one: {n}. They tell nothing new.")
    n_candidates = report.get("n_candidates", n_features)
    if n_candidates < n_features:
        found.append(
            f"The method looked at {n_candidates} of {n_features} features, those that depend most "
            "on the label alone; the others have no score."
        )
    return found
