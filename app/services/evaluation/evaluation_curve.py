"""How recall, precision and false positive rate change with the cut."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evaluation.figures import Figure
from core.evaluation.pu_curve import curve_with_prior, recall_curve

MAX_POINTS = 100


def curve(
    places: NDArray[np.float64], prior: Figure | None, *, reason: str | None
) -> dict[str, Any]:
    """Return the points of the ROC and of the PR curve; ``places`` are of the hidden positives.

    ``reason`` is why nothing follows from a class prior that is known.
    """
    if prior is None:
        reason = "class_prior_unknown"
    accepted, recall = recall_curve(places, n_points=MAX_POINTS)
    points: dict[str, list[Any]] = {"accepted": accepted.tolist(), "recall": recall.tolist()}
    if prior is None or reason:
        points |= {name: [None] * len(recall) for name in ("false_positive_rate", "precision")}
    else:
        rate, precision = curve_with_prior(accepted, recall, prior.value)
        points |= {"false_positive_rate": rate.tolist(), "precision": precision.tolist()}
    return {
        "points": [
            dict(zip(points, values, strict=True)) for values in zip(*points.values(), strict=True)
        ],
        "reason": reason,
    }
