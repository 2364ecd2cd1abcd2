"""The examples of the documentation run as they stand."""

import re
from doctest import DocTestParser, DocTestRunner
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("name", ["algorithms.md"])
def test_examples(name: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(), flags=re.DOTALL)
    examples = DocTestParser().get_doctest("".join(blocks), {}, name, name, 0)

    result = DocTestRunner().run(examples)

    assert result.attempted > 10
    assert result.failed == 0
