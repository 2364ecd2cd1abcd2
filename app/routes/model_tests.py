"""Tests of models on documents whose labels are known."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from app.errors import (
    ArtifactUnavailable,
    InvalidRequest,
    ModelNotFound,
    ProjectNotFound,
    RowsRejected,
    TooManyUploads,
)
from app.http.dependencies import DatabaseDep, Id, IdColumn, PredictorDep, TextColumns
from app.http.error_responses import error_responses
from app.http.upload_stream import StreamedUpload, receive
from app.media_types import CSV, JSON, NDJSON, PARQUET, XLSX, media_type_among
from app.repositories.models import ModelRepository
from app.schemas.model_tests import REQUEST_BODY, TestRead
from app.services.evaluation import labeled_rows, model_tests
from app.services.evaluation.labeled_rows import LabelNames
from app.services.intake import intake
from app.services.intake.csv_columns import Delimiter
from app.services.intake.options import Options

router = APIRouter(prefix="/models/{model_id}/test", tags=["models"])


@dataclass(kw_only=True)
class LabeledUpload(StreamedUpload):
    """Documents with labels that are read while they come in."""

    model_id: Id
    database: DatabaseDep
    predictor: PredictorDep

    text_column: TextColumns = None
    id_column: IdColumn = None
    positive: Annotated[
        str | None,
        Query(
            pattern=r"\S",
            description="The label that is positive, where labels have names of their own; any "
            "other is negative then. A document may have several, with | between them.",
        ),
    ] = None
    delimiter: Annotated[Delimiter, Query(description="What separates columns of CSV.")] = "comma"

    find_media_type = staticmethod(partial(media_type_among, (JSON, NDJSON, CSV, XLSX, PARQUET)))

    def answer(self) -> Response:
        self._check_columns()
        with self.database.reading() as session:
            model = ModelRepository(session).get(self.model_id)
        names = LabelNames(self.positive)
        rows = labeled_rows.read_labeled_rows(
            self.body(self.settings.max_upload_bytes),
            media_type=self.media_type,
            options=Options(
                max_text_bytes=self.settings.max_document_bytes,
                max_bytes=self.settings.max_upload_bytes,
                folder=self.settings.cache_directory,
                text_columns=self.text_column or (),
                id_column=self.id_column,
                delimiter=self.delimiter,
            ),
            names=names,
        )
        position_name = intake.position_name(self.media_type)
        try:
            found = model_tests.run_test(
                self.database,
                self.predictor,
                model,
                rows,
                position_name=position_name,
                names=names,
            )
        except ArtifactUnavailable:
            with self.database.reading() as session:
                ModelRepository(session).get(model.id)  # unless it was deleted meanwhile
            raise
        return Response(TestRead.model_validate(found).model_dump_json(), media_type=JSON)

    def _check_columns(self) -> None:
        if self.media_type == CSV:
            return
        given = {"text_column": bool(self.text_column), "id_column": bool(self.id_column)}
        if self.media_type in {XLSX, PARQUET}:
            given = {}
        given["delimiter"] = self.delimiter != "comma"
        detail = "In a test it is about the columns of a CSV, and this is none: leave it out."
        errors = [{"pointer": f"?{name}", "detail": detail} for name in given if given[name]]
        if errors:
            raise InvalidRequest.of(errors)


@router.post(
    "",
    response_model=TestRead,
    openapi_extra=REQUEST_BODY,
    responses=error_responses(
        ModelNotFound, ProjectNotFound, RowsRejected, ArtifactUnavailable, TooManyUploads
    ),
)
async def test_model(upload: Annotated[LabeledUpload, Depends()]) -> Response:
    """Return the usual figures of a model on documents whose labels you know, at once.

    Use documents that the model has not seen, drawn like those it will be used on. The documents
    are not kept, and nothing is learned from them. `GET /models/{model_id}/evaluation` shows the
    figures of the latest test, too. A table (CSV, workbook or Parquet) has a column `label` with
    `positive` or `negative` (or 1 and 0, yes and no, true and false, included and excluded,
    relevant and irrelevant), beside that of the texts. Where labels have other names, `positive`
    names the one that is.

    A text that comes again, with the same vector if it has one, counts once, with a warning; one
    that has both labels is refused.
    """
    return await receive(upload, upload.answer)
