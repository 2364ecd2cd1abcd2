"""Texts in, predictions out: the pipeline that notebooks use and the service stores."""

import numpy as np
from sklearn.pipeline import Pipeline

from core.errors import BadParameter
from core.names import check_name
from core.options import as_dict
from core.registry import ALGORITHMS, make_estimator
from core.text import TermMask
from core.vectorizer import make_vectorizer

#: Names of the steps of a pipeline made here.
STEPS = {"counts", "selection", "weights", "classifier"}


def make_text_classifier(
    algorithm="seed_expansion",
    params=None,
    *,
    vectorizer=None,
    feature_mask=None,
    class_prior=None,
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
        ``representation`` and ``sublinear_tf``, is what its method expects unless given here. No
        stop words are left out, and ``cjk``, ``marks`` and ``long_numbers_as_zeros`` are not set.
        For the words of the service and of :class:`~core.auto.text_classifier.AutoTextClassifier`,
        give ``core.vectorizer.with_language("english")``.
    feature_mask : array-like of bool or of 0 and 1, of shape (n_terms,), default=None
        The terms to keep of those that the counter finds.
    class_prior : float, default=None
        Share of positives among the unlabeled texts, for the algorithms that take one; a number in
        ``params`` goes before it.
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
        raise BadParameter(
            "'auto' is not an algorithm but a race of several: take core.AutoTextClassifier, or "
            "'seed_expansion', its usual favourite.",
            "algorithm",
        )
    check_name(algorithm, ALGORITHMS, "algorithm")
    counts, weights = make_vectorizer(vectorizer, like=algorithm)
    mask = None if feature_mask is None else TermMask(np.asarray(feature_mask))
    params = as_dict(params, "params")
    common = {"pos_label": pos_label, "random_state": random_state}
    if class_prior is not None and params.get("class_prior") is None:
        params.pop("class_prior", None)
        common["class_prior"] = class_prior
    classifier = make_estimator(ALGORITHMS, algorithm, params, **common)
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
