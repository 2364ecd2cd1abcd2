"""Settings that contradict each other."""

import pytest
from pydantic import ValidationError

from app.settings import Settings


@pytest.mark.parametrize(
    "environment",
    [
        {"SEEDBED_JOB_LEASE_SECONDS": "4"},
        {"SEEDBED_JOB_RENEW_SECONDS": "30"},
        {"SEEDBED_JOB_LEASE_SECONDS": "1", "SEEDBED_JOB_RENEW_SECONDS": "2"},
    ],
)
def test_lease_must_outlast_its_renewal(environment: dict[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.from_environment(environment)

    (problem,) = caught.value.errors()
    assert problem["loc"] == ("job_renew_seconds",)
    assert "must be less than SEEDBED_JOB_LEASE_SECONDS" in problem["msg"]


def test_lease_that_is_no_number_is_the_only_problem() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.from_environment({"SEEDBED_JOB_LEASE_SECONDS": "long"})

    assert [problem["loc"] for problem in caught.value.errors()] == [("job_lease_seconds",)]
