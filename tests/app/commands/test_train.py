"""Which training is shown."""

from contextlib import nullcontext

import httpx2
import pytest

from app.commands.client import ServiceFailed
from app.commands.options import TRAINING_DEFAULTS
from app.commands.train import _cautions_of_last_round, _job, run


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


def test_a_model_that_is_deleted_while_it_is_shown_had_no_cautions_before() -> None:
    def answered(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"models": []}, request=request)

    transport = httpx2.MockTransport(answered)
    model = {"project_id": "p", "n_negative": 1, "created_at": "2026-01-01", "doctor": []}
    with httpx2.Client(base_url="http://127.0.0.1:9", transport=transport) as client:
        assert _cautions_of_last_round(client, model) == []


def test_of_a_training_that_is_left_alone_quietly_the_id_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answered(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"kind": "train"}, request=request)

    job, transport = "a" * 32, httpx2.MockTransport(answered)
    with httpx2.Client(base_url="http://127.0.0.1:9", transport=transport) as client:
        monkeypatch.setattr("app.commands.train.connected", lambda *_: nullcontext(client))
        run("", None, job, TRAINING_DEFAULTS, follows=False, is_quiet=True)
    assert capsys.readouterr().out == f"{job}\n"
