"""What a training is to do, as the row of its job keeps it."""

from dataclasses import dataclass
from typing import Any

#: In place of an algorithm: those that suit the documents race.
AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class TrainingSpec:
    """What a training is to do: what was asked for, with what follows from it."""

    #: A name of the registry, or ``AUTO``.
    algorithm: str
    params: dict[str, Any]
    vectorizer: dict[str, Any]
    feature_selection_id: str | None
    class_prior: float | None
    #: What sets the score from which documents are positive.
    cut: str
    calibrate: bool
    #: Seconds that a race may take by estimate: candidates enter by their size, not by the clock.
    time_budget: float
    #: Seconds of which the graph of neighbors may take a small share; 0 for none.
    graph_budget: float
    random_state: int
