"""Texts in, predictions out: the pipeline that notebooks use and the service stores."""

from numbers import Integral

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from core.names import known
from core.options import Interval, validate_params
from core.registry import ALGORITHMS, make_estimator
from core.text import TermMask, TermWeighting, TokenCounter
from core.vectorizer import make_vectorizer

#: Names of the steps of a pipeline made here.
STEPS = {"counts", "selection", "weights", "classifier"}
#: Steps whose columns are among those before them.
KEEPING = (SelectorMixin, TermWeighting)


def make_text_classifier(
    algorithm="seed_expansion",
    params=None,
    *,
    vectorizer=None,
    feature_mask=None,
    pos_label=None,
    random_state=None,
):
    """Make a pipeline of scikit-learn from texts to predictions.

    Its steps are "counts" (:class:`~core.text.TokenCounter`), "selection"
    (:class:`~core.text.TermMask`, only with ``feature_mask``), "weights"
    (:class:`~core.text.TermWeighting`) and "classifier". Names and values are checked at once, not
    in ``fit``.

    Parameters
    ----------
    algorithm : str, default="seed_expansion"
        A key of ``core.registry.ALGORITHMS``.
    params : dict, default=None
        Parameters of the algorithm, such as ``{"class_prior": 0.1}``.
    vectorizer : dict, default=None
        Parameters of the token counter and the term weighting. What the classifier is fed,
        ``representation`` and ``sublinear_tf``, is what its method expects unless given here.
    feature_mask : array-like of bool of shape (n_terms,), default=None
        The terms to keep of those that the counter finds.
    pos_label : int, str or bool, default=None
        Label of the positives in ``y``; None means the greater of its two values.
    random_state : int, RandomState instance or None, default=None
        Seed, for the algorithms that take one.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Not fitted. ``fit(texts, y, classifier__is_negative=mask)`` tells it of judged negatives.
        Counts made before are fitted by ``pipeline[1:].fit(counts, y)``.

    Raises
    ------
    ValueError
        If a name is not known or a value is out of range.

    Examples
    --------
    >>> from core.pipeline import make_text_classifier
    >>> texts = ["red apple", "green apple pie", "fast car", "apple juice", "old car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0, 0, 0])
    >>> pipeline.predict(["car", "an apple a day"])
    array([0, 1])

    With a text that was judged not to be positive:

    >>> is_negative = [False, False, True, False, False]
    >>> pipeline = pipeline.fit(texts, [1, 1, 0, 0, 0], classifier__is_negative=is_negative)
    """
    if algorithm == "auto":
        raise ValueError(
            "'auto' is no algorithm but a race of several: take core.AutoTextClassifier, or "
            "'seed_expansion', its usual favourite."
        )
    known(algorithm, ALGORITHMS, "algorithm")
    counts, weights = make_vectorizer(vectorizer, like=algorithm)
    mask = None if feature_mask is None else TermMask(np.asarray(feature_mask))
    common = {"pos_label": pos_label, "random_state": random_state}
    classifier = make_estimator(ALGORITHMS, algorithm, params or {}, **common)
    steps = {"counts": counts, "selection": mask, "weights": weights, "classifier": classifier}
    return Pipeline([(name, step) for name, step in steps.items() if step is not None])


def score_texts(pipeline, texts):
    """Return the scores of texts without checking what one step hands to the next.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline
        A fitted text classifier of ``make_text_classifier``.
    texts : iterable of str of length n_samples
        Texts.

    Returns
    -------
    scores : ndarray of shape (n_samples,)
        Those of ``pipeline.score_samples(texts)``, to the bit.
    counts : sparse array of shape (n_samples, n_terms)
        The selected terms of each text, counted.

    Raises
    ------
    ValueError
        If ``texts`` holds anything but texts, or the pipeline has other steps.

    Examples
    --------
    >>> from core.pipeline import make_text_classifier, score_texts
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> scores, counts = score_texts(pipeline, ["a car", "apple"])
    >>> (scores == pipeline.score_samples(["a car", "apple"])).all()
    np.True_
    """
    return score_counts(pipeline, pipeline.steps[0][1].count_checked(texts))


