import os

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from core.classifiers.lgn import LGN
from core.classifiers.prototype import Prototype
from core.errors import BadParameter
from core.feature_selection.k_best import KBest
from core.persistence import (
    ESTIMATORS,
    InvalidModelFile,
    dump_arrays,
    from_state,
    load,
    load_arrays,
    save,
    to_state,
)
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS
from core.text import TermMask, TokenCounter

TEXTS = [
    *("red apple", "green apple pie", "apple pie", "green apple juice"),
    *("fast car", "apple juice", "old car", "car engine"),
]
Y = np.array([1, 1, 1, 1, 0, 0, 0, 0])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


def mapping_of(array):
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array


def is_mapped(array):
    return mapping_of(array) is not None


@pytest.mark.parametrize("mmap_mode", ["r", "c", None])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_loaded_pipeline_predicts_the_same(algorithm, mmap_mode, path):
    pipeline = make_text_classifier(algorithm, feature_mask=[True] * 9, random_state=0)
    pipeline.fit(TEXTS, Y)
    save(pipeline, path)
    loaded = load(path, mmap_mode=mmap_mode)
    new_texts = [*TEXTS, "", "an apple in an old car", "unheard"]
    assert_array_equal(loaded.decision_function(new_texts), pipeline.decision_function(new_texts))
    assert_array_equal(loaded.predict(new_texts), pipeline.predict(new_texts))
    classifier = loaded["classifier"]
    assert classifier.get_params() == pipeline["classifier"].get_params()
    assert classifier.report_ == pipeline["classifier"].report_
    assert loaded["counts"].terms_ == pipeline["counts"].terms_


def test_arrays_of_a_loaded_model_are_mapped(path):
    save(make_text_classifier("lgn").fit(TEXTS, Y), path)
    weights = load(path)["classifier"].coef_
    assert is_mapped(weights)
    assert not weights.flags.writeable


def test_labels_that_are_str_survive(path):
    y = np.where(Y == 1, "relevant", "other").astype(object)
    save(make_text_classifier("prototype", pos_label="relevant").fit(TEXTS, y), path)
    assert load(path).predict(["red apple", "car"]).tolist() == ["relevant", "other"]


def test_a_feature_selector_survives(path):
    X = TokenCounter().fit_transform(TEXTS)
    selector = KBest(n_features_to_select=2).fit(X, Y)
    save(selector, path)
    loaded = load(path)
    assert_array_equal(loaded.feature_order_, selector.feature_order_)
    assert_array_equal(loaded.transform(X).toarray(), selector.transform(X).toarray())


def test_the_container_of_the_output_survives(path):
    selector = KBest(n_features_to_select=1).set_output(transform="polars")
    save(make_pipeline(selector), path)
    assert vars(load(path)[0]) == vars(selector)


def test_an_estimator_inside_another_survives(path):
    classifier = Prototype(pos_label=1)
    classifier.inner_ = LGN(smoothing=0.5)
    classifier.inner_.matrix_ = sp.csr_array(np.eye(2))
    save(classifier, path)
    inner = load(path).inner_
    assert inner.smoothing == 0.5
    assert_array_equal(inner.matrix_.toarray(), np.eye(2))


def test_names_of_hashed_terms_take_no_room(path):
    counter = TokenCounter(n_features=2**20).fit(TEXTS)
    save(counter, path)
    assert path.stat().st_size < 2**12
    assert load(path).terms_ == counter.terms_
    assert load(path).terms_[-1] == "hash 1048575"


def test_a_mapped_model_can_be_saved_again(path, tmp_path):
    pipeline = make_text_classifier("lgn").fit(TEXTS, Y)
    save(pipeline, path)
    save(load(path), tmp_path / "again")
    path.unlink()
    again = load(tmp_path / "again")
    assert_array_equal(again.decision_function(TEXTS), pipeline.decision_function(TEXTS))


def test_a_mapped_model_can_be_saved_in_its_own_place(path):
    pipeline = make_text_classifier("lgn").fit(TEXTS, Y)
    save(pipeline, path)
    mapped = load(path)
    save(mapped, path)
    for model in (mapped, load(path)):
        assert_array_equal(model.decision_function(TEXTS), pipeline.decision_function(TEXTS))
    assert os.listdir(path.parent) == [path.name]


