"""Which samples of a large pile seed expansion learns from."""

from typing import NamedTuple

import numpy as np

from core.kernels.linear.expansion import fit_balanced
from core.kernels.linear.wide_rows import wide_rows
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.row_hash import content_order
from core.kernels.rows.unit_rows import unit_products, unit_rows


class ExpansionDraw(NamedTuple):
    """Samples to learn from, in the order of their contents.

    Attributes
    ----------
    rows : ndarray of int of shape (n_drawn,)
        Their numbers.
    weight : ndarray of int of shape (n_drawn,)
        How many samples of the pile each stands for; labeled ones for themselves.
    is_random : ndarray of bool of shape (n_drawn,)
        Whether they are labeled, or drawn whatever they hold: these look like the whole pile.
    """

    rows: np.ndarray
    weight: np.ndarray
    is_random: np.ndarray


def expansion_draw(X, is_positive, is_negative, n_most, C, random):
    """Draw unlabeled samples so that the few of a rare kind are among them.

    Half of those drawn are a random draw. The others are those that a logistic regression of the
    positives against these ranks first in the whole pile. Where only every tenth sample can be
    learned from, a random draw alone would leave out nine of ten samples of the kind, and with
    them what there is to learn. Samples of the random draw stand for all that do not rank first.

    Parameters
    ----------
    X : sparse array of shape (n_samples, n_features)
        CSR array without stored zeros.
    is_positive, is_negative : ndarray of bool of shape (n_samples,)
        The labeled samples: all are drawn.
    n_most : int in [1, inf) or None
        Most unlabeled samples; None means all, the empty ones, too.
    C : float
        How much the likelihood counts against the length of the weights.
    random : RandomState

    Returns
    -------
    ExpansionDraw
        The same whatever order the samples stand in.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.linear.expansion_draw import expansion_draw
    >>> X = sp.csr_array(np.repeat([[1.0, 0], [1, 1], [0, 1]], [2, 3, 95], axis=0))
    >>> is_positive, none = np.arange(100) < 2, np.zeros(100, dtype=bool)
    >>> drawn = expansion_draw(X, is_positive, none, 10, 1.0, np.random.RandomState(0))
    >>> sorted(drawn.rows[~drawn.is_random].tolist())[:3], int(drawn.weight.sum())
    ([2, 3, 4], 100)
    """
    rows = content_order(X, is_positive, is_negative)
    is_known = is_positive | is_negative
    unlabeled = rows[(~is_known & has_entries(X))[rows]]
    weight, is_random = np.ones(len(rows), dtype=np.int64), np.ones(len(rows), dtype=bool)
    if n_most is None or len(unlabeled) <= n_most:
        return ExpansionDraw(rows, weight, is_random)
    n_first = n_most // 2
    at_random = random.choice(unlabeled, n_most - n_first, replace=False)
    is_random = is_known.copy()
    is_random[at_random] = True
    known = rows[is_random[rows]]
    coef, _ = fit_balanced(wide_rows(unit_rows(X[known])), is_positive[known], C=C)
    scores = unit_products(X, coef)
    first = unlabeled[np.argsort(-scores[unlabeled], kind="stable")[:n_first]]
    is_first = np.zeros(len(rows), dtype=bool)
    is_first[first] = True
    rest = at_random[~is_first[at_random]]
    if len(rest):
        # As even as whole numbers can be.
        weight[rest] = np.diff(np.arange(len(rest) + 1) * (len(unlabeled) - n_first) // len(rest))
    rows = rows[(is_random | is_first)[rows]]
    return ExpansionDraw(rows, weight[rows], is_random[rows])
