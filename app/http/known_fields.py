"""The fields that a body may have, for those who misspell one."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel


def known_fields(body_type: Any, path: Sequence[str | int]) -> list[str]:
    """Return the fields of the object that stands at a path in a body, such as documents, 0."""
    models = list(_models(body_type))
    for name in path:
        if isinstance(name, str):  # the items of a list are all alike
            fields = [model.model_fields[name] for model in models]
            models = [model for field in fields for model in _models(field.annotation)]
    return [name for model in models for name in model.model_fields]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
