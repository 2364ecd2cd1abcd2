"""How good a classifier is, without negatives."""

from core.evaluation.figures import Figure, figures_with_prior, hidden_figures, mean_figures
from core.evaluation.hide_judgements import HiddenJudgements, Judged, hide_judgements
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.evaluation.prior_sensitivity import prior_sensitivity
from core.evaluation.pu_criteria import aul_score, proxy_accuracy, pu_risk_score
from core.evaluation.pu_curve import curve_with_prior, hidden_places, recall_curve

__all__ = [
    "Figure",
    "HiddenJudgements",
    "HiddenPositives",
    "Judged",
    "aul_score",
    "curve_with_prior",
    "figures_with_prior",
    "hidden_figures",
    "hidden_places",
    "hide_judgements",
    "hide_positives",
    "mean_figures",
    "prior_sensitivity",
    "proxy_accuracy",
    "pu_risk_score",
    "recall_curve",
]
