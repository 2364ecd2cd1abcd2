"""Estimators and arrays <-> files without objects in them.

An estimator is stored as the name of its class, its parameters and its public fitted attributes,
and rebuilt from them: the name is looked up in a list.
"""

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from core.calibration.score_calibration import ScoreCalibration
from core.csr_files import csr_from_arrays, csr_to_arrays
from core.kernels.tokens.packed_terms import PackedTerms
from core.nearest_documents import NearestDocuments
from core.plain_file import InvalidModelFile, is_plain, read_plain, write_plain
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermMask, TermWeighting, TokenCounter
from core.text.hash_names import HashNames

#: The estimators a file may name.
ESTIMATORS: dict[str, type[BaseEstimator]] = {
    estimator.__name__: estimator
    for estimator in (
        *ALGORITHMS.values(),
        *FEATURE_SELECTORS.values(),
        *(TokenCounter, TermWeighting, TermMask),
        ScoreCalibration,
        NearestDocuments,
        Pipeline,
    )
}

#: Where scikit-learn keeps what ``set_output`` was given.
OUTPUT_SETTING = "_sklearn_output_config"

#: Key that tells what a dict stands for where it is no plain dict.
KIND = "__kind__"


def save(estimator, path):
    """Write an estimator to a file, durably.

    Parameters
    ----------
    estimator : estimator object
        One of ``ESTIMATORS``, fitted or not.
    path : path-like
        The file; one that exists is replaced once all is written, also where it is mapped.

    Raises
    ------
    ValueError
        If the estimator holds what a file cannot hold, such as a RandomState or a function.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from core.persistence import load, save
    >>> from core.text import TokenCounter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(TokenCounter().fit(["some words"]), Path(folder, "counter"))
    ...     load(Path(folder, "counter")).terms_
    ['some', 'words']
    """
    write_plain(to_state(estimator), path, "model")


def load(path, *, mmap_mode="r"):
    """Read an estimator from a file that ``save`` wrote.

    Parameters
    ----------
    path : path-like
        The file.
    mmap_mode : {"r", "c"}, default="r"
        How arrays are mapped: read-only or copy-on-write. None reads them into memory.

    Returns
    -------
    estimator object
        Predicts as the saved one did.

    Raises
    ------
    BadParameter
        If ``mmap_mode`` is anything else.
    InvalidModelFile
        If the file is damaged, was made by something else, or holds what it must not.
    OSError
        If the file cannot be opened.
    """
    return from_state(read_plain(path, mmap_mode, "model"))


def dump_arrays(arrays, path):
    """Write a dict of arrays to a file, durably.

    Parameters
    ----------
    arrays : dict
        From str to ndarrays that hold no objects, CSR arrays, packed terms, lists of str, numbers,
        str or None; lists, tuples and dicts of these too.
    path : path-like
        The file; one that exists is replaced once all is written, also where it is mapped.

    Raises
    ------
    ValueError
        If a value is anything else.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from core.persistence import dump_arrays, load_arrays
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dump_arrays({"scores": np.array([0.5, 0.25])}, Path(folder, "ranking"))
    ...     load_arrays(Path(folder, "ranking"))["scores"].tolist()
    [0.5, 0.25]
    """
    write_plain(_encode(arrays, "arrays"), path, "arrays")


def load_arrays(path, *, mmap_mode="r"):
    """Read the dict of a file that ``dump_arrays`` wrote; parameters and errors as in ``load``.

    Returns
    -------
    dict
        As it was saved; arrays are mapped to the file unless ``mmap_mode`` is None.
    """
    return _rebuilt(read_plain(path, mmap_mode, "arrays"))


