"""Whether the artifact store can be opened at all."""

from obstore.exceptions import BaseError

from app.artifact_errors import cause, reason
from app.artifacts import Artifacts
from app.errors import CommandFailed
from app.settings import Settings


def refuse_unusable_store(settings: Settings) -> None:
    """Look before what takes seconds to start whether the artifact store can be opened.

    One that does not answer may do so later, and is waited for.

    Raises
    ------
    CommandFailed
        If it cannot: no account of an object store is named, say, or the folder cannot be made.
    """
    try:
        Artifacts(settings.artifacts_url, settings.cache_directory)
    except (OSError, BaseError) as error:
        raise CommandFailed(
            f"SEEDBED_ARTIFACTS_URL: {settings.artifacts_url} cannot be opened: {cause(error)} "
            f"({reason(error)})."
        ) from error
