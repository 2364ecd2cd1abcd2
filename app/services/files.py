"""Files whose rows are gone."""

from app.artifacts import Artifacts


def delete_files(artifacts: Artifacts, keys: list[str]) -> None:
    """Remove files whose rows are gone; what fails here the sweeper removes later."""
    for key in keys:
        artifacts.delete(key)
