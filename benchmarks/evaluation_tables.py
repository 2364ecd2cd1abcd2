"""Tables of the comparison of evaluations without negatives."""

from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from benchmarks.evaluation_cells import Cell

FIGURES = ["precision", "recall", "f1", "auc"]


def show(n_seeds: int, cells: list[Cell]) -> None:
    if not cells:
        print(f"\n{n_seeds} seeds: no task")
        return
    in_order = sorted(cells, key=lambda cell: cell.key.task)
    of_tasks = [list(each) for _, each in groupby(in_order, key=lambda cell: cell.key.task)]
    print(f"\n## {n_seeds} seeds, {len(of_tasks)} tasks, {len(cells)} cells\n")
    show_estimates(cells)
    if comparable := [each for each in of_tasks if len(each) > 1]:
        show_criteria(comparable)


def show_estimates(cells: list[Cell]) -> None:
    print("| class prior | figure | MAE | error | coverage | cells |\n|---|---|---|---|---|---|")
    for prior in cells[0].estimates:
        for figure in FIGURES:
            found = [(cell.truth[figure], *cell.estimates[prior][figure]) for cell in cells]
            rows = np.array(found, dtype=float)
            truth, value, low, high = rows[~np.isnan(rows).any(axis=1)].T
            errors = value - truth
            covered = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
            print(
                f"| {prior} | {figure} | {np.abs(errors).mean():.3f} | {errors.mean():+.3f} | "
                f"{covered.mean():.2f} | {len(errors)} |",
                flush=True,
            )


def show_criteria(of_tasks: list[list[Cell]]) -> None:
    columns = "correlation | picks best | regret AP | regret F1"
    print(f"\n| criterion | {columns} |\n|---|---|---|---|---|")
    rows = [
        (name, [judge(each, [cell.criteria[name] for cell in each]) for each in of_tasks])
        for name in of_tasks[0][0].criteria
    ]
    rows.sort(key=lambda row: np.nanmean([figures[2] for figures in row[1]]))
    algorithms = dict.fromkeys(cell.key.algorithm for each in of_tasks for cell in each)
    for name in algorithms:
        fixed = [judge(each, [cell.key.algorithm == name for cell in each]) for each in of_tasks]
        rows.append((f"(always {name})", fixed))
    rows.append(("(any)", [judge(each, [0.0] * len(each)) for each in of_tasks]))
    for name, figures in rows:
        columns_of_row = np.array(figures).T
        means = [np.nanmean(c) if not np.isnan(c).all() else np.nan for c in columns_of_row]
        shown = " | ".join("" if np.isnan(mean) else f"{mean:.3f}" for mean in means)
        print(f"| {name} | {shown} |", flush=True)


def judge(cells: list[Cell], values: list[float]) -> NDArray[np.float64]:
    """Return correlation with the truth, whether the first is best, and both regrets."""
    truth = np.array([cell.truth["average_precision"] for cell in cells], dtype=float)
    f1 = np.array([cell.truth["f1"] for cell in cells], dtype=float)
    picked = np.array(values) == np.max(values)
    is_ranked = len(set(values)) > 2 and len(set(truth)) > 1
    correlation = spearmanr(values, truth).statistic if is_ranked else np.nan
    is_best = truth[picked] >= truth.max() - 1e-12
    return np.array(
        [
            correlation,
            is_best.mean(),
            (truth.max() - truth[picked]).mean(),
            (f1.max() - f1[picked]).mean(),
        ]
    )
