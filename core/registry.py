"""The names under which algorithms are known: one line each."""

from collections.abc import Callable
from functools import partial

from core.base import BasePUClassifier
from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.bbe import best_bin_prior
from core.class_prior.consensus import consensus_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.elkan_noto import elkan_noto_prior
from core.class_prior.estimators import estimate_by_deals, estimate_from_ranks
from core.class_prior.kernel_mean import kernel_mean_prior
from core.class_prior.pen_l1 import pen_l1_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.ted import ted_prior
from core.class_prior.tice import tice_prior
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
from core.feature_selection.all_features import AllFeatures
from core.feature_selection.base import BaseFeatureSelector
from core.feature_selection.dt_rfe import DTRFE
from core.feature_selection.es_mcrfs import ESMCRFS
from core.feature_selection.fscpu import FSCPU
from core.feature_selection.fscpu_mi import FSCPUMI
from core.feature_selection.jsfs import JSFS
from core.feature_selection.k_best import KBest
from core.feature_selection.lasso import LassoSelector
from core.feature_selection.lgbm_opt import LGBMOPT
from core.feature_selection.mrmr import MRMR
from core.feature_selection.mrmr_ufs2 import MRMRUFS2
from core.feature_selection.pu_mutual_information import PUMutualInformation
from core.feature_selection.random_features import RandomFeatures
from core.feature_selection.semi_iamb import SemiIAMB
from core.feature_selection.semi_jmi import SemiJMI
from core.feature_selection.semi_mim import SemiMIM
from core.feature_selection.sselect import SSelect
from core.names import check_name
from core.options import checked, parameter_names

ALGORITHMS: dict[str, type[BasePUClassifier]] = {
    "averaged_pnb": AveragedPNB,
    "bagging_pu": BaggingPU,
    "biased_svm": BiasedSVM,
    "dist_pu": DistPU,
    "elkan_noto": ElkanNoto,
    "judged_svm": JudgedSVM,
    "knn_density": KNNDensity,
    "lgn": LGN,
    "lp_pul": LPPUL,
    "naive_logistic_regression": NaiveLogisticRegression,
    "naive_nb": NaiveNB,
    "nearest_neighbor": NearestNeighbor,
    "nmfpul": NMFPUL,
    "nnpu": NNPU,
    "onb": ONB,
    "one_class_kmeans": OneClassKMeans,
    "one_class_nb": OneClassNB,
    "one_class_svm": OneClassSVM,
    "pe_puc": PEPUC,
    "pebl": PEBL,
    "pn_svm": PNSVM,
    "pnb": PNB,
    "propensity_weighting": PropensityWeighting,
    "prototype": Prototype,
    "pu_lp": PULP,
    "pusb": PUSB,
    "random_ranking": RandomRanking,
    "roc_svm": RocSVM,
    "sar_em": SAREM,
    "seed_expansion": SeedExpansion,
    "spy_em": SpyEM,
    "upnb": UPNB,
    "upu": UPU,
    "vpu": VPU,
    "weighted_logistic_regression": WeightedLogisticRegression,
}

FEATURE_SELECTORS: dict[str, type[BaseFeatureSelector]] = {
    "all_features": AllFeatures,
    "dt_rfe": DTRFE,
    "es_mcrfs": ESMCRFS,
    "fscpu": FSCPU,
    "fscpu_mi": FSCPUMI,
    "jsfs": JSFS,
    "k_best": KBest,
    "lasso": LassoSelector,
    "lgbm_opt": LGBMOPT,
    "mrmr": MRMR,
    "mrmr_ufs2": MRMRUFS2,
    "pu_mutual_information": PUMutualInformation,
    "random_features": RandomFeatures,
    "semi_iamb": SemiIAMB,
    "semi_jmi": SemiJMI,
    "semi_mim": SemiMIM,
    "sselect": SSelect,
}

#: Parameters that are lists for the rows or columns of one matrix: only who has it can give them.
LISTS_OF_A_MATRIX = frozenset({"propensity", "propensity_features"})

#: Where nobody names one. Its graph of neighbors is that of calibration.
USUAL = "seed_expansion"

#: Each called with ``(X, is_positive, ranks=None, random_state=None)``.
CLASS_PRIOR_ESTIMATORS: dict[str, Callable[..., PriorEstimate]] = {
    "alpha_max": partial(estimate_from_ranks, alpha_max_prior),
    "bbe": partial(estimate_from_ranks, best_bin_prior),
    "consensus": consensus_prior,
    "dedpul": partial(estimate_from_ranks, dedpul_prior),
    "elkan_noto_e1": partial(estimate_by_deals, elkan_noto_prior),
    "elkan_noto_e2": partial(estimate_by_deals, partial(elkan_noto_prior, estimator="e2")),
    "elkan_noto_e3": partial(estimate_by_deals, partial(elkan_noto_prior, estimator="e3")),
    "km1": partial(estimate_from_ranks, partial(kernel_mean_prior, variant="KM1")),
    "km2": partial(estimate_from_ranks, kernel_mean_prior),
    "pen_l1": partial(estimate_from_ranks, pen_l1_prior),
    "ted": partial(estimate_by_deals, ted_prior, min_each=4),
    "tice": partial(estimate_by_deals, tice_prior),
}


def make_estimator(estimators, name, params, **common):
    """Make an estimator by its name; names and values are checked at once.

    Parameters
    ----------
    estimators : dict of type
        ``ALGORITHMS`` or ``FEATURE_SELECTORS``.
    name : str
        One of its keys.
    params : dict
        Parameters of the estimator but for ``pos_label``.
    **common
        Others, for estimators that take them.

    Returns
    -------
    BasePUClassifier or BaseFeatureSelector
        Not fitted.

    Raises
    ------
    ValueError
        If a parameter is not known or out of its range.

    Examples
    --------
    >>> from core.registry import FEATURE_SELECTORS, make_estimator
    >>> make_estimator(FEATURE_SELECTORS, "k_best", {"n_features_to_select": 3}, random_state=0)
    KBest(n_features_to_select=3)
    """
    names = parameter_names(estimators[name])
    allowed = [each for each in names if each != "pos_label"]
    for each in params:
        check_name(each, allowed, f"parameter of {name!r}")
    taken = {each: value for each, value in common.items() if each in names}
    return checked(estimators[name](**taken | params))
