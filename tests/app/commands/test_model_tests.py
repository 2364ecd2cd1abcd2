from pathlib import Path

import pytest

from app.commands import model_tests
from app.commands.client import ServiceFailed


def test_texts_without_labels_are_no_test(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    file.write_text("the river rises")
    with pytest.raises(ServiceFailed, match=r"new\.txt has no labels, .* that of each text"):
        model_tests.run("", "floods", file, columns={}, charset="utf-8")
