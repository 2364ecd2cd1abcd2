"""Labels as users give them: which of two is the positive one, and none is missing."""

import sys
from numbers import Number

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils._missing import is_scalar_nan
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from core.caller_warning import warn_caller
from core.errors import NoPositives, OneClass, Refused

#: The booleans of NumPy are none of Python's numbers.
_NUMBERS = Number, np.bool_
_UNLABELED = frozenset({"unlabeled", "unlabelled", "unl", "u", "unknown"})
#: Words for what is not looked for: of a label like these and another, the other is positive.
_NOT_POSITIVE = frozenset(
    {"", "-1", "0", "?", "<na>", "false", "n", "n/a", "na", "nan", "null"}
    | {"neg", "negative", "no", "none", "other", "others", "rest"}
)


def check_labels(y, name="y"):
    """Refuse labels that NumPy may take for words: one that is missing, and numbers among words.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    name : str, default="y"
        What errors call them; others than "y" are predicted ones.

    Raises
    ------
    ValueError
        If one is None, NaN or the NA of pandas, or some are words and others are not; the message
        tells what to do.

    Examples
    --------
    >>> from core.labels import check_labels
    >>> check_labels(["flood", "unlabeled"])
    """
    dtype = getattr(y, "dtype", None)
    # Those of pandas that can hold NA have kinds of numbers, too.
    kind = dtype.kind if isinstance(dtype, np.dtype) else "O"
    if y is None or kind in "biuSU":
        return
    labels = np.asarray(y) if kind == "f" else np.asarray(y, dtype=object)
    is_missing = np.isnan(labels) if kind == "f" else _missing_objects(labels)
    if np.any(is_missing):
        first = int(np.argmax(is_missing))
        what_to_do = (
            'The unlabeled need a label, too: y.fillna(0), or y.fillna("unlabeled") among words.'
            if name == "y"
            else "Pass what predict returns."
        )
        raise Refused(f"{name} contains NaN or None, in row {first}. {what_to_do}")
    kinds = set() if kind == "f" else set(map(type, labels.flat))
    if len({issubclass(kind, str) for kind in kinds}) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise Refused(
            f"{name} mixes words with other labels ({names}): make all words, or all numbers."
        )


def _missing_objects(labels):
    # Who has not imported pandas has none of its NA; to look for it at each label takes long.
    na = getattr(sys.modules.get("pandas"), "NA", None)
    return [label is None or label is na or is_scalar_nan(label) for label in labels.flat]


def plain_label(label):
    """Return a label as messages and parameters have it.

    Examples
    --------
    >>> import numpy as np
    >>> from core.labels import plain_label
    >>> plain_label(np.float64(1)), plain_label(np.str_("flood"))
    (1, 'flood')
    """
    label = label.item() if isinstance(label, np.generic) else label
    return int(label) if isinstance(label, float) and label.is_integer() else label


def without_positives(pos_label):
    """Return the error for labels none of which is ``pos_label``."""
    return NoPositives(
        f"no sample of the positive class: y has no value {plain_label(pos_label)!r}. "
        "pos_label says which label is the positive one."
    )


def checked_labels(y, pos_label=None):
    """Return labels as an array, and their classes as :func:`ordered_classes` does.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two values, of any type.
    pos_label : int, str or bool, default=None
        As of :func:`ordered_classes`.

    Returns
    -------
    y : ndarray of shape (n_samples,)
    classes : ndarray of shape (2,)

    Raises
    ------
    NoPositives
        If none is positive.
    ValueError
        If ``y`` is no list of labels, or one is missing.

    Examples
    --------
    >>> from core.labels import checked_labels
    >>> checked_labels([True, False], pos_label=False)[1].tolist()
    [True, False]
    """
    if y is None:
        raise Refused("y is missing: pass labels, such as 1 for positives and 0 for the unlabeled.")
    check_labels(y)
    y = typed_labels(column_or_1d(y))
    check_classification_targets(y)
    return y, ordered_classes(y, pos_label)


def typed_labels(y):
    """Return numbers that are objects, as a column that was filled has, with their own type.

    Words stay objects: as an array of their own each would take the room of the longest.

    Examples
    --------
    >>> import numpy as np
    >>> from core.labels import typed_labels
    >>> typed_labels(np.array([True, False], dtype=object)).dtype.name
    'bool'
    """
    is_number = y.dtype == object and all(issubclass(kind, _NUMBERS) for kind in set(map(type, y)))
    return np.array(y.tolist()) if is_number else y


