"""Bodies about models, their rankings and their words."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field

from app.orm import Label, Model
from app.schemas.bodies import Answer, PageAnswer
from app.schemas.explanations import TermWeight

EXAMPLE: dict[str, Any] = {
    "id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112",
    "project_id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "job_id": "3d5b7f9e1c2a4860b1d3f5e7a9c0b2d4",
    "is_champion": True,
    "created_at": "2026-11-20T09:31:20Z",
    "size": 1048576,
    "sha256": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
    "algorithm": "lgn",
    "choice": None,
    "race": None,
    "params": {"smoothing": 0.01},
    "vectorizer": {"stop_words": "english", "min_df": 2},
    "feature_selection_id": None,
    "class_prior": None,
    "random_state": 0,
    "n_documents": 5003,
    "n_positive": 3,
    "n_negative": 0,
    "n_unlabeled": 5000,
    "n_terms": 20480,
    "texts_digest": "a5d1…",
    "labels_digest": "07c4…",
    "offset": 0.2,
    "cut": {"rule": "prior", "asked": "prior"},
    "class_prior_estimate": {
        "value": 0.02,
        "low": 0.01,
        "high": 0.04,
        "reason": None,
        "flags": ["wide_interval"],
        "details": {"bbe": 0.025, "bbe_of_classifier": 0.02, "dedpul_of_classifier": 0.016},
    },
    "calibration": {"reason": None, "assumption": "This assumes that chance decided which …"},
    "n_predicted_positive": 112,
    "n_negative_accepted": 0,
    "report": {"flags": []},
    "warnings": [],
    "doctor": [
        {
            "code": "odd_positives",
            "level": "caution",
            "message": "The positives listed resemble the others less than most of the pile does. "
            "Read them: take back the label where it is wrong; where it is right, label more like "
            "them.",
            "numbers": {"n_found": 1, "shares": [0.31]},
            "documents": ["message-4"],
            "reason": None,
        }
    ],
    "versions": {"numpy": "2.4.6"},
    "matrix": {"cached": False},
    "ranking": {
        "n_documents": 5103,
        "revision": 4,
        "is_current": True,
        "approximate": False,
        "updated_at": "2026-11-20T10:02:11Z",
    },
    "seconds": {"vectorise": 0.4, "fit": 0.1},
}
RANKED_EXAMPLE: dict[str, Any] = {
    "rank": 1,
    "id": "message-17",
    "score": 1.7,
    "probability": 0.91,
    "predicted": True,
    "label": "unlabeled",
    "judgement": None,
    "text": "the river is over its banks",
    "metadata": None,
}
NDJSON_EXAMPLE = (
    '{"rank":1,"id":"message-17","score":1.7,"probability":0.91,"predicted":true,"label":"unlabeled",'
    '"judgement":null,"text":"the river is over its banks","metadata":null}\n'
)
CSV_EXAMPLE = (
    "rank,id,score,probability,predicted,label,judgement,text,metadata\r\n"
    "1,message-17,1.7,0.91,true,unlabeled,,the river is over its banks,\r\n"
)
RIS_EXAMPLE = "TY  - GEN\nTI  - the river is over its banks\nID  - message-17\nER  - \n\n"


IS_CURRENT = (
    "Whether it holds all documents of the project, with their present texts. If not, POST "
    "/models/{model_id}/ranking brings it up to date."
)


class FindingRead(Answer):
    """What a check of the doctor found."""

    code: str = Field(description="The check, or a flag of the algorithm.")
    level: Literal["fine", "caution", "warning"] | None = Field(
        description="Null where the check could not be made."
    )
    message: str = Field(description="What it means, and what to do next.")
    numbers: dict[str, Any] = Field(description="The numbers behind it, with their bounds.")
    documents: list[str] = Field(description="Ids of the documents concerned, 100 at most.")
    reason: str | None = Field(description="Why the check could not be made: a code.")


class RaceEntryRead(Answer):
    """How an algorithm did in the race: trainings with positives hidden from it."""

    algorithm: str
    params: dict[str, Any]
    is_baseline: bool = Field(description="Whether it is only a baseline to compare with.")
    is_winner: bool
    place: float | None = Field(
        description="Share of the unlabeled documents that rank above a hidden positive, half of "
        "those with equal scores included; the geometric mean. The smaller, the better."
    )
    recall: float | None = Field(description="Share of the hidden positives above its own cut.")
    accepted: float | None = Field(description="Share of the unlabeled documents above that cut.")
    reason: str | None = Field(description="Why there are no figures; null where there are some.")
    seconds: float = Field(description="Seconds of all its trainings.")
    memory_mb: float | None = Field(description="By how many MiB the memory of the process rose.")


class CutRuleRead(Answer):
    rule: str = Field(description="What set the cut.")
    asked: str = Field(description="That asked for, or usual; without a cut, `rule` is another.")


class PriorEstimateRead(Answer):
    value: float | None
    low: float | None = Field(description="Lower end of the interval.")
    high: float | None = Field(description="Upper end of the interval.")
    reason: str | None = Field(description="Why there is no estimate: a code.")
    flags: list[str] = Field(description="Those of POST /projects/{project_id}/class-prior.")
    details: dict[str, float] | None = Field(description="Estimates whose mean the value is near.")


class CalibrationRead(Answer):
    reason: str | None = Field(description="Why there are no probabilities: a code, or null.")
    assumption: str = Field(description="What must hold for the probabilities to be right.")


class RankingStateRead(Answer):
    """What the ranking holds: it may be newer than the model."""

    n_documents: int = Field(description="Number of documents, which is the last rank.")
    revision: int = Field(description="Revision of the project's texts that it was made from.")
    is_current: bool = Field(description=IS_CURRENT)
    approximate: bool = Field(
        description="Whether some documents were only compared with those of the training, because "
        "the algorithm knows no others."
    )
    updated_at: datetime


class ModelRead(Answer):
    """A trained algorithm with its vectorizer: what it was made from and what came of it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    project_id: str
    job_id: str
    is_champion: bool = Field(description="Whether it answers for its project.")
    created_at: datetime
    size: int = Field(description="Size of its file in bytes.")
    sha256: str = Field(description="SHA-256 of its file.")
    algorithm: str
    choice: str | None = Field(description="Why this algorithm, where none was asked for.")
    race: list[RaceEntryRead] | None = Field(
        description="All algorithms that were tried, where none was asked for."
    )
    params: dict[str, Any] = Field(description="Parameters of the algorithm, defaults included.")
    vectorizer: dict[str, Any] = Field(description="Parameters of the vectorizer.")
    feature_selection_id: str | None
    class_prior: float | None = Field(description="The class prior that was given.")
    random_state: int
    n_documents: int = Field(description="Documents of the training.")
    n_positive: int
    n_negative: int
    n_unlabeled: int
    n_terms: int = Field(description="Words and other terms that it counts.")
    texts_digest: str = Field(description="SHA-256 over the texts it was trained on.")
    labels_digest: str = Field(description="SHA-256 over their labels.")
    offset: float = Field(description="The cut: scores from here on are predicted positive.")
    cut: CutRuleRead = Field(description="What set the cut.")
    class_prior_estimate: PriorEstimateRead = Field(
        description="Share of positives among the unlabeled documents, by where the model ranks "
        "hidden positives. Cuts and evaluation rest on it. POST "
        "/projects/{project_id}/class-prior estimates it without a model."
    )
    calibration: CalibrationRead = Field(
        description="Whether there are probabilities, and what they assume."
    )
    n_predicted_positive: int = Field(
        description="Labeled positives, wherever they rank, and unlabeled documents from the cut "
        "on; judged negatives do not count."
    )
    n_negative_accepted: int | None = Field(
        default=None,
        description="Judged negatives that rank above the cut all the same; null for a model of "
        "an earlier version, which did not count them.",
    )
    report: dict[str, Any] = Field(
        description="Facts about the fit, by the algorithm. Here class_prior is the one it learned "
        "with, and share_accepted the share of the unlabeled documents that its own cut accepts. "
        "How many of them are positive is class_prior_estimate."
    )
    warnings: list[str] = Field(description="What to be careful about, and what to do.")
    doctor: list[FindingRead] = Field(
        description="Findings on whether the model can be trusted, the most pressing first."
    )
    versions: dict[str, str] = Field(description="Versions of the libraries it was computed with.")
    matrix: dict[str, Any] = Field(description="Whether the counted texts were already cached.")
    ranking: RankingStateRead
    seconds: dict[str, float] = Field(description="How long each stage of the training took.")
    evaluation: dict[str, Any] | None = Field(
        default=None,
        description="Figures on hidden positives, as GET /models/{model_id}/evaluation tells "
        "them; null where the model was not evaluated.",
    )
    test: dict[str, Any] | None = Field(
        default=None, description="Figures on labeled documents; null where there was no test."
    )

    @classmethod
    def from_row(cls, model: Model, state: dict[str, Any]) -> Self:
        """``state`` has the ranking and the evaluation as they are told now."""
        known = {
            name: getattr(model, name) for name in ("id", "project_id", "job_id", "created_at")
        }
        file = {"size": model.file["size"], "sha256": model.file["sha256"]}
        known |= {"is_champion": model.is_champion}
        return cls(**{**model.card, **known, **file, **state})


class ModelPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"models": [EXAMPLE], "next_page_token": None}]}
    )

    models: list[ModelRead]


class RankedDocumentRead(Answer):
    rank: int = Field(description="Place in the whole ranking, from 1, whatever the filter.")
    id: str
    score: float
    probability: float | None = Field(
        description="Probability of being positive; null where the model could not be calibrated."
    )
    predicted: bool = Field(
        description="Whether it counts as positive: by its label, if it has one, else by the cut."
    )
    label: Label
    judgement: int | None = Field(
        description="The lower, the earlier it was read; null for seeds and for what nobody judged."
    )
    text: str
    metadata: dict[str, Any] | None


class RankingPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"documents": [RANKED_EXAMPLE], "is_current": True, "next_page_token": None}
            ]
        }
    )

    documents: list[RankedDocumentRead]
    is_current: bool = Field(description=IS_CURRENT)


class TermsRead(Answer):
    """The words that a model goes by, the strongest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "terms_for": [{"term": "water", "weight": 2.1}],
                    "terms_against": [{"term": "goal", "weight": -1.4}],
                }
            ]
        }
    )

    terms_for: list[TermWeight] = Field(description="Words that make a text more likely positive.")
    terms_against: list[TermWeight] = Field(description="Words that make it less likely.")
