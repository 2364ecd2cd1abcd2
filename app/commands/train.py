"""``seedbed train``: a model of a project."""

from shlex import quote
from typing import Any

import httpx2
from rich.console import Console

from app.commands.client import (
    ID,
    ServiceFailed,
    address_of,
    answer,
    command_here,
    connected,
    existing_project,
    newest_model,
    next_command,
    plain_console,
)
from app.commands.job_bar import succeeded, watch
from app.commands.model_words import cautions, cautions_again, summary
from app.commands.next_steps import FOR_NOVELTY, READ_THE_END, is_novelty, training
from app.commands.options import TRAINING_DEFAULTS
from app.commands.retraining import is_repeated

BROKEN = (
    "/jobs of the service lists jobs, the newest first: if a training was queued, take its id for "
    "`seedbed train --job ID`."
)
REPEATED = (
    "Neither documents nor labels nor what is asked for changed since the model {id} was trained: "
    "this training should make the same once more."
)


def run(
    url: str,
    project: str | None,
    job: str | None,
    asked: dict[str, Any],
    *,
    follows: bool,
    is_quiet: bool,
) -> None:
    """Queue a training as asked for, or take that with the id ``job``; show what comes of it.

    If ``is_quiet``, print the id of the model alone (without ``follows`` of the job). Otherwise
    progress goes to standard error.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    with connected(url, BROKEN) as client:
        job_id = _job(client, project, job, asked, is_quiet=is_quiet)
        if not follows and is_quiet:
            console.print(job_id)
            return
        if not follows:
            console.print(
                f"Queued as job {job_id}. It goes on without you: {address_of(client)}/jobs/"
                f"{job_id} tells how far it is."
            )
            console.print(next_command(client, f"train --job {job_id}"))
            return
        ended = watch(client, job_id, f"train --job {job_id}", is_quiet=is_quiet)
        model_id = succeeded(ended)["model_id"]
        if is_quiet:
            console.print(model_id)
        else:
            _show(client, console, model_id, project)


def _job(
    client: httpx2.Client,
    project: str | None,
    job: str | None,
    asked: dict[str, Any],
    *,
    is_quiet: bool = False,
) -> str:
    if job is not None and asked != TRAINING_DEFAULTS:
        raise ServiceFailed("Options of the algorithm are for a new training, without --job.")
    if job is not None and project is None:
        if not ID.fullmatch(job):  # of which no path may be made
            raise ServiceFailed(f"No job has the id {job!r}. /jobs of the service lists all.")
        if answer(client.get(f"/jobs/{job}"))["kind"] != "train":
            raise ServiceFailed(
                f"The job {job} is no training: /jobs/{job} of the service tells of it."
            )
        return job
    if project is None or job is not None:
        raise ServiceFailed("Give either a project to train or, with --job, a training to show.")
    project_id = existing_project(client, project)
    before = None if is_quiet else newest_model(client, project_id)
    queued = answer(client.post("/train", json={"project_id": project_id, **asked}))
    if before is not None and is_repeated(client, before, queued):
        plain_console(is_error=True).print(REPEATED.format(**before))
    return str(queued["id"])


def _show(client: httpx2.Client, console: Console, model_id: str, project: str | None) -> None:
    model = answer(client.get(f"/models/{model_id}"))
    console.print(f"Model {model_id} by {model['algorithm']}.")
    for line in summary(model, answer(client.get(f"/models/{model_id}/cuts"))):
        console.print(line)
    again = _cautions_of_last_round(client, model)
    for caution in cautions(model, but=again):
        console.print(caution)
    if again:
        names = ", ".join(code.replace("_", " ") for code in again)
        whole = command_here(client, f"show {model_id}")
        console.print(f"Cautions that hold as before: {names}. In full: {whole}")
    name = quote(project or model["project_id"])
    command, judging = f"ranking {model_id}", f"next {name} --output round.csv"
    if is_novelty(model):
        console.print(READ_THE_END)
        command += " --last"
        if model["algorithm"] not in FOR_NOVELTY:
            told = f"{', '.join(FOR_NOVELTY[:-1])} and {FOR_NOVELTY[-1]}"
            console.print(f"If you look for that, {told} tell more about it: train each by name.")
            command = training(client, model["project_id"], name)
    elif model["n_negative"]:  # a review
        left = answer(client.get(f"/projects/{model['project_id']}"))["counts"]["unlabeled"]
        command = judging if left else f"ranking {name} --label positive --output found.csv"
    else:
        if not model["is_champion"]:
            test = command_here(client, f"test {name} LABELED.csv --against {model_id}")
            console.print(f"To see whether it is better than the champion: {test}")
        rounds = command_here(client, judging)
        console.print(f"To read and judge what it found, in rounds: {rounds}")
    console.print(next_command(client, command))


def _cautions_of_last_round(client: httpx2.Client, model: dict[str, Any]) -> list[str]:
    """Return the codes of cautions that the training of the round before told, in a review."""
    if not model["n_negative"]:
        return []
    newest = {"project_id": model["project_id"], "page_size": "2"}
    # It may have been deleted meanwhile.
    before = [model, *answer(client.get("/models", params=newest))["models"]][-1]
    return cautions_again(model, before) if before["created_at"] < model["created_at"] else []
