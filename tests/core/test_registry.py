import re
import subprocess
import sys
from importlib import import_module
from inspect import isabstract, isclass
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import core
from core.registry import ALGORITHMS, FEATURE_SELECTORS

ROOT = Path(__file__).parents[2]
FAMILIES = {"classifiers": ALGORITHMS, "feature_selection": FEATURE_SELECTORS}
NAMES = sorted({**ALGORITHMS, **FEATURE_SELECTORS})


@pytest.mark.parametrize("family", FAMILIES)
def test_every_algorithm_is_registered_under_the_name_of_its_file(family):
    expected = {
        path.stem: algorithm
        for path in (ROOT / "core" / family).glob("[!_]*.py")
        for algorithm in algorithms_of(f"core.{family}.{path.stem}")
    }
    assert FAMILIES[family] == expected


def algorithms_of(module):
    """Return the estimators that a module defines, but for abstract ones."""
    return [
        value
        for value in vars(import_module(module)).values()
        if isclass(value) and issubclass(value, BaseEstimator) and value.__module__ == module
        if not isabstract(value)
    ]


def test_python_without_docstrings_has_all_algorithms():
    code = "from core.registry import ALGORITHMS; print(len(ALGORITHMS))"
    command = [sys.executable, "-OO", "-c", code]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert int(printed) == len(ALGORITHMS)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_algorithm_comes_from_the_package_of_its_family(family):
    exported = import_module(f"core.{family}").__all__
    assert sorted(exported) == sorted(each.__name__ for each in FAMILIES[family].values())


@pytest.mark.parametrize("family", FAMILIES)
def test_names_are_in_order(family):
    assert list(FAMILIES[family]) == sorted(FAMILIES[family])


@pytest.mark.parametrize("name", NAMES)
def test_algorithm_states_assumption_and_source(name):
    algorithm = {**ALGORITHMS, **FEATURE_SELECTORS}[name]
    assert algorithm.assumption.endswith(".")
    assert re.search(r"(19|20)\d\d", algorithm.reference)


def test_package_exports_no_single_algorithm():
    exported = [getattr(core, name) for name in core.__all__]
    algorithms = [*ALGORITHMS.values(), *FEATURE_SELECTORS.values()]
    assert [algorithm for algorithm in algorithms if algorithm in exported] == []
