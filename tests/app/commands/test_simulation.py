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


def test_copies_are_judged_and_not_read() -> None:
    curve = Curve(n_pile=9, n_hidden=4, target=0.75)

    curve.add(np.array([True, False]))
    # The second is told to be positive and is not, the third is and is told not to be.
    copies, is_right = np.array([True, True, False, False]), np.array([True, False, False, True])
    curve.add_copies(copies, is_right)
    assert (curve.n_read, len(curve.judgements), curve.n_found) == (2, 6, 2)
    assert curve.reached_at is None
    curve.add(np.array([False]))
    curve.add_copies(np.array([True]), np.array([True]))
    assert (curve.n_read, curve.n_found, curve.reached_at) == (3, 3, 3)
