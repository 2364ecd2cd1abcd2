"""Files that were damaged, or made to do harm."""

import os
import subprocess
from contextlib import suppress

import joblib
import numpy as np
import pytest
import scipy.sparse as sp

from core.classifiers.prototype import Prototype
from core.persistence import dump_arrays, load, load_arrays, save
from core.pipeline import make_text_classifier
from core.plain_file import InvalidModelFile

TEXTS = ["red apple", "green apple pie", "fast car", "apple juice", "old car", "car engine"]
Y = np.array([1, 1, 0, 0, 0, 0])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


class Malicious:
    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return os.mkdir, (str(self.target),)


class CopyReduce:
    """Reduces to ``function(*arguments)`` and then sets a state."""

    def __init__(self, *reduced):
        self.reduced = reduced

    def __reduce__(self):
        return self.reduced


def header(content):
    return {"format": 1, "kind": "arrays", "versions": {}, "content": content}


@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: header({"a": x})], ids=["bare", "inside"])
@pytest.mark.parametrize("in_array", [False, True])
def test_a_crafted_file_runs_nothing(wrap, in_array, path, tmp_path):
    bait = Malicious(tmp_path / "executed")
    joblib.dump(wrap(np.array([bait, bait], dtype=object) if in_array else bait), path)
    for read in (load, load_arrays):
        for mmap_mode in ("r", None):
            with pytest.raises(InvalidModelFile, match=r"damaged: .* not allowed in a file"):
                read(path, mmap_mode=mmap_mode)
    assert not (tmp_path / "executed").exists()
    joblib.load(path)  # the bait is real
    assert (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    "bait",
    [
        subprocess.Popen,
        CopyReduce(getattr, (np.ndarray, "tofile")),
        CopyReduce(eval, ("1",)),
        sp.csr_array(np.eye(2)),
        Prototype(),
        np.array([None]),
    ],
    ids=lambda bait: type(bait).__name__,
)
def test_objects_in_a_file_are_refused(bait, path):
    joblib.dump(header({"a": bait}), path)
    with pytest.raises(InvalidModelFile, match="not allowed in a file"):
        load_arrays(path)


def test_a_file_cannot_change_the_classes_it_may_name(path):
    # PROTO 4, the class, a state of slots {"read": "gone"}, BUILD, STOP
    name = b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n"
    path.write_bytes(b"\x80\x04" + name + b"N}X\x04\0\0\0readX\x04\0\0\0gones\x86b.")
    with pytest.raises(InvalidModelFile, match="not allowed in a file"):
        load_arrays(path)
    assert callable(joblib.numpy_pickle.NumpyArrayWrapper.read)


@pytest.mark.parametrize("mmap_mode", ["r", None])
def test_a_truncated_file_is_invalid(path, mmap_mode):
    save(make_text_classifier("lgn").fit(TEXTS, Y), path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(InvalidModelFile):
            load(path, mmap_mode=mmap_mode)


def test_a_damaged_byte_ends_in_no_other_error(path):
    dump_arrays({"numbers": np.arange(6.0), "words": np.array(["ä"]), "terms": ["a", "b"]}, path)
    whole = path.read_bytes()
    random = np.random.default_rng(0)
    for place, byte in zip(range(len(whole)), random.bytes(len(whole)), strict=True):
        path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        with suppress(InvalidModelFile):
            load_arrays(path, mmap_mode=None)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"{}", bytes(range(256)), b"\xff" * 99, b"from x"]
)
def test_what_is_no_model_file_is_invalid(path, content):
    path.write_bytes(content)
    with pytest.raises(InvalidModelFile, match=r"is no model file of seedbed, or damaged\.$"):
        load(path)


def test_a_file_of_another_kind_or_format_is_invalid(path):
    dump_arrays({"a": np.arange(3)}, path)
    with pytest.raises(InvalidModelFile, match="is no model file of seedbed"):
        load(path)
    joblib.dump(header({}) | {"format": 2}, path)
    with pytest.raises(InvalidModelFile, match="format 1"):
        load_arrays(path)


def test_a_missing_file_is_no_invalid_one(path):
    with pytest.raises(FileNotFoundError):
        load(path)


def test_the_header_names_the_versions(path):
    dump_arrays({"a": np.arange(3)}, path)
    assert set(joblib.load(path)["versions"]) == {
        *("seedbed", "python", "numpy", "scipy", "scikit-learn", "numba", "joblib")
    }