def test_what_could_not_be_written_leaves_the_file_as_it_was(path, monkeypatch):
    save(LGN(), path)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no room"):
        save(Prototype(), path)
    assert type(load(path)) is LGN
    assert os.listdir(path.parent) == [path.name]


def fail(*_):
    raise OSError("no room")


@pytest.mark.parametrize(
    "estimator",
    [
        LGN(random_state=np.random.RandomState(0)),
        LGN(smoothing=len),
        LGN(smoothing=np.array([object()])),
        LGN(smoothing={1: 2}),
        LGN(smoothing={1}),
        LogisticRegression(),
        type("Prototype", (Prototype,), {})(),
    ],
)
def test_what_a_file_cannot_hold_is_refused(estimator, path):
    with pytest.raises(ValueError, match=r"cannot hold|keys that are not str"):
        save(estimator, path)
    assert not path.exists()


def test_estimators_of_others_have_files_of_their_own(path):
    with pytest.raises(ValueError, match="the class LogisticRegression: joblib"):
        save(LogisticRegression(), path)


def test_the_place_of_what_cannot_be_held_is_named():
    with pytest.raises(ValueError, match=r"LGN\.random_state is a RandomState.*give a number"):
        to_state(LGN(random_state=np.random.RandomState(0)))


@pytest.mark.parametrize(
    "change",
    [
        {"class": "LogisticRegression"},
        {"class": "os.system"},
        {"params": {"no_such": 1}},
        {"params": None},
        {"fitted": {"fit": 1}},
        {"fitted": {"__class__": 1}},
        {"fitted": {"_private_": 1}},
        {"__kind__": "function"},
        {"__kind__": "csr"},
        {"__kind__": []},
    ],
)
def test_a_state_that_was_not_made_by_us_is_refused(change):
    with pytest.raises(InvalidModelFile):
        from_state(to_state(Prototype()) | change)


def test_a_state_without_an_estimator_is_refused():
    with pytest.raises(InvalidModelFile, match="an estimator was expected"):
        from_state({"a": 1})


def test_only_estimators_of_the_project_can_be_named():
    packages = {cls.__module__.partition(".")[0] for cls in ESTIMATORS.values()}
    assert packages == {"core", "sklearn"}
    assert [name for name in ESTIMATORS if ESTIMATORS[name].__module__[0] == "s"] == ["Pipeline"]


ARRAYS = {
    "numbers": np.arange(6).reshape(2, 3),
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "nothing": np.empty((0, 3), dtype=np.float32),
    "flags": np.array([True, False]),
    "words": np.array(["ä", "b"]),
    "point": np.array(1.5),
}


@pytest.mark.parametrize("mmap_mode", ["w", "r+", True])
def test_another_way_to_map_is_no_fault_of_the_file(mmap_mode, path):
    save(TermMask([True]), path)
    with pytest.raises(BadParameter, match="mmap_mode must be 'r', 'c' or None") as error:
        load(path, mmap_mode=mmap_mode)
    assert error.value.name == "mmap_mode"


@pytest.mark.parametrize("mmap_mode", ["r", None])
def test_arrays_survive(path, mmap_mode):
    dump_arrays(ARRAYS, path)
    loaded = load_arrays(path, mmap_mode=mmap_mode)
    assert list(loaded) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert_array_equal(loaded[name], array, strict=True)
        assert is_mapped(loaded[name]) == (mmap_mode == "r")


def test_arrays_of_a_file_are_plain_and_share_its_mapping(path):
    dump_arrays(ARRAYS, path)
    arrays = load_arrays(path).values()
    # Every slice of a memmap would take longer, and so would every call of a kernel.
    assert {type(array) for array in arrays} == {np.ndarray}
    assert len({id(mapping_of(array)) for array in arrays}) == 1


def test_plain_values_survive(path):
    values = {
        "terms": ["ä", "", "\ud800", "日本\0"],
        "tuple": (1, 2.5, None, True),
        "nested": {"list": [1, "a", []], "scalar": np.float32(0.5)},
    }
    dump_arrays(values, path)
    assert load_arrays(path) == values


def test_a_csr_array_among_others_survives(path):
    dump_arrays({"X": sp.csr_array(np.eye(3)), "terms": ["a", "b", "c"]}, path)
    assert_array_equal(load_arrays(path)["X"].toarray(), np.eye(3))
