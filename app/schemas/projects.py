"""Bodies about projects."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.languages import NAMES, language_name
from app.orm import Project
from app.schemas.bodies import Answer, IdText, PageAnswer, Parameters, RequestBody

#: A line that is not blank.
Name = Annotated[
    str,
    StringConstraints(
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$", max_length=200
    ),
    AfterValidator(str.strip),
    Field(
        description="Blanks around it are dropped. Other projects may have the same: the id tells "
        "them apart."
    ),
]
Description = Annotated[str, StringConstraints(max_length=10_000, pattern=r"^[^\x00]*$")]
LanguageName = Literal[
    "dutch", "english", "french", "german", "italian", "portuguese", "spanish", "other"
]


def _named(given: object) -> object:
    if not isinstance(given, str):
        return given
    name = language_name(given)
    if name not in get_args(LanguageName):
        raise PydanticCustomError(
            "language",
            "'{given}' is none of {names}. Give 'other' for a language that is not listed, such as "
            "Chinese or Polish: no function words are skipped then",
            # Half of a surrogate pair cannot be told as it is.
            {
                "given": given.encode(errors="backslashreplace").decode(),
                "names": ", ".join(map(repr, (*get_args(LanguageName), *NAMES))),
            },
        )
    return name


Language = Annotated[
    LanguageName,
    BeforeValidator(
        _named,
        json_schema_input_type=LanguageName | Literal[tuple(NAMES)],
    ),
    Field(
        description="Language of the texts, by its name or ISO 639-1 code (`de`): its function "
        "words are skipped. `other`, for all that are not listed, skips none.",
    ),
]
Vectorizer = Annotated[
    Parameters,
    Field(description="Defaults of the vectorizer in this project; see GET /algorithms."),
]

EXAMPLE: dict[str, Any] = {
    "id": "9f0c0e4d2b5e4f0e8a64f6d7a1b2c3d4",
    "name": "floods",
    "description": "Reports about floods among a day's messages.",
    "language": "english",
    "vectorizer": {"min_df": 2},
    "created_at": "2026-11-20T09:30:00Z",
}


class ProjectCreate(RequestBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "floods", "language": "english", "vectorizer": {"min_df": 2}}]
        }
    )

    name: Name
    description: Description = ""
    language: Language = "english"
    vectorizer: Vectorizer = Field(default_factory=dict)


def _nothing() -> Any:
    return None


class ProjectChange(RequestBody):
    """What is to change; the rest stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "floods of 2026"}]})

    # A default would stand in the JSON Schema, as if it were what is then taken.
    name: Name = Field(default_factory=_nothing)
    description: Description = Field(default_factory=_nothing)
    language: Language = Field(default_factory=_nothing)
    vectorizer: Annotated[
        Parameters,
        Field(description="All defaults of the vectorizer from now on: those left out are gone."),
    ] = Field(default_factory=_nothing)


class ProjectRead(Answer):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: str
    name: str
    description: str
    language: str
    vectorizer: dict[str, Any]
    created_at: datetime


class Counts(Answer):
    """Documents of a project."""

    total: int
    positive: int
    unlabeled: int = Field(description="Nobody has judged them.")
    negative: int
    unsure: int = Field(description="Judged, but undecided; learned from as if unlabeled.")


class ProjectDetails(ProjectRead):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    **EXAMPLE,
                    "counts": {
                        "total": 5003,
                        "positive": 3,
                        "unlabeled": 5000,
                        "negative": 0,
                        "unsure": 0,
                    },
                    "champion_id": None,
                }
            ]
        }
    )

    counts: Counts
    champion_id: str | None = Field(description="The model that answers for the project.")

    @classmethod
    def from_row(cls, project: Project, contents: dict[str, Any]) -> Self:
        return cls(**ProjectRead.model_validate(project).model_dump(), **contents)


class ListedProject(ProjectRead):
    counts: Counts = Field(default_factory=_nothing, description="Where they were asked for.")
    newest_model_id: str | None = Field(
        default=None, description="The model trained last, where `counts` were asked for."
    )


class ProjectPage(PageAnswer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"projects": [EXAMPLE], "next_page_token": None}]}
    )

    projects: list[ListedProject]


class ChampionChange(RequestBody):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model_id": "6c1f8a0b9d2e4c7f8b3a5d6e7f809112"}]}
    )

    model_id: IdText
