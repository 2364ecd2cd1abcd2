"""What seed expansion learns from: of near copies the first, of a large pile a draw."""

from typing import NamedTuple

import numpy as np

from core.kernels.linear.expansion_draw import expansion_draw
from core.kernels.rows.near_copies import near_copy_groups
from core.kernels.rows.row_blocks import has_entries
from core.kernels.rows.unit_rows import unit_rows


class ExpansionPile(NamedTuple):
    """Facts of the samples to learn from.

    Attributes
    ----------
    is_first : ndarray of bool of shape (n_drawn,)
        Which of those drawn are learned from, each the first of near copies.
    is_positive, is_negative : ndarray of bool of shape (n_first,)
        Labels, those of near copies among them.
    is_random : ndarray of bool of shape (n_first,)
        As of :class:`~core.kernels.linear.expansion_draw.ExpansionDraw`, or that of a near copy.
    weight : ndarray of int of shape (n_first,)
        How many samples of the whole pile each stands for, near copies as one.
    n_copies : ndarray of int of shape (n_first,)
        How many unlabeled samples of the whole pile, near copies each for itself.
    """

    is_first: np.ndarray
    is_positive: np.ndarray
    is_negative: np.ndarray
    is_random: np.ndarray
    weight: np.ndarray
    n_copies: np.ndarray


def expansion_pile(X, is_positive, is_negative, n_most, C, random):
    """Return the samples that are drawn, and facts of those to learn from.

    Parameters
    ----------
    X, is_positive, is_negative, n_most, C, random
        As of :func:`~core.kernels.linear.expansion_draw.expansion_draw`.

    Returns
    -------
    drawn : sparse array of shape (n_drawn, n_features)
        Rows of unit length in the order of their contents, near copies among them.
    pile : ExpansionPile
        Facts.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.kernels.linear.expansion_pile import expansion_pile
    >>> texts = sp.block_diag([sp.coo_array(np.ones((1, 15)))] * 12, format="csr")
    >>> X, none = sp.vstack([texts, texts[[11]]], format="csr"), np.zeros(13, dtype=bool)
    >>> drawn, pile = expansion_pile(X, np.arange(13) < 1, none, None, 1.0, None)
    >>> drawn.shape[0], len(pile.weight), sorted(pile.n_copies.tolist())
    (13, 12, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
    """
    rows, weight, is_random = expansion_draw(X, is_positive, is_negative, n_most, C, random)
    X, is_positive, is_negative = X[rows], is_positive[rows], is_negative[rows]
    group = _groups_to_learn(X, is_positive, is_negative)
    of_group = np.full(len(group), weight.max())
    np.minimum.at(of_group, group, weight)
    of_unlabeled = weight * ~(is_positive | is_negative)
    of_positive, of_negative, of_random, n_copies = (
        np.bincount(group, weights=each, minlength=len(group)).astype(int)
        for each in (is_positive, is_negative, is_random, of_unlabeled)
    )
    is_first = group == np.arange(len(group))
    facts = of_positive > 0, of_negative > 0, of_random > 0, of_group, n_copies
    return unit_rows(X), ExpansionPile(is_first, *(each[is_first] for each in facts))


def _groups_to_learn(X, is_positive, is_negative):
    """Return groups of near copies, each without labels or with one; none where no pile is left.

    Of a group with both labels all labeled samples stay themselves, as do the others as one.
    """
    group = near_copy_groups(X)
    labeled = is_positive | is_negative
    in_conflict = np.isin(group, np.intersect1d(group[is_positive], group[is_negative]))
    own = np.flatnonzero(in_conflict & labeled)
    others = np.flatnonzero(in_conflict & ~labeled)
    _, first, inverse = np.unique(group[others], return_index=True, return_inverse=True)
    group[others] = others[first[inverse]]
    group[own] = own
    has_pile = ~np.isin(group, group[labeled]) & has_entries(X)
    return group if has_pile.any() else np.arange(len(group))
