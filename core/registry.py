"""The names under which algorithms are known: one line each."""

from core.base import BaseFeatureSelector, BasePUClassifier
from core.classifiers.lgn import LGN
from core.classifiers.lp_pul import LPPUL
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.prototype import Prototype
from core.feature_selection.k_best import KBest

ALGORITHMS: dict[str, type[BasePUClassifier]] = {
    "lgn": LGN,
    "lp_pul": LPPUL,
    "nmfpul": NMFPUL,
    "prototype": Prototype,
}

FEATURE_SELECTORS: dict[str, type[BaseFeatureSelector]] = {
    "k_best": KBest,
}
