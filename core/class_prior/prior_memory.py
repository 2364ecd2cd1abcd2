"""What an estimate of the class prior holds in memory, told before it starts."""

from core.class_prior.pen_l1 import MAX_CENTRES
from core.fit_memory import graph_bytes
from core.kernels.graphs.knn_graph import N_NEIGHBORS
from core.kernels.scores.left_out_ranks import MAX_FOLDS, MAX_RANKED, N_RANKING_COMPONENTS

#: Whatever the matrix.
BASE_BYTES = 8 * 2**20
#: For each stored entry: rows without those judged negative, and what is made of them.
BYTES_PER_ENTRY = 40
#: For each row and each column.
BYTES_PER_SAMPLE, BYTES_PER_FEATURE = 300, 200


def ranks_bytes(n_samples: int, n_features: int, n_entries: int, n_positive: int) -> int:
    """Return what the ranks of left out positives hold at most besides X.

    Parameters
    ----------
    n_samples, n_features, n_entries : int
        Shape of the matrix, in single precision, and its stored entries.
    n_positive : int
        Samples that are labeled; of the others no more than ``MAX_RANKED`` are looked at.

    Returns
    -------
    int
        Bytes.

    Examples
    --------
    >>> from core.class_prior.prior_memory import ranks_bytes
    >>> ranks_bytes(10_000_000, 100_000, 200_000_000, 100) < 2e9
    True
    """
    n_rows = min(n_samples, n_positive + MAX_RANKED)
    entries = BYTES_PER_ENTRY * n_entries * n_rows / max(n_samples, 1)
    latent = 40 * N_RANKING_COMPONENTS * (n_rows + n_features)
    of_folds = 40 * MAX_FOLDS * n_rows
    graph = graph_bytes(n_rows, N_NEIGHBORS, 0)
    return int(BASE_BYTES + entries + latent + of_folds + graph + 16 * n_samples)


def prior_bytes(n_samples: int, n_features: int, n_entries: int, n_positive: int) -> int:
    """Return what all estimators of the registry hold at most besides X, one after the other.

    Parameters
    ----------
    n_samples, n_features, n_entries, n_positive : int
        As of :func:`ranks_bytes`.

    Returns
    -------
    int
        Bytes.

    Examples
    --------
    >>> from core.class_prior.prior_memory import prior_bytes, ranks_bytes
    >>> shape = 1_000_000, 100_000, 20_000_000, 100
    >>> prior_bytes(*shape) >= ranks_bytes(*shape)
    True
    """
    linear = (
        BASE_BYTES
        + BYTES_PER_ENTRY * n_entries
        + BYTES_PER_SAMPLE * n_samples
        + BYTES_PER_FEATURE * n_features
    )
    n_ranked = min(n_samples, n_positive + MAX_RANKED)
    # Pen-L1 has a density at each rank, and what that is made from.
    basis = BASE_BYTES + 24 * MAX_CENTRES * n_ranked + 16 * n_samples
    return max(ranks_bytes(n_samples, n_features, n_entries, n_positive), linear, basis)
