"""Which algorithms are tried where the user names none, and which of them is the favourite."""

import numpy as np

from core.auto.entries import Candidate
from core.auto.race_seconds import race_seconds
from core.kernels.rows.row_blocks import document_frequencies
from core.registry import USUAL
from core.review.choice import enough_negatives, judged_params

#: About how many pairs of equal terms a graph of neighbors compares in a second.
PAIRS_PER_SECOND = 5e8
#: Share of the time that the graph may take.
GRAPH_SHARE = 0.2
#: With more documents, neighbors and latent directions take most of the time and help little: on
#: 80,000 tweets seed expansion ranks as well without them.
MOST_WITH_GRAPH = 100_000
#: Unlabeled documents that stand for all where a graph of all takes too long or is not made. On
#: 160,000 tweets so many are as good for class prior and cut as four times as many (ADR 22).
MOST_SAMPLED = 25_000
#: Fewer than these do not stand for a larger pile.
LEAST_SAMPLED = 1_000
#: Unlabeled documents that are learned from where there is no graph: all are ranked. Of 160,000
#: tweets, 20,000 are as good as all (ADR 41).
SAMPLED = {"max_unlabeled": 50_000}
#: Parameters that make seed expansion linear in the pile, and bound what it learns from.
LINEAR = {"n_neighbors": 0, "n_components": 0} | SAMPLED

PROTOTYPE = Candidate("prototype")
NAIVE = Candidate("naive_logistic_regression", is_baseline=True)
BASELINES = (
    NAIVE,
    Candidate("naive_nb", is_baseline=True),
    Candidate("random_ranking", is_baseline=True),
)


def graph_seconds(counts):
    """Return about how long the graph of nearest neighbors takes on one core.

    Parameters
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        In CSR format.

    Returns
    -------
    float
        Each term joins all pairs of documents that have it: the sum of squared document
        frequencies over what a core compares in a second.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.auto.candidates import PAIRS_PER_SECOND, graph_seconds
    >>> graph_seconds(sp.csr_array([[1, 0], [2, 3]])) * PAIRS_PER_SECOND
    5.0
    """
    frequencies = document_frequencies(counts).astype(float)
    return float(frequencies @ frequencies) / PAIRS_PER_SECOND


def rows_in_graph(counts, seconds):
    """Return how many documents the graph of nearest neighbors is to be of.

    Parameters
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        In CSR format.
    seconds : float in [0, inf]
        All the time there is.

    Returns
    -------
    int
        All, where they are at most ``MOST_WITH_GRAPH`` and their graph takes a small share of the
        time. Else as many as fit into that share, ``MOST_SAMPLED`` at most; 0 where these are too
        few.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.auto.candidates import rows_in_graph
    >>> counts = sp.csr_array([[1, 0], [2, 3]])
    >>> rows_in_graph(counts, 60.0), rows_in_graph(counts, 0.0)
    (2, 0)
    """
    n_documents, in_time = counts.shape[0], GRAPH_SHARE * seconds
    needed = graph_seconds(counts)
    if needed <= in_time and n_documents <= MOST_WITH_GRAPH:
        return n_documents
    # Time grows with the square of the documents.
    n_rows = min(
        MOST_SAMPLED, int(n_documents * min(1, in_time / max(needed, np.finfo(float).tiny)) ** 0.5)
    )
    return n_rows if n_rows >= LEAST_SAMPLED else 0


def auto_candidates(counts, n_positive, n_negative, *, seconds=np.inf):
    """Return the algorithms to try, the favourite first, and why it is that.

    Parameters
    ----------
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document, in CSR format.
    n_positive, n_negative : int
        Labeled positives and judged negatives.
    seconds : float in (0, inf], default=inf
        Time of the race. Seed expansion has its graph of neighbors where the graph takes a small
        share of it and documents are at most ``MOST_WITH_GRAPH``. Where seed expansion would take
        longer even without its graph, the favourite is another.

    Returns
    -------
    candidates : list of Candidate
        The favourite, others that can win, and baselines.
    reason : str
        Why the favourite is that.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> from core.auto.candidates import auto_candidates
    >>> counts = sp.csr_array(np.ones((100, 3)))
    >>> [auto_candidates(counts, 5, n)[0][0].algorithm for n in (0, 40)]
    ['seed_expansion', 'judged_svm']
    """
    expansion = Candidate(USUAL)
    is_whole = rows_in_graph(counts, seconds) == counts.shape[0]
    has_graph = is_whole and race_seconds(expansion, counts) <= seconds
    if not has_graph:
        expansion = Candidate(USUAL, LINEAR)
    learned_from = {} if has_graph else SAMPLED
    rivals = [expansion, Candidate("weighted_logistic_regression", learned_from), PROTOTYPE]
    baselines = [NAIVE._replace(params=learned_from), *BASELINES[1:]]
    judged = Candidate("judged_svm", judged_params(counts.shape[0]))
    n_unlabeled = counts.shape[0] - n_positive - n_negative
    if not n_unlabeled:
        return [judged], "all other documents are judged, and it learns from the judgements"
    if n_negative >= enough_negatives(counts.shape[0]):
        favourite = judged
        reason = f"{n_negative:,} judged negatives tell more than the pile"
    elif race_seconds(expansion, counts) > seconds:
        favourite = PROTOTYPE
        reason = f"{USUAL}, which ranks best, may take longer than the time budget"
    elif has_graph:
        favourite = expansion
        reason = "it mostly ranks best from few positives, on piles of this size"
    else:
        favourite = expansion
        reason = "without neighbors and latent directions, its time grows only with the pile"
    others = [candidate for candidate in rivals if candidate.algorithm != favourite.algorithm]
    return [favourite, *others, *baselines], reason
