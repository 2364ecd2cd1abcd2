"""Which algorithms and feature selectors there are; all of it told by the estimators themselves."""

from inspect import getdoc
from typing import Any

from fastapi import APIRouter

from app.http.error_responses import error_responses
from app.schemas.algorithms import (
    AlgorithmList,
    AlgorithmRead,
    FeatureSelectorList,
    FeatureSelectorRead,
)
from core.parameter_schema import parameter_schema
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.vectorizer import vectorizer_defaults, vectorizer_schema

router = APIRouter(tags=["algorithms"])


@router.get("/algorithms", responses=error_responses())
def list_algorithms() -> AlgorithmList:
    """Return the algorithms with what each assumes, and the parameters of the vectorizer."""
    algorithms = [
        AlgorithmRead(
            **_description(name, algorithm),
            is_transductive=algorithm.is_transductive,
            representation=algorithm.representation,
            vectorizer=vectorizer_defaults(algorithm),
            is_blockwise=algorithm().is_blockwise,
        )
        for name, algorithm in ALGORITHMS.items()
    ]
    return AlgorithmList(algorithms=algorithms, vectorizer=vectorizer_schema())


@router.get("/feature-selectors", responses=error_responses())
def list_feature_selectors() -> FeatureSelectorList:
    """Return the feature selectors with what each assumes."""
    selectors = [
        FeatureSelectorRead(**_description(name, selector))
        for name, selector in FEATURE_SELECTORS.items()
    ]
    return FeatureSelectorList(feature_selectors=selectors)


def _description(name: str, estimator: Any) -> dict[str, Any]:
    return {
        "name": name,
        "summary": (getdoc(estimator) or "").partition("\n")[0],
        "assumption": estimator.assumption,
        "reference": estimator.reference,
        "parameters": parameter_schema(estimator),
    }
