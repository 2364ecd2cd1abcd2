"""The names under which algorithms are known: one line each."""

from core.base import BaseFeatureSelector, BasePUClassifier
from core.classifiers.prototype import Prototype

ALGORITHMS: dict[str, type[BasePUClassifier]] = {
    "prototype": Prototype,
}

FEATURE_SELECTORS: dict[str, type[BaseFeatureSelector]] = {}
