"""Positive-unlabeled learning on text: a library in the manner of scikit-learn.

Single algorithms are in ``core.classifiers`` and ``core.feature_selection``, and by name in
``ALGORITHMS`` and ``FEATURE_SELECTORS``.
"""

from core.auto.text_classifier import AutoTextClassifier
from core.calibration.calibrated_classifier import CalibratedPUClassifier
from core.class_prior.conversion import (
    label_frequency_from_prior,
    prior_among_all,
    prior_among_unlabeled,
    prior_from_label_frequency,
)
from core.evaluation.prior_sensitivity import prior_sensitivity
from core.evaluation.pu_criteria import aul_score, proxy_accuracy, pu_risk_score
from core.explanation import explain_texts, top_terms
from core.metrics import (
    contingency_bounds,
    lee_liu_score,
    pu_auc,
    pu_scores,
    recall_interval,
)
from core.persistence import load, save
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermMask, TermWeighting, TokenCounter
from core.version import __version__

__all__ = [
    "ALGORITHMS",
    "FEATURE_SELECTORS",
    "AutoTextClassifier",
    "CalibratedPUClassifier",
    "TermMask",
    "TermWeighting",
    "TokenCounter",
    "__version__",
    "aul_score",
    "contingency_bounds",
    "explain_texts",
    "label_frequency_from_prior",
    "lee_liu_score",
    "load",
    "make_text_classifier",
    "prior_among_all",
    "prior_among_unlabeled",
    "prior_from_label_frequency",
    "prior_sensitivity",
    "proxy_accuracy",
    "pu_auc",
    "pu_risk_score",
    "pu_scores",
    "recall_interval",
    "save",
    "top_terms",
]
