"""What a test of the cluster assumption holds in memory, told before it starts."""

from core.feature_selection.cluster_assumption import (
    MAX_FEATURES,
    MAX_POSITIVES,
    MAX_UNLABELED,
    N_CLUSTERS,
    N_COMPONENTS,
)

#: Whatever the matrix.
BASE_BYTES = 8 * 2**20


def cluster_bytes(
    n_samples: int, n_features: int, itemsize: int, n_positive: int, n_permutations: int
) -> int:
    """Return what the test of the cluster assumption holds at most besides its matrix.

    Parameters
    ----------
    n_samples, n_features : int
        Shape of the matrix.
    itemsize : int
        Bytes of a value: 4 as the text pipeline makes them, 8 in double precision.
    n_positive : int
        Samples that are labeled.
    n_permutations : int
        Permutations of the labels.

    Returns
    -------
    int
        Bytes. Stored entries are not copied where features are many, and nearly dense where they
        are few.

    Examples
    --------
    >>> from core.feature_selection.cluster_memory import cluster_bytes
    >>> cluster_bytes(1_000_000, 100_000, 4, 100, 999) < 1e9
    True
    """
    if n_features <= MAX_FEATURES:
        columns = 3 * itemsize * n_samples * n_features
    else:
        # Random directions, their products with both sides, and the triangular factors.
        columns = 16 * itemsize * N_COMPONENTS * (n_samples + n_features) // 4
    n_labeled = min(n_positive, MAX_POSITIVES)
    labelings = 40 * n_labeled * (n_permutations + 1)
    clusterings = 40 * N_CLUSTERS * (n_labeled + min(n_samples, MAX_UNLABELED))
    return BASE_BYTES + columns + labelings + clusterings + 64 * n_samples
