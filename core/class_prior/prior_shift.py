"""The class prior that log-odds learned at another one agree with."""

from scipy.special import expit, logit

from core.class_prior.clamp import clamp_prior

MAX_ITER = 1000
TOL = 1e-8


def shifted_prior(log_odds):
    """Return the share of positives at which the log-odds of samples agree with it.

    The log-odds are those of a classifier that learned both classes as equally frequent. By
    expectation maximisation, the share is the mean probability of being positive once the odds are
    multiplied by the odds of the share itself.

    Parameters
    ----------
    log_odds : ndarray of shape (n_samples,)
        Of unlabeled samples.

    Returns
    -------
    float
        In [1 / n, 1 - 1 / n]; 0.5 for a single sample.

    References
    ----------
    M. Saerens, P. Latinne and C. Decaestecker, "Adjusting the outputs of a classifier to new a
    priori probabilities", Neural Computation 14(1), 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from core.class_prior.prior_shift import shifted_prior
    >>> round(shifted_prior(np.repeat([5.0, -5], [20, 80])), 3)
    0.196
    """
    share = 0.5
    for _ in range(MAX_ITER):
        before = share
        share = clamp_prior(float(expit(log_odds + logit(share)).mean()), len(log_odds))
        if abs(share - before) <= TOL:
            break
    return share
