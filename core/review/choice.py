"""What a review does next: which learner is trained, and which documents are judged."""

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from core.kernels.rows.masks import as_mask
from core.names import check_name
from core.options import AT_LEAST_ONE, validate_params

#: With so many judged negatives, learning from them is better than learning from the pile. In a
#: larger pile it takes more: such a share of the documents, up to a hundred.
MIN_NEGATIVES, NEGATIVES_SHARE, ENOUGH_NEGATIVES = 10, 0.05, 100
#: In at most so many documents, pairs of words are counted as well.
MAX_PAIRED = 50_000
#: With at most so many documents, latent directions help to learn from judgements. They did for
#: 2,500 abstracts; most reviews of 5,000 posts, 10,000 tweets and more ranked far worse with them.
MAX_LATENT = 3_000
#: Of mixed documents, the share that is chosen for uncertainty.
UNCERTAIN_SHARE = 0.1
Strategy = Literal["mixed", "relevance", "uncertainty"]
STRATEGIES = get_args(Strategy)


class Learner(NamedTuple):
    """An algorithm, its parameters and those of the vectorizer, and why it was chosen."""

    algorithm: str
    params: dict[str, Any]
    vectorizer: dict[str, Any]
    reason: str


def enough_negatives(n_documents):
    """Return with how many judged negatives it is better to learn from them than from the pile.

    Examples
    --------
    >>> from core.review.choice import enough_negatives
    >>> enough_negatives(100), enough_negatives(1000), enough_negatives(50_000)
    (10, 50, 100)
    """
    return min(ENOUGH_NEGATIVES, max(MIN_NEGATIVES, round(NEGATIVES_SHARE * n_documents)))


def review_learner(n_negative, n_documents):
    """Return what to train once enough negatives were judged, else None: no judgements help yet.

    Parameters
    ----------
    n_negative : int in [0, inf)
        Judged negatives.
    n_documents : int in [1, inf)
        All documents.

    Returns
    -------
    Learner or None
        Function words and pairs of words are counted: they tell kinds of texts on one subject
        apart, such as studies from reports.

    Examples
    --------
    >>> from core.review import review_learner
    >>> review_learner(100, 2000).algorithm, review_learner(99, 2000)
    ('judged_svm', None)
    """
    if n_negative < enough_negatives(n_documents):
        return None
    longest = 2 if n_documents <= MAX_PAIRED else 1
    return Learner(
        "judged_svm",
        judged_params(n_documents),
        {"ngram_range": (1, longest), "stop_words": None},
        f"the {n_negative:,} judged negatives tell most about where to look next",
    )


def judged_params(n_documents):
    """Return the parameters of ``judged_svm`` for a pile.

    Examples
    --------
    >>> from core.review.choice import judged_params
    >>> judged_params(2000), judged_params(50_000)
    ({}, {'n_components': 0})
    """
    return {} if n_documents <= MAX_LATENT else {"n_components": 0}


@validate_params({"n": [AT_LEAST_ONE]}, prefer_skip_nested_validation=True)
def next_documents(scores, is_judged, cut, n, *, strategy="mixed"):
    """Choose which documents of a ranking to judge next.

    Parameters
    ----------
    scores : array-like of shape (n_documents,)
        Scores, the highest first.
    is_judged : array-like of bool or of 0 and 1, of shape (n_documents,)
        Which of them are not asked again.
    cut : float
        The score from which a document is predicted positive.
    n : int in [1, inf)
        How many to choose; fewer where fewer are left.
    strategy : {"mixed", "relevance", "uncertainty"}, default="mixed"
        "relevance" takes the highest scores, "uncertainty" those nearest to the cut on either
        side, "mixed" a tenth of the latter and else the former.

    Returns
    -------
    positions : ndarray of int of shape (n_chosen,)
        Places in the ranking, the ones chosen for relevance first.
    is_uncertain : array-like of bool of shape (n_chosen,)
        Which of them were chosen for uncertainty.

    Raises
    ------
    ValueError
        If the strategy is not known, ``is_judged`` is not a mask, or the scores do not descend.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review import next_documents
    >>> scores, is_judged = np.array([3.0, 2, 1, 0]), np.array([True, False, False, False])
    >>> next_documents(scores, is_judged, 0.4, 2, strategy="uncertainty")[0].tolist()
    [3, 2]
    """
    check_name(strategy, STRATEGIES, "strategy")
    scores = np.asarray(scores)
    is_judged = as_mask(is_judged, "is_judged", len(scores))
    if not (scores[1:] <= scores[:-1]).all():
        raise ValueError("the scores do not descend: a ranking has the highest first.")
    left = np.flatnonzero(~is_judged)
    n_uncertain = {"relevance": 0, "uncertainty": n, "mixed": int(n * UNCERTAIN_SHARE)}[strategy]
    first, rest = left[: n - n_uncertain], left[n - n_uncertain :]
    # The ranking descends, so that what is nearest to the cut stands around its place in it.
    place = int(np.searchsorted(-scores[rest], -cut))
    around = rest[max(0, place - n_uncertain) : place + n_uncertain]
    nearest = around[np.argsort(np.abs(scores[around] - cut), kind="stable")][:n_uncertain]
    is_uncertain = np.arange(len(first) + len(nearest)) >= len(first)
    return np.concatenate([first, nearest]), is_uncertain
