"""Predictions by the Open Inference Protocol, as clients of KServe, MLServer and Triton ask for.

A project is a model of the protocol, and its models are the versions. Without a version its
champion answers (ADR 43).
"""

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from app.errors import (
    ArtifactUnavailable,
    InvalidRequest,
    ModelNotFound,
    NoModel,
    NotReady,
    ProjectNotFound,
)
from app.http.dependencies import Id, ProbesDep, ReadSession
from app.http.error_responses import error_responses
from app.http.json_body import json_body, parse
from app.http.prediction_body import refused
from app.http.response_headers import MODEL_ID
from app.http.spot_route import MODEL_HEADER
from app.media_types import JSON
from app.repositories.models import ModelFile, ModelRepository
from app.schemas.inference import (
    OUTPUTS,
    REQUEST_BODY,
    InferenceAnswer,
    InferenceRequest,
    ModelMetadata,
    ModelReady,
    OutputName,
    ServerLive,
    ServerMetadata,
    ServerReady,
)
from app.services.intake import decoding
from app.services.intake.rows import checked_text
from app.services.models import models
from app.services.prediction.prediction_json import Prediction, encode
from core.version import __version__

#: Of a body in which tensors follow as bytes: how many bytes its JSON has.
BINARY_HEADER = "inference-header-content-length"

CHAMPION_ERRORS = (ProjectNotFound, NoModel)
INFERENCE: dict[str, Any] = {
    "response_model": InferenceAnswer,
    "openapi_extra": REQUEST_BODY,
}
_ANSWERED: dict[int | str, dict[str, Any]] = {200: {"headers": {MODEL_HEADER: MODEL_ID}}}

router = APIRouter(prefix="/v2", tags=["open inference protocol"])


@router.get("", responses=error_responses())
async def read_server() -> ServerMetadata:
    """Return what the server calls itself."""
    return ServerMetadata(version=__version__)


@router.get("/health/live", responses=error_responses())
async def check_server_liveness() -> ServerLive:
    """Answer as `/livez`."""
    return ServerLive()


@router.get("/health/ready", responses=error_responses(NotReady))
async def check_server_readiness(probes: ProbesDep) -> ServerReady:
    """Answer as `/readyz`."""
    await probes.check()
    return ServerReady()


@router.get("/models/{model_name}", responses=error_responses(*CHAMPION_ERRORS))
def read_served_project(session: ReadSession, model_name: Id) -> ModelMetadata:
    """Return what a project, if it has a champion, takes and answers."""
    models.of_project(session, model_name)
    return _metadata(session, model_name)


@router.get(
    "/models/{model_name}/versions/{model_version}", responses=error_responses(ModelNotFound)
)
def read_served_model(session: ReadSession, model_name: Id, model_version: Id) -> ModelMetadata:
    """Return what a model of a project takes and answers."""
    models.of_project(session, model_name, model_version)
    return _metadata(session, model_name)


def _metadata(session: ReadSession, model_name: str) -> ModelMetadata:
    return ModelMetadata(name=model_name, versions=ModelRepository(session).ids(model_name))


@router.get("/models/{model_name}/ready", responses=error_responses(*CHAMPION_ERRORS))
def check_project_readiness(session: ReadSession, model_name: Id) -> ModelReady:
    """Tell whether a project has a champion."""
    models.of_project(session, model_name)
    return ModelReady(name=model_name)


@router.get(
    "/models/{model_name}/versions/{model_version}/ready", responses=error_responses(ModelNotFound)
)
def check_model_readiness(session: ReadSession, model_name: Id, model_version: Id) -> ModelReady:
    """Tell whether a project has this model."""
    models.of_project(session, model_name, model_version)
    return ModelReady(name=model_name)


async def _answer(request: Request, model_name: str, model_version: str | None = None) -> Response:
    if BINARY_HEADER in request.headers:
        raise InvalidRequest(
            "Tensors that follow the JSON as bytes are not read. Send texts as `data` in the JSON: "
            "clients of Triton do with binary_data=False.",
            pointer=BINARY_HEADER,
        )
    encoding = decoding.find_encoding(request.headers.get("content-encoding", ""))
    settings = request.app.state.settings
    body = await json_body(request, settings.max_body_bytes)

    def predict() -> Response:
        asked = parse(InferenceRequest, body, encoding, settings.max_body_bytes)
        texts = _checked(asked.inputs[0].texts, settings.max_document_bytes)
        model_id, found = models.by_model(
            chosen, lambda model: (model.id, request.app.state.predictor.predict(model, texts))
        )
        return _response(asked, model_name, model_id, found)

    def chosen() -> ModelFile:
        with request.app.state.database.reading() as session:
            return models.of_project(session, model_name, model_version)

    return await run_in_threadpool(predict)


def _checked(texts: list[str], max_bytes: int) -> list[str]:
    """Return texts as they are kept: a tensor has no place to say that one is not."""
    checked = [checked_text(index, text, max_bytes) for index, text in enumerate(texts)]
    found = [text for text in checked if isinstance(text, str)]
    if len(found) < len(checked):
        raise refused("inputs/0/data", checked)
    return found


def _response(
    asked: InferenceRequest, model_name: str, model_id: str, found: list[Prediction]
) -> Response:
    outputs = [output.name for output in asked.outputs or ()] or OUTPUTS
    answer = {
        "model_name": model_name,
        "model_version": model_id,
        **({} if asked.id is None else {"id": asked.id}),
        "outputs": [_tensor(name, found) for name in outputs],
    }
    return Response(encode(answer), media_type=JSON, headers={MODEL_HEADER: model_id})


def _tensor(name: OutputName, found: list[Prediction]) -> dict[str, Any]:
    data = [getattr(prediction, name) for prediction in found]
    return {"name": name, "shape": [len(found)], "datatype": OUTPUTS[name], "data": data}


@router.post(
    "/models/{model_name}/infer",
    responses={**_ANSWERED, **error_responses(*CHAMPION_ERRORS, ArtifactUnavailable)},
    **INFERENCE,
)
async def infer_by_project(request: Request, model_name: Id) -> Response:
    """Return what the champion of a project says of texts."""
    return await _answer(request, model_name)


@router.post(
    "/models/{model_name}/versions/{model_version}/infer",
    responses={**_ANSWERED, **error_responses(ModelNotFound, ArtifactUnavailable)},
    **INFERENCE,
)
async def infer_by_model(request: Request, model_name: Id, model_version: Id) -> Response:
    """Return what a model of a project says of texts."""
    return await _answer(request, model_name, model_version)
