import time
from typing import Any

import pytest

from app.services.jobs.run import Pace
from app.services.jobs.stages import FACTS_EVERY, Stages, ends_without
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


def test_what_stages_take_may_be_known_later() -> None:
    log = Log()
    stages = Stages(log, ENDS)
    with stages.stage("read"):
        report("parse", 0.5)
    stages.expect({"read": 0.2, "work": 0.4})
    with stages.stage("work"):
        report("fit", 0.5)

    assert log.fractions == pytest.approx([0, 0.1, 0.2, 0.2, 0.3, 0.4])


def test_stages_that_take_no_time_leave_it_to_the_others() -> None:
    ends = {"read": 0.25, "hide": 0.75, "save": 1.0}

    assert ends_without(ends, {"hide"}) == {"read": 0.5, "hide": 0.5, "save": 1.0}
    assert ends_without(ends, set()) == ends


def test_progress_does_not_fall_where_a_stage_goes_over_its_work_again() -> None:
    log = Log()
    with Stages(log, ENDS).stage("work"):
        for share in (0.5, 1, 0.25, 0.5, 1):
            report("fit", share)

    assert log.fractions == sorted(log.fractions)


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


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose one element is what the clock shows."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def test_pace_is_the_rate_since_the_first_report_of_the_stage(clock: list[float]) -> None:
    log = Log()
    stages = Stages(log, ENDS)
    with stages.stage("read"):
        clock[0] += 5
        report("parse", 0.25, n_samples=1000)
        clock[0] += 5
        report("parse", 0.5, n_samples=1000)
    with stages.stage("work"):
        report("fit", 0.0)
        clock[0] += 10
        report("fit", 0.25)

    # 250 documents in 5 s, so the other 500 take 10; 10 % of the job took 10 s, so what comes
    # behind the stage, 80 %, takes 80.
    assert log.paces[2] == Pace(0.5, 50.0, 10.0, pytest.approx(90.0))
    assert log.paces[6] == Pace(0.25, None, 30.0, 30.0)


def test_pace_is_silent_as_long_as_it_would_guess(clock: list[float]) -> None:
    log = Log()
    with Stages(log, ENDS).stage("read"):
        clock[0] += 10
        report("parse", 0.25, n_samples=1000)
        report("parse", 0.5, n_samples=1000)

    assert log.paces == [None, Pace(0.25), Pace(0.5), None]


def test_time_left_of_a_race_is_told_from_a_tenth_of_it_on(clock: list[float]) -> None:
    log = Log()
    with Stages(log, {"race": 0.8, "save": 1.0}).stage("race"):
        report("race", 0.0)
        clock[0] += 10
        report("race", 0.05)
        clock[0] += 10
        report("race", 0.25)

    assert log.paces[2] == Pace(0.05)
    # A fifth of the job took 20 s, so the rest takes 80, of which 60 are in the race.
    assert log.paces[3] == Pace(0.25, None, 60.0, pytest.approx(80.0))


def test_time_left_of_the_job_is_not_told_by_a_stage_that_starts_over(clock: list[float]) -> None:
    log = Log()
    with Stages(log, ENDS).stage("work"):
        report("fold", 1.0)
        report("fold", 0.0)
        clock[0] += 10
        report("fold", 0.5, n_samples=1000)

    assert log.paces[3] == Pace(0.5, 50.0, 10.0)
