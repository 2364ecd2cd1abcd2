"""Whether the volumes of an SQLite database and of a folder of artifacts have room."""

import shutil

from app.artifacts import Artifacts
from app.database import FREE_BYTES, Database, is_enough

NO_ROOM = (
    f"The volume of the database or of the artifacts has less than {FREE_BYTES >> 20} MiB left: "
    "enlarge it, or free space on it without this service."
)


def free_bytes(database: Database, artifacts: Artifacts) -> dict[str, int]:
    """Return what each has room for; it is not known of servers, nor of a folder that is away."""
    free = {"database": database.free_bytes(), "artifacts": _free_bytes(artifacts)}
    return {name: n_bytes for name, n_bytes in free.items() if n_bytes is not None}


def has_room(database: Database, artifacts: Artifacts) -> bool:
    """Tell whether both have the room that is kept to delete."""
    return database.has_room() and is_enough(_free_bytes(artifacts))


def _free_bytes(artifacts: Artifacts) -> int | None:
    try:
        return None if artifacts.folder is None else shutil.disk_usage(artifacts.folder).free
    except OSError:
        return None
