"""What an estimate of the class prior means, in words."""

from typing import Any

from core.class_prior.largest_admissible import is_far_above
from core.class_prior.prior_estimate import PriorEstimate

#: With fewer positives than this the interval holds the truth too rarely (docs/class_prior.md).
FEW_POSITIVES = 5

ASSUMPTION = (
    "This assumes that chance decided which positives were labeled. If they are the obvious cases, "
    "or all about one side of the matter, only what is like them was counted, and more are hidden."
)
_WARNINGS = {
    "at_bound": "The estimate lies at the edge of what is possible, so nothing was learned. Label "
    "more positives, then estimate again.",
    "above_admissible": "The estimate is above the largest value that the positives allow. Count "
    "on that value as the upper end.",
    "wide_interval": "The ends of the interval are more than a factor of two apart. Plan with "
    "the interval, and label more positives to narrow it.",
}
_FEW = (
    f"With fewer than {FEW_POSITIVES} positives the interval holds the truth in about four of five "
    "cases, and else more are hidden. Label more, then estimate again."
)
_NO_ESTIMATE = {
    "too_few_positives": "one must be left out to see where hidden ones rank, and then none is "
    "left. Label at least two positives that differ and have a word that is counted.",
    "too_few_unlabeled": "these are too few to estimate a share. Add unlabeled documents.",
    "no_features": "no document has a term. Add documents with words.",
    "more_found_than_estimated": "going by the positives that were not found by reading, no more "
    "should be there than were found. GET /review of the project tells how many are left.",
    "found_by_reading": "most positives were found by reading, and hardly any was given at the "
    "start, so they are no random draw. GET /review of the project tells how many are left.",
    "nothing_shared": "none of these shares a word with the positives. Add positives in the words "
    "of the documents you look for.",
}
_OF_A_MODEL = (
    "The newest model ({id}) has another estimate: {value:,} of {n_unlabeled:,} unlabeled "
    "documents, between {low:,} and {high:,} (class_prior_estimate). It also looks at where the "
    "model ranks positives that were hidden from it. Either may be far off: plan with the outer "
    "ends of both."
)


def summary(estimate: PriorEstimate, n_positive: int, n_unlabeled: int) -> str:
    """Return how many positives are hidden, and how sure that is; ``n_positive`` differ."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        reason = _NO_ESTIMATE[estimate.reason or "too_few_positives"]
        return f"How many of {n_unlabeled:,} unlabeled are positive is unknown: {reason}"
    low, value, high = (
        round(share * n_unlabeled) for share in (estimate.low, estimate.value, estimate.high)
    )
    share = estimate.largest_admissible
    largest = n_unlabeled if share is None else round(share * n_unlabeled)
    if value > largest and _is_contradicted(estimate):
        return (
            f"The estimates contradict each other: about {value:,} of the {n_unlabeled:,} "
            f"unlabeled documents would be positive, but at most {largest:,} can be, whatever the "
            "negatives look like. Label more positives, then estimate again."
        )
    told = (
        f"About {value:,} of the {n_unlabeled:,} unlabeled documents "
        f"{'is' if value == 1 else 'are'} positive "
        f"({100 * estimate.value:.2g} %), probably between {low:,} and {high:,}"
    )
    if share is not None:
        more = "more" if value > largest else f"more than {largest:,}"
        told += f"; {more} would hardly fit the positives, whatever the negatives look like"
    return f"{told}. This holds if the {n_positive:,} positives were labeled at random."


def warnings(estimate: PriorEstimate, n_positive: int) -> list[str]:
    """Return what to be careful about, and what to do."""
    if estimate.value is None:
        return []
    few = [_FEW] if n_positive < FEW_POSITIVES else []
    # Where they contradict each other, the interval holds the estimate: nothing to plan with.
    untold = "wide_interval" if _is_contradicted(estimate) else "above_admissible"
    return few + [_WARNINGS[flag] for flag in estimate.flags if flag != untold]


def _is_contradicted(estimate: PriorEstimate) -> bool:
    """Return whether the estimate is far above the largest value: a little is chance."""
    most = estimate.largest_admissible
    return most is not None and is_far_above(estimate.value, most)


def found_by_reading(n_found: int) -> list[str]:
    """Return what it means that positives were found by reading, if any were."""
    if not n_found:
        return []
    return [
        f"{n_found:,} positives were found by reading, so they are no random draw. The figures "
        "here rest on the other positives; what was found is subtracted. What is left is harder "
        "to find. GET /review of the project tells how many are left, and when to stop."
    ]


def of_a_model(id_: str, estimate: dict[str, Any], n_unlabeled: int) -> list[str]:
    """Return what the estimate on the card of a model says beside another, if it has one."""
    if estimate["value"] is None or "given" in (estimate["details"] or {}):
        return []
    ends = {name: round(estimate[name] * n_unlabeled) for name in ("value", "low", "high")}
    return [_OF_A_MODEL.format(id=id_, n_unlabeled=n_unlabeled, **ends)]
