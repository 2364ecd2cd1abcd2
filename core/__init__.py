"""Positive-unlabeled learning on text: a library in the manner of scikit-learn."""

from core.classifiers.lgn import LGN
from core.classifiers.lp_pul import LPPUL
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.prototype import Prototype
from core.feature_selection.k_best import KBest
from core.persistence import load, save
from core.pipeline import explain_texts, make_text_classifier, top_terms
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermMask, TermWeighting, TokenCounter

__all__ = [
    "ALGORITHMS",
    "FEATURE_SELECTORS",
    "LGN",
    "LPPUL",
    "NMFPUL",
    "KBest",
    "Prototype",
    "TermMask",
    "TermWeighting",
    "TokenCounter",
    "explain_texts",
    "load",
    "make_text_classifier",
    "save",
    "top_terms",
]
