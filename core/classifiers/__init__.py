"""Classifiers learned from positives and unlabeled samples: one file each."""

from core.classifiers.averaged_pnb import AveragedPNB
from core.classifiers.bagging_pu import BaggingPU
from core.classifiers.biased_svm import BiasedSVM
from core.classifiers.dist_pu import DistPU
from core.classifiers.elkan_noto import ElkanNoto
from core.classifiers.judged_svm import JudgedSVM
from core.classifiers.knn_density import KNNDensity
from core.classifiers.lgn import LGN
from core.classifiers.lp_pul import LPPUL
from core.classifiers.naive_logistic_regression import NaiveLogisticRegression
from core.classifiers.naive_nb import NaiveNB
from core.classifiers.nearest_neighbor import NearestNeighbor
from core.classifiers.nmfpul import NMFPUL
from core.classifiers.nnpu import NNPU
from core.classifiers.onb import ONB
from core.classifiers.one_class_kmeans import OneClassKMeans
from core.classifiers.one_class_nb import OneClassNB
from core.classifiers.one_class_svm import OneClassSVM
from core.classifiers.pe_puc import PEPUC
from core.classifiers.pebl import PEBL
from core.classifiers.pn_svm import PNSVM
from core.classifiers.pnb import PNB
from core.classifiers.propensity_weighting import PropensityWeighting
from core.classifiers.prototype import Prototype
from core.classifiers.pu_lp import PULP
from core.classifiers.pusb import PUSB
from core.classifiers.random_ranking import RandomRanking
from core.classifiers.roc_svm import RocSVM
from core.classifiers.sar_em import SAREM
from core.classifiers.seed_expansion import SeedExpansion
from core.classifiers.spy_em import SpyEM
from core.classifiers.upnb import UPNB
from core.classifiers.upu import UPU
from core.classifiers.vpu import VPU
from core.classifiers.weighted_logistic_regression import WeightedLogisticRegression

__all__ = [
    "LGN",
    "LPPUL",
    "NMFPUL",
    "NNPU",
    "ONB",
    "PEBL",
    "PEPUC",
    "PNB",
    "PNSVM",
    "PULP",
    "PUSB",
    "SAREM",
    "UPNB",
    "UPU",
    "VPU",
    "AveragedPNB",
    "BaggingPU",
    "BiasedSVM",
    "DistPU",
    "ElkanNoto",
    "JudgedSVM",
    "KNNDensity",
    "NaiveLogisticRegression",
    "NaiveNB",
    "NearestNeighbor",
    "OneClassKMeans",
    "OneClassNB",
    "OneClassSVM",
    "PropensityWeighting",
    "Prototype",
    "RandomRanking",
    "RocSVM",
    "SeedExpansion",
    "SpyEM",
    "WeightedLogisticRegression",
]
