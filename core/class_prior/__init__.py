"""Estimators of the share of positives among the unlabeled samples."""

from core.class_prior.alpha_max import alpha_max_prior
from core.class_prior.bbe import best_bin_prior
from core.class_prior.consensus import consensus_prior
from core.class_prior.conversion import (
    label_frequency_from_prior,
    prior_among_all,
    prior_among_unlabeled,
    prior_from_label_frequency,
)
from core.class_prior.dedpul import dedpul_prior
from core.class_prior.elkan_noto import elkan_noto_prior
from core.class_prior.kernel_mean import kernel_mean_prior
from core.class_prior.largest_admissible import largest_admissible_prior
from core.class_prior.pen_l1 import pen_l1_prior
from core.class_prior.prior_estimate import PriorEstimate
from core.class_prior.ted import ted_prior
from core.class_prior.tice import tice_prior

__all__ = [
    "PriorEstimate",
    "alpha_max_prior",
    "best_bin_prior",
    "consensus_prior",
    "dedpul_prior",
    "elkan_noto_prior",
    "kernel_mean_prior",
    "label_frequency_from_prior",
    "largest_admissible_prior",
    "pen_l1_prior",
    "prior_among_all",
    "prior_among_unlabeled",
    "prior_from_label_frequency",
    "ted_prior",
    "tice_prior",
]
