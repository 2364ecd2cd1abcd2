"""The steps of a training: read, fit, save."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.pipeline import Pipeline

from app.artifacts import Artifacts, Folder
from app.errors import AppError
from app.orm import Model
from app.services.counting import vectorising
from app.services.counting.counted_documents import read_counted
from app.services.documents.labels import Labels
from app.services.documents.text_counts import Counted
from app.services.feature_selection import feature_selection
from app.services.jobs.run import Run
from app.services.jobs.stages import Stages
from app.services.ranking import ranking_file
from app.services.stored_files import load_model
from app.services.training.training_spec import TrainingSpec
from core.base import BasePUClassifier
from core.nearest_documents import NearestDocuments
from core.persistence import save
from core.pipeline import make_text_classifier


@dataclass(frozen=True)
class Documents:
    """What a training is made from; ``counts`` holds the terms that were selected."""

    counted: Counted
    counts: csr_array
    mask: NDArray[np.bool_] | None
    labels: Labels


def pipeline_of(spec: TrainingSpec, mask: NDArray[np.bool_] | None = None) -> Pipeline:
    """Return the pipeline that was asked for, not fitted."""
    return make_text_classifier(
        spec.algorithm,
        spec.params,
        vectorizer=spec.vectorizer,
        feature_mask=mask,
        class_prior=spec.class_prior,
        pos_label=1,
        random_state=spec.random_state,
    )


def read(run: Run, stages: Stages, spec: TrainingSpec, counter: Any) -> Documents:
    """Count the texts of the project and read their labels."""
    with stages.stage("vectorise") as event:
        counted, labels = read_counted(run, event, counter)
        if spec.feature_selection_id is None:
            return Documents(counted, counted.counts, None, labels)
        mask = feature_selection.term_mask(run, spec.feature_selection_id, counted.counter.terms_)
        return Documents(counted, counted.counts[:, np.flatnonzero(mask)], mask, labels)


def fitted(spec: TrainingSpec, X: csr_array, labels: Labels) -> BasePUClassifier:
    """Return the classifier that was asked for, fitted."""
    classifier: BasePUClassifier = pipeline_of(spec)["classifier"]
    classifier.fit(X, labels.is_positive.astype(int), is_negative=labels.is_negative)
    return classifier


def fit(
    run: Run,
    stages: Stages,
    spec: TrainingSpec,
    documents: Documents,
    classifier: BasePUClassifier | None = None,
) -> tuple[Pipeline, csr_array]:
    """Return the fitted pipeline and the weighted terms that the classifier learned from.

    It gets a ``classifier`` that is :func:`fitted` already.

    Raises
    ------
    StorageFull
    """
    pipeline = pipeline_of(spec, documents.mask)
    pipeline.steps[0] = ("counts", documents.counted.counter)
    with stages.stage("weight"):
        if documents.mask is not None:
            pipeline["selection"].fit(documents.counted.counts)
        X = vectorising.weigh(run.artifacts, pipeline["weights"], documents.counts)
    with stages.stage("fit"):
        labels = documents.labels
        y = labels.is_positive.astype(int)
        if classifier is None:
            classifier = fitted(spec, X, labels)
        pipeline.steps[-1] = ("classifier", classifier)
        nearest = NearestDocuments(random_state=spec.random_state)
        classifier.nearest_ = nearest.fit(
            pipeline, documents.counts, y - labels.is_negative, documents.counted.numbers
        )
    return pipeline, X


def save_model(
    artifacts: Artifacts,
    model: Model,
    pipeline: Pipeline,
    numbers: NDArray[np.int64],
    columns: dict[str, NDArray[Any]],
) -> None:
    """Write the file of the model and that of its ranking; ``columns`` is emptied on the way."""
    model.file = artifacts.save(f"{Folder.MODELS}/{model.id}", partial(save, pipeline))
    # The API then has all kernels compiled that it scores a text with.
    load_model(artifacts, model.file)
    try:
        model.ranking_file = artifacts.save(
            f"{Folder.RANKINGS}/{model.id}", partial(ranking_file.write, numbers, columns)
        )
    except AppError:
        artifacts.delete(model.file["key"])
        raise
