"""Positives beside what the model accepts, in the latent directions of both together."""

from typing import NamedTuple

import numpy as np

from core.kernels.factors.latent_space import latent_space
from core.kernels.rows.row_hash import drawn_rows
from core.kernels.rows.unit_rows import unit_rows

#: Numbers of first directions that are looked at.
DIMENSIONS = (3, 5, 7, 10)
#: Samples of each kind that are compared; of more, so many are drawn.
MAX_COMPARED = 5000
#: A variance that is nothing but rounding.
NO_VARIANCE = 1e-12


class AcceptedSpace(NamedTuple):
    """Projections of two kinds of samples.

    Attributes
    ----------
    positives, accepted : ndarray of int
        Rows of the labeled positives, and of unlabeled samples that the model takes for positive.
    own, others : ndarray of shape (n_positives, n_directions) and (n_accepted, n_directions)
        Where they are, the direction that both spread most in first, as if seen along the line
        from the positives to the samples that the model only just rejects.
    """

    positives: np.ndarray
    accepted: np.ndarray
    own: np.ndarray
    others: np.ndarray

    def variances(self):
        """Return the variance of all samples in the first directions, for each number of them."""
        return np.cumsum(np.vstack([self.own, self.others]).var(axis=0))

    def shift(self):
        """Return how far apart the means are: squared, in units of the variance.

        The geometric mean over ``DIMENSIONS``; 0 where there is no variance. Where both kinds are
        draws from the same, it is 1 / n_positives + 1 / n_accepted on average.
        """
        squares = np.cumsum((self.own.mean(axis=0) - self.others.mean(axis=0)) ** 2)
        last = np.unique([min(number, len(squares)) for number in DIMENSIONS]) - 1
        if last[0] < 0 or self.variances()[last[0]] < NO_VARIANCE:
            return 0.0
        shares = squares[last] / self.variances()[last]
        return float(np.exp(np.log(np.maximum(shares, NO_VARIANCE)).mean()))

    def least_like_positives(self):
        """Return the accepted rows, the furthest from the positives towards their mean first."""
        towards = self.others.mean(axis=0) - self.own.mean(axis=0)
        return self.accepted[np.argsort(-(self.others @ towards), kind="stable")]


def accepted_space(X, is_positive, is_accepted, is_rejected, random):
    """Project positives and accepted samples on the directions that both spread most in.

    What lies on the way to the samples that are only just rejected is taken out: wrongly accepted
    samples differ from positives that way.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        Term weights in CSR format; compared at unit length.
    is_positive, is_accepted, is_rejected : ndarray of bool of shape (n_samples,)
        The labeled positives, the unlabeled samples that the model takes for positive, and those
        next to them in the ranking that it does not, maybe none.
    random : RandomState
        Draws samples where there are many, and starts the singular vectors.

    Returns
    -------
    AcceptedSpace

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from core.doctor.accepted_space import accepted_space
    >>> X = sp.csr_array(np.repeat(np.eye(2), 4, axis=0))
    >>> rows = np.arange(8)
    >>> space = accepted_space(X, rows < 3, rows >= 3, rows < 0, np.random.RandomState(0))
    >>> space.least_like_positives()[:4].tolist()
    [4, 5, 6, 7]
    """
    positives, accepted, others = (
        drawn_rows(X, np.flatnonzero(mask), MAX_COMPARED, random)
        for mask in (is_positive, is_accepted, is_rejected)
    )
    rows = unit_rows(X[np.concatenate([positives, accepted])])
    space = latent_space(rows, max(DIMENSIONS), random)
    projections = space.projections(rows).astype(np.float64)
    rejected = space.projections(unit_rows(X[others]))
    if len(rejected) and len(positives):
        away = rejected.mean(axis=0) - projections[: len(positives)].mean(axis=0)
        length = np.linalg.norm(away)
        if length > 0:
            projections -= np.outer(projections @ away, away) / length**2
    return AcceptedSpace(
        positives, accepted, projections[: len(positives)], projections[len(positives) :]
    )
