"""What is told of a model beside its file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from app.orm import utc_now
from app.services.documents.data_state import state_of
from app.services.parameters import parameters_of
from app.services.training.fitting import Documents
from app.services.training.training_spec import TrainingSpec
from core.calibration.cuts import budget_of
from core.calibration.prior_of_scores import FOUND_BY_READING
from core.doctor.finding import CAUTION, WARNING
from core.doctor.mostly_positive import MOSTLY_POSITIVE
from core.plain_file import library_versions

_PRIOR_UNUSED = (
    "The algorithm does not use the class prior; it was only noted. Train with calibrate true, or "
    "choose an algorithm that has the parameter class_prior."
)


def model_card(
    spec: TrainingSpec,
    pipeline: Pipeline,
    documents: Documents,
    scores: NDArray[np.float64],
    findings: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the card of a fitted model with its documents' scores and the doctor's findings."""
    classifier = pipeline["classifier"]
    counted, labels = documents.counted, documents.labels
    n_documents = len(scores)
    is_accepted = scores >= classifier.offset_
    # What a person said of a document counts for more than its score.
    is_predicted = is_accepted & ~labels.is_negative | labels.is_positive
    return {
        "algorithm": spec.algorithm,
        "params": parameters_of(classifier),
        "vectorizer": parameters_of(pipeline["counts"]) | parameters_of(pipeline["weights"]),
        "feature_selection_id": spec.feature_selection_id,
        "class_prior": spec.class_prior,
        "random_state": spec.random_state,
        "n_documents": n_documents,
        "n_positive": labels.n_positive,
        "n_negative": labels.n_negative,
        "n_unlabeled": labels.n_unlabeled,
        "n_terms": classifier.n_features_in_,
        "texts_digest": counted.texts_digest,
        "labels_digest": labels.digest,
        "data_state": state_of(counted, labels),
        "offset": float(classifier.offset_),
        "n_predicted_positive": int(is_predicted.sum()),
        "n_negative_accepted": int((is_accepted & labels.is_negative).sum()),
        "report": classifier.report_,
        "warnings": _warnings(classifier, spec, findings)
        + _of_budget(spec.cut, int((is_accepted & labels.is_unlabeled).sum())),
        "doctor": findings,
        "versions": library_versions(),
        "matrix": {"cached": counted.is_cached},
        "ranking": ranking_state(n_documents, counted.revision, approximate=False),
    }


def ranking_state(n_documents: int, revision: int, *, approximate: bool) -> dict[str, Any]:
    """Return what is told of the ranking, which may be newer than its model."""
    return {
        "n_documents": n_documents,
        "revision": revision,
        "approximate": approximate,
        "updated_at": utc_now().isoformat(),
    }


def _warnings(classifier: Any, spec: TrainingSpec, findings: list[dict[str, Any]]) -> list[str]:
    flags = classifier.report_["flags"]
    if "nothing_shared" in flags:
        flags = ["nothing_shared"]  # the other flags follow from it
    silent = {f["code"] for f in findings if f["reason"] in {FOUND_BY_READING, MOSTLY_POSITIVE}}
    messages = {f["code"]: f["message"] for f in findings}
    # A flag that the doctor left out is told by another finding.
    warnings = [messages[flag] for flag in flags if flag in messages and flag not in silent]
    # Probabilities and cuts rest on it where they are calibrated.
    is_used = spec.calibrate or "class_prior" in classifier.get_params(deep=False)
    if spec.class_prior is not None and not is_used:
        warnings.append(_PRIOR_UNUSED)
    told = set(classifier.report_["flags"])
    return warnings + [
        finding["message"]
        for finding in findings
        if _is_warned_of(finding) and finding["code"] not in told
    ]


def _of_budget(cut: str, n_accepted: int) -> list[str]:
    budget = budget_of(cut)
    if budget is None or n_accepted <= budget:
        return []
    return [
        f"{n_accepted:,} unlabeled documents are predicted positive, more than the budget of "
        f"{budget:,}: some have the same score, and no cut separates these."
    ]


def _is_warned_of(finding: dict[str, Any]) -> bool:
    """Return whether a finding stands among the warnings of the model.

    A caution of few positives does, too: else the figures beside it would look too sure.
    """
    level, code = finding["level"], finding["code"]
    return bool(level == WARNING or (level == CAUTION and code == "few_positives"))
