"""Cells of ``benchmarks.auto`` -> tables in Markdown."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from benchmarks.auto_cells import AutoCell
from benchmarks.cells import Cell
from benchmarks.quality_tables import (
    by_algorithm,
    figure,
    introduction,
    mean,
    mean_or_dash,
    show_header,
    show_incidents,
    show_means,
)

FIGURES = {
    "average_precision": ("average precision", ".62, .78, .81, .83, .83"),
    "f1_true_number": ("F1, true number predicted positive", ""),
    "f1": ("F1 at the cut", "92 % of that above"),
    "f1_own": ("F1, cut `own`", ""),
    "f1_prior": ("F1, cut `prior`", ""),
    "f1_lee_liu": ("F1, cut `lee_liu`", ""),
    "f1_conductance": ("F1, cut `conductance`", ""),
    "f1_mixture": ("F1, cut `mixture`", ""),
    "prior_true": ("true share of positives", ""),
    "prior": ("class prior", ""),
    "prior_low": ("class prior, lower end", ""),
    "prior_high": ("class prior, upper end", ""),
    "prior_error": ("class prior, absolute error", "<= .05 from 10 seeds"),
    "prior_covered": ("class prior, interval holds the true share", ">= .85 from 10 seeds"),
    "calibration_error": ("expected calibration error", "<= .05"),
    "precision": ("precision at the cut", ""),
    "precision_expected": ("precision expected", ""),
    "precision_signed": ("precision expected less the true one", "<= .10 either way"),
    "precision_error": ("the same without sign", "<= .10"),
    "precision_covered": ("precision, interval holds the true one", ""),
    "recall_covered": ("recall, interval holds the true one", ""),
    "f1_covered": ("F1, interval holds the true one", ""),
    "n_hidden_covered": ("number of positives, interval holds it", ""),
    "wall_seconds": ("seconds, wall", ""),
    "processor_seconds": ("seconds, processor", ""),
}
OF_COLLECTION = (
    "f1_true_number",
    "f1",
    "prior_true",
    "prior",
    "prior_covered",
    "calibration_error",
    "precision_signed",
)
ALGORITHM_FIGURES = ("average_precision", "f1_true_number", "f1")
#: A collection may lack this much of its best single algorithm.
ALLOWANCE = 0.02


def show(cells: list[AutoCell], known: list[Cell]) -> None:
    """Print all tables; ``known``: cells of other algorithms on the same tasks."""
    autos = [cell for cell in cells if cell.key.algorithm == "auto"]
    print(introduction(cells))
    show_figures("Mean over collections", autos)
    show_expected(autos)
    show_winners(autos)
    if len(autos) < len(cells):
        for metric in ALGORITHM_FIGURES:
            show_means(f"{FIGURES[metric][0]}: mean over collections", list(cells), metric)
    for n_seeds in seeds_of(cells):
        show_collections(n_seeds, [cell for cell in cells if cell.key.n_seeds == n_seeds])
    if known:
        show_best(autos, known)
    show_incidents(list(cells))


def seeds_of(cells: Sequence[Cell]) -> list[int]:
    return sorted({cell.key.n_seeds for cell in cells})


def by_collection(cells: Sequence[AutoCell]) -> list[tuple[str, list[AutoCell]]]:
    ordered = sorted(cells, key=lambda cell: cell.key.collection)
    return [(name, list(part)) for name, part in groupby(ordered, lambda c: c.key.collection)]


def show_figures(title: str, cells: list[AutoCell]) -> None:
    seeds = seeds_of(cells)
    columns = [[cell for cell in cells if cell.key.n_seeds == n] for n in seeds]
    show_header(title, ["figure", *(f"seeds: {n}" for n in seeds), "aim"])
    for metric, (name, aim) in FIGURES.items():
        means = [mean_or_dash(column, metric, len(column)) for column in columns]
        print(f"| {name} | {' | '.join(means)} | {aim} |")
        if metric == "f1":
            ratios = " | ".join(f"{ratio(column):.3f}" for column in columns)
            print(f"| F1 at the cut / F1, true number | {ratios} | >= .92 |")


def ratio(cells: Sequence[Cell]) -> float:
    """Return the ratio of the means, 0 where nothing was found."""
    best = mean(cells, "f1_true_number")
    return mean(cells, "f1") / best if best else 0.0


def show_expected(cells: list[AutoCell]) -> None:
    """Print how far the expected precision tells one task from another, over single tasks."""
    columns = ["seeds", "tasks", "correlation", "absolute error", "of their mean", "ends hold it"]
    show_header("Expected precision beside the true one, tasks of all collections", columns)
    for n_seeds in seeds_of(cells):
        found = [cell.quality for cell in cells if cell.key.n_seeds == n_seeds and cell.quality]
        told = [
            (quality.precision, quality.precision_expected, quality.precision_covered)
            for quality in found
            if quality.precision_expected is not None
        ]
        if len(told) < 2:
            continue
        true, expected, is_covered = np.array(told, dtype=float).T
        figures = [
            np.corrcoef(true, expected)[0, 1],
            np.abs(expected - true).mean(),
            np.abs(true - true.mean()).mean(),
            is_covered.mean(),
        ]
        row = " | ".join(f"{value:.2f}" for value in figures)
        print(f"| {n_seeds} | {len(told)} | {row} |")


def show_winners(cells: list[AutoCell]) -> None:
    seeds = seeds_of(cells)
    wins = Counter((cell.winner, cell.key.n_seeds) for cell in cells if cell.quality)
    show_header("What auto chose, cells", ["algorithm", *(f"seeds: {n}" for n in seeds)])
    for name in sorted({name for name, _ in wins}):
        print(f"| {name} | {' | '.join(str(wins[name, n]) for n in seeds)} |")


def show_collections(n_seeds: int, cells: list[AutoCell]) -> None:
    """Print the average precision of each algorithm, and what auto says of itself."""
    names = [name for name, _ in by_algorithm(cells)]
    told = {metric: FIGURES[metric][0] for metric in OF_COLLECTION}
    precisions = [f"average precision, {name}" for name in names]
    title = f"By collection, seeds: {n_seeds}"
    show_header(title, ["collection", "classes", *precisions, *told.values()])
    for collection, part in by_collection(cells):
        algorithms = dict(by_algorithm(part))
        own = algorithms.get("auto", [])
        figures = [(algorithms.get(name, []), "average_precision") for name in names]
        figures += [(own, metric) for metric in told]
        row = [mean_or_dash(column, metric, len(column)) for column, metric in figures]
        print(f"| {collection} | {len(own)} | {' | '.join(row)} |")


def show_best(autos: list[AutoCell], known: list[Cell]) -> None:
    """Print auto beside the best of the known algorithms on the same tasks."""
    title = "Average precision beside the best single algorithm of each collection"
    columns = ["collection", "seeds", "auto", "best", "which", "auto less best", "aim >= -.02"]
    show_header(title, columns)
    for collection, part in by_collection(autos):
        for n_seeds in seeds_of(part):
            ours = [cell for cell in part if cell.key.n_seeds == n_seeds]
            labels = {(cell.key.label, cell.key.draw) for cell in ours if cell.quality}
            # An algorithm that was refused some of the tasks is not comparable.
            others = {
                name: mean(same, "average_precision")
                for name, cells in by_algorithm(known)
                if len(same := same_tasks(cells, collection, n_seeds, labels)) == len(labels)
            }
            if not others:
                continue
            best = max(others, key=others.__getitem__)
            value = mean(ours, "average_precision")
            gap = value - others[best]
            verdict = "met" if gap >= -ALLOWANCE else "missed"
            print(
                f"| {collection} | {n_seeds} | {value:.3f} | {others[best]:.3f} | {best} | "
                f"{gap:+.3f} | {verdict} |"
            )


def same_tasks(
    cells: Sequence[Cell], collection: str, n_seeds: int, labels: set[tuple[str, int]]
) -> list[Cell]:
    return [
        cell
        for cell in cells
        if (cell.key.collection, cell.key.n_seeds) == (collection, n_seeds)
        and (cell.key.label, cell.key.draw) in labels
        and figure(cell, "average_precision") is not None
    ]
