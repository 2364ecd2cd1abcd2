"""Parameters that the core refuses: where in the request they stand."""

import re
from typing import Any

from app.errors import InvalidParameter

# The two ways a name is put first in the core's messages: by scikit-learn, and by our own.
_NAME = re.compile(r"^The '(\w+)' parameter|^'?(\w+)'?")


def invalid_parameter(error: ValueError, **groups: dict[str, Any]) -> InvalidParameter:
    """Return the error to raise; ``groups`` are the parts of the request that hold parameters."""
    detail = str(error)
    match = _NAME.match(detail)
    name = (match[1] or match[2]) if match else None
    holder = next((group for group, values in groups.items() if name in values), None)
    if holder is None:
        return InvalidParameter(detail)
    pointer = f"/{holder}/{name}"
    return InvalidParameter(detail, errors=[{"pointer": pointer, "detail": detail}])
