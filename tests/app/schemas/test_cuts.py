import re
from inspect import get_annotations

from app.commands.client_commands import train
from app.schemas.cuts import CUT_PATTERN
from core.calibration.cuts import RULES


def test_the_rules_are_told_by_the_command() -> None:
    told = get_annotations(train)["cut"].__metadata__[0].help
    assert ", ".join(RULES) in told


def test_a_budget_is_a_number_of_documents() -> None:
    asked = [*RULES, "budget:1", "budget:0", "budget:", "budget:1x", "median"]
    assert [re.fullmatch(CUT_PATTERN, cut) is not None for cut in asked] == [True] * 7 + [False] * 4
