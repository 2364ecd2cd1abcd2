import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from core.doctor import duplicates
from core.doctor.duplicates import SAME, find_duplicates, repeats
from core.kernels.rows import row_blocks
from core.kernels.rows.unit_rows import unit_rows


def found(Z, is_positive, is_negative):
    findings = find_duplicates(Z, is_positive, is_negative, np.random.RandomState(0))
    return {finding.code: finding for finding in findings}


@pytest.mark.parametrize("block_entries", [2**20, 7])
def test_finds_what_comparing_all_pairs_finds(monkeypatch, block_entries):
    monkeypatch.setattr(row_blocks, "BLOCK_ENTRIES", block_entries)
    random = np.random.default_rng(0)
    rows = sp.csr_array(random.poisson(0.4, size=(30, 8)).astype(float))
    Z = unit_rows(sp.vstack([rows, rows[::3], 2 * rows[::5]], format="csr"))
    kind = random.integers(3, size=Z.shape[0])
    has = (Z.toarray() > 0).astype(float)
    common, sizes = has @ has.T, has.sum(axis=1)
    is_alike = (common > 0) & (common >= SAME * np.sqrt(np.outer(sizes, sizes)))

    findings = found(Z, kind == 1, kind == 2)
    is_same = is_alike & (kind == 1)[:, None]
    for code, level in [("contradicting_labels", 2), ("unlabeled_copies", 0)]:
        expected = np.flatnonzero(is_same.any(axis=0) & (kind == level))
        assert len(expected)
        assert_array_equal(findings[code].rows, expected)
    earlier = np.triu(is_same, k=1).any(axis=0) & (kind == 1)
    assert_array_equal(findings["repeated_positives"].rows, np.flatnonzero(earlier))


def test_all_is_fine_where_no_two_are_alike():
    findings = found(sp.eye_array(6, format="csr"), np.arange(6) < 3, np.arange(6) == 5)
    assert {finding.level for finding in findings.values()} == {"fine"}
    assert all(finding.rows == [] for finding in findings.values())


def test_samples_without_features_are_no_copies_of_each_other():
    findings = found(sp.csr_array((4, 3)), np.arange(4) < 2, np.arange(4) == 3)
    assert {finding.level for finding in findings.values()} == {"fine"}


def test_of_many_positives_some_are_compared(monkeypatch):
    monkeypatch.setattr(duplicates, "MAX_POSITIVES", 2)
    Z = sp.csr_array(np.ones((6, 1)))
    findings = found(Z, np.arange(6) < 4, np.zeros(6, dtype=bool))
    assert findings["unlabeled_copies"].numbers["n_compared"] == 2
    assert findings["unlabeled_copies"].rows == [4, 5]


def test_texts_of_one_form_are_told_to_be_read_before_they_are_labeled():
    # A manual's "List all locations of NAME.": the one word that tells them apart may be the kind.
    Z = sp.csr_array(np.hstack([np.ones((2, 10)), np.eye(2)]))
    finding = found(Z, np.array([True, False]), np.zeros(2, dtype=bool))["unlabeled_copies"]
    assert finding.rows == [1]
    assert "Read them, and label those that are of the kind" in finding.message


def test_a_link_does_not_hide_a_copy():
    # Twelve words of many texts, and in the copies two that nothing else has.
    words, links = np.ones((3, 12)), np.kron(np.eye(3), [9.0, 9.0])
    Z = sp.csr_array(np.hstack([words, links]))
    assert found(Z, np.arange(3) < 2, np.zeros(3, bool))["unlabeled_copies"].rows == [2]
    assert repeats(Z, np.arange(3)).tolist() == [False, True, True]


def test_half_of_the_words_are_no_copy():
    Z = sp.csr_array(np.hstack([np.ones((3, 6)), np.kron(np.eye(3), np.ones(6))]))
    assert {
        finding.level for finding in found(Z, np.arange(3) < 2, np.zeros(3, bool)).values()
    } == {"fine"}
    assert not repeats(Z, np.arange(3)).any()
