"""What a model expects of its cut, in words."""

from typing import Any


def expected_of_cut(cuts: dict[str, Any]) -> str:
    """Return in words what the model expected of its cut, which knew no truth."""
    used = next(cut for cut in cuts["cuts"] if cut["rule"] == cuts["used"])
    told = [
        f"{name} {used[key]['value']:{form}} ({used[key]['low']:{form}} to "
        f"{used[key]['high']:{form}})"
        for name, key, form in (
            ("precision", "precision", ".2f"),
            ("recall", "recall", ".2f"),
            ("hidden", "n_hidden", ",.0f"),
        )
        if used[key] is not None
    ]
    if not told:
        return f"The model could not say what to expect of its cut ({cuts['reason']})."
    return f"Without the truth the model expected: {', '.join(told)}."
