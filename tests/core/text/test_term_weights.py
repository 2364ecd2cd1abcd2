"""The oracle is scikit-learn's TfidfTransformer."""

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfTransformer

from core.kernels.rows import row_blocks
from core.text.term_weights import TermMask, TermWeighting
from tests.core.conftest import peak_bytes


@pytest.fixture
def counts():
    """Thirty texts of eight terms that cannot be written to; the first one is empty."""
    X = np.random.default_rng(0).poisson(0.5, size=(30, 8)).astype(np.float32)
    X[0] = 0
    X = sp.csr_array(X)
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    return X


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("use_idf", "smooth_idf", "sublinear_tf", "norm"),
    list(product([True, False], [True, False], [True, False], ["l1", "l2", None])),
)
def test_tfidf_is_that_of_scikit_learn(counts, dtype, use_idf, smooth_idf, sublinear_tf, norm):
    parameters = {
        "use_idf": use_idf,
        "smooth_idf": smooth_idf,
        "sublinear_tf": sublinear_tf,
        "norm": norm,
    }
    X = counts.astype(dtype)
    expected = TfidfTransformer(**parameters).fit_transform(X)
    actual = TermWeighting(**parameters).fit_transform(X)
    assert actual.dtype == expected.dtype == dtype
    assert_array_equal(actual.toarray(), expected.toarray())


def test_binary_is_one_for_each_term(counts):
    actual = TermWeighting(representation="binary").fit_transform(counts)
    assert_array_equal(actual.toarray(), counts.toarray() > 0)


def test_counts_pass_without_a_copy(counts):
    actual = TermWeighting(representation="counts").fit_transform(counts)
    assert np.shares_memory(actual.data, counts.data)


@pytest.mark.parametrize("representation", ["counts", "binary", "tfidf"])
def test_input_that_cannot_be_written_is_no_trouble(counts, representation):
    before = counts.toarray()
    actual = TermWeighting(representation=representation).fit_transform(counts)
    assert actual.format == "csr"
    assert_array_equal(counts.toarray(), before)


@pytest.mark.parametrize("representation", ["counts", "binary", "tfidf"])
def test_weights_in_a_file_are_those_in_memory(counts, representation, tmp_path, monkeypatch):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", 20)
    assert len(row_blocks.row_blocks(counts)) > 3
    weighting = TermWeighting(representation=representation)
    actual = weighting.fit_transform(counts, folder=tmp_path)
    assert_array_equal(actual.toarray(), weighting.transform(counts).toarray())
    assert np.shares_memory(actual.indices, counts.indices)
    assert not list(tmp_path.iterdir())


def test_weights_in_a_file_take_no_memory_of_their_own(tmp_path):
    X = sp.random_array((20_000, 200), density=0.5, format="csr", dtype=np.float32, rng=0)
    TermWeighting().fit_transform(X[:100], folder=tmp_path)
    peak = peak_bytes(lambda: TermWeighting().fit_transform(X, folder=tmp_path))
    # Weights and idf of each entry of a block, and room for the ends of the rows.
    assert peak < 12 * row_blocks.BLOCK_ENTRIES + 64 * X.shape[0]
    assert 8 * X.nnz > 12 * row_blocks.BLOCK_ENTRIES


def test_a_term_of_no_text_keeps_new_texts_finite():
    weighting = TermWeighting(smooth_idf=False).fit([[1, 0], [2, 0]])
    assert_allclose(weighting.transform([[0.0, 3]]).toarray(), [[0, 1]])


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="Negative values"):
        TermWeighting().fit([[-1.0, 2]])


@pytest.mark.parametrize("dtype", [bool, int])
def test_names_of_the_terms_follow_the_mask(counts, dtype):
    mask = np.arange(8) % 3 == 0
    selection = TermMask(mask.astype(dtype)).fit(counts)
    names = np.array(list("abcdefgh"), dtype=object)
    assert_array_equal(selection.get_feature_names_out(names), ["a", "d", "g"])
    assert_array_equal(selection.transform(counts).toarray(), counts.toarray()[:, mask])


@pytest.mark.parametrize("mask", [[True] * 7, [2] * 8, [False] * 8, [0] * 8, [[True] * 8]])
def test_a_mask_that_does_not_fit_is_refused(counts, mask):
    with pytest.raises(ValueError, match="mask"):
        TermMask(mask).fit(counts)


def test_what_fails_to_learn_anew_does_not_weigh_as_before():
    weighting = TermWeighting().fit([[1, 0, 2, 0], [0, 1, 1, 0]])
    for learn in (weighting.fit, weighting.fit_transform):
        with pytest.raises(ValueError, match="Negative values"):
            learn([[-1, 0, 1]])
        # By the frequencies of other terms.
        with pytest.raises(NotFittedError):
            weighting.transform([[1, 0, 1]])
