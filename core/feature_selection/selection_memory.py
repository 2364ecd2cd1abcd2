"""What a feature selection holds in memory, told before it starts."""

from core.options import checked

#: Whatever the matrix.
BASE_BYTES = 8 * 2**20


class SelectionMemory:
    """Mixin for feature selectors that say what their ``fit`` holds at most besides its matrix.

    The attributes are upper bounds for values in single precision; a subclass that holds more, or
    less, sets them, and gives ``_own_bytes`` for what depends on its parameters.

    Attributes
    ----------
    bytes_per_entry, bytes_per_sample, bytes_per_feature : float
        For each stored entry, row and column.
    """

    bytes_per_entry: float = 20
    bytes_per_sample: float = 64
    bytes_per_feature: float = 160

    def memory_bytes(
        self, n_samples: int, n_features: int, n_entries: int, itemsize: int = 4
    ) -> int:
        """Return what ``fit`` holds at most besides its matrix.

        Parameters
        ----------
        n_samples, n_features : int
            Shape of the matrix.
        n_entries : int
            Its values other than 0.
        itemsize : int, default=4
            Bytes of a value: 4 as the text pipeline makes them, 8 in double precision.

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
        >>> from core.feature_selection import FSCPU, KBest
        >>> million = 1_000_000, 100_000, 20_000_000
        >>> KBest().memory_bytes(*million) < 1e9 < FSCPU().memory_bytes(*million)
        True
        """
        checked(self)
        return int(
            BASE_BYTES
            + self.bytes_per_sample * n_samples
            + self.bytes_per_feature * n_features
            + self.bytes_per_entry * n_entries * itemsize / 4
            + self._own_bytes(n_samples, n_features, itemsize)
        )

    def _own_bytes(self, n_samples: int, n_features: int, itemsize: int) -> float:
        """Return what depends on the parameters of the selector."""
        return 0
