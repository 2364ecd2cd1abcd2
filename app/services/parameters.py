"""What the core refuses, as errors of the service."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.errors import (
    AppError,
    InvalidParameter,
    MissingPackage,
    NoPositives,
    NoUnlabeled,
    TooFewPositives,
    UnsuitableDocuments,
)

_REFUSALS: dict[str | None, type[AppError]] = {
    error.code(): error for error in (MissingPackage, NoPositives, NoUnlabeled, TooFewPositives)
}

# The two ways a name is put first in the core's messages: by scikit-learn, and by our own.
_NAME = re.compile(r"^The '(\w+)' parameter|^'?(\w+)'?")


def invalid_parameter(error: ValueError, **groups: dict[str, Any]) -> InvalidParameter:
    """Return the error to raise; ``groups`` are the parts of the request that hold parameters."""
    detail = str(error)
    match = _NAME.match(detail)
    name = (match[1] or match[2]) if match else None
    holder = next((group for group, values in groups.items() if name in values), None)
    return InvalidParameter(detail) if holder is None else invalid(f"/{holder}/{name}", detail)


def invalid(pointer: str, detail: str) -> InvalidParameter:
    return InvalidParameter(detail, errors=[{"pointer": pointer, "detail": detail}])


def parameters_of(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator but for those that the service sets itself."""
    parameters = estimator.get_params(deep=False).items()
    return {name: value for name, value in parameters if name not in {"pos_label", "random_state"}}


@contextmanager
def unsuitable_documents() -> Iterator[None]:
    """Turn what the core raises on checked parameters into the fault of the documents.

    An error of the core that has a code keeps it.
    """
    try:
        yield
    except ValueError as error:
        refusal = _REFUSALS.get(getattr(error, "code", None), UnsuitableDocuments)
        raise refusal(str(error)) from error
