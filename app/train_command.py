"""``seedbed train``: a model of a project."""

import httpx2
from rich.console import Console

from app.client import answer, connected, existing_project, plain_console
from app.job_bar import follow, succeeded


def run(url: str, project: str, algorithm: str, *, is_followed: bool) -> None:
    """Queue a training and, if wanted, show it until it ends and what came of it.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    with connected(url) as client:
        project_id = existing_project(client, project)
        body = {"project_id": project_id, "algorithm": algorithm}
        job_id = answer(client.post("/train", json=body))["id"]
        if not is_followed:
            console.print(
                f"Queued as job {job_id}. It goes on without you: {url}/jobs/{job_id} tells how "
                "far it is.",
                soft_wrap=True,
            )
            return
        try:
            job = follow(client, job_id, console)
        except KeyboardInterrupt:
            console.print(f"The training goes on: {url}/jobs/{job_id}", soft_wrap=True)
            raise
        _show(client, console, succeeded(job)["model_id"])


def _show(client: httpx2.Client, console: Console, model_id: str) -> None:
    model = answer(client.get(f"/models/{model_id}"))
    console.print(
        f"Model {model_id} by {model['algorithm']}; its cut is at score {model['offset']:.3f}.",
        soft_wrap=True,
    )
    for warning in model["warnings"]:
        console.print(f"Warning: {warning}")
    console.print(f"Next: seedbed ranking {model_id}", soft_wrap=True)
