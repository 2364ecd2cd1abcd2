"""What jobs do, and where they are in their lives."""

from enum import StrEnum


class JobStatus(StrEnum):
    """Where a job is in its life."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self in {JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED}


class JobKind(StrEnum):
    """What a job does."""

    TRAIN = "train"
    FEATURE_SELECTION = "feature_selection"
    CLUSTER_ASSUMPTION = "cluster_assumption"
    CLASS_PRIOR = "class_prior"
    EVALUATION = "evaluation"
    RANKING = "ranking"
    #: Of an upload that takes long: its own threads do the work, no worker.
    UPLOAD = "upload"
