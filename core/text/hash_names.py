"""The names of columns of hashed terms, made when they are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class HashNames(Sequence):
    """The names "hash 0", "hash 1" and so on, of which none is held.

    Parameters
    ----------
    n_columns : int
        How many there are.

    Examples
    --------
    >>> from core.text.hash_names import HashNames
    >>> names = HashNames(2**22)
    >>> len(names), names[17], names[-2:]
    (4194304, 'hash 17', ['hash 4194302', 'hash 4194303'])
    """

    n_columns: int

    def __len__(self):
        return self.n_columns

    def __getitem__(self, index):
        columns = range(self.n_columns)[index]
        if isinstance(columns, range):
            return [f"hash {column}" for column in columns]
        return f"hash {columns}"

    def __iter__(self):
        return (f"hash {column}" for column in range(self.n_columns))
