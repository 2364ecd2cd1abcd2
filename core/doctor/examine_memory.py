"""What an examination holds in memory, told before it starts."""

from core.doctor.examine import MAX_LATENT_ROWS
from core.kernels.factors.latent_space import N_COMPONENTS
from core.kernels.scores.left_out_ranks import MAX_RANKED

#: Whatever the matrix.
BASE_BYTES = 4 * 2**20
#: For each row that is ranked, for each of its entries, and for each column.
BYTES_PER_SAMPLE, BYTES_PER_ENTRY, BYTES_PER_FEATURE = 1000, 28, 16
#: For each pair of a direction and a column that is part of it: copies in double precision.
BYTES_PER_COMPONENT = 32
#: Each such column has so many entries in the drawn rows at least, as texts repeat their words.
ENTRIES_PER_USED = 8
#: For each sample the positive that it is the same as, held twice while blocks are joined.
BYTES_PER_COMPARED = 20


def examine_bytes(n_samples: int, n_features: int, n_entries: int, n_positive: int) -> int:
    """Return what :func:`~core.doctor.examine.examine` holds at most besides X.

    Parameters
    ----------
    n_samples, n_features, n_entries : int
        Shape of the matrix, in single precision, and its stored entries.
    n_positive : int
        Samples that are labeled; of the others no more than ``MAX_RANKED`` are ranked.

    Returns
    -------
    int
        Bytes.

    Examples
    --------
    >>> from core.doctor.examine_memory import examine_bytes
    >>> examine_bytes(10_000_000, 100_000, 200_000_000, 100) < 5e8
    True
    """
    n_ranked = min(n_samples, n_positive + MAX_RANKED)
    n_ranked_entries = n_entries * n_ranked / max(n_samples, 1)
    ranks = BYTES_PER_SAMPLE * n_ranked + BYTES_PER_ENTRY * n_ranked_entries
    n_drawn_entries = n_entries * min(1, MAX_LATENT_ROWS / max(n_samples, 1))
    n_used = min(n_features, n_drawn_entries / ENTRIES_PER_USED)
    ranks += BYTES_PER_COMPONENT * N_COMPONENTS * n_used
    return int(
        BASE_BYTES + max(ranks, BYTES_PER_COMPARED * n_samples) + BYTES_PER_FEATURE * n_features
    )
