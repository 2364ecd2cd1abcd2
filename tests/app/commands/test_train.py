"""Which training is shown."""

import httpx2
import pytest

from app.commands.client import ServiceFailed
from app.commands.options import TRAINING_DEFAULTS
from app.commands.train import _job


@pytest.mark.parametrize("job", ["", "../projects", "x?page_size=1", "latest"])
def test_what_is_no_id_of_a_job_leads_to_no_other_path(job: str) -> None:
    def answered(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"projects": []}, request=request)

    transport = httpx2.MockTransport(answered)
    with (
        httpx2.Client(base_url="http://127.0.0.1:9", transport=transport) as client,
        pytest.raises(ServiceFailed, match="No job has the id"),
    ):
        _job(client, None, job, TRAINING_DEFAULTS)
