"""Bodies about cuts: where a ranking can be cut, and what that would give."""

from typing import Any

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer
from core.calibration.cuts import RULES

CUT_PATTERN = rf"^({'|'.join(RULES)}|budget:[1-9][0-9]{{0,8}})$"


class ExpectedRead(Answer):
    """A figure that is expected, with an interval meant for 90 %."""

    value: float
    low: float
    high: float


class CutRead(Answer):
    rule: str = Field(
        description=f"{', '.join(RULES)}, budget:N, or asked (your score). What you ask about "
        "comes last, also where the model was trained with the same budget."
    )
    offset: float | None = Field(
        description="From this score on, documents are predicted positive."
    )
    reason: str | None = Field(
        description="Why there is no such cut: a code. Or why there is no precision: "
        "nothing_predicted (the cut accepts nothing) or no_unlabeled (all is judged)."
    )
    n_accepted: int | None = Field(
        description="Unlabeled documents above the cut. At a score or budget that you ask about "
        "these include documents without a counted word, which no other cut accepts."
    )
    n_found: ExpectedRead | None = Field(description="Positives among them.")
    n_hidden: ExpectedRead | None = Field(description="Positives among all unlabeled documents.")
    precision: ExpectedRead | None
    recall: ExpectedRead | None
    f1: ExpectedRead | None = Field(
        description="That of the expected numbers. The rule f1 goes by its mean over what the "
        "class prior may be, so another cut may have a value slightly above."
    )


def _ends(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


EXAMPLE: dict[str, Any] = {
    "model_id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112",
    "used": "prior",
    "n_unlabeled": 5000,
    "cuts": [
        {
            "rule": "prior",
            "offset": 0.2,
            "reason": None,
            "n_accepted": 100,
            "n_found": _ends(74.0, 41.0, 95.0),
            "n_hidden": _ends(100.0, 52.0, 190.0),
            "precision": _ends(0.74, 0.41, 0.95),
            "recall": _ends(0.74, 0.46, 0.83),
            "f1": _ends(0.74, 0.5, 0.79),
        }
    ],
    "reason": None,
    "assumption": "This assumes that chance decided which positives were labeled: …",
}


class CutsRead(Answer):
    """Cuts that need no negatives, and what is expected of each over the unlabeled documents."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model_id: str
    used: str = Field(description="The rule that set the cut of the model.")
    n_unlabeled: int = Field(
        description="Unlabeled and unsure documents of the training, which the cuts are over. A "
        "cut at a score or budget that you ask about is over those of the ranking, with what came "
        "in since."
    )
    cuts: list[CutRead]
    reason: str | None = Field(description="Why nothing can be expected of any cut: a code.")
    assumption: str = Field(description="What must hold for the figures to be right.")
