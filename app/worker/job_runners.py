"""What does the work of each kind of job."""

from collections.abc import Callable, Mapping

from app.job_kinds import JobKind
from app.services.class_prior import class_prior
from app.services.evaluation import evaluation
from app.services.feature_selection import cluster_assumption, feature_selection
from app.services.jobs.run import Run
from app.services.models import ranking_update
from app.services.training import training

Runner = Callable[[Run], None]

RUNNERS: Mapping[JobKind, Runner] = {
    JobKind.TRAIN: training.run,
    JobKind.FEATURE_SELECTION: feature_selection.run,
    JobKind.CLUSTER_ASSUMPTION: cluster_assumption.run,
    JobKind.CLASS_PRIOR: class_prior.run,
    JobKind.EVALUATION: evaluation.run,
    JobKind.RANKING: ranking_update.run,
}
