"""The documents of a project as a job looks at them: counted or weighted, with their labels."""

from typing import Any, NamedTuple

from scipy.sparse import csr_array

from app.services.counting import vectorising
from app.services.documents.labels import Labels, read_labels
from app.services.documents.text_counts import Counted
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from core.vectorizer import make_vectorizer


class Weighted(NamedTuple):
    """Weighted terms X of shape (n_documents, n_terms), and what they were made from and by."""

    X: csr_array
    counted: Counted
    labels: Labels
    weights: Any


def read_counted(run: Run, event: dict[str, Any], counter: Any) -> tuple[Counted, Labels]:
    """Count the texts of the project, tell of that in ``event``, and read their labels."""
    counted = vectorising.count(run.database, run.artifacts, run.project_id, counter)
    event.update(counted.summary())
    return counted, read_labels(run.database, run.project_id, counted.numbers)


def read_weighted(run: Run, stages: Stages, representation: str) -> Weighted:
    """Count and weigh the texts of the project; the request may name another representation."""
    vectorizer = {"representation": representation, **run.spec["vectorizer"]}
    counter, weights = make_vectorizer(vectorizer)
    with stages.stage("vectorise") as event:
        counted, labels = read_counted(run, event, counter)
        X = vectorising.weigh(run.artifacts, weights, counted.counts)
    return Weighted(X, counted, labels, weights)
