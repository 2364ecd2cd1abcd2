import pytest
import scipy.sparse as sp

from core.auto.candidates import LINEAR
from core.auto.entries import Candidate
from core.auto.race_seconds import (
    GROWTH,
    MANY_DOCUMENTS,
    SECONDS,
    SECONDS_OF_OTHERS,
    race_seconds,
)

#: Of 1,000 documents with 20,000 entries.
COUNTS = sp.random_array((1000, 200), density=0.1, format="csr", rng=0)


@pytest.mark.parametrize(
    ("candidate", "n_numbers"),
    [
        (Candidate("prototype"), 20_000),
        (Candidate("weighted_logistic_regression"), 20_000),
        (Candidate("seed_expansion"), 20_000 + 50 * 1000),
        (Candidate("seed_expansion", LINEAR), 20_000),
        (Candidate("seed_expansion", {"max_unlabeled": 100}), (20_000 + 50 * 1000) / 10),
        (Candidate("judged_svm", {"n_components": 10}), 20_000 + 10 * 1000),
    ],
)
def test_time_is_that_of_entries_and_latent_directions(candidate, n_numbers):
    seconds = SECONDS.get(candidate.algorithm, SECONDS_OF_OTHERS)
    assert race_seconds(candidate, COUNTS) == pytest.approx(seconds * n_numbers)


def test_many_documents_take_more_steps():
    few, many = (
        sp.csr_array((n_documents, 3)) for n_documents in (MANY_DOCUMENTS, 32 * MANY_DOCUMENTS)
    )
    expansion = Candidate("seed_expansion")
    ratio = race_seconds(expansion, many) / race_seconds(expansion, few)
    assert ratio == pytest.approx(32 * 32**GROWTH)
    drawn = Candidate("seed_expansion", {"max_unlabeled": MANY_DOCUMENTS})
    assert race_seconds(drawn, many) == pytest.approx(race_seconds(expansion, few))
