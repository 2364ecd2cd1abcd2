import re
from collections.abc import Callable

import pytest

from app.job_kinds import JobKind
from app.schemas.bodies import RequestBody
from app.schemas.class_prior import ClassPriorRequest
from app.schemas.evaluation import EvaluationRequest
from app.schemas.feature_selections import ClusterAssumptionRequest, FeatureSelectionRequest
from app.schemas.jobs import TrainingRequest
from app.services.jobs.limit_words import less_memory, less_time
from core.options import parameter_names
from core.text import TokenCounter

#: What asks for each kind of job; an update of a ranking takes no body.
BODIES: dict[JobKind, type[RequestBody] | None] = {
    JobKind.TRAIN: TrainingRequest,
    JobKind.FEATURE_SELECTION: FeatureSelectionRequest,
    JobKind.CLUSTER_ASSUMPTION: ClusterAssumptionRequest,
    JobKind.CLASS_PRIOR: ClassPriorRequest,
    JobKind.EVALUATION: EvaluationRequest,
    JobKind.RANKING: None,
}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("advise", [less_memory, less_time])
def test_advice_names_what_can_be_asked_for(
    advise: Callable[[JobKind], str], kind: JobKind
) -> None:
    words = advise(kind)
    body = BODIES[kind]
    known = set() if body is None else set(body.model_fields)
    # Evaluations and rankings take the terms of the model.
    if "vectorizer" in known or "a model of" in words:
        known |= set(parameter_names(TokenCounter))
    assert set(re.findall(r"\b[a-z]+_[a-z_]+\b", words)) <= known
    assert ("algorithm" in words) <= (kind in {JobKind.TRAIN, JobKind.EVALUATION})
    assert ("method" in words) <= (kind == JobKind.FEATURE_SELECTION)
    assert re.search(r"[Rr]aise SEEDBED_JOB_(MEMORY_MB|SECONDS)\.$", words)


def test_an_update_of_a_ranking_has_nothing_that_makes_it_faster() -> None:
    assert less_time(JobKind.RANKING) == "Raise SEEDBED_JOB_SECONDS."
