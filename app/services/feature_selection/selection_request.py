"""Checks of what is asked of a feature selector and of its source, before anything is queued."""

import math
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from app.errors import TooFewPositives, UnsuitableDocuments
from app.repositories.documents import DocumentRepository
from app.repositories.projects import ProjectRepository
from app.repositories.tables import TableRepository
from app.services.counting import vectorising
from app.services.documents.labels import check_labels
from app.services.jobs import analysis_memory
from app.services.jobs.analysis_memory import Size
from app.services.parameters import checked_parameters, invalid
from core.errors import BadParameter
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.feature_costs import checked_costs
from core.names import check_name
from core.registry import FEATURE_SELECTORS, make_estimator

#: The default ``min_df``, and the size of a pile from which it holds: a term of a single document
#: finds no other. In fewer documents most terms are such.
MIN_DOCUMENTS, IN_PILE_OF = 2, 1_000


def find_source(
    session: Session,
    project_id: str | None,
    table_id: str | None,
    vectorizer: dict[str, Any],
) -> tuple[dict[str, Any], int, Size]:
    """Check the project or the table to look at; return its part of the job, positives and size.

    Raises
    ------
    ProjectNotFound, TableNotFound, InvalidParameter, NoPositives, NoUnlabeled
    """
    if table_id is None:
        assert project_id is not None
        project = ProjectRepository(session).lock(project_id)
        vectorizer = vectorising.with_defaults(project, vectorizer)
        vectorising.check_vectorizer(vectorizer)
        counts = DocumentRepository(session).counts(project_id)
        check_labels(project_id, counts, needs_unlabeled=True)
        return {"vectorizer": vectorizer}, counts["positive"], Size(counts["total"])
    if vectorizer:
        raise invalid("/vectorizer", "A table has no texts: leave the vectorizer out.")
    table = TableRepository(session).lock(table_id)
    size = analysis_memory.of_table(table.n_rows, table.n_features)
    return {"table_id": table_id}, table.n_positive, size


def without_single(vectorizer: dict[str, Any], n_documents: int) -> dict[str, Any]:
    """Return the checked vectorizer with a default that leaves out terms of a single document."""
    max_df = vectorizer.get("max_df", 1.0)
    n_at_most = max_df if isinstance(max_df, int) else max_df * n_documents
    is_hashed = vectorizer.get("n_features") is not None
    if n_documents < IN_PILE_OF or is_hashed or n_at_most < MIN_DOCUMENTS:
        return vectorizer
    return {"min_df": MIN_DOCUMENTS, **vectorizer}


def make_selector(spec: dict[str, Any]) -> BaseFeatureSelector:
    """Return the selector asked for, its parameters checked.

    Raises
    ------
    InvalidParameter
    """
    try:
        method = check_name(spec["method"], FEATURE_SELECTORS, "method")
    except BadParameter as error:
        raise invalid("/method", str(error)) from error
    make = partial(make_estimator, FEATURE_SELECTORS, method, random_state=spec["random_state"])
    selector: BaseFeatureSelector = checked_parameters(make, params=spec["params"])
    return selector


def check_size(selector: BaseFeatureSelector, n_features: int, pointer: str) -> None:
    """Refuse to select more features than there are, or costs that do not fit them.

    Raises
    ------
    InvalidParameter
    """
    n_selected = selector.n_features_to_select
    if n_selected > n_features:
        detail = f"{n_selected} features are asked for; there are {n_features}."
        raise invalid(pointer, detail)
    costs, budget = (getattr(selector, name, None) for name in ("costs", "budget"))
    try:
        checked_costs(costs, budget, n_selected, n_features)
    except BadParameter as error:
        raise invalid(f"/params/{error.name}", str(error)) from error


def check_terms(selector: BaseFeatureSelector, n_terms: int) -> None:
    """Refuse to select more terms than the documents have.

    Raises
    ------
    UnsuitableDocuments
    """
    if selector.n_features_to_select > n_terms:
        raise UnsuitableDocuments(
            f"n_features_to_select={selector.n_features_to_select} is more than the {n_terms:,} "
            "terms there are. Ask for fewer (n_features), or lower min_df of the vectorizer: with "
            f"{IN_PILE_OF:,} documents or more it is {MIN_DOCUMENTS} unless given."
        )


def check_selector_positives(selector: BaseFeatureSelector, n_positive: int) -> None:
    """Refuse a method that needs more positives.

    Raises
    ------
    TooFewPositives
    """
    if n_positive < selector.min_positives:
        detail = (
            f"The method needs at least {selector.min_positives} positives; there are "
            f"{n_positive}. Label more, or take semi_jmi."
        )
        raise TooFewPositives(detail, pointer="/method")


def half(n_features: int) -> int:
    """Return how many features to select of a table where nothing is said: half, rounded up."""
    return math.ceil(n_features / 2)
