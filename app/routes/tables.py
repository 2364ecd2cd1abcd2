"""Tables of numbers, to select features from."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, BackgroundTasks, Depends, Query, Response, status
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, StringConstraints

from app.database_errors import database_errors
from app.errors import (
    AppError,
    DatabaseUnavailable,
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    InvalidTable,
    TableNotFound,
    TooManyUploads,
)
from app.http.dependencies import (
    ArtifactsDep,
    DatabaseDep,
    Id,
    PageDep,
    ReadSession,
    WriteSession,
)
from app.http.error_responses import error_responses
from app.http.upload_stream import StreamedOnceDep, StreamedUpload, receive
from app.media_types import media_type_among
from app.orm import DataTable
from app.repositories.paging import place
from app.repositories.tables import TableRepository
from app.schemas.bodies import Line
from app.schemas.tables import TABLE_BODY, TablePage, TableRead, TableSummary
from app.services.intake.csv_columns import Delimiter
from app.services.intake.decoding import MAX_TABLE
from app.services.tables import tables
from app.services.tables.table_files import READERS, Limits, TableOptions

router = APIRouter(prefix="/tables", tags=["tables"])

Name = Annotated[
    Line,
    StringConstraints(max_length=200),
    AfterValidator(str.strip),
    Query(description="Name of the table, shown in the list; blanks around it are dropped."),
]
Text = Annotated[str, Query(min_length=1)]


@dataclass(kw_only=True)
class TableUpload(StreamedUpload):
    """A table that is read while it comes in."""

    database: DatabaseDep
    artifacts: ArtifactsDep
    once: StreamedOnceDep
    label_column: Annotated[str, Query(description="The column that tells positives apart.")]
    positive: Annotated[
        list[Text], Query(description="Values of the label column that mark a row as positive.")
    ]
    unlabeled: Annotated[
        list[Text] | None,
        Query(
            description="Values of the label column that mark a row as unlabeled; other rows are "
            "left out. Default: all that are not positive."
        ),
    ] = None
    exclude: Annotated[list[Text] | None, Query(description="Columns to leave out.")] = None
    categorical: Annotated[
        Literal["one_hot", "drop"] | None,
        Query(description="What to do with columns of text; by default they are an error."),
    ] = None
    missing: Annotated[
        Literal["mean", "median", "drop_rows"] | None,
        Query(description="What to do with missing values; by default they are an error."),
    ] = None
    delimiter: Annotated[
        Delimiter,
        Query(description="What separates the columns of a CSV."),
    ] = "comma"
    missing_marker: Annotated[
        list[Text] | None,
        Query(
            description="Further texts that stand for missing values in a CSV, say a dash, beside "
            "empty, ? and, in any case, NA, N/A, NaN, none and null."
        ),
    ] = None
    name: Name = ""

    find_media_type = staticmethod(partial(media_type_among, READERS))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limits = Limits(self.settings.max_table_bytes, self.settings.max_table_columns)
        self.file_key: str | None = None

    def answer(self) -> Response:
        try:
            with database_errors():
                return self.once.respond(self.stream, self.limits.max_bytes, self.read)
        except DatabaseUnavailable:
            raise  # its row may be there all the same: the clean-up decides about the file
        except AppError:
            if self.file_key is not None:
                self.artifacts.delete(self.file_key)
            raise

    def read(self) -> Callable[[WriteSession], JSONResponse]:
        """Read the body and store the file of the table; return what adds its row."""
        tables.check_room(self.database, self.artifacts)
        options = TableOptions(**{name: getattr(self, name) for name in TableOptions._fields})
        table = tables.receive(
            self.body(self.limits.max_bytes, MAX_TABLE),
            self.media_type,
            self.limits,
            options,
            folder=self.settings.cache_directory,
            artifacts=self.artifacts,
            name=self.name,
        )
        self.file_key = table.file["key"]
        return partial(_add, table)


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=TableRead,
    responses=error_responses(
        InvalidTable, IdempotencyKeyInUse, IdempotencyKeyReused, TooManyUploads
    ),
    openapi_extra=TABLE_BODY,
)
async def create_table(upload: Annotated[TableUpload, Depends()]) -> Response:
    """Add a table, CSV or Parquet: a label column, and features of numbers or text."""
    return await receive(upload, upload.answer)


def _add(table: DataTable, session: WriteSession) -> JSONResponse:
    TableRepository(session).add(table)
    body: dict[str, Any] = TableRead.from_row(table).model_dump(mode="json")
    return JSONResponse(body, status.HTTP_201_CREATED, {"location": f"/tables/{table.id}"})


@router.get("", responses=error_responses())
def list_tables(page: PageDep, session: ReadSession) -> TablePage:
    """Page through the tables, the newest first."""
    rows = TableRepository(session).page(after=page.after, limit=page.size + 1)
    shown, token = page.cut(rows, place)
    return TablePage(
        tables=[TableSummary.model_validate(row) for row in shown], next_page_token=token
    )


@router.get("/{table_id}", responses=error_responses(TableNotFound))
def read_table(table_id: Id, session: ReadSession) -> TableRead:
    """Return how a table was read, and its features."""
    return TableRead.from_row(TableRepository(session).get(table_id))


@router.delete(
    "/{table_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    response_class=Response,
    responses=error_responses(TableNotFound),
)
def delete_table(
    table_id: Id, session: WriteSession, artifacts: ArtifactsDep, background: BackgroundTasks
) -> None:
    """Delete a table with its jobs and feature selections."""
    keys = tables.delete(session, table_id)
    background.add_task(artifacts.delete, *keys)
