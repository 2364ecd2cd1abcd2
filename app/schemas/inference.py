"""Bodies of the Open Inference Protocol (version 2, over REST)."""

from math import prod
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, PrivateAttr, model_validator

from app.media_types import JSON, NDJSON
from app.schemas.bodies import Answer, Number, RequestBody
from app.schemas.predictions import MAX_TEXTS, MODEL_ID
from app.schemas.uploads import CONTENT_ENCODING

Datatype = Literal["BYTES", "FP64"]
OutputName = Literal["label", "score", "probability", "cut"]
#: What is said of each text, with its type: ``BYTES`` is text.
OUTPUTS: dict[OutputName, Datatype] = {
    "label": "BYTES",
    "score": "FP64",
    "probability": "FP64",
    "cut": "FP64",
}
#: As many as NumPy has; a product of more takes hours.
MAX_DIMENSIONS = 64
PROJECT_ID = "0b7a3f6e5d4c4b2a9e8f7d6c5b4a3921"
_TEXTS: dict[str, Any] = {"name": "text", "datatype": "BYTES", "shape": [-1]}
#: What the protocol has for anything that it does not name; nothing of it counts here.
Ignored = Annotated[
    dict[str, JsonValue] | None, Field(description="Accepted, and counts for nothing.")
]


class ServerLive(Answer):
    model_config = ConfigDict(json_schema_extra={"examples": [{"live": True}]})

    live: Literal[True] = True


class ServerReady(ServerLive):
    """The protocol says `live` of what is ready, and its clients read `ready`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"live": True, "ready": True}]})

    ready: Literal[True] = True


class ServerMetadata(Answer):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "seedbed", "version": "0.1.0", "extensions": []}]}
    )

    name: str = "seedbed"
    version: str
    extensions: list[str] = []


class ModelReady(Answer):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": PROJECT_ID, "ready": True}]})

    name: str
    ready: Literal[True] = True


class TensorMetadata(Answer):
    name: str
    datatype: Datatype
    shape: list[int] = Field(default=[-1], description="-1: as many as there are texts.")


class ModelMetadata(Answer):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": PROJECT_ID,
                    "versions": [MODEL_ID],
                    "platform": "seedbed",
                    "inputs": [_TEXTS],
                    "outputs": [{**_TEXTS, "name": "label"}],
                }
            ]
        }
    )

    name: str = Field(description="Id of the project.")
    versions: list[str] = Field(description="Ids of its models, the newest first.")
    platform: str = "seedbed"
    inputs: list[TensorMetadata] = [TensorMetadata(name="text", datatype="BYTES")]
    outputs: list[TensorMetadata] = [
        TensorMetadata(name=name, datatype=datatype) for name, datatype in OUTPUTS.items()
    ]


class _ProtocolBody(RequestBody):
    """Clients send fields of their own, as that of KServe the name of the model."""

    model_config = ConfigDict(extra="ignore")


class InputTensor(_ProtocolBody):
    """Texts, under any name, flat or in rows."""

    name: str
    shape: Annotated[
        list[Annotated[int, Field(ge=0, le=MAX_TEXTS), Number]],
        Field(max_length=MAX_DIMENSIONS, fail_fast=True),
    ]
    datatype: Literal["BYTES"]
    parameters: Ignored = None
    data: list[Any]

    _texts: list[str] = PrivateAttr(default_factory=list)

    @model_validator(mode="after")
    def _holds_texts(self) -> Self:
        _add_texts(self.data, self._texts)
        if len(self._texts) > MAX_TEXTS:
            raise ValueError(
                f"has {len(self._texts):,} texts, and takes at most {MAX_TEXTS:,}; send more as "
                f"{NDJSON} to POST /predict"
            )
        if prod(self.shape) != len(self._texts):
            raise ValueError(
                f"has {len(self._texts):,} texts, where the shape {self.shape} has "
                f"{prod(self.shape):,}"
            )
        return self

    @property
    def texts(self) -> list[str]:
        return self._texts


def _add_texts(data: list[Any], texts: list[str]) -> None:
    """Add what is in lists, however deep, in their order."""
    for value in data:
        if isinstance(value, list):
            _add_texts(value, texts)
        elif isinstance(value, str):
            texts.append(value)
        else:
            raise ValueError("data of the datatype BYTES must be texts, here and in its lists")


class RequestedOutput(_ProtocolBody):
    name: OutputName
    parameters: Ignored = None


class InferenceRequest(_ProtocolBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "42",
                    "inputs": [
                        {
                            "name": "text",
                            "shape": [1],
                            "datatype": "BYTES",
                            "data": ["flooded houses at the river"],
                        }
                    ],
                    "outputs": [{"name": "probability"}],
                }
            ]
        }
    )

    id: str | None = Field(default=None, description="Given back in the answer.")
    parameters: Ignored = None
    inputs: Annotated[list[InputTensor], Field(min_length=1, max_length=1)]
    outputs: Annotated[list[RequestedOutput] | None, Field(max_length=len(OUTPUTS))] = Field(
        default=None, description="Default: all."
    )


class OutputTensor(Answer):
    name: OutputName
    shape: list[int]
    datatype: Datatype
    data: list[str] | list[float | None] = Field(
        description="In the order of the texts. A probability is null, which clients read as NaN, "
        "where the model was not calibrated or knows no word of the text."
    )


class InferenceAnswer(Answer):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model_name": PROJECT_ID,
                    "model_version": MODEL_ID,
                    "id": "42",
                    "outputs": [
                        {"name": "probability", "shape": [1], "datatype": "FP64", "data": [0.91]}
                    ],
                }
            ]
        }
    )

    model_name: str
    model_version: str = Field(description="Id of the model that answered.")
    id: str | None = Field(default=None, description="As in the request, if it had one.")
    outputs: list[OutputTensor]


#: The body is read by hand: clients of the protocol do not say that it is JSON.
REQUEST_BODY: dict[str, Any] = {
    "parameters": [CONTENT_ENCODING],
    "requestBody": {
        "required": True,
        "description": "JSON, whatever Content-Type says; also with Content-Encoding gzip or zstd.",
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/InferenceRequest"}}},
    },
}
