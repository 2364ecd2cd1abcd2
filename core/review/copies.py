"""Documents to judge that say the same as another one."""

import numpy as np

from core.doctor.duplicates import SAME
from core.kernels.knn_graph import similar_rows
from core.kernels.unit_rows import unit_rows
from core.text import TokenCounter

#: Columns that words are hashed to, so that no list of them is made.
N_COLUMNS = 2**18


def near_copies(texts):
    """Return which texts say nearly the same as an earlier one that is no such copy itself.

    Parameters
    ----------
    texts : list of str
        Texts, at least one.

    Returns
    -------
    ndarray of bool of shape (n_texts,)
        Texts are compared by the cosine of their words, each word counted once. One without words
        is no copy.

    Examples
    --------
    >>> from core.review.copies import near_copies
    >>> flood = "the river burst its banks and the water stands in all streets of the town"
    >>> near_copies([flood, "a late goal", f"RT {flood} #flood"]).tolist()
    [False, False, True]
    """
    counter = TokenCounter(binary=True, cjk="bigrams", n_features=N_COLUMNS)
    Z = unit_rows(counter.fit_transform(texts))
    cosines = similar_rows(Z, Z, SAME)
    is_copy = np.zeros(len(texts), dtype=bool)
    for row in range(len(texts)):
        similar = cosines.indices[cosines.indptr[row] : cosines.indptr[row + 1]]
        is_copy[row] = not is_copy[similar[similar < row]].all()
    return is_copy
