"""``seedbed champion``: the model that answers for its project."""

from app.commands.client import answer, connected, find_model, plain_console


def run(url: str, name: str) -> None:
    """Let a model, or the newest of a project, answer for its project.

    Raises
    ------
    ServiceFailed
    """
    with connected(url, "Run the command again.") as client:
        model_id = find_model(client, name)
        project_id = answer(client.get(f"/models/{model_id}"))["project_id"]
        path = f"/projects/{project_id}/champion"
        answer(client.put(path, json={"model_id": model_id}))
        project = answer(client.get(f"/projects/{project_id}"))["name"]
        plain_console().print(f"Model {model_id} answers for {project} now.", soft_wrap=True)
