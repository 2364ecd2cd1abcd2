"""The file of a model's ranking, which a job may replace while a request is answered."""

from sqlalchemy.orm import Session

from app.artifacts import Artifacts
from app.errors import ArtifactUnavailable
from app.orm import Model
from app.repositories.models import ModelRepository
from app.services.ranking.ranking_file import RankingFile
from app.services.stored_files import load_arrays


def load(session: Session, artifacts: Artifacts, model: Model) -> tuple[Model, RankingFile]:
    """Return the ranking, and the row of the model that names its file.

    Where the file is gone because another one took its place, that is read. The row that the
    session has of the model is then brought up to date, too.

    Raises
    ------
    ModelNotFound, ArtifactUnavailable
    """
    try:
        return model, RankingFile(load_arrays(artifacts, model.ranking_file))
    except ArtifactUnavailable:
        before = model.ranking_file
        session.commit()  # SQLite shows the state in which a transaction began
        now = ModelRepository(session).reread(model.id)
        if now.ranking_file == before:
            raise
        return now, RankingFile(load_arrays(artifacts, now.ranking_file))
