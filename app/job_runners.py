"""What does the work of each kind of job."""

from collections.abc import Callable, Mapping

from app.job_kinds import JobKind
from app.services import (
    class_prior,
    cluster_assumption,
    evaluation,
    feature_selection,
    ranking_update,
    training,
)
from app.services.run import Run

Runner = Callable[[Run], None]

RUNNERS: Mapping[JobKind, Runner] = {
    JobKind.TRAIN: training.run,
    JobKind.FEATURE_SELECTION: feature_selection.run,
    JobKind.CLUSTER_ASSUMPTION: cluster_assumption.run,
    JobKind.CLASS_PRIOR: class_prior.run,
    JobKind.EVALUATION: evaluation.run,
    JobKind.RANKING: ranking_update.run,
}
