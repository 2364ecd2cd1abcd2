"""Spaces of the doctor for tests of what looks at them."""

import numpy as np

from core.doctor.accepted_space import AcceptedSpace


def space(own, others):
    """Return a space of positives and of accepted samples at these points."""
    rows = np.arange(len(own) + len(others))
    return AcceptedSpace(rows[: len(own)], rows[len(own) :], own, others)
