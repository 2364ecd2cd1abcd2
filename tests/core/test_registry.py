import re
from pathlib import Path

import pytest

from core.registry import ALGORITHMS, FEATURE_SELECTORS

ROOT = Path(__file__).parents[2]
FAMILIES = {"classifiers": ALGORITHMS, "feature_selection": FEATURE_SELECTORS}
NAMES = sorted({**ALGORITHMS, **FEATURE_SELECTORS})


@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_is_registered_under_its_name(family):
    files = {path.stem for path in (ROOT / "core" / family).glob("[!_]*.py")}
    registered = {name: cls.__module__.rpartition(".")[2] for name, cls in FAMILIES[family].items()}
    assert registered == {name: name for name in files}


@pytest.mark.parametrize("family", FAMILIES)
def test_names_are_in_order(family):
    assert list(FAMILIES[family]) == sorted(FAMILIES[family])


@pytest.mark.parametrize("name", NAMES)
def test_algorithm_states_assumption_and_source(name):
    algorithm = {**ALGORITHMS, **FEATURE_SELECTORS}[name]
    assert algorithm.assumption.endswith(".")
    assert re.search(r"(19|20)\d\d", algorithm.reference)


def test_every_algorithm_is_described():
    text = (ROOT / "docs" / "algorithms.md").read_text()
    sections = dict(re.findall(r"^### `(\w+)`\n(.+?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(NAMES) <= set(sections)
    for name in NAMES:
        for fact in ("Idea", "Assumption", "Take it when", "Cost", "Source", "Verified"):
            assert f"**{fact}" in sections[name], f"{name} lacks {fact}"