def ordered_classes(y, pos_label=None):
    """Return the two labels as [unlabeled, positive].

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Labels with one or two distinct values.
    pos_label : int, str, bool or None, default=None
        The label of the positives; None means the greater of two values. Of two words it is the
        one that is not "unlabeled", "unlabelled", "unl", "u" or "unknown" in any case. Where that
        does not tell, a UserWarning names the one taken: not a word such as "other", "negative",
        "no", "-1", "nan" or "", else the later in the alphabet.

    Returns
    -------
    ndarray of shape (2,)
        The label of the unlabeled, then the label of the positives. Where y holds positives
        only, the first is made up: ``"unlabeled"``, False or 0, or the opposite of that.

    Raises
    ------
    NoPositives
        If y has no value ``pos_label``, or none but 0, False or a word for the others.
    OneClass
        If y has one other value and there is no ``pos_label``.
    ValueError
        If y has more than two values, or one that is missing.
    """
    check_labels(y)
    values = np.unique(y)
    if not len(values):
        raise NoPositives("there are no samples: y is empty.")
    if len(values) > 2:
        raise Refused(
            "Only binary classification is supported. The type of the target is "
            f"{type_of_target(y)}. The two classes are unlabeled and positive; fit takes judged "
            "negatives as is_negative."
        )
    if pos_label is None:
        if len(values) == 1:
            value = plain_label(values[0])
            if _says_unlabeled(value):
                raise NoPositives(f"no sample is labeled positive: y holds one class, {value!r}.")
            raise OneClass(
                f"y holds one class only, {value!r}: add unlabeled samples with another label. If "
                f"all are positive, pass pos_label={value!r} to a method that learns from "
                "positives alone, such as prototype or one_class_svm."
            )
        return _ordered_words(values) if isinstance(values[0], str) else values
    if pos_label not in values:
        raise without_positives(pos_label)
    others = values[values != pos_label]
    other = others[0] if len(others) else _made_up_label(values, pos_label)
    return np.array([other, pos_label], dtype=np.result_type(values, np.asarray(other)))


def warn_of_order(classes):
    """Warn where the positive label comes before the other by the order that scikit-learn takes.

    Parameters
    ----------
    classes : ndarray of shape (2,)
        The label of the unlabeled, then the label of the positives.

    Warns
    -----
    UserWarning
        If they are not sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from core.labels import warn_of_order
    >>> warn_of_order(np.array(["other", "positive"]))
    """
    unlabeled, positive = classes.tolist()
    if positive < unlabeled:
        warn_caller(
            f"the positive label {positive!r} sorts before {unlabeled!r}: scorers such as "
            "'roc_auc', cross_val_predict and CalibratedClassifierCV of scikit-learn sort labels "
            "and would take the unlabeled for positive. For them, give y as 0 and 1."
        )


def _made_up_label(values, pos_label):
    if isinstance(pos_label, str):
        return "unlabeled" if pos_label != "unlabeled" else "not unlabeled"
    return values.dtype.type(not pos_label)


def _ordered_words(values):
    """Return two words, in the order of the alphabet, as [unlabeled, positive]."""
    ordered = _with_first(values, _UNLABELED)
    if ordered is not None:
        return ordered
    ordered, why = _with_first(values, _NOT_POSITIVE), "by its meaning"
    if ordered is None:
        ordered, why = values, "the later one in the alphabet"
    first, second = values.tolist()
    warn_caller(
        f"y holds {first!r} and {second!r}, and {ordered.tolist()[1]!r}, {why}, is taken as the "
        "positive one; pass pos_label to say which it is."
    )
    return ordered


def _says_unlabeled(value):
    """Return whether a label alone says that it is not the positive one."""
    if isinstance(value, str):
        return value.strip().casefold() in _UNLABELED | _NOT_POSITIVE
    return not value


def _with_first(values, words):
    """Return the two values with the one that is among the words first; None without just one."""
    is_known = [value.strip().casefold() in words for value in values]
    if sum(is_known) != 1:
        return None
    return values[::-1] if is_known[1] else values
