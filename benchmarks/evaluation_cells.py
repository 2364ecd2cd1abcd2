"""Cells of the comparison of evaluations without negatives: estimates beside the truth."""

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from benchmarks.cells import Key
from benchmarks.protocol import Task
from core.evaluation.figures import figures_with_prior, hidden_figures
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.evaluation.pu_curve import curve_with_prior, hidden_places, recall_curve
from core.kernels.linear.pu_risks import Groups, pu_risk, sigmoid_loss
from core.pipeline import make_text_classifier
from core.pu_rates import auc_with_prior

#: Value, lower end, upper end.
Ends = tuple[float, float, float]
N_SPLITS = 5


class Cell(msgspec.Struct):
    """Figures of one algorithm on one task.

    There is no precision of nothing. ``estimates`` have ends, by the class prior: estimated or
    true. Each criterion is turned so that more is better.
    """

    key: Key
    truth: dict[str, float | None]
    estimates: dict[str, dict[str, Ends]]
    criteria: dict[str, float]


def make_cell(key: Key, X: csr_array, task: Task, priors: dict[str, Ends]) -> Cell:
    """Fit on all positives for the truth, then with positives hidden for the estimates."""
    classifier = make_text_classifier(key.algorithm, random_state=task.draw)["classifier"]
    classifier.fit(X, task.y)
    scores = classifier.training_scores(X)[task.is_unlabeled]
    hidden = hide_positives(
        classifier,
        X,
        task.y == 1,
        np.zeros(len(task.y), dtype=bool),
        n_splits=N_SPLITS,
        random_state=task.draw,
    )
    figures = hidden_figures(hidden)
    return Cell(
        key,
        _truth(task.truth[task.is_unlabeled], scores, classifier.offset_),
        {name: _estimates(figures, prior) for name, prior in priors.items()},
        _criteria(hidden, figures, priors),
    )


def _truth(
    truth: NDArray[np.int64], scores: NDArray[np.float64], cut: float
) -> dict[str, float | None]:
    accepted = scores >= cut
    return {
        "precision": float(precision_score(truth, accepted)) if accepted.any() else None,
        "recall": float(recall_score(truth, accepted)),
        "f1": float(f1_score(truth, accepted)),
        "auc": float(roc_auc_score(truth, scores)),
        "average_precision": float(average_precision_score(truth, scores)),
    }


def _estimates(figures: dict[str, object], prior: Ends) -> dict[str, Ends]:
    found = figures_with_prior(figures["recall"], figures["accepted"], prior)
    areas = [auc_with_prior(area, share) for area in figures["auc_unlabeled"] for share in prior]
    return {
        "precision": found["precision"],
        "recall": figures["recall"],
        "f1": found["f1"],
        "auc": (areas[0], min(areas), max(areas)),
    }


def _criteria(
    hidden: HiddenPositives, figures: dict[str, float], priors: dict[str, Ends]
) -> dict[str, float]:
    accepted, recall = recall_curve(hidden_places(hidden), n_points=10_000)
    criteria = {
        "Lee-Liu at the cut": figures["lee_liu"],
        "proxy AUC (= AUL in order)": figures["auc_unlabeled"][0],
        "Lee-Liu at the best cut": float(
            np.max(recall[1:] ** 2 / np.maximum(accepted[1:], 1 / hidden.n_unlabeled))
        ),
        "average precision, unlabeled as negative": _average_precision(hidden),
        "mean log place": -_mean_log_place(hidden),
    }
    for name, prior in priors.items():
        share = prior[0]
        found = figures_with_prior(figures["recall"], figures["accepted"], (share,) * 3)
        _, precision = curve_with_prior(accepted, recall, share)
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        criteria |= {
            f"proxy accuracy = -uPU risk, {name} prior": found["proxy_accuracy"][0],
            f"-nnPU risk, zero-one = accuracy, {name} prior": -found["non_negative_risk"][0],
            f"-nnPU risk, sigmoid, {name} prior": -_sigmoid_risk(hidden, share),
            f"F1 at the cut, {name} prior": found["f1"][0],
            f"best F1 of the curve, {name} prior": float(f1.max()),
            f"area under the PR curve, {name} prior": float(np.diff(recall) @ precision[1:]),
        }
    return criteria


def _average_precision(hidden: HiddenPositives) -> float:
    each = [
        average_precision_score(is_hidden, scores)
        for is_hidden, scores in zip(hidden.is_hidden, hidden.scores, strict=True)
    ]
    return float(np.average(each, weights=hidden.n_hidden))


def _mean_log_place(hidden: HiddenPositives) -> float:
    """Return the mean logarithm of the place of each hidden positive among the unlabeled."""
    places = [
        np.log1p((unlabeled > score).sum() + (unlabeled == score).sum() / 2)
        for positive, unlabeled in hidden.pairs()
        for score in positive
    ]
    return float(np.mean(places))


def _sigmoid_risk(hidden: HiddenPositives, class_prior: float) -> float:
    """Return the mean risk; scores less the cut are divided by their spread among the unlabeled."""
    risks = []
    for scores, is_accepted, is_hidden in zip(
        hidden.scores, hidden.is_accepted, hidden.is_hidden, strict=True
    ):
        cut = scores[is_accepted].min() if is_accepted.any() else scores.max()
        g = (scores - cut) / (scores[~is_hidden].std() or 1.0)
        groups = Groups(is_hidden, ~is_hidden, np.zeros_like(is_hidden))
        risks.append(pu_risk(g, groups, class_prior, sigmoid_loss, is_non_negative=True)[0])
    return float(np.average(risks, weights=hidden.n_hidden))
