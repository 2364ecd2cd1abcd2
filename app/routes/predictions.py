"""Predictions on new texts: a few at a time, or a stream of any length."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import IO, Annotated, Any, Literal, NamedTuple, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AfterValidator
from starlette.concurrency import run_in_threadpool

from app.errors import (
    ArtifactUnavailable,
    InvalidRequest,
    ModelNotFound,
    NoModel,
    ProjectNotFound,
    TooManyUploads,
)
from app.http.dependencies import (
    ChampionOf,
    DatabaseDep,
    IdColumn,
    ModelQuery,
    PredictorDep,
    SettingsDep,
    TextColumns,
)
from app.http.error_responses import error_responses
from app.http.json_body import chunks, json_body
from app.http.pieces_response import PiecesResponse
from app.http.prediction_body import AskedTexts, parse_prediction
from app.http.response_headers import MODEL_ID
from app.http.spot_route import MODEL_HEADER, SpotRoute, all_at_once, readable
from app.http.upload_places import upload_place
from app.media_types import JSON, NDJSON, media_type_among
from app.repositories.models import ModelFile
from app.schemas.predictions import (
    NDJSON_ANSWER_EXAMPLE,
    REQUEST_BODY,
    Predictions,
)
from app.services.intake import decoding
from app.services.intake.options import Options
from app.services.intake.spool import open_spool, storage_errors
from app.services.models import models
from app.services.prediction.nearest import ids_in
from app.services.prediction.prediction_json import Prediction
from app.services.prediction.prediction_stream import predict_file

Value = TypeVar("Value")

ERRORS = (ProjectNotFound, ModelNotFound, NoModel, ArtifactUnavailable)

router = APIRouter(prefix="/predict", tags=["predictions"], route_class=SpotRoute)


@router.get(
    "",
    response_model=Predictions,
    responses={200: {"headers": {MODEL_HEADER: MODEL_ID}}, **error_responses(*ERRORS)},
)
def predict_texts(
    database: DatabaseDep,
    predictor: PredictorDep,
    text: Annotated[
        list[Annotated[str, AfterValidator(readable)]],
        Query(min_length=1, max_length=100, description="A text to predict; repeatable."),
    ],
    project_id: ChampionOf = None,
    model_id: ModelQuery = None,
    explain: Annotated[
        bool, Query(description="Whether to give the words and documents behind each score.")
    ] = False,
) -> Response:
    """Return label, score and cut of each text, by a model or by the champion of a project."""
    asked = _Asked(project_id, model_id, None, text, explain)
    return all_at_once(*_predict(database, predictor, asked))


class _Asked(NamedTuple):
    """What is to be predicted by which model."""

    project_id: str | None
    model_id: str | None
    ids: Sequence[str | None] | None
    texts: list[str]
    explain: bool
    #: Where the first two stood, as pointers to them begin.
    place: str = "?"


def _predict(
    database: DatabaseDep, predictor: PredictorDep, asked: _Asked
) -> tuple[str, list[Prediction]]:
    """Return the model that answers, and what it says of each text."""
    ids_of = ids_in(database) if asked.explain else None
    options: dict[str, Any] = {"ids": asked.ids, "ids_of": ids_of}
    if asked.project_id is None and asked.model_id is not None:
        found = predictor.predict_again(asked.model_id, asked.texts, **options)
        if found is not None:
            return asked.model_id, found
    which = {"project_id": asked.project_id, "model_id": asked.model_id, "place": asked.place}
    return models.by_model(
        partial(_chosen, database, **which),
        lambda model: (model.id, predictor.predict(model, asked.texts, **options)),
    )


def _chosen(database: DatabaseDep, **asked: Any) -> ModelFile:
    with database.reading() as session:
        return models.choose(session, **asked)


@dataclass
class Batch:
    """A request with many texts, in a body that is read by hand."""

    request: Request
    settings: SettingsDep
    database: DatabaseDep
    predictor: PredictorDep
    project_id: ChampionOf = None
    model_id: ModelQuery = None
    explain: Annotated[
        bool | None,
        Query(
            description="Whether to give the words and documents behind each score; default: false."
        ),
    ] = None
    text_column: TextColumns = None
    id_column: IdColumn = None
    extra_fields: Annotated[
        Literal["refuse", "metadata"] | None,
        Query(
            description="For NDJSON: what to do with fields beside text, id, metadata and "
            "vector. By default they become metadata, which counts for nothing here."
        ),
    ] = None

    def model(self) -> ModelFile:
        return _chosen(self.database, project_id=self.project_id, model_id=self.model_id)


async def _batch(**fields: Any) -> Batch:
    """Return what FastAPI read: async, so that it runs on the spot and not in a thread."""
    return Batch(**fields)


_batch.__signature__ = signature(Batch)  # type: ignore[attr-defined]  # FastAPI goes by it


@router.post(
    "",
    response_model=Predictions,
    openapi_extra=REQUEST_BODY,
    responses={
        200: {
            "headers": {MODEL_HEADER: MODEL_ID},
            "content": {NDJSON: {"schema": {"type": "string"}, "example": NDJSON_ANSWER_EXAMPLE}},
        },
        **error_responses(*ERRORS, TooManyUploads),
    },
)
async def predict_documents(batch: Annotated[Batch, Depends(_batch)]) -> Response:
    """Return predictions for many texts, as JSON or, in any number, as a stream of NDJSON.

    Parameters go into the query or, for JSON, into the body; if they are in both, they must be the
    same. A text that no document could have, such as an empty one, gets an `error` in its place. A
    JSON body with no other text is refused.

    A line of the stream is a text, or an object with `id` and `text`, or with the fields that
    `id_column` and `text_column` name. Each gets a line of the answer, in order, with `error` where
    it is not valid. Blank lines are skipped, and further fields passed over.

    The body is taken in whole before the first line is answered, as many clients read nothing
    before they have sent all. For answers as texts come, send a request for each batch.
    """
    headers = batch.request.headers
    media_type = media_type_among((JSON, NDJSON), headers.get("content-type", ""))
    # Before the body is taken in: it may be long.
    encoding = decoding.find_encoding(headers.get("content-encoding", ""))
    if media_type == JSON:
        body = await json_body(batch.request, batch.settings.max_body_bytes)
        return await run_in_threadpool(_answer, batch, body, encoding)
    await run_in_threadpool(batch.model)  # refused before the body is taken in, too
    async with upload_place(batch.request.app):
        file = await _spool(batch)
    try:
        return await run_in_threadpool(_answer_stream, batch, file, encoding)
    except BaseException:
        file.close()
        raise


def _answer(batch: Batch, body: bytes, encoding: str) -> Response:
    _refuse_names_of_fields(batch)
    asked = parse_prediction(body, encoding, batch.settings.max_body_bytes)
    asked_texts = AskedTexts(asked, batch.settings.max_document_bytes)
    agreed = _Asked(
        _agreed("project_id", batch.project_id, asked.project_id),
        _agreed("model_id", batch.model_id, asked.model_id),
        asked_texts.ids,
        asked_texts.texts,
        bool(_agreed("explain", batch.explain, asked.explain)),
        "/" if batch.model_id is None else "?",
    )
    model_id, found = _predict(batch.database, batch.predictor, agreed)
    return all_at_once(model_id, asked_texts.told(found))


def _refuse_names_of_fields(batch: Batch) -> None:
    if batch.text_column or batch.id_column is not None or batch.extra_fields == "metadata":
        raise InvalidRequest(
            f"text_column, id_column and extra_fields are for {NDJSON}: documents of a JSON body "
            "have the fields id, text, metadata and vector."
        )


def _agreed(name: str, in_query: Value | None, in_body: Value | None) -> Value | None:
    if in_query is not None and in_body is not None and in_query != in_body:
        raise InvalidRequest(f"{name} is {in_query!r} in the query, but {in_body!r} in the body.")
    return in_body if in_query is None else in_query


async def _spool(batch: Batch) -> IO[bytes]:
    """Take in the whole stream first: many clients read nothing before they have sent all."""
    max_bytes = batch.settings.max_upload_bytes
    with storage_errors():
        file = await run_in_threadpool(open_spool, batch.settings.cache_directory)
        try:
            async for chunk in chunks(batch.request, max_bytes, decoding.MAX_UPLOAD):
                await run_in_threadpool(file.write, chunk)
            await run_in_threadpool(file.seek, 0)
        except BaseException:
            file.close()
            raise
    return file


def _answer_stream(batch: Batch, file: IO[bytes], encoding: str) -> Response:
    def lines_by(model: ModelFile) -> tuple[ModelFile, Generator[bytes, None, None]]:
        file.seek(0)  # a model before may have read of it
        lines = predict_file(
            batch.database,
            batch.predictor,
            model,
            file,
            encoding=encoding,
            max_bytes=batch.settings.max_upload_bytes,
            options=Options(
                batch.settings.max_document_bytes,
                text_columns=batch.text_column or (),
                id_column=batch.id_column,
                keeps_extra_fields=batch.extra_fields != "refuse",
            ),
            explain=bool(batch.explain),
        )
        return model, lines

    # By the model as it is now: the body may have taken long.
    model, lines = models.by_model(batch.model, lines_by)
    return PiecesResponse(lines, NDJSON, {MODEL_HEADER: model.id})