def score_counts(pipeline, counts):
    """Return the scores of texts that were counted before.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline
        A fitted text classifier of ``make_text_classifier``.
    counts : sparse array of shape (n_samples, n_all_terms)
        By its step "counts".

    Returns
    -------
    scores, counts
        As of :func:`score_texts`.

    Raises
    ------
    ValueError
        If the pipeline has other steps.

    Examples
    --------
    >>> from core.pipeline import make_text_classifier, score_counts
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> scores, _ = score_counts(pipeline, pipeline["counts"].transform(["a car", "apple"]))
    >>> (scores == pipeline.score_samples(["a car", "apple"])).all()
    np.True_
    """
    steps = dict(pipeline.steps)
    if not {"weights", "classifier"} <= steps.keys() <= STEPS:
        raise ValueError(
            f"the steps {list(steps)} are not those of make_text_classifier: take "
            "pipeline.score_samples(texts)."
        )
    if "selection" in steps:
        counts = steps["selection"].keep_checked(counts)
    weights = steps["weights"].weigh_checked(counts)
    return steps["classifier"].score_checked(weights), counts


@validate_params(
    {"n_terms": [Interval(Integral, 1, None, closed="left")]}, prefer_skip_nested_validation=False
)
def explain_texts(pipeline, texts, *, n_terms=10):
    """Return the terms of each text that moved its score most.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline or AutoTextClassifier
        A fitted text classifier.
    texts : iterable of str of length n_samples
        Texts.
    n_terms : int in [1, inf), default=10
        How many terms for each text, at most.

    Returns
    -------
    list of list of (str, float)
        For each text terms and what they add to the score, the strongest first.

    Examples
    --------
    >>> from core.pipeline import explain_texts, make_text_classifier
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> [term for term, _ in explain_texts(pipeline, ["an apple for the red car"])[0]]
    ['apple', 'red']
    """
    pipeline = _pipeline_of(pipeline)
    contributions = pipeline[-1].explain(pipeline[:-1].transform(texts))
    terms, places = _terms(pipeline)
    explanations = []
    for row in range(contributions.shape[0]):
        part = slice(contributions.indptr[row], contributions.indptr[row + 1])
        values, columns = contributions.data[part], contributions.indices[part]
        order = np.argsort(-np.abs(values), kind="stable")[:n_terms]
        explanations.append(
            [(terms[places[columns[i]]], float(values[i])) for i in order if values[i] != 0]
        )
    return explanations


@validate_params(
    {"n_terms": [Interval(Integral, 1, None, closed="left")]}, prefer_skip_nested_validation=False
)
def top_terms(pipeline, *, n_terms=20):
    """Return the terms that speak most for and most against being positive.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline or AutoTextClassifier
        A fitted text classifier.
    n_terms : int in [1, inf), default=20
        How many terms of each kind, at most.

    Returns
    -------
    terms_for, terms_against : list of (str, float)
        Terms and their weights, the strongest first.

    Examples
    --------
    >>> from core.pipeline import make_text_classifier, top_terms
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> terms_for, terms_against = top_terms(pipeline)
    >>> [term for term, _ in terms_for], terms_against
    (['apple', 'green', 'red'], [])
    """
    pipeline = _pipeline_of(pipeline)
    terms = _terms(pipeline)
    weights = pipeline[-1].feature_weights()
    return _strongest(*terms, weights, n_terms), _strongest(*terms, weights, n_terms, sign=-1)


def _pipeline_of(model):
    check_is_fitted(model)
    return getattr(model, "pipeline_", model)


def _strongest(terms, places, weights, n_terms, *, sign=1):
    order = np.argsort(-sign * weights, kind="stable")[:n_terms]
    return [(terms[places[i]], float(weights[i])) for i in order if sign * weights[i] > 0]


def _terms(pipeline):
    """Return terms, and where among them those of each column that the classifier sees are.

    Of hashed terms they are in a sequence that makes only those that are asked for.
    """
    counter, *others = [step for _, step in pipeline.steps[:-1]]
    if not isinstance(counter, TokenCounter) or not all(
        isinstance(step, KEEPING) for step in others
    ):
        terms = pipeline[:-1].get_feature_names_out()
        return terms, range(len(terms))
    places = range(len(counter.terms_))
    for step in others:
        if isinstance(step, SelectorMixin):
            places = np.asarray(places)[step.get_support()]
    return counter.terms_, places
