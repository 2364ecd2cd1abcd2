"""What a simulated review keeps of what it read."""

from collections.abc import Iterator

import numpy as np

from app.commands.simulation import Curve


class CountedList(list[bool]):
    """A list that tells how often it was gone through."""

    n_passes = 0

    def __iter__(self) -> Iterator[bool]:
        self.n_passes += 1
        return super().__iter__()


def test_judgements_are_not_counted_anew_for_each() -> None:
    judgements = CountedList()
    curve = Curve(n_pile=8, n_hidden=4, target=0.75, judgements=judgements)

    curve.add(np.array([True, False, True, False]))
    curve.add(np.array([False, True, True, False]))

    assert (curve.n_found, curve.reached_at) == (4, 6)
    assert judgements.n_passes == 0
