"""Convergence that nobody asks for, left unsaid."""

import warnings
from threading import Lock

from sklearn.exceptions import ConvergenceWarning


class _Silence:
    """Ignores ConvergenceWarning inside ``with``.

    The filters of warnings are those of the process: of several threads the first one that comes
    in changes them, and the last one that leaves sets them back.
    """

    def __init__(self):
        self._lock = Lock()
        self._n_inside = 0
        self._filters = None

    def __enter__(self):
        with self._lock:
            if not self._n_inside:
                self._filters = warnings.catch_warnings(
                    action="ignore", category=ConvergenceWarning
                )
                self._filters.__enter__()
            self._n_inside += 1

    def __exit__(self, *error):
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                self._filters.__exit__(*error)


#: For warnings of scikit-learn that repeat a flag, or that tell of a step that is good enough.
silence = _Silence()
