from pathlib import Path

import numpy as np
import pytest

from app.services.ranking.ranking_file import RankingFile, append, write
from core.persistence import load_arrays

N = 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    numbers = np.flatnonzero(random.random(4 * N) < 0.25)
    columns = {
        "scores": random.integers(20, size=len(numbers)).astype(float),
        "probabilities": random.random(len(numbers), dtype=np.float32),
    }
    kept = dict(columns)
    write(numbers, columns, tmp_path / "ranking")
    assert not columns
    np.savez(tmp_path / "columns.npz", numbers=numbers, **kept)
    return tmp_path


def test_rows_stay_whole_and_equal_scores_stay_in_their_order(file: Path) -> None:
    given, stored = np.load(file / "columns.npz"), load_arrays(file / "ranking")
    rows = zip(*(given[name].tolist() for name in given.files), strict=True)
    expected = sorted(rows, key=lambda row: -row[1])
    assert list(zip(*(stored[name].tolist() for name in given.files), strict=True)) == expected
    assert stored["scores"].dtype == np.float64


def test_documents_are_found_as_by_looking_at_each(file: Path) -> None:
    ranking = RankingFile(load_arrays(file / "ranking"))
    for wanted in (np.arange(-5, 4 * N + 5), np.arange(0, 4 * N, 7), np.array([], dtype=np.int64)):
        expected = np.flatnonzero(np.isin(ranking.numbers, wanted))
        np.testing.assert_array_equal(ranking.positions(wanted), expected)
        np.testing.assert_array_equal(np.flatnonzero(ranking.mask(wanted)), expected)


def test_numbers_beyond_32_bits_are_kept(tmp_path: Path) -> None:
    numbers = np.array([1, 2**40])
    write(numbers, {"scores": np.array([0.0, 1.0])}, tmp_path / "ranking")
    ranking = RankingFile(load_arrays(tmp_path / "ranking"))
    assert ranking.numbers.tolist() == [2**40, 1]
    assert ranking.positions(numbers[1:]).tolist() == [0]


@pytest.mark.parametrize("n_known", [1, 900, N - 1])
def test_appending_makes_the_file_that_writing_all_makes(
    file: Path, tmp_path: Path, n_known: int
) -> None:
    given = dict(np.load(file / "columns.npz"))
    numbers = given.pop("numbers")
    known, further = np.split(numbers, [n_known])
    write(known, {name: given[name][:n_known] for name in given}, tmp_path / "first")
    added = {name: given[name][n_known:] for name in given}
    append(RankingFile(load_arrays(tmp_path / "first")), further, added, tmp_path / "appended")
    expected, found = load_arrays(file / "ranking"), load_arrays(tmp_path / "appended")
    assert found.keys() == expected.keys()
    for name, column in expected.items():
        np.testing.assert_array_equal(found[name], column, strict=True)


def test_appended_numbers_beyond_32_bits_are_kept(tmp_path: Path) -> None:
    write(np.array([1]), {"scores": np.array([0.0])}, tmp_path / "first")
    known = RankingFile(load_arrays(tmp_path / "first"))
    further = np.array([2**40])
    append(known, further, {"scores": np.array([1.0])}, tmp_path / "ranking")
    ranking = RankingFile(load_arrays(tmp_path / "ranking"))
    assert (ranking.numbers.tolist(), ranking.last_number) == ([2**40, 1], 2**40)
    assert ranking.columns.keys() == {"scores"}
