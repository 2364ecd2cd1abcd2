"""What a feature selection looks at: weighted texts of a project, or the rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.repositories.tables import TableRepository
from app.services.counting.counted_documents import read_weighted
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.parameters import parameters_of
from app.services.tables import tables
from core.kernels.rows.unit_range import unit_columns


@dataclass(frozen=True)
class Samples:
    """Samples X of shape (n_samples, n_features), CSR or dense, and where they come from.

    Attributes
    ----------
    is_positive : ndarray of bool of shape (n_samples,)
        Which of them are labeled.
    names : list of str
        The features.
    facts : dict
        What the card tells of their source.
    """

    X: Any
    is_positive: NDArray[np.bool_]
    names: Sequence[str]
    facts: dict[str, Any]


def read_samples(run: Run, stages: Stages, representation: str) -> Samples:
    """Return the samples of the job; ``representation`` is what texts are turned into.

    Raises
    ------
    ProjectNotFound, TableNotFound, ArtifactUnavailable, StorageFull
    ValueError
        If no term is left.
    """
    if run.project_id:
        return _of_project(run, stages, representation)
    return _of_table(run, stages)


def _of_project(run: Run, stages: Stages, representation: str) -> Samples:
    X, counted, labels, weights = read_weighted(run, stages, representation)
    return Samples(
        X=X,
        is_positive=labels.is_positive,
        names=counted.counter.terms_,
        facts={
            "vectorizer": parameters_of(counted.counter) | parameters_of(weights),
            "texts_digest": counted.texts_digest,
            "labels_digest": labels.digest,
            "matrix": {"cached": counted.is_cached},
        },
    )


def _of_table(run: Run, stages: Stages) -> Samples:
    with stages.stage("read") as event:
        with run.database.reading() as session:
            table = TableRepository(session).get(run.spec["table_id"])
        X, is_positive = tables.read(run.artifacts, table)
        event.update(n_rows=table.n_rows, n_features=table.n_features)
        # Methods that count, or compare distances, would follow the units otherwise.
        X = unit_columns(np.array(X))
    return Samples(
        X=X,
        is_positive=np.asarray(is_positive),
        names=[column["name"] for column in table.card["columns"]],
        facts={"table_digest": table.digest},
    )
