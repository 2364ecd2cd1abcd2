"""What a fit holds in memory, told before it starts."""

from core.kernels.clusters.negative_clusters import MIN_PER_CLUSTER
from core.kernels.graphs.knn_graph import BLOCK_SIZE, MAX_DISTANCES
from core.kernels.rows.row_blocks import BLOCK_ENTRIES
from core.options import checked

#: For each entry of a block or of the labeled rows: a copy, and what is made of it.
BYTES_PER_BLOCK_ENTRY = 56
#: Whatever the matrix.
BASE_BYTES = 4 * 2**20


class FitMemory:
    """Mixin for classifiers that say what their ``fit`` holds at most besides its matrix.

    The attributes are upper bounds, calibrated by ``python -m benchmarks.speed --only memory``. A
    subclass that holds more sets them, and gives ``_own_bytes`` for what depends on its parameters.

    Attributes
    ----------
    bytes_per_entry : float
        For each stored entry: 0 where the entries are looked at in blocks, and never copied whole.
    bytes_per_sample, bytes_per_feature : float
        For each row and column.
    max_unlabeled : int or None
        Most unlabeled samples that are learned from, where a subclass has this parameter; the
        others are only scored, in blocks. Those that are drawn count as long as the mean.
    """

    bytes_per_entry: float = 0
    bytes_per_sample: float = 64
    bytes_per_feature: float = 64
    max_unlabeled: int | None = None

    @property
    def is_blockwise(self) -> bool:
        """Whether the matrix may be larger than the memory: memory-mapped, it is not copied."""
        return self.bytes_per_entry == 0

    def memory_bytes(
        self, n_samples: int, n_features: int, n_entries: int, n_labeled: int = 0
    ) -> int:
        """Return what ``fit`` holds at most besides its matrix, on one thread.

        Parameters
        ----------
        n_samples, n_features : int
            Shape of the matrix, as the text pipeline makes it: float32, no unused feature.
        n_entries : int
            Its stored entries.
        n_labeled : int, default=0
            Samples labeled positive or judged negative: many methods copy their rows.

        Returns
        -------
        int
            Bytes. It grows with each of the four.

        Raises
        ------
        BadParameter
            If a parameter is out of its range.

        Examples
        --------
        >>> from core.classifiers import LGN, SeedExpansion
        >>> ten_million = 10_000_000, 1_000_000, 100_000_000
        >>> LGN().memory_bytes(*ten_million) < 2e9 < SeedExpansion().memory_bytes(*ten_million)
        True
        """
        checked(self)
        of_labeled = n_entries * min(1, n_labeled / max(n_samples, 1))
        copied = min(n_entries, BLOCK_ENTRIES + of_labeled)
        n_scored = 0
        if self.max_unlabeled is not None:
            n_scored = max(0, n_samples - self.max_unlabeled - n_labeled)
        n_entries = n_entries * (n_samples - n_scored) // max(n_samples, 1)
        n_samples -= n_scored
        return int(
            BASE_BYTES
            + BYTES_PER_BLOCK_ENTRY * copied
            + self.bytes_per_entry * n_entries
            + self.bytes_per_sample * n_samples
            + self.bytes_per_feature * n_features
            + FitMemory.bytes_per_sample * n_scored
            + self._own_bytes(n_samples, n_features, n_entries, n_labeled)
        )

    def _own_bytes(self, n_samples: int, n_features: int, n_entries: int, n_labeled: int) -> int:
        """Return what depends on the parameters of the classifier."""
        return 0


def graph_bytes(n_samples: int, n_neighbors: int, n_labeled: int) -> int:
    """Return what a graph of nearest neighbors takes while it is made and walked.

    Parameters
    ----------
    n_samples, n_neighbors, n_labeled : int
        Vertices, edges that each lists (at most all others), and vertices that distances are
        measured from.

    Returns
    -------
    int
        Bytes: some copies of the edges, sums of a block, and blocks of distances.

    Examples
    --------
    >>> from core.fit_memory import graph_bytes
    >>> graph_bytes(1_000_000, 10, 50) < 2e9
    True
    """
    n_neighbors = min(n_neighbors, n_samples)
    edges = 100 * n_neighbors * n_samples
    # Of a block of rows: a sum for each sample, and the largest of them.
    sums = 32 * n_samples + 16 * min(n_samples, BLOCK_SIZE) * n_neighbors
    return edges + sums + 16 * min(n_samples * n_labeled, MAX_DISTANCES)


def means_bytes(n_clusters: int, n_samples: int, n_features: int) -> int:
    """Return what the means of the clusters of reliable negatives take beside those of ten.

    Ten clusters are part of what each method is said to hold.

    Examples
    --------
    >>> from core.fit_memory import means_bytes
    >>> means_bytes(10, 1000, 500), means_bytes(100, 1000, 500)
    (0, 720000)
    """
    return 16 * max(0, min(n_clusters, n_samples // MIN_PER_CLUSTER) - 10) * n_features
