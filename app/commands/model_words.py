"""What a model expects of its cut, and what to be careful about with it, in words."""

from collections.abc import Collection, Iterator
from typing import Any

from app.commands.shell_words import in_shell

SHOWN_DOCUMENTS = 5
REASONS = {
    "not_asked": "With --no-calibrate nothing tells what to expect of the cut.",
    "found_by_reading": "Most positives were found by reading, and too little was judged to tell "
    "what to expect of the cut; seedbed review tells how many may be left.",
    "too_few_positives": "It takes at least two different positives to tell what to expect of the "
    "cut.",
    "nothing_shared": "No other document has a word of the positives, so nothing tells what to "
    "expect of the cut.",
    "no_features": "No other document has a counted word, so nothing tells what to expect of the "
    "cut.",
    "no_unlabeled": "No unlabeled document is left, so there is nothing to expect of the cut.",
    "too_few_unlabeled": "Too few unlabeled documents are left to tell what to expect of the cut.",
    "equal_scores": "All documents have the same score, so nothing tells what to expect of the "
    "cut.",
    "class_prior_too_large": "The class prior that was given contradicts the positives, so "
    "nothing tells what to expect of the cut: give another one, or none.",
}
#: Why a rule gives no cut, as far as the codes do not say it themselves.
_NO_CUT = {
    "accepts_all": "to accept all would be best",
    "found_by_reading": "most positives were found by reading, and the cut for that is prior",
    "more_found_than_estimated": "more was found than was to be expected",
    "no_features": "no other document has a counted word",
    "not_asked": "with --no-calibrate there is none",
    "nothing_shared": "no other document has a word of the positives",
    "too_few_positives": "too few different positives",
    "too_few_unlabeled": "too few unlabeled documents",
}


def no_cut(reason: str | None) -> str:
    """Return in words why a rule gives no cut."""
    return _NO_CUT.get(reason or "", (reason or "unknown").replace("_", " "))


def without_cut(cuts: dict[str, Any]) -> Iterator[str]:
    """Yield why rules give no cut, those with the same reason together."""
    rules: dict[str, list[str]] = {}
    for cut in cuts["cuts"]:
        if cut["offset"] is None:
            rules.setdefault(no_cut(cut["reason"]), []).append(cut["rule"])
    for why, some in rules.items():
        yield f"No cut by {', '.join(some)}: {why}."


def summary(model: dict[str, Any], cuts: dict[str, Any]) -> Iterator[str]:
    """Yield where the cut of a model is, by what rule, and what it expects of that."""
    yield (
        f"Its cut by {cuts['used']} is at score {model['offset']:.3f}, and "
        f"{model['n_predicted_positive']:,} of {model['n_documents']:,} documents are above it or "
        "labeled positive"
        f"{', judged negatives aside' if model['n_negative'] else ''}."
    )
    if other := other_cut(model, cuts):
        yield other
    yield expected_of_cut(cuts)


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
    if cuts["reason"] in REASONS:
        return REASONS[cuts["reason"]]
    if not told:
        return f"The model could not say what to expect of its cut ({cuts['reason']})."
    return f"Without the truth, the model expected of the unlabeled documents: {', '.join(told)}."


def other_cut(model: dict[str, Any], cuts: dict[str, Any]) -> str:
    """Return that a cut is not by the rule that was asked for, and why; "" where it is."""
    rule, asked = model["cut"]["rule"], model["cut"]["asked"]
    if asked in {rule, "f1"}:  # that is the usual one, which nobody may have asked for
        return ""
    reasons = [no_cut(cut["reason"]) for cut in cuts["cuts"] if cut["rule"] == asked]
    why = f" ({reasons[0]})" if reasons else ""
    return f"A cut by {asked} was asked for, but there is none{why}: this one is by {rule}."


def cautions(model: dict[str, Any], but: Collection[str] = ()) -> Iterator[str]:
    """Yield the warnings of a model, then its doctor's cautions, with the documents concerned.

    ``but`` has the codes of findings that are left out.
    """
    findings = {finding["message"]: finding for finding in model["doctor"]}
    left_out = {finding["message"] for finding in model["doctor"] if finding["code"] in but}
    for warning in model["warnings"]:
        if warning not in left_out:
            yield f"Warning: {in_shell(warning)}{_listed(findings.get(warning))}"
    for finding in model["doctor"]:
        is_told = finding["message"] in {*model["warnings"], *left_out}
        if finding["level"] == "caution" and not is_told:
            yield f"Caution: {in_shell(finding['message'])}{_listed(finding)}"


def cautions_again(model: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """Return the codes of a model's cautions that one before had, of no other documents."""
    told = {f["code"]: {*f["documents"]} for f in before["doctor"] if f["level"] == "caution"}
    return [
        finding["code"]
        for finding in model["doctor"]
        if finding["level"] == "caution"
        and told.get(finding["code"], set()).issuperset(finding["documents"])
        and finding["code"] in told
    ]


def warned(model: dict[str, Any], command: str) -> str | None:
    """Return in short that a model has warnings, which a command tells in words."""
    if not model["warnings"]:
        return None
    codes = [finding["code"] for finding in model["doctor"] if finding["level"] == "warning"]
    told = f" ({', '.join(codes)})" if codes else ""
    return f"Mind the warnings of its training{told}: {command}"


def _listed(finding: dict[str, Any] | None) -> str:
    if finding is None or not finding["documents"]:
        return ""
    documents = finding["documents"]
    # A finding lists a hundred at most; some tell how many there are.
    n_more = finding["numbers"].get("n_found", len(documents)) - SHOWN_DOCUMENTS
    more = f" and {n_more:,} more" if n_more > 0 else ""
    return f" Documents: {', '.join(documents[:SHOWN_DOCUMENTS])}{more}"
