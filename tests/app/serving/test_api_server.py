"""The processes of the API as their parent sees them, without any of them."""

from multiprocessing import Pipe
from threading import Event
from types import SimpleNamespace

from app.serving.api_server import Processes


def test_a_signal_finds_all_processes_also_while_they_are_ordered():
    parent = Processes.__new__(Processes)  # no handler of signals takes the place of those here
    parent.should_exit = Event()
    parent.should_exit.set()

    def is_alive():
        parent._answer_for_all()  # as a signal does, which may come at any time
        return True

    parent_conn, child_conn = Pipe()
    one = SimpleNamespace(
        process=SimpleNamespace(is_alive=is_alive), parent_conn=parent_conn, child_conn=child_conn
    )
    parent.processes = [one]
    with parent_conn, child_conn:
        parent.keep_subprocess_alive()
        assert parent_conn.poll()
