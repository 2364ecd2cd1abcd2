"""Checks of what is asked of a training and of its documents, before anything is queued."""

from dataclasses import replace
from functools import partial
from typing import Any

from sklearn.pipeline import Pipeline

from app.errors import TooFewPositives
from app.services.documents.labels import check_labels
from app.services.parameters import checked_parameters, invalid
from app.services.training import fitting
from app.services.training.training_spec import AUTO, TrainingSpec
from core.base import BasePUClassifier
from core.calibration.cuts import budget_of
from core.errors import BadParameter, Refused
from core.names import check_name
from core.registry import ALGORITHMS, LISTS_OF_A_MATRIX, USUAL
from core.validation import check_n_positive

#: Cuts that are found by hidden positives.
_HIDDEN_CUTS = ("f1", "prior", "lee_liu")
#: Parameters that set the own cut of an algorithm: whoever names one wants it.
_OWN_CUT = {"cut", "quantile", "threshold"}


def class_prior_of(given: float | None, params: dict[str, Any]) -> float | None:
    """Return the class prior that is given, be it among the parameters of the algorithm.

    It counts for cuts, probabilities and findings, too. One that is not valid is left there, where
    the algorithm refuses it.
    """
    prior: Any = params.get("class_prior")
    is_valid = type(prior) in {int, float} and 0 <= prior <= 1
    return float(prior) if given is None and is_valid else given


def checked_pipeline(spec: TrainingSpec) -> Pipeline:
    """Return the pipeline asked for, not fitted, its parameters checked.

    Raises
    ------
    InvalidParameter
    """
    prior, given = spec.class_prior, spec.params.get("class_prior")
    if prior is not None and not 0 <= prior <= 1:
        raise invalid("/class_prior", f"class_prior must lie in [0, 1], not be {prior}.")
    if prior is not None and given not in (None, prior):
        raise invalid("/params/class_prior", f"class_prior is {prior} and {given} in params.")
    try:
        check_name(spec.algorithm, [*ALGORITHMS, AUTO], "algorithm")
    except BadParameter as error:
        raise invalid("/algorithm", str(error)) from error
    if spec.algorithm == AUTO and spec.params:
        raise invalid("/params", "params belong to an algorithm: name it in algorithm.")
    if spec.algorithm == AUTO and not spec.calibrate:
        told = 'auto rests on hidden positives: "calibrate": false needs an algorithm by name.'
        raise invalid("/calibrate", told)
    for name in LISTS_OF_A_MATRIX & spec.params.keys():
        if isinstance(spec.params[name], list | dict):
            raise invalid(f"/params/{name}", f"{name} may be a list in Python only.")
    if spec.cut in _HIDDEN_CUTS and not spec.calibrate:
        raise invalid("/cut", f"The cut {spec.cut} needs calibrate to be true.")
    make = partial(usual_pipeline, spec)
    return checked_parameters(make, params=spec.params, vectorizer=spec.vectorizer)


def usual_cut(params: dict[str, Any], *, calibrate: bool) -> str:
    """Return the rule that is taken unless another is asked for.

    The own cut of many algorithms accepts nothing of a good ranking, or far too much (ADR 36).
    """
    return "f1" if calibrate and _OWN_CUT.isdisjoint(params) else "own"


def usual_pipeline(spec: TrainingSpec, **changes: Any) -> Pipeline:
    """Return the pipeline of the algorithm; of auto, that of the one it takes most often."""
    spec = replace(spec, **changes)
    if spec.algorithm == AUTO:
        spec = replace(spec, algorithm=USUAL)
    return fitting.pipeline_of(spec)


def check_documents(
    project_id: str, counts: dict[str, int], algorithm: str, classifier: BasePUClassifier
) -> None:
    """Refuse documents, counted by label, that the algorithm and this classifier cannot learn from.

    Where all are judged, auto takes another classifier.

    Raises
    ------
    NoPositives, NoUnlabeled, TooFewPositives
    """
    check_labels(
        project_id,
        counts,
        needs_unlabeled=classifier.requires_unlabeled,
        needs_unjudged=classifier.requires_unjudged and algorithm != AUTO,
        is_training=True,
    )
    try:
        check_n_positive(classifier, counts["positive"])
    except Refused as error:
        raise TooFewPositives(str(error), pointer="/algorithm") from error


def check_budget(cut: str, n_unlabeled: int) -> None:
    """Refuse a cut after more documents than there are.

    Raises
    ------
    InvalidParameter
    """
    budget = budget_of(cut)
    if budget is not None and budget > n_unlabeled:
        raise invalid(
            "/cut", f"A budget of {budget:,} is more than the {n_unlabeled:,} unlabeled documents."
        )
