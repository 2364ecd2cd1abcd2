"""What is told of a model beside its file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from app.services.labels import Labels
from app.services.parameters import parameters_of
from app.services.vectorising import Counted
from core.plain_file import library_versions

#: What the flags of the core mean to the user, and what to do about them.
WARNINGS = {
    "unreliable": "The model rejects more than half of your positives, so do not trust its cut. "
    "Look for positives that are of another kind than the rest, or add more of them.",
    "all_positive": "The model takes every unlabeled document for positive. Read the ranking from "
    "the top and choose the cut yourself, or train another algorithm.",
    "all_negative": "The model takes no unlabeled document for positive. Read the ranking from the "
    "top and choose the cut yourself, or add positives and train again.",
    "no_negative_evidence": "The unlabeled documents hardly differ from the positives, so nothing "
    "speaks against any of them. Add unlabeled documents of other kinds, or train another "
    "algorithm.",
    "rn_all": "The unlabeled documents are so few that the algorithm took all of them for negative "
    "while it learned. Add unlabeled documents, or lower n_negatives.",
}
_PRIOR_UNUSED = (
    "The algorithm does not use the class prior; it was only noted. Leave it out, or choose an "
    "algorithm that has the parameter class_prior."
)


def model_card(
    spec: dict[str, Any],
    pipeline: Pipeline,
    counted: Counted,
    labels: Labels,
    scores: NDArray[np.float64],
) -> dict[str, Any]:
    """Return the card of a fitted model; ``scores`` are those of its documents."""
    classifier = pipeline["classifier"]
    n_documents = len(scores)
    n_positive, n_negative = int(labels.is_positive.sum()), int(labels.is_negative.sum())
    is_predicted = (scores >= classifier.offset_) | labels.is_positive
    return {
        "algorithm": spec["algorithm"],
        "choice": spec["choice"],
        "params": parameters_of(classifier),
        "vectorizer": parameters_of(pipeline["counts"]) | parameters_of(pipeline["weights"]),
        "feature_selection_id": spec["feature_selection_id"],
        "class_prior": spec["class_prior"],
        "random_state": spec["random_state"],
        "n_documents": n_documents,
        "n_positive": n_positive,
        "n_negative": n_negative,
        "n_unlabeled": n_documents - n_positive - n_negative,
        "n_terms": classifier.n_features_in_,
        "texts_digest": counted.texts_digest,
        "labels_digest": labels.digest,
        "offset": float(classifier.offset_),
        "n_predicted_positive": int(is_predicted.sum()),
        "report": classifier.report_,
        "warnings": _warnings(classifier, spec["class_prior"]),
        "versions": library_versions(),
        "matrix": {"cached": counted.is_cached},
    }


def _warnings(classifier: Any, class_prior: float | None) -> list[str]:
    flags = classifier.report_["flags"]
    warnings = [WARNINGS.get(flag, f"The algorithm reports: {flag}.") for flag in flags]
    if class_prior is not None and "class_prior" not in classifier.get_params(deep=False):
        warnings.append(_PRIOR_UNUSED)
    return warnings
