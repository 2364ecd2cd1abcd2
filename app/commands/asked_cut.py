"""The cut from which on documents of a ranking are asked for."""

from typing import NamedTuple

import httpx2

from app.commands.client import ServiceFailed, answer
from app.commands.model_words import no_cut


class AskedCut(NamedTuple):
    """Which scores are asked for: what the model accepts, or from a rule's cut or a score on.

    At most one of them is given; without any, all.
    """

    is_accepted: bool = False
    rule: str | None = None
    min_score: float | None = None

    def check(self) -> None:
        """Refuse more than one.

        Raises
        ------
        ServiceFailed
        """
        if self.is_accepted + (self.rule is not None) + (self.min_score is not None) > 1:
            raise ServiceFailed("Give one of --accepted, --cut and --min-score.")

    def params(self, client: httpx2.Client, model_id: str) -> dict[str, str]:
        """Return how the service is asked.

        Raises
        ------
        ServiceFailed
            If the model has no cut by the rule.
        """
        if self.is_accepted:
            return {"predicted": "true"}
        score = self.min_score if self.rule is None else cut_score(client, model_id, self.rule)
        return {} if score is None else {"min_score": str(score)}

    @property
    def option(self) -> str:
        """How the command is asked, with a blank behind it."""
        if self.is_accepted:
            return "--accepted "
        if self.rule is not None:
            return f"--cut {self.rule} "
        return "" if self.min_score is None else f"--min-score {self.min_score} "


ALL_SCORES = AskedCut()


def cut_score(client: httpx2.Client, model_id: str, rule: str) -> float:
    """Return the score from which a rule accepts documents.

    Raises
    ------
    ServiceFailed
        If the model has no cut by that rule.
    """
    cuts = answer(client.get(f"/models/{model_id}/cuts"))["cuts"]
    cut = next((cut for cut in cuts if cut["rule"] == rule), None)
    if cut is not None and cut["offset"] is not None:
        return float(cut["offset"])
    known = ", ".join(cut["rule"] for cut in cuts if cut["offset"] is not None)
    why = "" if cut is None else f" ({no_cut(cut['reason'])})"
    budget = " For the first N take --limit N." if rule.startswith("budget:") else ""
    raise ServiceFailed(f"The model has no cut by {rule}{why}, but by {known}.{budget}")