def to_state(estimator):
    """Return an estimator as plain containers, numbers, strings and arrays.

    Parameters
    ----------
    estimator : estimator object
        One of ``ESTIMATORS``, fitted or not.

    Returns
    -------
    dict
        The name of its class, its parameters, its public fitted attributes, and among these what
        ``set_output`` was given.

    Raises
    ------
    ValueError
        If it is of another class or holds what a file cannot.

    Examples
    --------
    >>> from core.persistence import to_state
    >>> from core.text import TermMask
    >>> to_state(TermMask([True, False]))
    {'__kind__': 'estimator', 'class': 'TermMask', 'params': {'mask': [True, False]}, 'fitted': {}}
    """
    name = type(estimator).__name__
    if ESTIMATORS.get(name) is not type(estimator):
        kept = [part for part in ("pipeline_", "estimator_") if hasattr(estimator, part)]
        hint = f"save its {kept[0]}" if kept else "joblib.dump writes it"
        raise ValueError(f"a model file cannot hold the class {name}: {hint}.")
    fitted = {key: value for key, value in vars(estimator).items() if _is_kept(key)}
    return {
        KIND: "estimator",
        "class": name,
        "params": _encode(estimator.get_params(deep=False), name),
        "fitted": _encode(fitted, name),
    }


def from_state(state):
    """Return the estimator of a state that ``to_state`` made.

    Raises
    ------
    InvalidModelFile
        If the state is not one of an estimator of ``ESTIMATORS``.
    """
    estimator = _rebuilt(state)
    if not isinstance(estimator, BaseEstimator):
        raise InvalidModelFile(f"an estimator was expected, not a {type(estimator).__name__}.")
    return estimator


def _is_kept(name):
    return name == OUTPUT_SETTING or (name.endswith("_") and not name.startswith("_"))


def _encode(value, path):
    """Return a value as plain containers; ``path`` says where it is, for errors."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.generic):
        return _encode(value.item(), path)
    if isinstance(value, np.ndarray):
        return _plain_array(value, path)
    if isinstance(value, BaseEstimator):
        return to_state(value)
    if isinstance(value, PackedTerms):
        return {KIND: "terms", "text": value.text, "bounds": value.bounds}
    if isinstance(value, HashNames):
        return {KIND: "hash names", "n_columns": value.n_columns}
    if sp.issparse(value) and value.format == "csr":
        return {KIND: "csr", **_encode(csr_to_arrays(value), path)}
    if type(value) in (set, frozenset) and all(type(item) is str for item in value):
        return _encode(sorted(value), path)
    if type(value) in (list, tuple, dict):
        return _encode_container(value, path)
    instead = (
        "give a number as random_state instead, by set_params"
        if isinstance(value, np.random.RandomState)
        else "only numbers, str, None, arrays without objects, CSR arrays and lists, tuples or "
        "dicts of them"
    )
    raise ValueError(f"{path} is a {type(value).__name__}, which a file cannot hold: {instead}.")


def _plain_array(value, path):
    value = np.asarray(value)
    if value.dtype == object and all(isinstance(item, str) for item in value.flat):
        return value.astype(str)
    if not is_plain(value.dtype):
        raise ValueError(f"{path} is an array of {value.dtype}, which a file cannot hold.")
    return value


def _encode_container(value, path):
    if type(value) is dict:
        if not all(type(key) is str and key != KIND for key in value):
            raise ValueError(f"{path} has keys that are not str, or {KIND!r}.")
        return {key: _encode(item, f"{path}.{key}") for key, item in value.items()}
    if type(value) is list and value and all(type(item) is str for item in value):
        # Thousands of names load as fast as two arrays.
        return _encode(PackedTerms.of(value), path) | {KIND: "strings"}
    return type(value)(_encode(item, f"{path}[{i}]") for i, item in enumerate(value))


def _rebuilt(state):
    try:
        return _decode(state)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        told = f"another version saved the content, or it was altered: {error!r}"
        raise InvalidModelFile(told) from error


def _decode(value):
    if isinstance(value, dict):
        if KIND in value:
            return DECODERS[value[KIND]](value)
        return {key: _decode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_decode(item) for item in value)
    return value


def _decode_terms(state):
    return PackedTerms.checked(state["text"], state["bounds"])


def _decode_estimator(state):
    estimator = ESTIMATORS[state["class"]](**_decode(state["params"]))
    for name, value in state["fitted"].items():
        if not _is_kept(name):
            raise ValueError(f"{name!r} is not a fitted attribute")
        setattr(estimator, name, _decode(value))
    return estimator


#: What a dict with a kind stands for -> how it is read.
DECODERS = {
    "csr": csr_from_arrays,
    "estimator": _decode_estimator,
    "hash names": lambda state: HashNames(state["n_columns"]),
    "strings": lambda state: list(_decode_terms(state)),
    "terms": _decode_terms,
}
