"""``seedbed test``: the usual figures of a model, on documents whose labels are known."""

from pathlib import Path
from typing import Any

import typer

from app.commands.champion import champion_of
from app.commands.client import ServiceFailed, answer, connected, find_model, plain_console
from app.commands.document_file import (
    INCOMPLETE,
    blocks_of,
    check_charset,
    headers_of,
    read_options,
    recoded,
    row_params,
    unpacked,
)
from app.commands.model_comparison import compare, in_words
from app.commands.models import which_model
from app.commands.refused_rows import rejections
from app.commands.shell_words import in_shell
from app.media_types import NBIB, PLAIN, RIS
from app.services.evaluation.labeled_rows import LabelNames, read_labeled_rows


def run(
    url: str,
    name: str,
    file: Path,
    *,
    columns: dict[str, Any],
    charset: str,
    positive: str | None = None,
    against: str | None = None,
) -> None:
    """Print how a model does on the documents of a file, beside the one that it is ``against``.

    ``positive`` is the label that is, where they have names of their own.

    Raises
    ------
    ServiceFailed
    typer.Exit
        If rows were rejected.
    """
    headers = headers_of(file)
    if headers["content-type"] in {PLAIN, RIS, NBIB}:
        raise ServiceFailed(
            f"{file.name} has no labels, and a test needs that of each text: give a .csv, .tsv, "
            ".xlsx, .parquet, .ndjson or .json with text and label, positive or negative."
        )
    params = row_params(file, headers, columns)
    del params["extra_fields"]  # of a test none are kept
    if positive is not None:
        params["positive"] = positive
    check_charset(charset, headers)
    console = plain_console()
    with connected(url, "Run the command again.") as client:
        model_id = find_model(client, name, champion_of)
        other_id = None if against is None else find_model(client, against)
        if other_id == model_id:
            raise ServiceFailed(f"Both are the model {model_id}: name another one.")
        models = [model_id] if other_id is None else [model_id, other_id]
        for each in models:
            path = f"/models/{each}"
            with file.open("rb") as stream:
                content = recoded(blocks_of(stream), charset)
                found = answer(
                    client.post(f"{path}/test", params=params, content=content, headers=headers)
                )
            for line in [which_model(answer(client.get(path))), *_lines(found)]:
                console.print(line)
        if other_id is not None:
            with file.open("rb") as stream:
                # As the service reads them, which took all of the file before.
                rows = read_labeled_rows(
                    unpacked(stream, headers, charset),
                    media_type=headers["content-type"],
                    options=read_options(params),
                    names=LabelNames(positive),
                )
                compared = compare(client, (model_id, other_id), rows)
            console.print(in_words(compared, (model_id, other_id)))
    if found["n_rejected"]:
        raise typer.Exit(INCOMPLETE)


def _lines(found: dict[str, Any]) -> list[str]:
    """Return the lines that tell it."""
    counts = found["confusion"]
    n_accepted = counts["true_positives"] + counts["false_positives"]
    shares = ", ".join(f"{name} {_told(found[name])}" for name in ("precision", "recall"))
    figures = ("f1", "accuracy", "average_precision", "roc_auc")
    others = ", ".join(f"{name.replace('_', ' ')} {_told(found[name])}" for name in figures)
    return [
        f"{found['n_positive']:,} positive and {found['n_negative']:,} negative documents; from "
        f"the cut {found['cut']:.3f} on, the model takes {n_accepted:,} for positive, "
        f"{counts['true_positives']:,} of them rightly.",
        f"At the cut: {shares}.",
        f"Besides: {others}.",
        *(f"Warning: {in_shell(warning)}" for warning in found["warnings"]),
        *rejections({**found, "rejected": found["n_rejected"]}),
    ]


def _told(figure: dict[str, Any]) -> str:
    """Return a figure with its interval of 95 %, if it has one, or why there is none."""
    if figure["value"] is None:
        return f"unknown ({figure['reason'].replace('_', ' ')})"
    ends = f" ({figure['low']:.2f} to {figure['high']:.2f})" if "low" in figure else ""
    return f"{figure['value']:.2f}{ends}"
