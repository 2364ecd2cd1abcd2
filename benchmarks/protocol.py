"""How labeled collections become tasks of PU learning: each class in turn, random seeds."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The collections of the NMFPUL paper.
COLLECTIONS = ["cstr", "syskillwebert", "oh0", "oh15", "fbis", "re0", "re1", "tr11", "wap"]
N_SEEDS = [1, 5, 10, 20, 30]


class Task(NamedTuple):
    """A class to find, from a few of its documents: ``n_seeds``, fewer where the class is small."""

    label: str
    n_seeds: int
    draw: int
    truth: NDArray[np.int64]
    y: NDArray[np.int64]

    @property
    def is_unlabeled(self) -> NDArray[np.bool_]:
        return self.y == 0


def tasks(
    labels: list[str],
    n_seeds: int,
    *,
    n_draws: int = 10,
    min_documents: int = 1,
    keep_small: bool = False,
) -> Iterator[Task]:
    """Yield a task for each class and draw; classes of no more documents than seeds are left out.

    With ``keep_small`` all of their documents but one are labeled instead. A draw takes the first
    seeds of a random order of the class, so that those of 5 seeds are among those of 10 of the
    same draw.
    """
    names = np.array(labels)
    for label in np.unique(names):
        truth = (names == label).astype(np.int64)
        members = np.flatnonzero(truth)
        n_labeled = min(n_seeds, len(members) - 1) if keep_small else n_seeds
        if len(members) < max(min_documents, n_labeled + 1, 2):
            continue
        for draw in range(n_draws):
            y = np.zeros_like(truth)
            y[np.random.default_rng(draw).permutation(members)[:n_labeled]] = 1
            yield Task(str(label), n_seeds, draw, truth, y)


def evenly(names: Iterable[str], most: int) -> list[str]:
    """Return so many of different names at most, evenly over them: related ones are neighbors."""
    different = list(dict.fromkeys(names))
    n_kept = min(len(different), most)
    return [different[i * len(different) // n_kept] for i in range(n_kept)]
