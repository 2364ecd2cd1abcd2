"""``seedbed show``: what is known of a model, without a new training."""

from collections.abc import Iterable
from typing import Any

from rich.table import Table

from app.commands.client import answer, connected, find_model, next_command, plain_console
from app.commands.model_words import cautions, summary, without_cut
from app.commands.models import which_model
from app.commands.next_steps import READ_THE_END, is_novelty

N_TERMS = 10


def run(url: str, name: str) -> None:
    """Print what a model, or the newest of a project, expects of each cut, and how it was chosen.

    Raises
    ------
    ServiceFailed
    """
    console = plain_console()
    with connected(url, "Run the command again.") as client:
        model = answer(client.get(f"/models/{find_model(client, name)}"))
        path = f"/models/{model['id']}"
        cuts = answer(client.get(f"{path}/cuts"))
        terms = answer(client.get(f"{path}/terms", params={"n_terms": N_TERMS}))
        console.print(which_model(model))
        for line in summary(model, cuts):
            console.print(line)
        console.print(cut_table(cuts))
        for line in without_cut(cuts):
            console.print(line)
        if model["race"]:
            console.print(model["choice"])
            console.print(race_table(model["race"]))
        for side, told in (("for", terms["terms_for"]), ("against", terms["terms_against"])):
            if told:
                words = ", ".join(word["term"] for word in told)
                console.print(f"Words {side}: {words}")
        for caution in cautions(model):
            console.print(caution)
        command = f"ranking {model['id']}"
        if is_novelty(model):
            console.print(READ_THE_END)
            command += " --last"
        console.print(next_command(client, command))


def cut_table(cuts: dict[str, Any]) -> Table:
    """Return what each rule gives; ``without_cut`` tells why some give no cut."""
    table = _table("cut by", "score", "accepted", "precision", "recall", "F1")
    for cut in cuts["cuts"]:
        figures = [_figure(cut[name]) for name in ("precision", "recall")]
        if cut["offset"] is None:
            cells = ["-"] * 5
        else:
            f1 = "-" if cut["f1"] is None else f"{cut['f1']['value']:.2f}"
            cells = [f"{cut['offset']:.3f}", f"{cut['n_accepted']:,}", *figures, f1]
        is_used = cut["rule"] == cuts["used"]
        table.add_row(f"{cut['rule']}{' (used)' if is_used else ''}", *cells)
    return table


def race_table(race: Iterable[dict[str, Any]]) -> Table:
    """Return how the algorithms did on positives that were hidden from them.

    "ranks above" is the share of the unlabeled documents above a hidden positive: the less, the
    better.
    """
    table = _table("algorithm", "ranks above", "recall", "accepted", "seconds", "MiB")
    for entry in race:
        kind = " (won)" if entry["is_winner"] else " (baseline)" if entry["is_baseline"] else ""
        place = "-" if entry["place"] is None else f"{entry['place']:.4f}"
        shares = ["-" if entry[n] is None else f"{entry[n]:.2f}" for n in ("recall", "accepted")]
        memory = "-" if entry["memory_mb"] is None else f"{entry['memory_mb']:.0f}"
        seconds = f"{entry['seconds']:.1f}"
        table.add_row(f"{entry['algorithm']}{kind}", place, *shares, seconds, memory)
    return table


def _table(name: str, *figures: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(name, no_wrap=True)
    for figure in figures:
        table.add_column(figure, no_wrap=True, justify="right")
    return table


def _figure(expected: dict[str, float] | None) -> str:
    if expected is None:
        return "-"
    # As short as that, a row fits the usual 80 columns.
    return f"{expected['value']:.2f} ({expected['low']:.2f}-{expected['high']:.2f})"
