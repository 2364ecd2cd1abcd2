import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.auto.text_classifier import AutoTextClassifier
from core.classifiers.lp_pul import LPPUL
from core.classifiers.pnb import PNB
from core.classifiers.prototype import Prototype
from core.errors import NoPositives, OneClass, Refused
from core.feature_selection.k_best import KBest
from core.label_masks import positive_mask
from core.labels import ordered_classes
from core.pipeline import make_text_classifier
from core.validation import canonical_csr, check_is_negative


def test_choices_are_told_in_order():
    with pytest.raises(ValueError, match=r"must be one of \{'epsilon', 'knn', 'mutual_knn'\}"):
        LPPUL(graph="nearest")._validate_params()


def test_true_is_no_number():
    with pytest.raises(ValueError, match="'n_neighbors' parameter of LPPUL must be an int"):
        LPPUL(n_neighbors=True)._validate_params()


def test_canonical_array_has_no_duplicates_and_no_stored_zeros():
    # Row 0 holds column 1 twice, out of order, and a zero in column 2.
    X = sp.csr_array(([1.0, 0, 2, 3], [1, 2, 1, 0], [0, 3, 4]), shape=(2, 3))
    canonical = canonical_csr(X)
    assert canonical.has_canonical_format
    assert canonical.nnz == 2
    assert canonical.toarray().tolist() == [[0, 3, 0], [3, 0, 0]]


def test_given_array_is_left_untouched():
    X = sp.csr_array(([0.0, 2, 1], [2, 1, 1], [0, 3]), shape=(1, 3))
    data, indices = X.data.copy(), X.indices.copy()
    canonical_csr(X)
    assert_array_equal(X.data, data)
    assert_array_equal(X.indices, indices)


def test_indices_are_narrowed_to_32_bits():
    X = sp.coo_array([[1.0, 0], [0, 2]])
    X.coords = tuple(indices.astype(np.int64) for indices in X.coords)
    assert X.tocsr().indices.dtype == np.int64
    canonical = canonical_csr(X)
    assert canonical.indices.dtype == canonical.indptr.dtype == np.int32
    assert canonical.toarray().tolist() == [[1, 0], [0, 2]]


def test_ends_of_rows_alone_are_narrowed_to_32_bits():
    X = sp.csr_array([[1.0, 0], [0, 2]])
    X.indptr = X.indptr.astype(np.int64)
    canonical = canonical_csr(X)
    assert canonical.indices.dtype == canonical.indptr.dtype == np.int32
    assert np.shares_memory(canonical.indices, X.indices)
    assert X.indptr.dtype == np.int64


def test_canonical_array_is_shared_not_copied():
    X = sp.csr_array([[1.0, 0], [0, 2]])
    assert np.shares_memory(canonical_csr(X).data, X.data)


def test_read_only_array_is_accepted():
    X = sp.csr_array(([0.0, 2, 1], [2, 1, 1], [0, 3]), shape=(1, 3))
    for array in (X.data, X.indices, X.indptr):
        array.flags.writeable = False
    assert canonical_csr(X).toarray().tolist() == [[0, 3, 0]]


@pytest.mark.parametrize(
    ("y", "pos_label", "expected"),
    [
        ([0, 1], None, [0, 1]),
        ([-1, 1, 1], None, [-1, 1]),
        ([0, 1], 0, [1, 0]),
        (["a", "z"], "a", ["z", "a"]),
        ([False, True], None, [False, True]),
        ([1, 1], 1, [0, 1]),
        ([0, 0], 0, [1, 0]),
        ([True], True, [False, True]),
        ([False], False, [True, False]),
        (["z"], "z", ["unlabeled", "z"]),
        (["unlabeled"], "unlabeled", ["not unlabeled", "unlabeled"]),
    ],
)
def test_classes_are_unlabeled_then_positive(y, pos_label, expected):
    assert ordered_classes(np.array(y), pos_label).tolist() == expected


