"""Which terms move the score of a text, and which a text classifier goes by."""

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from core.options import AT_LEAST_ONE, validate_params
from core.text import TermWeighting, TokenCounter
from core.text.vector_coding import word_places

#: Steps whose columns are among those before them.
KEEPING = (SelectorMixin, TermWeighting)
#: Weights below this share of the largest are rounding. Where none is above this number itself, all
#: are: they are made from counts, logarithms and rows of length one.
ROUNDING = 1e-12
#: What the words of a vector are called together.
VECTOR = "(vector)"


@validate_params({"n_terms": [AT_LEAST_ONE]}, prefer_skip_nested_validation=False)
def explain_texts(pipeline, texts, *, n_terms=10):
    """Return the terms of each text that moved its score most.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline, AutoTextClassifier or CalibratedPUClassifier
        A fitted text classifier.
    texts : iterable of str of length n_samples
        Texts.
    n_terms : int in [1, inf), default=10
        How many terms for each text, at most.

    Returns
    -------
    list of list of (str, float)
        For each text terms and what they add to the score, the strongest first; what is only
        rounding is left out, and "(vector)" is all words of a vector. Where the classifier
        ``has_additive_score``, the rest of the score is of the other terms and of what no term
        adds, such as an intercept.

    Examples
    --------
    >>> from core.explanation import explain_texts
    >>> from core.pipeline import make_text_classifier
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> [term for term, _ in explain_texts(pipeline, ["an apple for the red car"])[0]]
    ['apple', 'red']
    """
    pipeline = _pipeline_of(pipeline)
    return _explanations(pipeline, pipeline[:-1].transform(texts), n_terms)


def explain_counts(pipeline, counts):
    """Return the terms that moved the score of each text most, of texts that were counted before.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline or AutoTextClassifier
        A fitted text classifier of ``make_text_classifier``.
    counts : sparse array of shape (n_samples, n_terms)
        The selected terms of each text, as of :func:`score_texts`.

    Returns
    -------
    list of list of (str, float)
        As of :func:`explain_texts`, ten terms at most.

    Examples
    --------
    >>> from core.explanation import explain_counts
    >>> from core.pipeline import make_text_classifier, score_texts
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> _, counts = score_texts(pipeline, ["an apple for the red car"])
    >>> [term for term, _ in explain_counts(pipeline, counts)[0]]
    ['apple', 'red']
    """
    pipeline = _pipeline_of(pipeline)
    return _explanations(pipeline, pipeline["weights"].transform(counts), n_terms=10)


@validate_params({"n_terms": [AT_LEAST_ONE]}, prefer_skip_nested_validation=False)
def top_terms(pipeline, *, n_terms=20):
    """Return the terms that speak most for and most against being positive.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline, AutoTextClassifier or CalibratedPUClassifier
        A fitted text classifier.
    n_terms : int in [1, inf), default=20
        How many terms of each kind, at most.

    Returns
    -------
    terms_for, terms_against : list of (str, float)
        Terms and their weights, the strongest first; what is only rounding is left out, and so
        are words of vectors, which say nothing one by one.

    Examples
    --------
    >>> from core.explanation import top_terms
    >>> from core.pipeline import make_text_classifier
    >>> texts = ["red apple", "green apple", "fast car"]
    >>> pipeline = make_text_classifier("prototype").fit(texts, [1, 1, 0])
    >>> terms_for, terms_against = top_terms(pipeline)
    >>> [term for term, _ in terms_for], terms_against
    (['apple', 'green', 'red'], [])
    """
    pipeline = _pipeline_of(pipeline)
    terms = _terms(pipeline)
    weights = pipeline[-1].feature_weights()
    is_of_vector = _of_vectors(*terms)
    if is_of_vector is not None:
        weights = np.where(is_of_vector, 0, weights)
    return _strongest(*terms, weights, n_terms), _strongest(*terms, weights, n_terms, sign=-1)


def _pipeline_of(model):
    pipeline = getattr(model, "pipeline_", getattr(model, "estimator_", model))
    kind = type(model).__name__
    if not isinstance(pipeline, Pipeline) and hasattr(pipeline, "feature_weights"):
        raise TypeError(
            f"a {kind} knows no words: give the pipeline of make_text_classifier, or an "
            "AutoTextClassifier. What a classifier learned of columns, feature_weights() and "
            "explain(X) tell."
        )
    if not isinstance(pipeline, Pipeline):
        raise TypeError(f"{kind} is no pipeline: of a search, give its best_estimator_.")
    check_is_fitted(model)
    if not hasattr(pipeline[-1], "feature_weights"):
        raise TypeError(
            f"the last step of the pipeline, {type(pipeline[-1]).__name__}, is not of ALGORITHMS, "
            "the only ones that tell what they go by; give an AutoTextClassifier itself."
        )
    return pipeline


def _explanations(pipeline, X, n_terms):
    contributions = pipeline[-1].explain(X)
    terms, places = _terms(pipeline)
    is_of_vector = _of_vectors(terms, places)
    explanations = []
    for row in range(contributions.shape[0]):
        part = slice(contributions.indptr[row], contributions.indptr[row + 1])
        values, columns = contributions.data[part], contributions.indices[part]
        least, names = _rounding(values), columns
        if is_of_vector is not None:
            values, names = _with_vector_as_one(values, columns, is_of_vector[columns])
        order = np.argsort(-np.abs(values), kind="stable")[:n_terms]
        order = order[np.abs(values[order]) > least]
        explanations.append(
            [(VECTOR if names[i] < 0 else terms[places[names[i]]], float(values[i])) for i in order]
        )
    return explanations


def _with_vector_as_one(values, columns, is_of_vector):
    """Return values and columns, those of a vector's words as one at the end: -1 is its column."""
    rest = ~is_of_vector
    whole = values[is_of_vector].sum(keepdims=True)
    return np.append(values[rest], whole), np.append(columns[rest], -1)


def _of_vectors(terms, places):
    """Return which columns are of words of vectors; None: none is."""
    found = word_places(terms)
    if not len(found):
        return None
    is_word = np.zeros(len(terms), dtype=bool)
    is_word[found] = True
    return is_word[np.asarray(places)]


def _strongest(terms, places, weights, n_terms, *, sign=1):
    order = np.argsort(-sign * weights, kind="stable")[:n_terms]
    order = order[sign * weights[order] > _rounding(weights)]
    return [(terms[places[i]], float(weights[i])) for i in order]


def _rounding(weights):
    """Return what a weight must be larger than to mean anything."""
    largest = np.abs(weights).max(initial=0.0)
    return ROUNDING * largest if largest > ROUNDING else np.inf


def _terms(pipeline):
    """Return the terms, and for each column that the classifier sees the places of its terms.

    Hashed terms are a sequence that makes a term only when it is asked for.
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
