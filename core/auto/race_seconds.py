"""Seconds of a race, estimated from sizes: by a clock the same task could end differently."""

from core.kernels.factors.latent_space import N_COMPONENTS

#: Seconds that all trainings of an algorithm in a race take for each number that they go over.
#: Measured on two cores and 1,000 to 20,000 tweets, abstracts and posts; a single race may take a
#: third of it, or three times as long.
SECONDS = {
    "seed_expansion": 1e-5,
    "judged_svm": 2e-6,
    "weighted_logistic_regression": 4e-6,
    "naive_logistic_regression": 1e-6,
}
#: The same for all other algorithms, which go over all numbers once or twice: measured on a million
#: short documents.
SECONDS_OF_OTHERS = 1e-7
#: Algorithms that go over all documents until they settle.
ITERATIVE = ("seed_expansion", "weighted_logistic_regression")
#: On more documents than this, an algorithm of ``ITERATIVE`` takes more steps to its optimum: they
#: grow with this power of the documents (317, 515 and 861 products on 10,000, 40,000 and 120,000
#: tweets).
MANY_DOCUMENTS, GROWTH = 20_000, 0.4
#: Algorithms that have latent directions unless told otherwise.
LATENT = ("seed_expansion", "judged_svm")


def race_seconds(candidate, counts):
    """Return about how long the trainings of a candidate take in a race.

    Parameters
    ----------
    candidate : Candidate
        Algorithm and parameters.
    counts : sparse array of shape (n_documents, n_terms)
        How often each term occurs in each document.

    Returns
    -------
    float
        So much for each entry of the documents learned from, and for each place in a latent
        direction; more on many documents.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.auto.entries import Candidate
    >>> from core.auto.race_seconds import race_seconds
    >>> race_seconds(Candidate("prototype"), sp.csr_array([[1, 0], [2, 3]]))
    3e-07
    """
    n_documents, params = counts.shape[0], candidate.params
    default = N_COMPONENTS if candidate.algorithm in LATENT else 0
    n_numbers = counts.nnz + n_documents * params.get("n_components", default)
    n_learned = min(n_documents, params.get("max_unlabeled") or n_documents)
    seconds = n_numbers * n_learned / max(n_documents, 1)
    seconds *= SECONDS.get(candidate.algorithm, SECONDS_OF_OTHERS)
    if candidate.algorithm not in ITERATIVE:
        return seconds
    return seconds * max(1, n_learned / MANY_DOCUMENTS) ** GROWTH


def race_shares(candidates, counts, seconds):
    """Return the share of the time of a race for each candidate; None for one that is not to start.

    Parameters
    ----------
    candidates : list of Candidate
        The first always starts, the others where all together take no longer.
    counts
        As of :func:`race_seconds`.
    seconds : float
        How long the race may take.

    Returns
    -------
    list of floats, or of None
        The floats add up to one, or are 0 where no document has a word.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from core.auto.entries import Candidate
    >>> from core.auto.race_seconds import race_shares
    >>> candidates = [Candidate("judged_svm", {"n_components": 0}), Candidate("prototype")]
    >>> [round(share, 2) for share in race_shares(candidates, sp.csr_array([[1, 0], [2, 3]]), 1)]
    [0.95, 0.05]
    """
    planned = 0.0
    of_each = []
    for candidate in candidates:
        needed = race_seconds(candidate, counts)
        starts = not of_each or planned + needed <= seconds
        planned += needed if starts else 0.0
        of_each.append(needed if starts else None)
    # Documents without a word take no time.
    whole = planned or 1.0
    return [None if needed is None else needed / whole for needed in of_each]
