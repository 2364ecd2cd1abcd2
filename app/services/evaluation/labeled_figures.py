"""The usual figures of a model, from documents whose labels are known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, confusion_matrix, f1_score, roc_auc_score

from app.services.figure_fields import figure_fields
from core.pu_rates import binomial_interval

_SAME_TEXT = (
    "{n:,} of {total} {has} the same text as a document of the project. Texts that the model "
    "learned from flatter the figures. Leave {those} out, then test again. {first}"
)
_AGAIN = (
    "{n:,} more {has} the text and the label of another test document. Each text counts once. "
    "{first}"
)
_NO_VECTOR = (
    "{n:,} of {total} {has} no vector, but the model learned from vectors, too. {They_are} scored "
    "by words alone, so the figures say little of documents with a vector. Send {those} as NDJSON "
    "with vectors of the same model, then test again."
)
_ONE = {"has": "has", "They_are": "It is", "those": "it"}
_SEVERAL = {"has": "have", "They_are": "They are", "those": "those"}
_SHOWN = 5
_ONE_CLASS = (
    "All test documents are {label}, so only {known} can be told. Add documents that are {other}, "
    "then test again."
)


def labeled_figures(
    truth: NDArray[np.bool_], scores: NDArray[np.float64], cut: float
) -> dict[str, Any]:
    """Return figures and counts; what cannot be had is null, with a reason.

    Parameters
    ----------
    truth : ndarray of shape (n_documents,)
        Which documents are positive; there is a document.
    scores : ndarray of shape (n_documents,)
        Of the model, positive from ``cut`` on.
    """
    predicted = scores >= cut
    counts = confusion_matrix(truth, predicted, labels=[False, True])
    (tn, fp), (fn, tp) = counts.tolist()
    # Precision among positives alone is 1 for any model, and so is its area.
    reason = "no_positives" if not truth.any() else "no_negatives" if truth.all() else None
    precision_reason = reason or ("nothing_predicted" if not predicted.any() else None)
    recall_reason = reason if reason == "no_positives" else None
    return {
        "precision": _share(tp, tp + fp, precision_reason),
        "recall": _share(tp, tp + fn, recall_reason),
        "accuracy": _share(tp + tn, len(truth), None),
        "f1": _value(f1_score, truth, predicted, reason),
        "average_precision": _value(average_precision_score, truth, scores, reason),
        "roc_auc": _value(roc_auc_score, truth, scores, reason),
        "confusion": {
            "true_positives": tp,
            "false_positives": fp,
            "false_negatives": fn,
            "true_negatives": tn,
        },
    }


def _share(n_hits: int, n_trials: int, reason: str | None) -> dict[str, Any]:
    """Return a figure with its Clopper-Pearson interval."""
    if reason:
        return figure_fields(None, reason)
    return figure_fields((n_hits / n_trials, *binomial_interval(n_hits, n_trials)))


def _value(score: Any, truth: Any, values: Any, reason: str | None) -> dict[str, Any]:
    return {"value": None if reason else float(score(truth, values)), "reason": reason}


def cautions(
    truth: NDArray[np.bool_],
    known: NDArray[np.uint64],
    again: NDArray[np.uint64],
    position_name: str,
    n_without_vector: int = 0,
) -> list[str]:
    """Return what to be careful about, and what to do.

    ``known`` has the positions of the documents whose texts the project has, too; ``again`` those
    of others, with a text that is counted already. ``n_without_vector`` counts those that lack what
    the model learned from.
    """
    warnings = []
    if truth.all():
        warnings.append(
            _ONE_CLASS.format(label="positive", known="recall and accuracy", other="negative")
        )
    if not truth.any():
        warnings.append(_ONE_CLASS.format(label="negative", known="accuracy", other="positive"))
    total = f"{len(truth):,} test document{'s' if len(truth) > 1 else ''}"
    if n_without_vector:
        warnings.append(_of_some(_NO_VECTOR, n_without_vector, total))
    for told, places in ((_SAME_TEXT, known), (_AGAIN, again)):
        if len(places):
            first = f"The first, by {position_name}: {', '.join(map(str, places[:_SHOWN]))}."
            warnings.append(_of_some(told, len(places), total, first))
    return warnings


def _of_some(told: str, n: int, total: str, first: str = "") -> str:
    words = _ONE if n == 1 else _SEVERAL
    return told.format(n=n, total=total, first=first, **words)
