"""The progress of a job, as its events tell it: a bar on a terminal, lines elsewhere."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Timer
from typing import Any, Self

import httpx2
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from app.commands.client import ServiceFailed, address_of, check, command_here, plain_console

MEDIA_TYPE = "text/event-stream"
#: In front of the first event.
BEGIN = "0"
#: A service that was stopped or killed is mostly back before that; its job goes on meanwhile.
PATIENCE_SECONDS = 60.0
RETRY_SECONDS = 1.0
#: A job that no worker takes is told of after so long; busy ones take longer.
QUEUED_SECONDS = 30.0
#: Stages of trainings and updates of rankings; others go by their names.
STAGES = {
    "vectorise": "counting words",
    "alike": "finding neighbors",
    "race": "choosing the algorithm",  # which in a review is no race
    "weight": "weighting words",
    "fit": "training",
    "hide": "testing the model",
    "calibrate": "setting the cut",
    "rank": "ranking",
    "examine": "checking for trouble",
    "save": "saving",
}
#: A worker that has just started takes a while to be ready.
_STATUSES = {"queued": "queued, waits for a worker"}


def watch(
    client: httpx2.Client, job_id: str, see_again: str, *, is_quiet: bool = False
) -> dict[str, Any]:
    """Follow a job on standard error. If the user stops that, say that the job itself goes on.

    ``see_again`` is the command that shows what came of it. If ``is_quiet``, only what is wrong is
    told.

    Raises
    ------
    ServiceFailed
        If the service stays away.
    """
    console = plain_console(is_error=True)
    again = command_here(client, see_again)
    try:
        return follow(client, job_id, console, again, is_quiet=is_quiet)
    except KeyboardInterrupt:
        told = f"The job goes on: {address_of(client)}/jobs/{job_id}. To see it again: {again}"
        console.print(told)
        raise


def follow(
    client: httpx2.Client,
    job_id: str,
    console: Console,
    again: str = "",
    *,
    is_quiet: bool = False,
) -> dict[str, Any]:
    """Show a job until it ends; return it as it ended. A broken connection is made again.

    ``again`` is what to type once a service is back that stays away; "": it does not come back. If
    ``is_quiet``, only what is wrong is told.

    Raises
    ------
    ServiceFailed
    """
    with _Queued(console, address_of(client)) as queued:
        if is_quiet:
            return _followed(client, job_id, _tell_nothing, queued, again)
        return _shown(client, job_id, console, queued, again)


def _shown(
    client: httpx2.Client, job_id: str, console: Console, queued: "_Queued", again: str
) -> dict[str, Any]:
    if not console.is_terminal:
        return _followed(client, job_id, _Lines(console), queued, again)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[pace]}"),
    )
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=1.0, pace="")
        return _followed(client, job_id, partial(_move, progress, bar), queued, again)


def _tell_nothing(_name: str, _data: dict[str, Any]) -> None:
    pass


def _followed(
    client: httpx2.Client,
    job_id: str,
    show: Callable[[str, dict[str, Any]], None],
    queued: "_Queued",
    again: str,
) -> dict[str, Any]:
    last_id, broke_at = BEGIN, None
    while True:  # a stream that ends before its job is asked for again, from where it was
        try:
            for event in _events(client, job_id, last_id):
                broke_at = None
                data = json.loads(event.data)
                show(event.event, data)
                queued.look_at(data)
                if event.event == "end":
                    return dict(data)
                last_id = event.id or last_id
        except httpx2.TransportError as error:
            broke_at = time.monotonic() if broke_at is None else broke_at
            if time.monotonic() - broke_at >= PATIENCE_SECONDS:
                if not again:
                    raise ServiceFailed("The service is away.") from error
                where = f"{address_of(client)}/jobs/{job_id}"
                raise ServiceFailed(
                    f"The service is away, but keeps the job: {where}. To see it when the service "
                    f"is back: {again}"
                ) from error
            time.sleep(RETRY_SECONDS)


def _events(client: httpx2.Client, job_id: str, last_id: str) -> Iterator[httpx2.ServerSentEvent]:
    headers = {"accept": MEDIA_TYPE, "last-event-id": last_id}
    with client.stream("GET", f"/jobs/{job_id}/events", headers=headers) as response:
        status = response.status_code
        if status == httpx2.codes.SERVICE_UNAVAILABLE:  # it stops or starts
            raise httpx2.ConnectError(f"status {status}")
        if status == httpx2.codes.NOT_FOUND and last_id != BEGIN:
            raise ServiceFailed("The job is gone: what it was for was deleted meanwhile.")
        check(response)
        yield from httpx2.EventSource(response)


class _Queued:
    """Tells once that no worker takes a job, each time that it is queued for long."""

    def __init__(self, console: Console, address: str) -> None:
        self._console, self._address = console, address
        self._timer: Timer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def look_at(self, data: dict[str, Any]) -> None:
        """Note what an event tells of the status, if it does."""
        if "status" not in data:
            return
        self._stop()
        if data["status"] == "queued":
            self._timer = Timer(QUEUED_SECONDS, self._tell)
            self._timer.daemon = True
            self._timer.start()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _tell(self) -> None:
        self._console.print(
            f"No worker has taken the job for {QUEUED_SECONDS:.0f} s. They are busy, or there is "
            f"none, or they cannot: {self._address}/jobs lists what runs, {self._address}/readyz "
            "says what is wrong.",
            soft_wrap=True,  # the console may be one that breaks lines
        )


def _move(progress: Progress, bar: TaskID, name: str, data: dict[str, Any]) -> None:
    if name != "log":
        progress.update(
            bar,
            completed=data["progress"],
            description=_words(data["stage"]) or _STATUSES.get(data["status"], data["status"]),
            pace=pace_in_words(data["pace"]),
        )


class _Lines:
    """A line for each event, and for each tenth of a stage that takes long."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._ended: set[str] = set()
        self._next: dict[str, float] = {}

    def __call__(self, name: str, data: dict[str, Any]) -> None:
        if name == "log":
            self._ended.add(data["stage"])
            seconds = (data["data"] or {}).get("seconds")
            took = "" if seconds is None else f" ({seconds:.1f} s)"
            message = data["message"].replace(data["stage"], _words(data["stage"]), 1)
            self._console.print(f"{message}{took}")
        elif name == "progress" and data["pace"] is not None:
            self._tell(data["stage"], data["pace"])

    def _tell(self, stage: str, pace: dict[str, Any]) -> None:
        share, told = pace["stage_progress"], pace_in_words(pace)
        if told and stage not in self._ended and share >= self._next.get(stage, 0.0):
            self._next[stage] = share + 0.1
            self._console.print(f"{_words(stage)}: {share:.0%}, {told}")


def _words(stage: str) -> str:
    return STAGES.get(stage, stage)


def pace_in_words(pace: dict[str, Any] | None) -> str:
    """Return what is known of the pace, as ``"51,000 documents/s, 1:20 left in step"``.

    What the stages behind take differs too much from task to task to be told.
    """
    if pace is None:
        return ""
    told = []
    if pace["documents_per_second"] is not None:
        told.append(f"{pace['documents_per_second']:,.0f} documents/s")
    if pace["stage_seconds_left"] is not None:
        told.append(f"{_minutes(pace['stage_seconds_left'])} left in step")
    return ", ".join(told)


def _minutes(seconds: float) -> str:
    return "{}:{:02}".format(*divmod(round(seconds), 60))


def succeeded(job: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a job that ended well.

    Raises
    ------
    ServiceFailed
    """
    if job["status"] != "succeeded":
        why = f": {job['error']['message']}" if job["error"] else "."
        raise ServiceFailed(f"The job {job['id']} ended as {job['status']}{why}")
    return dict(job["result"])
