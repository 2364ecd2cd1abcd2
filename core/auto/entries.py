"""Who takes part in a race, and how it did."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.evaluation.hide_positives import HiddenPositives

_NONE: Mapping[str, Any] = MappingProxyType({})


class Candidate(NamedTuple):
    """An algorithm that takes part.

    Attributes
    ----------
    algorithm : str
        A key of ``core.registry.ALGORITHMS``.
    params : mapping
        Parameters of the algorithm.
    is_baseline : bool
        Whether it is a yardstick only and cannot win.
    """

    algorithm: str
    params: Mapping[str, Any] = _NONE
    is_baseline: bool = False

    def __reduce__(self):
        # A mappingproxy cannot be pickled.
        return Candidate, (self.algorithm, dict(self.params), self.is_baseline)

    def __repr__(self):
        return f"Candidate({self.algorithm!r}, {dict(self.params)}, is_baseline={self.is_baseline})"


class Entry(NamedTuple):
    """How a candidate did.

    Attributes
    ----------
    candidate : Candidate
        The algorithm.
    place : float or None
        Share of the unlabeled samples that rank above a hidden positive, the geometric mean: the
        less, the better. Near copies count once, and those of labeled samples do not count.
    recall, accepted : float or None
        Shares of the hidden positives and of the unlabeled samples above its own cut.
    seconds : float
        Of all its trainings; the weighting of terms, which candidates share, aside.
    memory_mb : float or None
        How far the resident memory of the process rose meanwhile, in MiB, where the system tells.
    reason : str or None
        Why it has no place: ``too_few_positives``, ``no_unlabeled``, ``time_budget``, or the error
        it ended with.
    outcome : HiddenPositives or None
        How the hidden positives came out.
    log_places : ndarray of shape (n_hidden,) or None
        The logarithm of the place of each.
    trace : str or None
        Where in the code it failed, if by a fault of the code.
    trained : object
        What ``train`` returned, of the favourite where there are several threads; else None.
    """

    candidate: Candidate
    place: float | None = None
    recall: float | None = None
    accepted: float | None = None
    seconds: float = 0.0
    memory_mb: float | None = None
    reason: str | None = None
    outcome: HiddenPositives | None = None
    log_places: np.ndarray | None = None
    trace: str | None = None
    trained: Any = None

    def __repr__(self):
        # Scores and places fill pages.
        shown = zip(self._fields[: self._fields.index("outcome")], self, strict=False)
        return f"Entry({', '.join(f'{name}={value!r}' for name, value in shown)}, ...)"
