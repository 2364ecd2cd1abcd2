"""Mutual information between discrete features and a mask of rows, from counts, in nats."""

import numba
import numpy as np
from scipy.special import xlogy

from core.kernels.rows.row_blocks import unsigned


class Information:
    """Counts of discrete features beside a mask of rows, and the information in them.

    Parameters
    ----------
    features : DiscreteFeatures
        With the indicators of their values.
    is_positive : ndarray of bool of shape (n_samples,)
        Labeled positives; the information is about this mask.
    """

    def __init__(self, features, is_positive):
        self.features = features
        self.is_positive = np.asarray(is_positive, dtype=bool)
        self.n_samples, self.n_positive = len(is_positive), int(is_positive.sum())
        self._by_value = features.indicators.T.tocsr()
        self.n = np.diff(self._by_value.indptr).astype(np.float64)
        self.p = self._count(np.flatnonzero(self.is_positive))

    def of_features(self):
        """Return the information of each feature about the mask, I(X_i; S), (n_features,)."""
        n_base, p_base = self._base(self.n_samples, self.n), self._base(self.n_positive, self.p)
        cells = self._by_feature(_cell(self.n, self.p)) + _cell(n_base, p_base)
        return self._information(cells)

    def is_constant(self):
        """Return the mask of the features that have one value only, (n_features,)."""
        most = self._base(self.n_samples, self.n)
        np.maximum.at(most, self.features.feature, self.n)
        return most == self.n_samples

    def of_class(self, share):
        """Return the information of each feature about a class that the mask is a sample of.

        Parameters
        ----------
        share : float in (0, 1)
            Share of the class among all rows.

        Returns
        -------
        information : ndarray of shape (n_features,)
            In nats.
        excess : ndarray of shape (n_features,)
            By how many standard errors of its frequency a value of the feature is rarer among
            all rows than the class alone makes it; not above 0 where none is.

        References
        ----------
        K. Sechidis et al., "Dealing with under-reported variables: an information theoretic
        solution", International Journal of Approximate Reasoning 85, 2017.
        """
        base = self._base(self.n_samples, self.n), self._base(self.n_positive, self.p)
        terms, excess = self._class_terms(self.n, self.p, share)
        base_terms, base_excess = self._class_terms(*base, share)
        largest = base_excess
        np.maximum.at(largest, self.features.feature, excess)
        return np.maximum(self._by_feature(terms) + base_terms, 0), largest

    def _class_terms(self, n, p, share):
        frequency = n / self.n_samples
        within = share * p / self.n_positive
        rest = np.maximum(frequency - within, 0)
        terms = xlogy(within, _ratio(within, share * frequency))
        terms += xlogy(rest, _ratio(rest, (1 - share) * frequency))
        error = np.sqrt(frequency * (1 - frequency) / self.n_samples)
        return terms, _ratio(within - frequency, error)

    def of_pairs(self, feature):
        """Return the information of each feature with one other, I(X_i X_k; S), (n_features,)."""
        cells = np.zeros(self.features.n_features)
        n_rest, p_rest = self.n.copy(), self.p.copy()
        n_out, p_out = float(self.n_samples), float(self.n_positive)
        for rows, n, p in self._values_of(feature):
            p_in = self.is_positive[rows].sum()
            cells += self._cells(n, p, len(rows), p_in)
            n_rest -= n
            p_rest -= p
            n_out -= len(rows)
            p_out -= p_in
        return self._information(cells + self._cells(n_rest, p_rest, n_out, p_out))

    def between(self, feature):
        """Return the information of each feature about one other, I(X_i; X_k), (n_features,)."""
        n_base = self._base(self.n_samples, self.n)
        total = xlogy(self.n_samples, self.n_samples)
        cells = total - self._by_feature(xlogy(self.n, self.n)) - xlogy(n_base, n_base)
        rest, n_rest = self.n.copy(), float(self.n_samples)
        for rows in self._rows_of(feature):
            n = self._count(rows)
            cells += self._joint(n, len(rows)) - xlogy(len(rows), len(rows))
            rest, n_rest = rest - n, n_rest - len(rows)
        cells += self._joint(rest, n_rest) - xlogy(n_rest, n_rest)
        return np.maximum(cells / self.n_samples, 0)

    def given(self, configuration):
        """Return the information about the mask where other features are known, I(X_i; S | Z).

        Parameters
        ----------
        configuration : ndarray of int of shape (n_samples,)
            Number of the joint value of the others in each row.

        Returns
        -------
        ndarray of shape (n_features,)
            0 for features that follow from the others.
        """
        order = np.argsort(configuration, kind="stable")
        bounds = np.flatnonzero(np.diff(configuration[order])) + 1
        total = np.zeros(self.features.n_features)
        for rows in np.split(order, bounds):
            n, p = self._counts(rows)
            n_rows, n_positive = len(rows), self.is_positive[rows].sum()
            total += self._cells(n, p, n_rows, n_positive) - _cell(n_rows, n_positive)
        return np.maximum(total / self.n_samples, 0)

    def n_values(self):
        """Return how many values each feature takes, of shape (n_features,)."""
        n_own = self._by_feature(self.n > 0).astype(int)
        return n_own + (self._base(self.n_samples, self.n) > 0)

    def configuration(self, chosen):
        """Return the number of the joint value of some features in each row, from 0 on."""
        codes = np.zeros(self.n_samples, dtype=np.int64)
        for feature in chosen:
            value = np.zeros(self.n_samples, dtype=np.int64)
            for number, rows in enumerate(self._rows_of(feature), start=1):
                value[rows] = number
            # Both are less than the number of samples: no pair is beyond an int64.
            pairs = codes * (value.max() + 1) + value
            codes = np.unique(pairs, return_inverse=True)[1]
        return codes

    def _information(self, cells):
        total = cells - _cell(self.n_samples, self.n_positive)
        return np.maximum(total / self.n_samples, 0)

    def _cells(self, n, p, n_rows, n_positive):
        """Return the sum of the cells of each feature among some rows, the base value included."""
        return self._by_feature(_cell(n, p)) + _cell(
            self._base(n_rows, n), self._base(n_positive, p)
        )

    def _joint(self, n, n_rows):
        n_base = self._base(n_rows, n)
        return self._by_feature(xlogy(n, n)) + xlogy(n_base, n_base)

    def _base(self, n_rows, n):
        return n_rows - self._by_feature(n)

    def _by_feature(self, values):
        return np.bincount(self.features.feature, values, self.features.n_features)

    def _values_of(self, feature):
        """Yield the rows of each value of a feature, and the counts of all values among them."""
        for rows in self._rows_of(feature):
            yield rows, *self._counts(rows)

    def _rows_of(self, feature):
        for value in np.flatnonzero(self.features.feature == feature):
            start, stop = self._by_value.indptr[value : value + 2]
            yield self._by_value.indices[start:stop]

    def _counts(self, rows):
        """Return how many of some rows have each value, and how many positives among them."""
        return self._count(rows), self._count(rows[self.is_positive[rows]])

    def _count(self, rows):
        indicators = self.features.indicators
        return _count(indicators.indptr, unsigned(indicators.indices), rows, len(self.n))


def _ratio(a, b):
    """Return ``a / b``, and 1 where b is 0."""
    return np.divide(a, b, out=np.ones_like(a), where=b > 0)


def _cell(n, p):
    """Return ``sum_s n_s log n_s - n log n`` for n rows, p of them positive."""
    return xlogy(p, p) + xlogy(n - p, n - p) - xlogy(n, n)


@numba.njit(cache=True, nogil=True)
def _count(indptr, indices, rows, n_values):
    # Small numbers: those of thousands of features stay in the fastest memory.
    counts = np.zeros(n_values, dtype=np.int32)
    for row in rows:
        for entry in range(indptr[row], indptr[row + 1]):
            counts[indices[entry]] += 1
    return counts.astype(np.float64)
