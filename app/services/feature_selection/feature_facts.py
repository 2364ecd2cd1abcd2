"""What is told of single features beside their scores: where they are, and what they speak for."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from app.services.feature_selection.selection_samples import Samples
from core.kernels.rows.row_blocks import document_frequencies, sum_over_rows

#: Values of tables are in [0, 1]: means that differ by less differ by rounding alone.
_ROUNDING = 1e-12
#: What a feature speaks for, by the sign of how much more of it positives have.
_DIRECTIONS = {1: "for", 0: None, -1: "against"}


class FeatureFacts(NamedTuple):
    """Facts about all features; the counts are None for tables."""

    #: In how many positives each term is, of shape (n_features,).
    n_positive: NDArray[np.int64] | None
    #: In how many documents, positives among them.
    n_documents: NDArray[np.int64] | None
    #: Sign of how much more of it positives have: 1, 0 or -1.
    sign: NDArray[np.int64]

    def of(self, feature: int) -> dict[str, int | str | None]:
        """Return what the answer tells of one feature."""
        return {
            "n_positive": None if self.n_positive is None else int(self.n_positive[feature]),
            "n_documents": None if self.n_documents is None else int(self.n_documents[feature]),
            "direction": _DIRECTIONS[int(self.sign[feature])],
        }


def feature_facts(samples: Samples) -> FeatureFacts:
    """Return where features are, and whether positives have more of them than the rest.

    Terms are compared by the share of documents that they are in, features of tables by their
    means.
    """
    n_samples, n_labeled = len(samples.is_positive), int(samples.is_positive.sum())
    if sp.issparse(samples.X):
        n_documents, n_positive = sum_over_rows(_counts, samples.X, samples.is_positive)
        excess = n_positive * n_samples - n_documents * n_labeled
        return FeatureFacts(n_positive, n_documents, np.sign(excess))
    of_positives = samples.is_positive.astype(np.float64) @ samples.X
    rest = samples.X.sum(axis=0) - of_positives
    excess = of_positives / n_labeled - rest / (n_samples - n_labeled)
    sign = np.where(np.abs(excess) > _ROUNDING, np.sign(excess), 0)
    return FeatureFacts(None, None, sign.astype(np.int64))


def _counts(rows: sp.csr_array, is_positive: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return in how many rows each column is, and in how many positives: in one pass."""
    return np.stack([document_frequencies(rows), document_frequencies(rows, is_positive)])
