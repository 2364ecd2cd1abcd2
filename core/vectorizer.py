"""From texts to weighted terms: the steps before a classifier."""

from core.base import BasePUClassifier
from core.names import check_name
from core.options import as_dict, checked, parameter_names
from core.parameter_schema import parameter_schema
from core.registry import ALGORITHMS
from core.text import TermWeighting, TokenCounter
from core.text.stop_words import STOP_WORDS


def make_vectorizer(parameters=None, *, like=None):
    """Make the steps from texts to weighted terms; names and values are checked at once.

    Parameters
    ----------
    parameters : dict, default=None
        Of the token counter and of the term weighting.
    like : str, default=None
        An algorithm, whose defaults are taken instead of those of the term weighting.

    Returns
    -------
    counts : TokenCounter
    weights : TermWeighting

    Raises
    ------
    ValueError
        If a name is not known or a value is out of range.

    Examples
    --------
    >>> from core.vectorizer import make_vectorizer
    >>> counts, weights = make_vectorizer({"min_df": 2})
    >>> X = weights.fit_transform(counts.fit_transform(["a red apple", "an apple", "the red car"]))
    >>> X.shape
    (3, 2)
    """
    steps = (TokenCounter, TermWeighting)
    owners = {name: owner for owner in steps for name in parameter_names(owner)}
    defaults = {} if like is None else vectorizer_defaults(ALGORITHMS[like])
    chosen = {TokenCounter: {}, TermWeighting: defaults}
    for name, value in as_dict(parameters, "vectorizer").items():
        owner = owners[check_name(name, owners, "vectorizer parameter")]
        if name == "ngram_range" and isinstance(value, list):
            value = tuple(value)  # JSON has no tuples
        chosen[owner][name] = value
    return tuple(checked(owner(**chosen[owner])) for owner in steps)


def vectorizer_defaults(algorithm_class):
    """Return the parameters of the vectorizer of which a method has defaults of its own.

    Parameters
    ----------
    algorithm_class : type
        A value of ``core.registry.ALGORITHMS``.

    Returns
    -------
    dict
        Values of ``representation`` and ``sublinear_tf``.

    Examples
    --------
    >>> from core.registry import ALGORITHMS
    >>> from core.vectorizer import vectorizer_defaults
    >>> vectorizer_defaults(ALGORITHMS["lgn"])
    {'representation': 'counts', 'sublinear_tf': False}
    """
    representation = algorithm_class.representation
    return {"representation": representation, "sublinear_tf": representation == "tfidf"}


def with_language(language, parameters=None):
    """Return parameters of the vectorizer, over those that a language sets.

    Parameters
    ----------
    language : str or None
        A key of ``core.text.stop_words.STOP_WORDS``; any other has no stop words.
    parameters : dict, default=None
        Of the vectorizer.

    Returns
    -------
    dict
        Stop words of the language. Where words are counted, texts without blanks between words are
        cut into pairs, as whole clauses would be terms otherwise, marks belong to words, as those
        of Hindi would be cut to pieces otherwise, and long numbers count by their length, as hardly
        one comes twice. Then ``parameters``.

    Examples
    --------
    >>> from core.vectorizer import with_language
    >>> with_language("dutch", {"cjk": None})
    {'stop_words': 'dutch', 'cjk': None, 'marks': True, 'long_numbers_as_zeros': True}
    """
    asked = parameters or {}
    defaults = {"stop_words": language} if language in STOP_WORDS else {}
    if asked.get("analyzer", "word") == "word" and "token_pattern" not in asked:
        defaults |= {"cjk": "bigrams", "marks": True, "long_numbers_as_zeros": True}
    return {**defaults, **asked}


def vectorizer_schema():
    """Return what parameters the vectorizer takes, where a language and an algorithm are named.

    Returns
    -------
    dict
        JSON schema of an object, as of :func:`~core.parameter_schema.parameter_schema`. A default
        that language or algorithm set is told in the description.

    Examples
    --------
    >>> from core.vectorizer import vectorizer_schema
    >>> properties = vectorizer_schema()["properties"]
    >>> properties["cjk"]["default"], properties["stop_words"]["description"][-30:]
    ('bigrams', 'Default: that of the language.')
    """
    counter, weighting = parameter_schema(TokenCounter), parameter_schema(TermWeighting)
    properties = {**counter["properties"], **weighting["properties"]}
    depends = dict.fromkeys(vectorizer_defaults(BasePUClassifier), "that of the algorithm")
    depends["stop_words"] = "that of the language"
    for name, default in with_language(None).items():
        properties[name]["default"] = default
    for name, told in depends.items():
        del properties[name]["default"]
        properties[name]["description"] += f" Default: {told}."
    return {**counter, "properties": properties}
