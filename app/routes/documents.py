"""Documents of a project: streamed in, paged through, labeled, removed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Query, Response
from fastapi.responses import JSONResponse
from pydantic import FailFast

from app.database_errors import database_errors
from app.errors import (
    AppError,
    DocumentNotFound,
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    InvalidRequest,
    ProjectNotFound,
    RowsRejected,
    TooManyUploads,
    UploadCancelled,
)
from app.http.dependencies import (
    DatabaseDep,
    DocumentIdPath,
    ExtraFields,
    Id,
    IdColumn,
    LabelFilter,
    PageDep,
    ReadSession,
    Since,
    TextColumns,
    WriteSession,
)
from app.http.error_responses import error_responses
from app.http.upload_stream import StreamedOnceDep, StreamedUpload, receive
from app.media_types import CSV, PLAIN
from app.orm import Label
from app.repositories.arrivals import ArrivalRepository
from app.repositories.documents import DocumentRepository
from app.repositories.page_sizes import n_characters
from app.repositories.projects import ProjectRepository
from app.schemas.documents import (
    DeletionsReport,
    DocumentPage,
    DocumentRead,
    DocumentsDelete,
    IntakeReport,
    LabelsReport,
    LabelWrite,
)
from app.schemas.uploads import UPLOAD_BODY
from app.services.documents import copied_texts, deletions, documents, judgements
from app.services.documents.upload_job import UploadJob
from app.services.intake import intake
from app.services.intake.csv_columns import Delimiter
from app.services.intake.intake_report import Report
from app.services.intake.options import Options
from app.services.intake.rows import composed

router = APIRouter(prefix="/projects/{project_id}", tags=["documents"])

UPLOAD: dict[str, Any] = {
    "response_model": IntakeReport,
    "response_model_exclude_none": True,
    "responses": error_responses(
        *(ProjectNotFound, RowsRejected, IdempotencyKeyInUse, IdempotencyKeyReused),
        *(TooManyUploads, UploadCancelled),
    ),
    "openapi_extra": UPLOAD_BODY,
}

_KEEPS = {None: None, "refuse": False, "metadata": True}


@dataclass(kw_only=True)
class Upload(StreamedUpload):
    """Documents that are read while they come in."""

    database: DatabaseDep
    project_id: Id
    once: StreamedOnceDep
    atomic: Annotated[bool, Query(description="Keep all rows or, if any is refused, none.")] = False
    on_conflict: Annotated[
        documents.OnConflict,
        Query(
            description="What to do with a row that has a known id and another text or vector: "
            "replace the document, keep it as it is but for its label, or refuse the row."
        ),
    ] = "replace"
    text_column: TextColumns = None
    id_column: IdColumn = None
    delimiter: Annotated[Delimiter, Query(description="What separates columns of CSV.")] = "comma"
    extra_fields: ExtraFields = None

    def check_columns(self) -> None:
        """Refuse parameters that would do nothing.

        Raises
        ------
        InvalidRequest
        """
        reasons = {}
        if self.media_type == PLAIN:
            reason = f"Lines of text have no columns: leave it out, or send the rows as {CSV}."
            given = {"text_column": self.text_column, "id_column": self.id_column}
            reasons = {name: reason for name in given if given[name]}
        if self.media_type != CSV and self.delimiter != "comma":
            reasons["delimiter"] = f"Only {CSV} has one: leave it out, or send the rows as that."
        errors = [{"pointer": f"?{name}", "detail": reason} for name, reason in reasons.items()]
        if errors:
            raise InvalidRequest.of(errors)

    def add(self, label: Label, language: str) -> dict[str, Any]:
        """Store the documents as they come in and return the report."""
        report = Report(intake.position_name(self.media_type), self.project_id, language)
        with UploadJob(self.database, self.project_id, label, report, self.stream) as job:
            self._store(label, report, job)
            report.warn(copied_texts.warning(self.database, self.project_id, report.kept, label))
        if not report.received:
            report.warn("The body holds no document: nothing was added.")
        return report.to_dict()

    def _store(self, label: Label, report: Report, job: UploadJob) -> None:
        rows = intake.read_rows(
            self.body(self.settings.max_upload_bytes),
            media_type=self.media_type,
            options=Options(
                max_text_bytes=self.settings.max_document_bytes,
                max_bytes=self.settings.max_upload_bytes,
                folder=self.settings.cache_directory,
                text_columns=self.text_column or (),
                id_column=self.id_column,
                delimiter=self.delimiter,
                keeps_extra_fields=_KEEPS[self.extra_fields],
                other_formats=" Columns go as text/csv, texts alone as text/plain.",
                warn=report.warn,
            ),
        )
        target = documents.Target(
            self.project_id,
            label,
            on_conflict=self.on_conflict,
            is_atomic=self.atomic,
            before_commit=job.go_on,
        )
        try:
            with database_errors():
                documents.add(
                    self.database, rows, target, report, folder=self.settings.cache_directory
                )
        except AppError as error:
            if isinstance(error, ProjectNotFound):  # deleted meanwhile, with what was kept
                report.keep_nothing()
            error.detail += report.told_kept()
            error.extensions["report"] = report.to_dict()
            raise


UploadDep = Annotated[Upload, Depends()]


@router.post("/positives", **UPLOAD)
async def add_positives(upload: UploadDep) -> Response:
    """Add documents of the kind looked for, or label documents that are there as positive."""
    return await receive(upload, partial(_answer, upload, Label.POSITIVE))


@router.post("/unlabeled", **UPLOAD)
async def add_unlabeled(upload: UploadDep) -> Response:
    """Add documents of which nothing is known; documents with a label keep it."""
    return await receive(upload, partial(_answer, upload, Label.UNLABELED))


def _answer(upload: Upload, label: Label) -> Response:
    upload.check_columns()
    with upload.database.reading() as session:
        project = ProjectRepository(session).get(upload.project_id)
    language = "other" if "stop_words" in project.vectorizer else project.language

    def read() -> Callable[[WriteSession], JSONResponse]:
        report = upload.add(label, language)
        return lambda _: JSONResponse(report)

    return upload.once.respond(upload.stream, upload.settings.max_upload_bytes, read)


@router.get("/documents", responses=error_responses(ProjectNotFound))
def list_documents(
    project_id: Id,
    session: ReadSession,
    page: PageDep,
    label: LabelFilter = None,
    since: Since = None,
    q: Annotated[
        str | None,
        Query(
            max_length=1000,
            pattern=r"^[^\x00]*$",
            description="Only documents with this in their text, in any case and on any lines.",
        ),
    ] = None,
) -> DocumentPage:
    """Page through documents in the order in which they came."""
    ProjectRepository(session).get(project_id)
    after = page.start
    if since is not None:
        after = max(after, ArrivalRepository(session).after(project_id, since))
    rows = DocumentRepository(session).page(
        project_id,
        after=after,
        limit=page.size + 1,
        label=label,
        contains=q and composed(q),
    )
    shown, token = page.cut(rows, lambda row: row.number, n_characters)
    return DocumentPage(
        documents=[DocumentRead.model_validate(row) for row in shown], next_page_token=token
    )


@router.put("/labels", responses=error_responses(ProjectNotFound, DocumentNotFound, InvalidRequest))
def put_labels(
    project_id: Id,
    session: WriteSession,
    labels: Annotated[
        list[LabelWrite],
        FailFast(),  # errors of all items could take gigabytes
        Body(examples=[[{"id": "ticket-17", "label": "positive"}]]),
    ],
    order: Annotated[
        Literal["reading", "ranking"],
        Query(
            description="What the order of the items is. In that of a ranking, such as the rows of "
            "a round some of which were sent before, new judgements go before those that follow."
        ),
    ] = "reading",
) -> LabelsReport:
    """Record judgements, all or none; two that differ on one document are refused.

    The order of the items counts as the order of reading, which `GET /projects/{id}/review` goes
    by. If positives alone are sent before any model ranked the documents, they are seeds: nobody
    found them by reading. `unlabeled` takes a label back. A document judged again after that counts
    as read last; a seed named positive again is a seed again, if no model was trained in between.
    """
    decisions = [(item.id, item.label) for item in labels]
    n_changed = judgements.set_labels(
        session, project_id, decisions, in_ranked_order=order == "ranking"
    )
    n_documents = len({document_id for document_id, _ in decisions})
    return LabelsReport(changed=n_changed, unchanged=n_documents - n_changed)


@router.get(
    "/documents/{document_id:path}", responses=error_responses(ProjectNotFound, DocumentNotFound)
)
def read_document(
    project_id: Id, document_id: DocumentIdPath, session: ReadSession
) -> DocumentRead:
    """Return a document as it is in the list."""
    ProjectRepository(session).get(project_id)
    return DocumentRead.model_validate(DocumentRepository(session).get(project_id, document_id))


@router.delete(
    "/documents/{document_id:path}",
    status_code=204,
    response_class=Response,
    responses=error_responses(ProjectNotFound, DocumentNotFound),
)
def delete_document(project_id: Id, document_id: DocumentIdPath, session: WriteSession) -> None:
    """Remove a document."""
    deletions.remove(session, project_id, document_id)


@router.post("/deletions", responses=error_responses(ProjectNotFound))
def delete_documents(
    project_id: Id, body: DocumentsDelete, session: WriteSession
) -> DeletionsReport:
    """Remove many documents at once, all in one transaction; ids of none are passed over.

    Send it again where no answer came: what is gone is then `unknown`.
    """
    return DeletionsReport(**deletions.remove_all(session, project_id, body.ids))
