"""What is told of a model beside its file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from app.services.data_state import state_of
from app.services.fitting import Documents
from app.services.parameters import parameters_of
from app.services.training_spec import TrainingSpec
from app.tables import utc_now
from core.doctor.finding import CAUTION, WARNING
from core.plain_file import library_versions

#: What the flags of the core mean to the user, and what to do about them.
WARNINGS = {
    "unreliable": "The model rejects more than half of your positives, so do not trust its cut. "
    "A class prior that you gave may be too small. Else look for positives that are of another "
    "kind than the rest, or add more of them.",
    "all_positive": "The model takes every unlabeled document for positive. Read the ranking from "
    "the top and choose the cut yourself, or train another algorithm.",
    "all_negative": "The model takes no unlabeled document for positive. Read the ranking from the "
    "top and choose the cut yourself, or add positives and train again.",
    "nothing_shared": "No unlabeled document has a word in common with the positives, so the "
    "ranking says nothing. Add positives in the words of the documents you look for, and see that "
    "stop_words, min_df and max_df leave those words in. For Chinese, Japanese or Korean set the "
    "vectorizer's cjk to bigrams.",
    "first_topic_everywhere": "The topic of the positives is the largest of every document, so it "
    "tells none of them apart. Read the ranking from the top and choose the cut yourself, or train "
    "another algorithm.",
    "no_negative_evidence": "The unlabeled documents hardly differ from the positives, so nothing "
    "speaks against any of them. Add unlabeled documents of other kinds, or train another "
    "algorithm.",
    "rn_all": "The algorithm took all unlabeled documents for negative while it learned, so it "
    "may reject most of what you look for; the ranking still holds. Add unlabeled documents, or "
    "train another algorithm.",
    "rn_relaxed": "The algorithm found no unlabeled document that is surely negative and took the "
    "least likely ones instead. Compare its ranking with that of another algorithm.",
    "selection_failed": "No candidate could be told from the others, so the algorithm took its "
    "default. Read the ranking from the top and choose the cut yourself.",
    "prior_too_large": "The class prior is larger than the documents allow. Give a smaller one.",
    "prior_at_bound": "The class prior could not be told: the estimate is at the edge of what is "
    "possible. Label more positives, give class_prior if the algorithm has it, or train one that "
    "needs none.",
    "prior_clamped": "A class prior leaves at least one unlabeled document on each side, so yours "
    "was changed to that. Give one between 0 and 1.",
    "all_labeled": "The algorithm believes that nearly all positives are labeled already and found "
    "hardly any hidden one. Compare its ranking with that of another algorithm.",
    "always_in_bag": "Some documents were part of every sample, so their scores are too low. Raise "
    "the number of samples, or add unlabeled documents.",
    "grid_edge": "The best setting found lies at the edge of what was tried; a better one may lie "
    "beyond it.",
    "katz_divergent": "The similarity that the algorithm builds on does not converge at this "
    "setting, as in the published results. Take the default for a sound one.",
    "not_converged": "The algorithm stopped before it settled. Raise max_iter, if it has that, or "
    "compare its ranking with that of another algorithm.",
    "one_seed": "One positive says little about where to cut. Read the ranking from the top, and "
    "add the positives you find.",
    "propensity_too_small": "Some positives were labeled with so small a chance that it was raised "
    "to keep the result steady.",
    "unbalanced": "Both classes weigh the same for each document, so a large pile drowns few "
    "positives. Leave balanced at its default.",
}
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
    n_positive, n_negative = int(labels.is_positive.sum()), int(labels.is_negative.sum())
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
        "n_positive": n_positive,
        "n_negative": n_negative,
        "n_unlabeled": n_documents - n_positive - n_negative,
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
        flags = ["nothing_shared"]  # what the others say follows from it
    warnings = [WARNINGS.get(flag, f"The algorithm reports: {flag}.") for flag in flags]
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
    rule, _, budget = cut.partition(":")
    if rule != "budget" or n_accepted <= int(budget):
        return []
    return [
        f"{n_accepted:,} unlabeled documents are taken for positive, more than the budget of "
        f"{int(budget):,}: some have the same score, and no cut parts these."
    ]


def _is_warned_of(finding: dict[str, Any]) -> bool:
    """Return whether a finding stands among the warnings of the model.

    So does a caution of few positives: the figures beside it look surer than they are.
    """
    level, code = finding["level"], finding["code"]
    return bool(level == WARNING or (level == CAUTION and code == "few_positives"))
