from typing import Any, cast

import pytest

from app.job_child import _reporter
from app.job_process import Progress


class Sent(list[Any]):
    """Stands for the connection to the worker."""

    def send(self, told: Any) -> None:
        self.append(told)


def test_the_begin_of_a_stage_is_told_however_soon_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.job_child.PROGRESS_SECONDS", float("inf"))
    sent = Sent()
    report = _reporter(cast("Any", sent), cast("Any", None), "job", "token")
    for stage, fraction in (("alike", 0.0), ("alike", 0.05), ("alike", 0.1), ("race", 0.1)):
        report(stage, fraction)

    assert sent == [Progress("alike", 0.0, None), Progress("race", 0.1, None)]