@pytest.mark.parametrize(
    ("y", "pos_label", "message"),
    [
        ([0, 1, 2], None, "Only binary classification"),
        ([0, 1, 2], 1, "Only binary classification"),
        ([1, 1], None, "one class only"),
        ([0, 0], 1, "no sample of the positive class"),
        (["a", "b"], 1, "no sample of the positive class"),
        ([0, 0], None, "no sample is labeled positive: y holds one class, 0"),
        ([False], None, "no sample is labeled positive: y holds one class, False"),
        (["Unlabeled"], None, "no sample is labeled positive: y holds one class, 'Unlabeled'"),
        ([1, np.nan], None, r"y contains NaN or None, in row 1\. .*y\.fillna\(0\)"),
        ([np.nan, 0, 1], 1, r"y contains NaN or None, in row 0\. .*y\.fillna\(0\)"),
    ],
)
def test_labels_that_do_not_name_two_classes_are_refused(y, pos_label, message):
    with pytest.raises(ValueError, match=message):
        ordered_classes(np.array(y), pos_label)


def test_one_class_without_a_name_has_a_code():
    with pytest.raises(OneClass) as refusal:
        ordered_classes(np.ones(2))
    assert refusal.value.code == "one_class"


def test_positives_labeled_by_a_float_are_learned_from_as_the_refusal_says():
    X, y = [[1.0], [2.0]], [1.0, 1.0]
    with pytest.raises(OneClass, match=r"pass pos_label=1 to a method"):
        Prototype().fit(X, y)
    assert Prototype(pos_label=1).fit(X, y).classes_.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("pos_label", [np.int64(1), np.float64(1), 1])
def test_a_label_that_is_not_there_is_told_as_it_is_written(pos_label):
    for look in (ordered_classes, positive_mask):
        with pytest.raises(NoPositives, match=r"y has no value 1\. pos_label says"):
            look(np.array([0, 0]), pos_label)


@pytest.mark.parametrize("algorithm", ["prototype", "one_class_svm"])
def test_positives_alone_are_learned_from_as_the_refusal_says(algorithm):
    texts, y = ["river flood", "flood water"], ["flood", "flood"]
    with pytest.raises(OneClass, match=r"pass pos_label='flood' to a method that learns"):
        make_text_classifier("upu").fit(texts, y)
    make_text_classifier(algorithm, pos_label="flood").fit(texts, y)


@pytest.mark.parametrize(
    "y",
    [
        [1, np.nan, 0],
        [1, None, 1],
        [True, None, True],
        ["flood", np.nan, "flood"],
        ["flood", None, "flood"],
        np.array(["flood", np.nan, "flood"], dtype=object),
        np.array([1, None, 0], dtype=object),
    ],
)
def test_missing_labels_are_told_from_missing_values(y):
    with pytest.raises(ValueError, match=r"^y contains NaN or None, in row 1\. .*fillna"):
        AutoTextClassifier().fit(["river flood", "flood water", "goal"], y)
    with pytest.raises(ValueError, match=r"^y contains NaN or None, in row 1\. .*fillna"):
        LPPUL().fit([[1.0, 0], [0, 1], [1, 1]], y)
    with pytest.raises(ValueError, match=r"^Input X contains NaN\. Fill it, say by 0\.$"):
        LPPUL().fit([[np.nan, 0], [0, 1]], [1, 0])


def test_negative_values_are_refused_with_a_way_out():
    for estimator in (KBest(1), PNB()):
        with pytest.raises(ValueError, match=r"^Negative values .*\. Scale .*semi_jmi.*prototype"):
            estimator.fit([[-1.0, 0], [0, 1]], [1, 0])


IS_POSITIVE = np.array([True, False, False])


def test_no_judgements_is_a_mask_of_none():
    assert check_is_negative(None, IS_POSITIVE).tolist() == [False] * 3


@pytest.mark.parametrize("is_negative", [[False, True, False], [0, 1, 0]])
def test_judgements_may_be_a_list(is_negative):
    assert check_is_negative(is_negative, IS_POSITIVE).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("is_negative", "message"),
    [
        ([False, True], "shape"),
        ([0, 2, 0], r"of booleans or of 0 and 1, got int64 .* with the value 2\.$"),
        # What pandas makes of booleans, and of 0 and 1, among which one is missing.
        ([False, True, None], r"got object .*\. Compare, and fill what is missing, as by \("),
        ([0, 1, np.nan], r"got float64 .*\(is_negative == 1\)\.fillna\(False\)\.$"),
        ([True, False, False], "sample 0 is labeled positive and judged negative"),
    ],
)
def test_judgements_that_contradict_are_refused(is_negative, message):
    with pytest.raises(ValueError, match=message):
        check_is_negative(is_negative, IS_POSITIVE)


