"""The names under which algorithms are known: one line each."""

from collections.abc import Callable
from functools import partial

from core import classifiers, feature_selection
from core.base import BasePUClassifier
from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.bbe import best_bin_prior
from core.class_prior.consensus import consensus_prior
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.elkan_noto import elkan_noto_prior
from core.class_prior.estimators import (
    estimate_by_deals,
    estimate_from_ranks,
    with_documentation,
)
from core.class_prior.kernel_mean import kernel_mean_prior
from core.class_prior.pen_l1 import pen_l1_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.ted import ted_prior
from core.class_prior.tice import tice_prior
from core.feature_selection.base import BaseFeatureSelector
from core.names import check_name
from core.options import checked, parameter_names

ALGORITHMS: dict[str, type[BasePUClassifier]] = {
    "averaged_pnb": classifiers.AveragedPNB,
    "bagging_pu": classifiers.BaggingPU,
    "biased_svm": classifiers.BiasedSVM,
    "dist_pu": classifiers.DistPU,
    "elkan_noto": classifiers.ElkanNoto,
    "judged_svm": classifiers.JudgedSVM,
    "knn_density": classifiers.KNNDensity,
    "lgn": classifiers.LGN,
    "lp_pul": classifiers.LPPUL,
    "naive_logistic_regression": classifiers.NaiveLogisticRegression,
    "naive_nb": classifiers.NaiveNB,
    "nearest_neighbor": classifiers.NearestNeighbor,
    "nmfpul": classifiers.NMFPUL,
    "nnpu": classifiers.NNPU,
    "onb": classifiers.ONB,
    "one_class_kmeans": classifiers.OneClassKMeans,
    "one_class_nb": classifiers.OneClassNB,
    "one_class_svm": classifiers.OneClassSVM,
    "pe_puc": classifiers.PEPUC,
    "pebl": classifiers.PEBL,
    "pn_svm": classifiers.PNSVM,
    "pnb": classifiers.PNB,
    "propensity_weighting": classifiers.PropensityWeighting,
    "prototype": classifiers.Prototype,
    "pu_lp": classifiers.PULP,
    "pusb": classifiers.PUSB,
    "random_ranking": classifiers.RandomRanking,
    "roc_svm": classifiers.RocSVM,
    "sar_em": classifiers.SAREM,
    "seed_expansion": classifiers.SeedExpansion,
    "spy_em": classifiers.SpyEM,
    "upnb": classifiers.UPNB,
    "upu": classifiers.UPU,
    "vpu": classifiers.VPU,
    "weighted_logistic_regression": classifiers.WeightedLogisticRegression,
}

FEATURE_SELECTORS: dict[str, type[BaseFeatureSelector]] = {
    "all_features": feature_selection.AllFeatures,
    "dt_rfe": feature_selection.DTRFE,
    "es_mcrfs": feature_selection.ESMCRFS,
    "fscpu": feature_selection.FSCPU,
    "fscpu_mi": feature_selection.FSCPUMI,
    "jsfs": feature_selection.JSFS,
    "k_best": feature_selection.KBest,
    "lasso": feature_selection.LassoSelector,
    "lgbm_opt": feature_selection.LGBMOPT,
    "mrmr": feature_selection.MRMR,
    "mrmr_ufs2": feature_selection.MRMRUFS2,
    "pu_mutual_information": feature_selection.PUMutualInformation,
    "random_features": feature_selection.RandomFeatures,
    "semi_iamb": feature_selection.SemiIAMB,
    "semi_jmi": feature_selection.SemiJMI,
    "semi_mim": feature_selection.SemiMIM,
    "sselect": feature_selection.SSelect,
}

#: Parameters that list values for the rows or columns of one matrix: they make sense with it alone.
LISTS_OF_A_MATRIX = frozenset({"propensity", "propensity_features"})

#: The algorithm where none is named. Calibration uses the same graph of neighbors.
USUAL = "seed_expansion"

#: Each called with ``(X, is_positive, ranks=None, random_state=None)``.
CLASS_PRIOR_ESTIMATORS: dict[str, Callable[..., PriorEstimate]] = {
    "alpha_max": with_documentation(estimate_from_ranks, alpha_max_prior),
    "bbe": with_documentation(estimate_from_ranks, best_bin_prior),
    "consensus": consensus_prior,
    "dedpul": with_documentation(estimate_from_ranks, dedpul_prior),
    "elkan_noto_e1": with_documentation(estimate_by_deals, elkan_noto_prior),
    "elkan_noto_e2": with_documentation(
        estimate_by_deals, partial(elkan_noto_prior, estimator="e2")
    ),
    "elkan_noto_e3": with_documentation(
        estimate_by_deals, partial(elkan_noto_prior, estimator="e3")
    ),
    "km1": with_documentation(estimate_from_ranks, partial(kernel_mean_prior, variant="KM1")),
    "km2": with_documentation(estimate_from_ranks, kernel_mean_prior),
    "pen_l1": with_documentation(estimate_from_ranks, pen_l1_prior),
    "ted": with_documentation(estimate_by_deals, ted_prior, min_each=4),
    "tice": with_documentation(estimate_by_deals, tice_prior),
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
