"""Bodies about evaluations."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.schemas.bodies import Answer, Number, RequestBody
from app.schemas.model_tests import EXAMPLE as TEST_EXAMPLE
from app.schemas.model_tests import TestRead, figure

_REASON = (
    "class_prior_unknown; nothing_predicted; class_prior_too_large: recall and class prior account "
    "for more than is predicted positive; class_prior_contradicted: they leave room for less. "
    "With these two the ends are null as well if that holds for every recall and prior between "
    "theirs, or if a class prior was given that is far larger than hidden positives allow. Null "
    "where there is a value."
)


class EvaluationRequest(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"n_splits": 5, "n_repeats": 3}]})

    n_splits: Annotated[
        int,
        Field(
            ge=2,
            le=100,
            description="Number of trainings; each positive is hidden from one of them. At most "
            "one per positive; each takes about as long as the training of the model.",
        ),
        Number,
    ] = 5
    n_repeats: Annotated[
        int,
        Field(
            ge=1,
            le=20,
            description="How often the positives are dealt out anew, n_splits trainings each time.",
        ),
        Number,
    ] = 1
    class_prior: Annotated[float, Field(ge=0, le=1), Number] | None = Field(
        default=None,
        description="Share of positives among the unlabeled documents, if you know it. Null takes "
        "that of the training, else the model's class_prior_estimate, else an estimate.",
    )


class FigureRead(Answer):
    value: float | None
    low: float | None = Field(description="Lower end of the interval.")
    high: float | None = Field(description="Upper end of the interval.")
    reason: str | None = Field(description=_REASON)


class PriorRead(FigureRead):
    source: str | None = Field(
        description="given (in the request or the training), model (its class_prior_estimate), or, "
        "where the model has none, estimated (as by POST /projects/{project_id}/class-prior)."
    )


class BoundRead(Answer):
    low: float | None
    high: float | None
    reason: str | None = Field(description=_REASON)


class BoundsRead(Answer):
    """What precision and recall of the model can be, whichever positives were labeled."""

    precision: BoundRead
    recall: BoundRead


class SpreadRead(Answer):
    """Standard deviation of each figure over the repeats: the chance in the dealing alone."""

    recall: float | None
    accepted: float | None
    lee_liu: float | None
    auc_unlabeled: float | None
    precision: float | None
    f1: float | None
    false_positive_rate: float | None
    accuracy: float | None
    unbiased_risk: float | None
    non_negative_risk: float | None
    proxy_accuracy: float | None
    auc: float | None
    reason: str | None = Field(description="one_repeat: there is nothing to compare.")


class CurvePoint(Answer):
    accepted: float = Field(description="Share of the unlabeled documents above the cut.")
    recall: float
    false_positive_rate: float | None
    precision: float | None


class CurveRead(Answer):
    """ROC and PR curve by the class prior: what other cuts would give, at most 100 of them."""

    points: list[CurvePoint]
    reason: str | None = Field(
        description="Why false positive rate and precision are null: class_prior_unknown, "
        "class_prior_too_large or class_prior_contradicted."
    )


EXAMPLE: dict[str, Any] = {
    "model_id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112",
    "job_id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "data_state": "4:e3b0…",
    "is_current": True,
    "n_splits": 5,
    "n_repeats": 1,
    "n_positive": 5,
    "n_unlabeled": 10,
    "cut": "prior",
    "recall": figure(0.8, 0.28, 0.99),
    "accepted": 0.4,
    "lee_liu": 1.6,
    "auc_unlabeled": figure(0.8, 0.48, 0.95),
    "aul": 0.7,
    "class_prior": {**figure(0.3, 0.3, 0.3), "source": "given"},
    "precision": figure(0.6, 0.21, 0.75),
    "f1": figure(0.69, 0.24, 0.85),
    "false_positive_rate": figure(0.23, 0.15, 0.45),
    "accuracy": figure(0.78, 0.47, 0.9),
    "unbiased_risk": figure(0.22, 0.1, 0.53),
    "non_negative_risk": figure(0.22, 0.1, 0.53),
    "proxy_accuracy": figure(1.08, 0.77, 1.19),
    "auc": figure(0.93, 0.47, 1.0),
    "spread": {
        **dict.fromkeys(SpreadRead.model_fields),
        "reason": "one_repeat",
    },
    "bounds": {
        "precision": {"low": 0.0, "high": 0.75, "reason": None},
        "recall": {"low": 0.0, "high": 1.0, "reason": None},
    },
    "curve": {
        "points": [
            {"accepted": 0.0, "recall": 0.2, "false_positive_rate": 0.0, "precision": 1.0},
            {"accepted": 0.4, "recall": 0.8, "false_positive_rate": 0.23, "precision": 0.6},
            {"accepted": 1.0, "recall": 1.0, "false_positive_rate": 1.0, "precision": 0.3},
        ],
        "reason": None,
    },
    "summary": "Of 5 positives, hidden in turn, 4 were found again: a recall of 80%, …",
    "assumption": "All but the bounds assume that chance decided which positives were labeled; …",
    "warnings": [],
    "seconds": {"vectorise": 0.1, "hide": 2.5, "prior": 1.2},
}


class EvaluationRead(Answer):
    """How well the algorithm of a model finds positives that were hidden from it.

    These trainings had fewer positives than the model, so the model is rather better than this.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    model_id: str
    job_id: str
    data_state: str = Field(
        description="Revision of the texts and SHA-256 of the labels that it was made from."
    )
    is_current: bool = Field(
        description="Whether the project still has these texts and labels. If not, train again and "
        "evaluate the new model."
    )
    n_splits: int
    n_repeats: int
    n_positive: int
    n_unlabeled: int
    cut: str = Field(
        description="Rule of the model's cut. With own each training sets its own cut; with any "
        "other, it accepts the share of the unlabeled documents that the model accepts."
    )
    recall: FigureRead = Field(
        description="With the Clopper-Pearson interval at 95 %. With repeats it is the mean, and "
        "the interval that of a single one, as the positives are the same in each. "
        "nothing_predicted: the cut accepts no unlabeled document, so none of the hidden "
        "positives could be found."
    )
    accepted: float = Field(description="Share of the unlabeled documents predicted positive.")
    lee_liu: float | None = Field(
        description="Recall squared over accepted. This is precision times recall over the class "
        "prior, which need not be known. It compares models of one project. Null where recall is."
    )
    auc_unlabeled: FigureRead = Field(
        description="The proxy AUC: how often a hidden positive scores above an unlabeled "
        "document. The interval at 95 % is made as Wilson's for a share, by the variance of "
        "Hanley and McNeil."
    )
    aul: float = Field(
        description="Area under the lift curve: how often a hidden positive scores above a "
        "document drawn from positives and unlabeled together."
    )
    class_prior: PriorRead
    precision: FigureRead = Field(
        description="Over the unlabeled documents, like all figures that follow. The interval "
        "holds the ends of recall and of the class prior. With fewer than 10 positives a warning "
        "also names the precision of GET /models/{id}/cuts: where the two disagree, trust neither."
    )
    f1: FigureRead
    false_positive_rate: FigureRead
    accuracy: FigureRead
    unbiased_risk: FigureRead = Field(
        description="Estimated share of errors: the uPU risk with the zero-one loss. It is below "
        "zero where the class prior or the assumption is wrong."
    )
    non_negative_risk: FigureRead = Field(
        description="The same by nnPU, where the part of the negatives is kept from falling below "
        "zero. It is one minus the accuracy, unless more is accepted wrongly than the class prior "
        "leaves negatives."
    )
    proxy_accuracy: FigureRead = Field(
        description="An unbiased estimate of accuracy plus class prior (arXiv 2509.24228): one "
        "plus the class prior minus unbiased_risk. It is no share: above 1 is usual. It ranks "
        "models of one project as accuracy does; for the accuracy itself see accuracy."
    )
    auc: FigureRead = Field(
        description="How often a positive scores above a negative; the interval holds the ends of "
        "auc_unlabeled and of the class prior."
    )
    spread: SpreadRead
    bounds: BoundsRead
    curve: CurveRead
    summary: str = Field(description="Recall and precision in words.")
    assumption: str = Field(description="What must hold, and what is wrong where it does not.")
    warnings: list[str] = Field(description="What to be careful about, and what to do.")
    seconds: dict[str, float] = Field(description="How long each stage took.")


class QualityRead(Answer):
    """What is known of how good a model is."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model_id": EXAMPLE["model_id"],
                    "evaluation": EXAMPLE,
                    "test": {**TEST_EXAMPLE, "errors": []},
                }
            ]
        }
    )

    model_id: str
    evaluation: EvaluationRead | None = Field(
        default=None, description="Without negatives; null where the model was not evaluated."
    )
    test: TestRead | None = Field(
        default=None, description="On labeled documents; null where there was no test."
    )
