"""A job followed over connections that break."""

import io
import json
from collections.abc import Callable, Iterator
from threading import Event

import httpx2
import pytest
from rich.console import Console

from app.commands import job_bar
from app.commands.client import ServiceFailed, connected

STAGE = {"stage": "fit", "message": "fit done", "data": None}
LOG = f"event: log\nid: 7\ndata: {json.dumps(STAGE)}\n\n".encode()
END = b'event: end\ndata: {"status": "succeeded"}\n\n'


class Broken(httpx2.SyncByteStream):
    """A stream that breaks behind its first event."""

    def __iter__(self) -> Iterator[bytes]:
        yield LOG
        raise httpx2.RemoteProtocolError("peer closed connection")


def follow(
    handle: Callable[[httpx2.Request], httpx2.Response], screen: io.StringIO, *again: str
) -> object:
    transport = httpx2.MockTransport(handle)
    with httpx2.Client(base_url="http://service", transport=transport) as client:
        return job_bar.follow(client, "a1", Console(file=screen), *again)


def test_a_broken_stream_is_asked_for_again_behind_its_last_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_bar, "RETRY_SECONDS", 0)
    asked = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers["last-event-id"])
        if len(asked) == 2:
            raise httpx2.ConnectError("refused")
        if len(asked) == 3:
            return httpx2.Response(503, json={"detail": "The service stops."})
        headers = {"content-type": job_bar.MEDIA_TYPE}
        stream = Broken() if len(asked) == 1 else httpx2.ByteStream(END)
        return httpx2.Response(200, headers=headers, stream=stream)

    screen = io.StringIO()
    assert follow(handle, screen) == {"status": "succeeded"}
    assert asked == ["0", "7", "7", "7"]
    assert screen.getvalue() == "training done\n"


def test_a_job_that_is_deleted_while_it_is_followed_is_told_as_gone() -> None:
    headers = {"content-type": job_bar.MEDIA_TYPE}

    def handle(request: httpx2.Request) -> httpx2.Response:
        if request.headers["last-event-id"] == "0":
            return httpx2.Response(200, headers=headers, stream=httpx2.ByteStream(LOG))
        return httpx2.Response(404, json={"detail": "No job has the id 'a1'."})

    with pytest.raises(ServiceFailed, match="The job is gone: what it was for was deleted"):
        follow(handle, io.StringIO())


def test_steps_have_plain_words_and_a_remaining_time_where_one_is_told() -> None:
    pace = {"documents_per_second": None, "seconds_left": 900, "stage_seconds_left": 60}
    unknown = {**dict.fromkeys(pace), "stage_progress": 0.05}
    events = [
        {"stage": "rank", "pace": pace | {"stage_progress": 0.25}},
        {"stage": "race", "pace": unknown},
        {"stage": "race", "pace": pace | {"stage_progress": 0.25}},
    ]
    told = "".join(f"event: progress\ndata: {json.dumps(event)}\n\n" for event in events)

    def handle(request: httpx2.Request) -> httpx2.Response:
        headers = {"content-type": job_bar.MEDIA_TYPE}
        return httpx2.Response(200, headers=headers, content=told.encode() + END)

    screen = io.StringIO()
    follow(handle, screen)
    assert screen.getvalue() == (
        "ranking: 25%, 1:00 left in step\nchoosing the algorithm: 25%, 1:00 left in step\n"
    )


def test_a_job_that_no_worker_takes_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Event()

    class Screen(io.StringIO):
        def write(self, text: str) -> int:
            written = super().write(text)
            if "No worker has taken the job" in self.getvalue():
                told.set()
            return written

    class Waits(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b'event: progress\ndata: {"status": "queued", "stage": "", "pace": null}\n\n'
            assert told.wait(60)
            yield END

    def handle(request: httpx2.Request) -> httpx2.Response:
        headers = {"content-type": job_bar.MEDIA_TYPE}
        return httpx2.Response(200, headers=headers, stream=Waits())

    monkeypatch.setattr(job_bar, "QUEUED_SECONDS", 0.01)
    screen = Screen()
    assert follow(handle, screen) == {"status": "succeeded"}
    assert "http://service/readyz says what is wrong." in screen.getvalue()


@pytest.mark.parametrize("status", ["running", "queued"])
def test_a_job_that_a_worker_takes_is_not_told_of(status: str) -> None:
    timers = []
    with job_bar._Queued(Console(), "") as queued:
        for told in ({"status": "queued"}, {"stage": "fit"}, {"status": status}):
            queued.look_at(told)
            timers.append(queued._timer)

    # What tells no status changes nothing; a job that is queued again is waited for anew.
    assert timers[0] is timers[1] is not None
    assert (timers[2] is timers[0]) == (status == "running")
    assert all(timer is not None and timer.finished.is_set() for timer in timers)


def test_a_service_that_stays_away_ends_with_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_bar, "PATIENCE_SECONDS", 0)

    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    with pytest.raises(ServiceFailed, match=r"http://service/jobs/a1\..*: seedbed ranking m1$"):
        follow(refuse, io.StringIO(), "seedbed ranking m1")
    # That of the demo does not come back.
    with pytest.raises(ServiceFailed, match=r"^The service is away\.$"):
        follow(refuse, io.StringIO())


def test_who_stops_the_view_is_told_that_the_job_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(request: httpx2.Request) -> httpx2.Response:
        raise KeyboardInterrupt

    transport = httpx2.MockTransport(stop)
    with (
        httpx2.Client(base_url="http://service/seedbed/", transport=transport) as client,
        pytest.raises(KeyboardInterrupt),
    ):
        job_bar.watch(client, "a1", "train --job a1")

    again = "seedbed train --url http://service/seedbed --job a1"
    told = f"The job goes on: http://service/seedbed/jobs/a1. To see it again: {again}\n"
    assert capsys.readouterr() == ("", told)


def test_a_broken_connection_says_what_to_do_about_the_command() -> None:
    with (
        pytest.raises(ServiceFailed, match=r"broke \(gone\)\. Ask again\."),
        connected("http://service", "Ask again."),
    ):
        raise httpx2.ReadError("gone")
