"""How long one training of ``algorithm="auto"`` takes on a larger collection."""

from pathlib import Path

import joblib
import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from benchmarks import auto_training
from benchmarks.auto_training import AutoTraining
from benchmarks.cell_making import counts, warm_up
from benchmarks.collections import load
from benchmarks.protocol import Task, tasks
from benchmarks.quality_tables import show_header

COLLECTION, LABEL, N_SEEDS, N_JOBS = "20newsgroups", "rec.motorcycles", 10, 2


def show_time(data_dir: Path) -> None:
    """Print the seconds of each step, wall and processor, on a larger collection."""
    counted = counts(data_dir, COLLECTION)
    every = tasks(load(COLLECTION, data_dir)[2], N_SEEDS, n_draws=1)
    task = next(task for task in every if task.label == LABEL)
    warm_up("seed_expansion")
    title = f"{COLLECTION}, {counted.shape[0]:,} documents, {N_SEEDS} seeds, {N_JOBS} threads"
    show_training(title, counted, task)


def show_training(title: str, counted: sp.csr_array, task: Task) -> AutoTraining:
    """Train on two threads, print the seconds of each step and of each candidate."""
    with joblib.parallel_config("threading", n_jobs=N_JOBS), threadpool_limits(1):
        training = auto_training.train(counted, task.y, 0)
    show_header(title, ["step", "seconds, wall", "seconds, processor"])
    for step, (wall, processor) in training.seconds.items():
        print(f"| {step} | {wall:.1f} | {processor:.1f} |")
    wall, processor = np.sum(list(training.seconds.values()), axis=0)
    print(f"| all | {wall:.1f} | {processor:.1f} |")
    show_header("Candidates of the race", ["algorithm", "place", "seconds, wall"])
    for entry in training.entries:
        place = "-" if entry.place is None else f"{entry.place:.4f}"
        print(f"| {entry.candidate.algorithm} | {place} | {entry.seconds:.1f} |")
    return training
