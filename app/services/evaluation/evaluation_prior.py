"""The class prior that an evaluation goes by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.class_prior.largest_admissible import is_far_above, largest_admissible_prior
from core.evaluation.figures import Figure


@dataclass(frozen=True)
class EvaluationPrior:
    """A class prior, where it is from ("given", "model" or "estimated") and what bounds it.

    ``ends`` and ``source`` are None where it is unknown, ``largest`` where hidden positives tell
    of no largest admissible one. ``is_moved`` tells that the one given left no positive or no
    negative, and is not that of ``ends``.
    """

    ends: Figure | None = None
    source: str | None = None
    largest: float | None = None
    is_moved: bool = False

    @property
    def is_inadmissible(self) -> bool:
        """Whether it is far above the largest admissible one."""
        if self.ends is None or self.largest is None:
            return False
        return bool(is_far_above(self.ends.value, self.largest))

    @property
    def is_refused(self) -> bool:
        """Whether it was given and is inadmissible: then nothing follows from it."""
        return self.source == "given" and self.is_inadmissible


def largest_prior(places: NDArray[np.float64], n_unlabeled: int, n_found: int) -> float | None:
    """Return the largest class prior that the positives of one deal allow."""
    if n_found:
        return None  # what is left of the pile is less like the positives
    ranks = (np.arange(n_unlabeled) + 0.5) / n_unlabeled
    return float(largest_admissible_prior(1 - places, ranks))
