"""What the core refuses, as errors of the service."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from app.errors import (
    MAX_ERRORS,
    AppError,
    InvalidParameter,
    MissingPackage,
    NoPositives,
    NoUnlabeled,
    TooFewPositives,
    UnsuitableDocuments,
)
from app.json_pointer import pointer_step
from core.errors import BadParameter, Refused

T = TypeVar("T")

#: In the detail of the problem; its errors have all.
SHOWN_FAULTS = 3
#: Of a list of one's own, which stands in the answers of projects, jobs and models.
MAX_STOP_WORDS = 10_000

_REFUSALS: dict[str | None, type[AppError]] = {
    error.code(): error for error in (MissingPackage, NoPositives, NoUnlabeled, TooFewPositives)
}


def checked_parameters(make: Callable[..., T], **groups: dict[str, Any]) -> T:
    """Return what ``make`` makes of groups of parameters, each a part of the request.

    Raises
    ------
    InvalidParameter
        With all faults: what is refused is left out, and the other parameters are tried.
    """
    given = {group: dict(values) for group, values in groups.items()}
    left_out: set[str] = set()
    faults: list[dict[str, str]] = []
    while True:
        try:
            _check_stop_words(given.get("vectorizer", {}))
            _check_integers(given)
            made = make(**given)
            break
        except BadParameter as error:
            detail, name = str(error), error.name
            group = next((group for group, values in given.items() if name in values), None)
            if group is None and not faults:
                raise InvalidParameter(detail) from error
            # A fault that names a parameter left out before may be there for want of that alone.
            is_own = left_out.isdisjoint(error.others)
            if group is None or not is_own or len(faults) == MAX_ERRORS:
                break
            faults.append({"pointer": f"/{group}/{pointer_step(name)}", "detail": detail})
            left_out.add(name)
            del given[group][name]
    if faults:
        raise InvalidParameter(" ".join(f["detail"] for f in faults[:SHOWN_FAULTS]), errors=faults)
    return made


def _check_stop_words(vectorizer: dict[str, Any]) -> None:
    for name in ("stop_words", "extra_stop_words"):
        words = vectorizer.get(name)
        if isinstance(words, list) and len(words) > MAX_STOP_WORDS:
            raise BadParameter(
                f"{name} has {len(words):,} words; at most {MAX_STOP_WORDS:,} are taken. Keep "
                "those that are in many texts: min_df leaves out rare words, max_df frequent ones.",
                name,
            )


def _check_integers(groups: dict[str, dict[str, Any]]) -> None:
    """Refuse integers that JSON can tell and numerical libraries cannot hold."""
    for name, value in (each for values in groups.values() for each in values.items()):
        if _has_large_integer(value):
            raise BadParameter(f"{name} has an integer of more than 64 bits.", name)


def _has_large_integer(value: Any) -> bool:
    if isinstance(value, int):
        return not -(2**63) <= value < 2**63
    values = value.values() if isinstance(value, dict) else value
    return isinstance(value, dict | list) and any(map(_has_large_integer, values))


def seed_of(random_state: int, params: dict[str, Any]) -> int:
    """Return the seed of a job, which may stand among the parameters of its algorithm instead.

    Raises
    ------
    InvalidParameter
        If it is null, or both places have one and they differ.
    """
    seed = params.get("random_state", random_state)
    pointer = "/params/random_state"
    if seed is None:
        detail = "random_state must be a whole number, so that the result can be repeated."
        raise invalid(pointer, detail)
    if random_state not in (seed, 0):
        raise invalid(pointer, f"random_state is {random_state}, and {seed} in params.")
    return int(seed) if isinstance(seed, int) else random_state


def invalid(pointer: str, detail: str) -> InvalidParameter:
    return InvalidParameter(detail, pointer=pointer)


def parameters_of(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator but for those that the service sets itself."""
    parameters = estimator.get_params(deep=False).items()
    return {name: value for name, value in parameters if name not in {"pos_label", "random_state"}}


@contextmanager
def unsuitable_documents() -> Iterator[None]:
    """Blame the documents for what the core refuses, as its parameters were checked before.

    A reason with a code of its own keeps it. Any other error is a bug, and is raised as it is.
    """
    try:
        yield
    except Refused as error:
        refusal = _REFUSALS.get(error.code, UnsuitableDocuments)
        raise refusal(str(error)) from error
