"""The names under which algorithms are known: one line each."""

from core.base import BaseFeatureSelector, BasePUClassifier
from core.classifiers.knn_density import KNNDensity
from core.classifiers.lgn import LGN
from core.classifiers.lp_pul import LPPUL
from core.classifiers.nearest_neighbor import NearestNeighbor
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.one_class_kmeans import OneClassKMeans
from core.classifiers.one_class_svm import OneClassSVM
from core.classifiers.pebl import PEBL
from core.classifiers.pn_svm import PNSVM
from core.classifiers.prototype import Prototype
from core.classifiers.roc_svm import RocSVM
from core.feature_selection.k_best import KBest

ALGORITHMS: dict[str, type[BasePUClassifier]] = {
    "knn_density": KNNDensity,
    "lgn": LGN,
    "lp_pul": LPPUL,
    "nearest_neighbor": NearestNeighbor,
    "nmfpul": NMFPUL,
    "one_class_kmeans": OneClassKMeans,
    "one_class_svm": OneClassSVM,
    "pebl": PEBL,
    "pn_svm": PNSVM,
    "prototype": Prototype,
    "roc_svm": RocSVM,
}

FEATURE_SELECTORS: dict[str, type[BaseFeatureSelector]] = {
    "k_best": KBest,
}
