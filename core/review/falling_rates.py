"""The ways in which positives become rarer along a ranking."""

from typing import NamedTuple

import numpy as np
from scipy.special import erf

#: Rates that fall by a constant share from document to document: how much they fall from the first
#: to the last one read, in powers of e. 0 is a constant rate.
DECAYS = np.concatenate([[0.0], np.geomspace(0.25, 64, 25)])
#: Scales and powers of the rates ``(1 + x / scale) ** -power``, which have long tails.
SCALES = np.geomspace(0.003, 1, 8)
POWERS = np.linspace(0.5, 3, 6)
#: Widths of the rates ``exp(-(x / width) ** 2)``, which have short ones.
WIDTHS = np.geomspace(0.02, 1, 12)


class Rates(NamedTuple):
    """What :func:`falling_rates` returns."""

    log_prior: np.ndarray
    log_likelihood: np.ndarray
    shallow: np.ndarray
    deep: np.ndarray


def falling_rates(places, ends, weights, end):
    """Weigh the rates of a Poisson process by where it had events.

    Parameters
    ----------
    places : array of shape (n_found,)
        How deep the findings were, in units of what is read.
    ends, weights : array of shape (n_arrivals,)
        How deep each arrival is read, and its share of all documents.
    end : float
        Where all is read.

    Returns
    -------
    log_prior, log_likelihood : array of shape (n_rates,)
        Logarithms, up to constants; the three kinds of rates are as likely, and those of a kind.
    shallow, deep : array of shape (n_rates,)
        Integral of the rate over what is unread up to 1 and beyond that, over the integral over
        what is read.

    Examples
    --------
    Of two arrivals, one of which nothing is read, by the constant rate:

    >>> import numpy as np
    >>> from core.review.falling_rates import falling_rates
    >>> rates = falling_rates(np.array([0.5]), np.array([1.0, 0]), np.array([0.5, 0.5]), 3.0)
    >>> float(rates.shallow[0]), float(rates.deep[0])
    (1.0, 4.0)
    """
    decays = DECAYS[1:]
    scales, powers = (grid.ravel() for grid in np.meshgrid(SCALES, POWERS))
    integrals = [
        lambda x: np.append(x, -np.expm1(-decays * x) / decays),
        lambda x: _power_integral(x, scales, powers),
        lambda x: WIDTHS * erf(x / WIDTHS) * np.sqrt(np.pi) / 2,
    ]
    logs = [
        -DECAYS * places.sum(),
        -powers * np.log1p(places[:, None] / scales).sum(axis=0),
        -((places[:, None] / WIDTHS) ** 2).sum(axis=0),
    ]
    each = []
    for integral, of_places in zip(integrals, logs, strict=True):
        read, to_one = (
            weights @ [integral(depth) for depth in depths]
            for depths in (ends, np.maximum(ends, 1))
        )
        log_prior = np.full(len(read), -np.log(len(read)))
        log_likelihood = of_places - len(places) * np.log(read)
        each.append((log_prior, log_likelihood, to_one / read - 1, (integral(end) - to_one) / read))
    return Rates(*map(np.concatenate, zip(*each, strict=True)))


def _power_integral(end, scales, powers):
    """Integrate ``(1 + x / scale) ** -power`` over [0, end]."""
    is_one = powers == 1
    exponent = np.where(is_one, 1.0, 1 - powers)
    general = np.expm1(exponent * np.log1p(end / scales)) / exponent
    return scales * np.where(is_one, np.log1p(end / scales), general)
