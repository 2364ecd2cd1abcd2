"""Logistic curves in the log-odds of ranks: one number, the slope, tells them apart."""

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

#: Slopes that are weighed; at zero each probability is the class prior.
SLOPES = np.append(0.0, np.geomspace(0.25, 12, 31))
#: Their prior: a few rankings know nothing, and the logarithm of the slope of the others is normal
#: around the usual one. Real texts have slopes of 2 to 6.
KNOW_NOTHING, USUAL_SLOPE, SLOPE_DEVIATION = 0.01, 3.0, 0.6
_KNOWING = norm.pdf(np.log(SLOPES[1:] / USUAL_SLOPE) / SLOPE_DEVIATION)
BELIEF = np.append(KNOW_NOTHING, (1 - KNOW_NOTHING) * _KNOWING / _KNOWING.sum())
#: Ranks at which the share of positives is added up where there are more samples than these.
NODES = np.linspace(-25, 25, 2001)
N_BISECTIONS = 60
RANKS_AT_A_TIME = 2**16


def nodes_of_all(n_samples):
    """Return log-odds of ranks that stand for all of so many samples, and their shares."""
    if n_samples > len(NODES):
        density = expit(NODES) * expit(-NODES)
        return NODES, density / density.sum()
    return _rank_logits(0, n_samples, n_samples), np.full(n_samples, 1 / n_samples)


def nodes_of(shares):
    """Return log-odds that stand for ranks which count so much each, and their shares."""
    found = _rank_logits(0, len(shares), len(shares))
    if len(found) <= len(NODES):
        return found, shares
    nearest = np.searchsorted((NODES[1:] + NODES[:-1]) / 2, found)
    return NODES, np.bincount(nearest, weights=shares, minlength=len(NODES))


def intercepts(class_prior, nodes, density):
    """Return what lowers each curve so far that its mean over the nodes is the class prior."""
    # With the first, no node is below the class prior; with the second, none is above it.
    low, high = np.outer([nodes[0], nodes[-1]], SLOPES) - logit(class_prior)
    for _ in range(N_BISECTIONS):
        middle = (low + high) / 2
        is_too_high = expit(np.outer(SLOPES, nodes) - middle[:, None]) @ density > class_prior
        low = np.where(is_too_high, middle, low)
        high = np.where(is_too_high, high, middle)
    return (low + high) / 2


def weights_by_positives(ranks, intercepts_, class_prior):
    """Return how likely each slope is, given the ranks of positives that were hidden."""
    heights = expit(SLOPES * logit(ranks)[:, None] - intercepts_) / class_prior
    # A positive at the very bottom has a height that is zero in floating point.
    return _weights(np.log(np.maximum(heights, np.finfo(float).tiny)).sum(axis=0))


def weights_by_judged(ranks, labels, intercepts_):
    """Return how likely each slope is, given the ranks of judged samples: which are positive."""
    distances = SLOPES * logit(ranks)[:, None] - intercepts_
    losses = np.logaddexp(0, np.where(labels[:, None], -distances, distances))
    return _weights(-losses.sum(axis=0))


def mean_height(start, stop, n_samples, intercepts_, weights):
    """Return the mean of the curves, weighted, over the ranks from ``start`` to ``stop``."""
    total = 0.0
    for first in range(start, stop, RANKS_AT_A_TIME):
        ranks = _rank_logits(first, min(first + RANKS_AT_A_TIME, stop), n_samples)
        total += (expit(SLOPES * ranks[:, None] - intercepts_) @ weights).sum()
    return total / (stop - start)


def _weights(log_likelihood):
    """Return the belief in the slopes after something was seen; adds up to 1."""
    logs = log_likelihood + np.log(BELIEF)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def _rank_logits(start, stop, n_samples):
    return logit((np.arange(start, stop) + 0.5) / n_samples)