@pytest.mark.parametrize("unlabeled", ["unlabeled", "Unlabelled", "UNL", "u", "U", " Unknown"])
@pytest.mark.parametrize("positive", ["Positive", "p", "P", "spam", "wanted", "zebra"])
def test_labels_that_say_unlabeled_are_understood(unlabeled, positive):
    for y in ([positive, unlabeled], [unlabeled, positive]):
        for dtype in (str, object):
            classes = ordered_classes(np.array(y, dtype=dtype))
            assert classes.tolist() == [unlabeled, positive]


@pytest.mark.parametrize(
    ("y", "taken", "why"),
    [
        (["one", "two"], "two", "the later"),
        (["U", "unknown"], "unknown", "the later"),
        (["no", "other"], "other", "the later"),
        (["flood", "other"], "flood", "by its meaning"),
        (["flood", "Negative"], "flood", "by its meaning"),
        (["0", "1"], "1", "by its meaning"),
        (["-1", "1"], "1", "by its meaning"),
        (["flood", "nan"], "flood", "by its meaning"),
        (["", "a"], "a", "by its meaning"),
        (["?", "relevant"], "relevant", "by its meaning"),
    ],
)
@pytest.mark.filterwarnings("ignore:the positive label 'flood' sorts before")
def test_of_words_that_do_not_tell_the_one_taken_is_named_once(y, taken, why):
    X = np.eye(6) + 1
    with pytest.warns(UserWarning, match=f"{taken!r}, {why}.* pass pos_label") as told:
        model = LPPUL(n_neighbors=2).fit(X, np.array(y * 3))
    assert sum("pass pos_label" in str(one.message) for one in told) == 1
    other = y[taken == y[0]]
    assert model.classes_.tolist() == [other, taken]
    assert ordered_classes(np.array(y * 3), other).tolist() == [taken, other]


@pytest.mark.parametrize("sought", ["negative", "other", "no"])
def test_a_word_beside_unlabeled_is_positive_whatever_it_means(sought):
    assert ordered_classes(np.array([sought, "unlabeled"])).tolist() == ["unlabeled", sought]


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_texts_in_place_of_a_matrix_are_told_what_takes_them(kind):
    texts = kind(["river flood", "the cup"])
    with pytest.raises(ValueError, match="X holds texts: make_text_classifier"):
        Prototype().fit(texts, [1, 0])
    with pytest.raises(ValueError, match="X holds texts: make_text_classifier"):
        Prototype().fit([[1, 0], [0, 1]], [1, 0]).predict(texts)


@pytest.mark.parametrize("numbers", [[], np.ones(2), sp.coo_array(np.ones(2))])
def test_one_dimension_of_numbers_is_no_text(numbers):
    with pytest.raises(ValueError, match=r"2D|dimension") as refusal:
        Prototype().fit(numbers, [1, 0])
    assert "texts" not in str(refusal.value)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0, np.nan], [1, 0]], [1, 0], r"NaN\. Fill it, say by 0\.$"),
        ([[1.0, np.inf], [1, 0]], [1, 0], "infinity"),
        ([[1.0, -1], [1, 0]], [1, 0], "Negative values"),
        (np.empty((2, 0)), [1, 0], "0 feature"),
        ([[1.0, 1], [1, 0]], [1, 0, 0], "inconsistent numbers of samples"),
        ([[1.0, 1], [1, 0]], [0.5, 0.7], "continuous"),
        ([[1.0, 1], [1, 0], [0, 1]], [1, 0, 2], "binary"),
        ([[1.0, 1], [1, 0]], [1, None], "NaN or None"),
        (["a text", "another"], [1, 0], "texts"),
    ],
)
def test_unusable_samples_are_a_refusal(X, y, message):
    with pytest.raises(Refused, match=message):
        PNB().fit(X, y)


def test_samples_of_another_width_are_a_refusal():
    classifier = PNB().fit([[1.0, 1], [1, 0]], [1, 0])
    with pytest.raises(Refused, match="3 features"):
        classifier.score_samples([[1.0, 1, 1]])
