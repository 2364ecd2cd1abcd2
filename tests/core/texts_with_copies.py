"""Texts of which some say nearly the same."""

import numpy as np
import scipy.sparse as sp


def texts_with_copies(n_texts, n_positive, n_copies):
    """Rows of twelve words; the copies of the first have one more word each, and stand last."""
    random = np.random.default_rng(0)
    texts = [set(random.choice(300, 12, replace=False).tolist()) for _ in range(n_texts)]
    texts += [texts[0] | {300 + i} for i in range(n_copies)]
    rows = np.zeros((len(texts), 300 + n_copies))
    for row, text in zip(rows, texts, strict=True):
        row[list(text)] = 1
    places = np.arange(len(texts))
    return sp.csr_array(rows), (places < n_positive) | (places >= n_texts)
