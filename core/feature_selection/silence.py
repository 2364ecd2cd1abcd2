"""Convergence that nobody asks for, left unsaid."""

import warnings
from functools import partial

from sklearn.exceptions import ConvergenceWarning

from core.kernels.hardware.shared_context import SharedContext

#: For warnings of scikit-learn that repeat a flag, or that tell of a step that is good enough. The
#: filters of warnings are those of the process.
silence = SharedContext(
    partial(warnings.catch_warnings, action="ignore", category=ConvergenceWarning)
)
