"""Examination of a model that was just trained."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from app.repositories.documents import DocumentRepository
from app.services import vectorising
from app.services.doctor_words import message
from app.services.fitting import Documents
from app.services.run import Run
from core.class_prior.prior_estimate import PriorEstimate
from core.doctor.examine import examine
from core.term_weights import TermWeighting


def findings(
    run: Run,
    pipeline: Pipeline,
    documents: Documents,
    scores: NDArray[np.float64],
    class_prior: PriorEstimate,
) -> list[dict[str, Any]]:
    """Return what the doctor finds in words, with the ids of documents that still exist.

    Raises
    ------
    StorageFull
    """
    classifier = pipeline["classifier"]
    counted, labels = documents.counted, documents.labels
    found = examine(
        # Whatever the classifier was fed: the bounds of the checks hold for these weights.
        vectorising.weigh(run.artifacts, TermWeighting(), documents.counts),
        labels.is_positive,
        labels.is_negative,
        scores,
        classifier.offset_,
        classifier.report_["flags"],
        class_prior=class_prior,
        random_state=run.spec["random_state"],
    )
    numbers = counted.numbers[[row for finding in found for row in finding.documents]].tolist()
    with run.database.reading() as session:
        ids = DocumentRepository(session).ids(numbers)
    return [
        {
            "code": finding.code,
            "level": finding.level,
            "message": message(finding),
            "numbers": finding.numbers,
            "documents": _ids(finding.documents, counted.numbers, ids),
            "reason": finding.reason,
        }
        for finding in found
    ]


def _ids(rows: list[int], numbers: NDArray[np.int64], ids: dict[int, str]) -> list[str]:
    of_rows = (int(numbers[row]) for row in rows)
    return [ids[number] for number in of_rows if number in ids]
