"""What can go wrong for a client's or an operator's reason.

The first line of a class's docstring is the title of the problem, its name in snake case the
stable code.
"""

import re
from typing import Any, ClassVar, Self

#: Faults that one answer names at most.
MAX_ERRORS = 100


class AppError(Exception):
    """Something went wrong."""

    status: ClassVar[int] = 500

    def __init__(
        self,
        detail: str,
        *,
        pointer: str | None = None,
        errors: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
        retry_seconds: int | None = None,  # until the same request may go well
        **extensions: Any,  # further members of the problem
    ) -> None:
        """``pointer`` is where the fault of ``detail`` is; of several, ``errors`` have both."""
        super().__init__(detail)
        self.detail = detail
        self.errors = [{"pointer": pointer, "detail": detail}] if pointer else errors
        self.headers = headers or {}
        self.retry_seconds = retry_seconds
        self.extensions = extensions

    @classmethod
    def code(cls) -> str:
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def title(cls) -> str:
        return (cls.__doc__ or "").partition("\n")[0].rstrip(".")


class UnreadableRequest(AppError):
    """The request is not HTTP."""

    status = 400


class UnreadableBody(AppError):
    """The body could not be read."""

    status = 400


class NotSignedIn(AppError):
    """Name and password are missing or wrong."""

    status = 401


class HostNotAllowed(AppError):
    """The service is not known under this name."""

    status = 403


class CrossSiteRequest(AppError):
    """A page of another site must not change anything."""

    status = 403


class ProjectNotFound(AppError):
    """There is no such project."""

    status = 404


class DocumentNotFound(AppError):
    """There is no such document."""

    status = 404


class JobNotFound(AppError):
    """There is no such job."""

    status = 404


class ModelNotFound(AppError):
    """There is no such model."""

    status = 404


class FeatureSelectionNotFound(AppError):
    """There is no such feature selection."""

    status = 404


class ClassPriorNotFound(AppError):
    """There is no class prior yet."""

    status = 404


class EvaluationNotFound(AppError):
    """The model has not been evaluated yet."""

    status = 404


class TableNotFound(AppError):
    """There is no such table."""

    status = 404


class NotAcceptable(AppError):
    """None of the accepted media types is available."""

    status = 406


class BodyStalled(AppError):
    """The body stopped coming in."""

    status = 408


class NoPositives(AppError):
    """There is no positive document to learn from."""

    status = 409


class NoUnlabeled(AppError):
    """There is no unlabeled document to compare the positives with."""

    status = 409


class TooFewPositives(AppError):
    """The algorithm needs more positive documents."""

    status = 409


class MemoryLimit(AppError):
    """More memory is needed than a job may take."""

    status = 409


class UnsuitableDocuments(AppError):
    """The documents do not allow what was asked for."""

    status = 409


class NoModel(AppError):
    """The project has no model that answers for it."""

    status = 409


class ModelOutdated(AppError):
    """Documents or labels changed since the model was trained."""

    status = 409


class RankingReplaced(AppError):
    """The ranking was replaced meanwhile."""

    status = 409


class JobFinished(AppError):
    """The job has ended already."""

    status = 409


class UploadCancelled(AppError):
    """The job of the upload was cancelled."""

    status = 409


class IdempotencyKeyInUse(AppError):
    """A request with this idempotency key is still running."""

    status = 409


class BodyTooLarge(AppError):
    """The body is too large."""

    status = 413


class UnsupportedMediaType(AppError):
    """The body's media type or encoding is not supported."""

    status = 415


class InvalidRequest(AppError):
    """The request is not valid."""

    status = 422

    @classmethod
    def of(cls, errors: list[dict[str, Any]]) -> Self:
        """Return the refusal of some faults, each a pointer and a detail; the first is shown."""
        return cls("{pointer}: {detail}".format(**errors[0]), errors=errors[:MAX_ERRORS])


class InvalidParameter(AppError):
    """A parameter of the algorithm or the vectorizer is not valid."""

    status = 422


class InvalidTable(AppError):
    """The table cannot be used as it is."""

    status = 422


class RowsRejected(AppError):
    """Rows of the upload were rejected, so none was kept."""

    status = 422


class IdempotencyKeyReused(AppError):
    """The idempotency key was used for another request."""

    status = 422


class HeadersTooLarge(AppError):
    """The URL and the headers are too large."""

    status = 431


class InternalError(AppError):
    """Something went wrong in the service."""

    status = 500


class MissingPackage(AppError):
    """The method needs a package that is not installed."""

    status = 501


class ArtifactUnavailable(AppError):
    """A stored file is missing or damaged."""

    status = 503


class NotReady(AppError):
    """The service is not ready."""

    status = 503


class TooManyUploads(AppError):
    """Too many uploads come in at once."""

    status = 503


class DatabaseUnavailable(AppError):
    """The database cannot be used now."""

    status = 503


class StoreUnavailable(AppError):
    """The artifact store cannot be used."""

    status = 503


class StorageFull(AppError):
    """Something could not be stored."""

    status = 507
