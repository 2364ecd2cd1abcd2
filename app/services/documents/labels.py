"""What is known of a project's documents."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.database import Database
from app.errors import NoPositives, NoUnlabeled
from app.orm import Label
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.judgements import JudgementRepository
from app.repositories.models import ModelRepository
from app.services.documents.reading import reading_of
from core.auto.candidates import BASELINES
from core.calibration.prior_of_scores import FOUND_BY_READING
from core.class_prior.judged_pile import Pile, class_prior_of_rest
from core.class_prior.prior_estimate import PriorEstimate
from core.registry import ALGORITHMS
from core.review.expected import Expected
from core.review.reading import Reading

#: Of fewer, none can be hidden from the others.
MIN_SEEDS = 2
#: Why there is nothing to read where nobody read anything.
NO_PILE = (
    "The project has no document to read yet. Add the pile to search with "
    "POST /projects/{project_id}/unlabeled."
)
#: Algorithms to advise where there are positives alone; baselines are not among them.
_WITHOUT_PILE = sorted(
    {name for name, each in ALGORITHMS.items() if not each.requires_unlabeled}
    - {candidate.algorithm for candidate in BASELINES}
)


@dataclass(frozen=True)
class Labels:
    """Masks of shape (n_documents,); what is in neither of the first is learned from as unlabeled.

    ``is_judged`` marks what got its label when it was there already, as in a review; ``judged`` has
    these labels in their order, ``judged_rows`` their documents. ``expected`` is how many positives
    these seeds told an earlier model of in this pile, where some of it was judged.
    """

    is_positive: NDArray[np.bool_]
    is_negative: NDArray[np.bool_]
    is_judged: NDArray[np.bool_]
    judged: Reading = field(default_factory=lambda: Reading((), 0))
    judged_rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    expected: Expected | None = None

    @property
    def n_positive(self) -> int:
        """How many documents are labeled positive."""
        return int(self.is_positive.sum())

    @property
    def n_negative(self) -> int:
        """How many documents are judged negative."""
        return int(self.is_negative.sum())

    @property
    def n_unlabeled(self) -> int:
        """How many documents are learned from as unlabeled."""
        return len(self.is_positive) - self.n_positive - self.n_negative

    @property
    def is_unlabeled(self) -> NDArray[np.bool_]:
        """Neither positive nor judged negative."""
        return ~(self.is_positive | self.is_negative)

    @property
    def is_seed(self) -> NDArray[np.bool_]:
        """The positives that are taken for a random draw.

        Not those that were found by reading, unless hardly any others are there: then nothing is
        known of how the positives were found.
        """
        is_seed = self.is_positive & ~self.is_judged
        return is_seed if is_seed.sum() >= MIN_SEEDS else self.is_positive

    @property
    def n_seeds(self) -> int:
        """How many positives are taken for a random draw."""
        return int(self.is_seed.sum())

    @property
    def n_pile(self) -> int:
        """How many documents positives were found in by reading, or may be."""
        return len(self.is_positive) - self.n_seeds

    @property
    def n_found(self) -> int:
        """How many positives were found by reading."""
        return self.n_positive - self.n_seeds

    @property
    def n_judged_positive(self) -> int:
        """How many positives were labeled when they were there already, as those found are."""
        return int((self.is_positive & self.is_judged).sum())

    @property
    def is_mostly_found(self) -> bool:
        """Whether most positives were found by reading, as were the judged negatives."""
        is_review = bool((self.is_negative & self.is_judged).any())
        return is_review and 2 * self.n_judged_positive > self.n_positive

    @property
    def is_review(self) -> bool:
        """Whether any positives are known to have been found by reading."""
        return self.n_found > 0 or self.is_mostly_found

    @property
    def reading(self) -> Reading | None:
        """The judgements in their order, where most positives were found by reading."""
        return self.judged if self.is_mostly_found else None

    @property
    def may_tell_depth(self) -> bool:
        """Whether what was judged tells how deep was read, though few positives were found so."""
        return bool((self.is_negative & self.is_judged).any()) and not self.is_mostly_found

    @property
    def are_seeds_drawn(self) -> bool:
        """Whether any positives are a random draw, as far as is known."""
        return bool(self.n_found) or not (self.is_positive & self.is_judged).any()

    @property
    def is_of_pile(self) -> NDArray[np.bool_]:
        """The documents that class priors are estimated on.

        All, where positives were found by reading; else all but the judged negatives.
        """
        return np.ones_like(self.is_negative) if self.n_found else ~self.is_negative

    def of_rest(self, estimate: PriorEstimate) -> PriorEstimate:
        """Turn the class prior of ``is_of_pile`` into that of what nobody has judged.

        It has no value where more positives were found than it meant: then it was wrong.
        """
        if self.is_mostly_found and not self.n_found:
            return PriorEstimate(None, reason=FOUND_BY_READING)
        if not self.n_found:
            return estimate
        if estimate.value is not None and estimate.value * self.n_pile <= self.n_found:
            return PriorEstimate(None, reason="more_found_than_estimated")
        pile = Pile(self.n_pile, self.n_found, self.n_unlabeled)
        rest: PriorEstimate = class_prior_of_rest(estimate, pile)
        return rest

    @property
    def digest(self) -> str:
        """SHA-256 of which are positive and which negative."""
        packed = np.packbits([self.is_positive, self.is_negative])
        return hashlib.sha256(packed.tobytes()).hexdigest()


def read_labels(database: Database, project_id: str, numbers: NDArray[np.int64]) -> Labels:
    """Return the labels of the documents with these numbers, as they are now."""
    with database.reading() as session:
        found = DocumentRepository(session).labeled_numbers(project_id)
        judged = JudgementRepository(session).judged(project_id)
        begun = ArrivalRepository(session).begun_in_review(project_id)
        told = ModelRepository(session).expected_positives(project_id) if judged else None
    starts = np.array(begun, dtype=np.int64)
    sizes = np.diff(np.searchsorted(numbers, starts, side="right"), prepend=0, append=len(numbers))
    labeled = np.concatenate(list(found.values()))
    of_judged = np.array([number for number, _ in judged], dtype=np.int64)
    labels = Labels(
        is_positive=np.isin(numbers, found[Label.POSITIVE]),
        is_negative=np.isin(numbers, found[Label.NEGATIVE]),
        is_judged=np.isin(numbers, of_judged),
        judged_rows=np.searchsorted(numbers, of_judged[np.isin(of_judged, numbers)]),
        judged=reading_of(judged, labeled[np.isin(labeled, numbers)], starts, sizes),
    )
    of_these = {"n_seeds": labels.n_seeds, "n_pile": labels.n_pile}
    if told is None or not of_these.items() <= told.items():
        return labels
    return replace(labels, expected=expected_of_card(told, labels.n_pile))


def expected_of_card(told: dict[str, Any], n_pile: int) -> Expected:
    """Return how many positives the card of a model tells of, in a pile that may have grown."""
    value, low, high = (told[end] * n_pile / told["n_pile"] for end in ("value", "low", "high"))
    return Expected(value, low, high, tuple(told.get("ranks", ())))


def check_labels(
    project_id: str,
    counts: dict[str, int],
    *,
    needs_unlabeled: bool,
    needs_unjudged: bool = False,
    is_training: bool = False,
) -> None:
    """Refuse a project without the documents to learn from; ``counts`` are those of its labels.

    Who trains is told which algorithms can do without a pile.

    Raises
    ------
    NoPositives, NoUnlabeled
    """
    if not counts["positive"]:
        raise NoPositives(
            "The project has no positive document to learn from. Add some with "
            f"POST /projects/{project_id}/positives."
        )
    n_others = counts["unlabeled"] + counts["unsure"]
    if not needs_unjudged:
        n_others += counts["negative"]
    if needs_unlabeled and not n_others:
        if needs_unjudged and counts["negative"]:
            raise NoUnlabeled(
                "Every document of the project is judged, so none is left that could be positive. "
                "To look for more of the kind, add documents with "
                f"POST /projects/{project_id}/unlabeled."
            )
        others = f"; of the algorithms {_without_pile(counts)}" if is_training else ""
        raise NoUnlabeled(
            "The project has no unlabeled document to learn from. Add the pile to search with "
            f"POST /projects/{project_id}/unlabeled{others}."
        )


def _without_pile(counts: dict[str, int]) -> str:
    if counts["negative"]:
        return "judged_svm learns from judged ones"
    return f"{', '.join(_WITHOUT_PILE[:-1])} and {_WITHOUT_PILE[-1]} need none"
