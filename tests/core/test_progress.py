import pytest
from joblib import Parallel, delayed

from core.progress import SideBySide, by_parts, listening, report


def test_a_second_pass_of_a_task_tells_nothing_new():
    heard = []
    with (
        listening(lambda stage, share, **facts: heard.append((stage, share, facts))),
        SideBySide("all", 2) as tasks,
        tasks.task(1),
    ):
        for share in (0.5, 0.8, 0.2, 0.8, 1.0):
            report("pass", share, n_samples=10)
    assert heard == [("all", 0.25, {}), ("all", 0.4, {}), ("all", 0.5, {})]


def test_threads_are_told_of_as_one_stage():
    def work(number):
        with tasks.task(number):
            for step in range(100):
                report("work", step / 100)

    heard = []
    with listening(lambda stage, share: heard.append(share)), SideBySide("all", 4) as tasks:
        Parallel(n_jobs=4, require="sharedmem")(delayed(work)(number) for number in range(4))
    assert heard == sorted(heard)
    assert (len(heard), heard[-1]) == (400, 1.0)


def test_without_a_listener_nothing_is_told():
    with SideBySide("all", 1) as tasks, tasks.task(0):
        report("work", 0.5)


def test_after_a_part_that_fails_nobody_listens_any_more():
    heard = []
    with pytest.raises(ZeroDivisionError) as failure, listening(lambda *told: heard.append(told)):
        by_parts("divide", lambda number: 1 / number, [1, 0, 2])
    # What the traceback holds goes with it.
    del failure
    report("later", 0.5)
    assert heard == [("divide", pytest.approx(1 / 3))]
