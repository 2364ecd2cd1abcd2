"""What the ONB paper says in words about its methods, and which of it holds in a run."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Method -> precision, recall and F1.
Scores = dict[str, NDArray[np.float64]]

MEASURES = ["precision", "recall", "F1"]
PRECISION, RECALL, F1 = range(3)
CRISIS = "crisislex-t6"
MEAN = "mean"


class Finding(NamedTuple):
    text: str
    where: str
    holds: bool
    evidence: str


def print_findings(by_collection: dict[str, Scores]) -> None:
    """Print the findings on the paper's methods; the mean is that of the collections."""
    print("\nFindings of the paper, among its own methods\n")
    print("| finding | on | holds | here, highest first |\n|---|---|---|---|")
    findings = list(all_findings(by_collection))
    for finding in findings:
        answer = "yes" if finding.holds else "no"
        print(f"| {finding.text} | {finding.where} | {answer} | {finding.evidence} |")
    print(f"\n{sum(finding.holds for finding in findings)} of {len(findings)} hold", flush=True)


def all_findings(by_collection: dict[str, Scores]) -> Iterator[Finding]:
    methods = list(next(iter(by_collection.values())))
    mean = {
        name: np.mean([scores[name] for scores in by_collection.values()], axis=0)
        for name in methods
    }
    for where, scores in by_collection.items():
        yield rank("ONB-LSN has the highest F1", where, scores, "ONB-LSN", F1, 0)
    yield rank("Spy has the second highest F1", MEAN, mean, "Spy", F1, 1)
    for where, scores in by_collection.items():
        # Second on crisis, first on the other two in the paper.
        if where == CRISIS:
            text = "Roc is among the two highest in precision"
            yield rank(text, where, scores, "Roc", PRECISION, 0, 1)
        else:
            text = "Roc has the highest precision"
            yield rank(text, where, scores, "Roc", PRECISION, 0)
    for where, scores in by_collection.items():
        yield rank("Roc has the lowest recall", where, scores, "Roc", RECALL, len(methods) - 1)
    if CRISIS in by_collection:
        scores = by_collection[CRISIS]
        yield rank("OSVM has the highest recall", CRISIS, scores, "OSVM", RECALL, 0)
    for better in ("Prototype", "NN"):
        holds = bool(mean[better][F1] > mean["OSVM"][F1])
        yield Finding(f"{better} beats OSVM in F1", MEAN, holds, order(mean, F1, [better, "OSVM"]))
    for lenient in ("Prototype", "NN", "OSVM", "ONB-ASW"):
        precision, recall = mean[lenient][PRECISION], mean[lenient][RECALL]
        evidence = f"precision {precision:.3f}, recall {recall:.3f}"
        text = f"{lenient} has more recall than precision"
        yield Finding(text, MEAN, bool(recall > precision), evidence)
    for where, scores in by_collection.items():
        for measure in (PRECISION, RECALL):
            text = f"ONB-LSN has more {MEASURES[measure]} than aUPNB"
            holds = bool(scores["ONB-LSN"][measure] > scores["aUPNB"][measure])
            yield Finding(text, where, holds, order(scores, measure, ["ONB-LSN", "aUPNB"]))


def rank(
    text: str, where: str, scores: Scores, method: str, measure: int, *expected: int
) -> Finding:
    """Return whether one of the expected numbers of methods is above this one in a measure."""
    values = [own[measure] for name, own in scores.items() if name != method]
    n_above = sum(value > scores[method][measure] for value in values)
    return Finding(text, where, n_above in expected, order(scores, measure, list(scores)))


def order(scores: Scores, measure: int, methods: list[str]) -> str:
    ordered = sorted(methods, key=lambda name: -scores[name][measure])
    return ", ".join(f"{name} {scores[name][measure]:.3f}" for name in ordered)
