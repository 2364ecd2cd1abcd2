"""Cells of ``benchmarks.quality`` -> tables in Markdown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from benchmarks.cells import Cell

METRICS = {
    "average_precision": "Average precision, unlabeled documents",
    "f1": "F1 at the method's own cut, unlabeled documents",
    "f1_true_number": "F1 with the true number predicted positive, unlabeled documents",
    "f1_all": "F1 at the method's own cut, all documents",
    "f1_true_number_all": "F1 with the true number predicted positive, all documents",
}
#: Algorithms come in the order of their average precision at this many seeds.
SEEDS_OF_ORDER = 5


def show(cells: list[Cell]) -> None:
    cells = in_order(cells)
    print(introduction(cells))
    for metric, title in METRICS.items():
        show_means(f"{title}: mean over collections", cells, metric)
    for collection in sorted({cell.key.collection for cell in cells}):
        chosen = [cell for cell in cells if cell.key.collection == collection]
        show_means(f"{METRICS['average_precision']}: {collection}", chosen, "average_precision")
    show_costs(cells)
    show_incidents(cells)


def in_order(cells: list[Cell]) -> list[Cell]:
    """Sort by algorithm, the best first."""
    chosen = [cell for cell in cells if cell.key.n_seeds == SEEDS_OF_ORDER]
    means = {name: mean(part, "average_precision") for name, part in by_algorithm(chosen)}
    return sorted(cells, key=lambda cell: (-means.get(cell.key.algorithm, 0), cell.key.algorithm))


def by_algorithm(cells: Iterable[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.key.algorithm, []).append(cell)
    yield from groups.items()


def introduction(cells: Sequence[Cell]) -> str:
    n_tasks = Counter(n_seeds for _, _, n_seeds, _ in tasks(cells))
    numbers = ", ".join(f"{n_tasks[n_seeds]} of {n_seeds}" for n_seeds in sorted(n_tasks))
    n_collections = len({cell.key.collection for cell in cells})
    return (
        f"{len(cells):,} cells over {n_collections} collections; tasks: {numbers} seeds.\n\n"
        "A mean is over classes and draws of a collection, then over collections. In brackets: on "
        "how many of the tasks it rests, where the others were refused, failed or are still to "
        "come; it is not comparable with the rest. A dash: on none."
    )


def tasks(cells: Iterable[Cell]) -> set[tuple[str, str, int, int]]:
    return {cell.key.task for cell in cells}


def mean(cells: Iterable[Cell], metric: str) -> float:
    """Return the mean over collections, 0 where there is no figure."""
    values: dict[str, list[float]] = {}
    for cell in cells:
        if (value := figure(cell, metric)) is not None:
            values.setdefault(cell.key.collection, []).append(value)
    return float(np.mean([np.mean(part) for part in values.values()])) if values else 0.0


def figure(cell: Cell, metric: str) -> float | None:
    return None if cell.quality is None else getattr(cell.quality, metric)


def show_means(title: str, cells: list[Cell], metric: str) -> None:
    seeds = sorted({cell.key.n_seeds for cell in cells})
    n_tasks = Counter(n_seeds for _, _, n_seeds, _ in tasks(cells))
    show_header(title, ["algorithm", *("1 seed" if n == 1 else f"{n} seeds" for n in seeds)])
    for algorithm, part in by_algorithm(cells):
        columns = [[cell for cell in part if cell.key.n_seeds == n] for n in seeds]
        means = [
            mean_or_dash(column, metric, n_tasks[n])
            for n, column in zip(seeds, columns, strict=True)
        ]
        print(f"| {algorithm} | {' | '.join(means)} |")


def show_header(title: str, columns: list[str]) -> None:
    print(f"\n## {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def mean_or_dash(cells: Sequence[Cell], metric: str, n_tasks: int) -> str:
    n_figures = sum(figure(cell, metric) is not None for cell in cells)
    if n_figures == 0:
        return "-"
    note = "" if n_figures == n_tasks else f" ({n_figures} of {n_tasks})"
    return f"{mean(cells, metric):.3f}{note}"


def show_costs(cells: list[Cell]) -> None:
    """Print times and memory, the slowest fit first."""
    columns = "fit s, mean | fit s, most | where | new documents, ms for 1,000"
    memory = "peak MiB, mean | peak MiB, most"
    show_header("Time and memory", ["algorithm", *f"{columns} | {memory}".split(" | ")])
    rows = [(cost_row(part), name) for name, part in by_algorithm(cells)]
    for (_, row), name in sorted((pair for pair in rows if pair[0] is not None), reverse=True):
        print(f"| {name} | {row} |")


def cost_row(cells: list[Cell]) -> tuple[float, str] | None:
    measured = [cell for cell in cells if cell.quality is not None]
    if not measured:
        return None
    slowest = max(measured, key=lambda cell: cell.cost.fit_seconds)
    fit = np.mean([cell.cost.fit_seconds for cell in measured])
    scoring = [cell.cost.predict_seconds / cell.quality.n_unlabeled for cell in measured]
    memory = [cell.cost.peak_memory for cell in measured]
    return float(fit), (
        f"{fit:.3f} | {slowest.cost.fit_seconds:.2f} | "
        f"{slowest.key.collection}, seeds: {slowest.key.n_seeds} | "
        f"{np.mean(scoring) * 1e6:.1f} | {np.mean(memory):.1f} | {max(memory):.1f}"
    )


def show_incidents(cells: list[Cell]) -> None:
    """Print refusals, failures, warnings and flags with the number of their cells."""
    show_header("Refusals, failures, warnings, flags", ["algorithm", "what", "cells"])
    for algorithm, part in by_algorithm(cells):
        incidents = Counter(incident for cell in part for incident in incidents_of(cell))
        for incident, n_cells in sorted(incidents.items()):
            print(f"| {algorithm} | {incident} | {n_cells} of {len(part)} |")


def incidents_of(cell: Cell) -> list[str]:
    errors = [] if cell.error is None else [cell.error]
    texts = errors + [f"warning: {text}" for text in cell.warnings]
    return [" ".join(text.split()).replace("|", "\\|") for text in texts] + [
        f"flag: {flag}" for flag in cell.flags
    ]
