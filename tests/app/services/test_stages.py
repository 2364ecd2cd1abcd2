from typing import Any

import pytest

from app.services.stages import FACTS_EVERY, Stages
from core.progress import part, report
from tests.app.services.corpora import Log

ENDS = {"read": 0.2, "work": 1.0}


def test_progress_of_a_stage_is_its_share_of_the_job() -> None:
    log = Log()
    stages = Stages(log, ENDS)
    with stages.stage("read"):
        report("parse", 0.5)
    with stages.stage("work"):
        report("fit", 0.5)

    assert log.fractions == pytest.approx([0, 0.1, 0.2, 0.2, 0.6, 1])
    assert list(stages.seconds) == ["read", "work"]


def test_facts_are_events_but_not_too_many() -> None:
    log = Log()
    with Stages(log, ENDS).stage("read"):
        for i in range(1, 1001):
            report("search", i / 1000, objective=i)

    told: list[dict[str, Any]] = [data or {} for _, data in log.events[:-1]]
    assert 1 / FACTS_EVERY - 1 <= len(told) <= 1 / FACTS_EVERY + 1
    assert [data["objective"] for data in told] == sorted(data["objective"] for data in told)
    assert len(log.fractions) == 1002


def test_facts_of_one_of_several_fits_are_not_told() -> None:
    log = Log()
    with Stages(log, ENDS).stage("read"), part("folds", 0.5, 1):
        report("search", 0.5, objective=1.0)

    assert [data for _, data in log.events if data and "objective" in data] == []
    assert log.fractions[1] == pytest.approx(0.15)
