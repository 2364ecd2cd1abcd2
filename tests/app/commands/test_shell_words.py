import ast
import re
from pathlib import Path

import pytest

from app.commands.client import ServiceFailed
from app.commands.shell_words import in_shell
from app.errors import InvalidRequest
from app.services import csv_columns

SERVICES = Path(csv_columns.__file__).parent
#: In messages that no command shows: the shell neither evaluates nor tests.
NOT_SHOWN = {
    "POST /models/7a/evaluation",
    "POST /models/7a/test",
    "POST /projects/7a/class-prior",
}


def routes_in_messages() -> set[str]:
    """Return what messages of the services tell a client to send, with 7a for each id."""
    found: set[str] = set()
    for path in SERVICES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                told = re.sub(r"\{[^{}]+\}", "7a", ast.unparse(node))
                if not told.startswith(("'''", '"""')):
                    found |= set(re.findall(r"(?:GET|POST|PUT|DELETE) /[\w/-]++(?<!/)", told))
    return found


def test_every_route_that_a_command_may_show_has_a_command() -> None:
    routes = routes_in_messages()
    assert routes > NOT_SHOWN
    for route in routes - NOT_SHOWN:
        told = in_shell(f"{route} of the project")
        assert re.match("`seedbed (upload|train|ranking|champion|next|judge|review) ", told), route


def test_the_project_is_named_as_it_was_typed() -> None:
    told = in_shell("Train one with POST /train and wait for its job.", r"'the \1 floods'")
    assert told == r"Train one with `seedbed train 'the \1 floods'` and wait for its job."
    assert str(ServiceFailed("Train: POST /train.")) == "Train: `seedbed train PROJECT`."


@pytest.mark.parametrize(
    ("header", "advice"),
    [
        (["id", "body"], ". Add --text-column NAME. Where "),
        (["id;text"], ". Add --delimiter semicolon."),
    ],
)
def test_columns_are_named_by_options(header: list[str], advice: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        csv_columns.find_columns(header, [], None, "comma")
    told = in_shell(raised.value.detail)
    assert advice in told
    assert "seedbed upload" not in told
