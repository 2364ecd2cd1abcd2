"""Values of numpy as those of JSON."""

import math
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return a value as JSON has it; numbers that are not finite become null."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
