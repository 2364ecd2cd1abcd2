"""Feature selectors for positives and unlabeled samples: one file each."""

from core.feature_selection.all_features import AllFeatures
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

__all__ = [
    "DTRFE",
    "ESMCRFS",
    "FSCPU",
    "FSCPUMI",
    "JSFS",
    "LGBMOPT",
    "MRMR",
    "MRMRUFS2",
    "AllFeatures",
    "KBest",
    "LassoSelector",
    "PUMutualInformation",
    "RandomFeatures",
    "SSelect",
    "SemiIAMB",
    "SemiJMI",
    "SemiMIM",
]
