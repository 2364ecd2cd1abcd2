"""Examination of a model that was just trained."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline

from app.repositories.documents import DocumentRepository
from app.services.counting import vectorising
from app.services.documents.labels import Labels
from app.services.jobs.run import Run
from app.services.training.calibrating import ChosenCut
from app.services.training.doctor_words import ESTIMATED, GIVEN, message
from app.services.training.fitting import Documents
from app.services.training.training_spec import AUTO, TrainingSpec
from core.calibration.prior_of_scores import FOUND_BY_READING
from core.doctor.examine import examine, in_order
from core.doctor.finding import CAUTION, WARNING, Finding
from core.doctor.model_state import check_accepted, flags_to_act_on
from core.text import TermWeighting
from core.text.vector_coding import word_places

#: Findings that speak of hidden positives, or of a cut among what is left, or that advise to read
#: from the top.
_CONTRADICTED_BY_REVIEW = {"accepts_too_many", "all_negative", "few_positives", "prior_uncertain"}
#: Findings that positives have words of their own: what was found has, once all is found.
_OF_WORDS = {"foreign_positives", "isolated_positives", "own_words"}
_CONTRADICTED_AT_ITS_END = {"all_positive", "nearly_all_positive"}


def findings(
    run: Run,
    spec: TrainingSpec,
    pipeline: Pipeline,
    documents: Documents,
    scores: NDArray[np.float64],
    chosen: ChosenCut,
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
        _flags(run, classifier),
        positive_ranks=chosen.found.positive_ranks,
        class_prior=chosen.found.class_prior,
        terms=_terms(documents),
        whole=_whole(documents),
        random_state=spec.random_state,
    )
    if labels.is_review:
        found = in_order([of_a_review(finding, labels) for finding in found])
    is_tied = _is_tied(chosen, labels, scores)
    numbers = counted.numbers[[row for finding in found for row in finding.rows]].tolist()
    with run.database.reading() as session:
        ids = DocumentRepository(session).ids(numbers)
    return [
        {
            "code": finding.code,
            "level": finding.level,
            "message": message(
                finding,
                run.project_id,
                is_tied=is_tied,
                is_review=labels.is_review,
                is_mostly_found=labels.is_mostly_found,
                rests_on=_rests_on(chosen),
            ),
            "numbers": finding.numbers,
            "documents": _ids(finding.rows, counted.numbers, ids),
            "reason": finding.reason,
        }
        for finding in found
    ]


def _flags(run: Run, classifier: Any) -> list[str]:
    """Return the flags to tell."""
    flags: list[str] = classifier.report_["flags"]
    return flags_to_act_on(flags) if run.spec["algorithm"] == AUTO else flags


def _terms(documents: Documents) -> Sequence[str]:
    """Return the terms that the counts of a training are of."""
    terms: Sequence[str] = documents.counted.counter.terms_
    return terms if documents.mask is None else list(compress(terms, documents.mask))


def _whole(documents: Documents) -> csr_array | None:
    """Return the counts of all words, but for those of vectors, where terms were selected."""
    if documents.mask is None:
        return None
    counts = documents.counted.counts
    of_vectors = word_places(documents.counted.counter.terms_)
    if not len(of_vectors):
        return counts
    return counts[:, np.delete(np.arange(counts.shape[1]), of_vectors)]


def of_a_review(finding: Finding, labels: Labels) -> Finding:
    """Return a finding as it is where positives were found by reading.

    That they are no random draw is told in place of looking whether they might be one, and that
    what is left shares no word with them, or has none, is what reading ends with. Where most were
    found so, nothing is told that speaks against reading.
    """
    is_read = not (labels.is_unlabeled & ~labels.is_judged).any()
    # Where all is read there is no top to read from: what is left are unsure documents.
    contradicted = _CONTRADICTED_BY_REVIEW | _OF_WORDS
    contradicted |= _CONTRADICTED_AT_ITS_END if is_read else set()
    is_excused = finding.needs_eyes and labels.is_mostly_found
    if is_excused and (finding.code in contradicted or _none_is_left(finding)):
        return replace(finding, level=None, reason=FOUND_BY_READING)
    if finding.code in {"nothing_shared", "no_features"}:
        return replace(finding, level=CAUTION)
    if finding.code != "random_labeling":
        return finding
    numbers = {"n_found": labels.n_judged_positive, "n_positive": labels.n_positive}
    return Finding(finding.code, CAUTION, numbers)


def _none_is_left(finding: Finding) -> bool:
    """Return whether it is found that the estimate leaves no positive: what reading ends with."""
    numbers = finding.numbers
    is_estimate = finding.code == "estimate_at_bound" and not numbers["is_given"]
    return is_estimate and numbers["class_prior"] < 1 / 2


def _rests_on(chosen: ChosenCut) -> str:
    """Return what the probabilities of a review go by, "" where there are none."""
    if chosen.found.curves is None:
        return ""
    return GIVEN if "given" in (chosen.found.class_prior.details or {}) else ESTIMATED


def _is_tied(chosen: ChosenCut, labels: Labels, scores: NDArray[np.float64]) -> bool:
    """Return whether equal scores keep the cut by the class prior from accepting few enough."""
    cut = chosen.found.cuts["prior"].offset
    if cut is None:
        return False
    unlabeled = scores[labels.is_unlabeled]
    return bool(check_accepted(unlabeled >= cut, chosen.found.class_prior).level == WARNING)


def _ids(rows: list[int], numbers: NDArray[np.int64], ids: dict[int, str]) -> list[str]:
    of_rows = (int(numbers[row]) for row in rows)
    return [ids[number] for number in of_rows if number in ids]
