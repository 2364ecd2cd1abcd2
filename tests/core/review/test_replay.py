import numpy as np
import pytest

from core.review.choice import enough_negatives
from core.review.replay import Replay

WORDS = np.array(["water", "river", "flood", "goal", "match", "team", "share", "bank"])


@pytest.fixture
def texts():
    random = np.random.default_rng(0)
    is_relevant = np.arange(60) % 4 == 0
    texts = [
        " ".join(random.choice(WORDS[:4] if relevant else WORDS[2:], 6)) for relevant in is_relevant
    ]
    return texts, is_relevant


@pytest.mark.parametrize("strategy", ["mixed", "relevance", "uncertainty"])
def test_all_but_the_seeds_is_read_once(texts, strategy):
    seeds = np.array([0, 4])
    rounds = list(Replay(*texts, seeds, strategy=strategy, batch=7).rounds())
    read = np.concatenate([round.read for round in rounds])
    assert sorted(read.tolist()) == sorted(set(range(60)) - {0, 4})
    assert {len(round.read) for round in rounds[:-1]} == {7}


def test_the_learner_changes_once_enough_negatives_are_judged(texts):
    _, is_relevant = texts
    n_negative = 0
    for round in Replay(*texts, np.array([0]), batch=5).rounds():
        expected = "judged_svm" if n_negative >= enough_negatives(60) else "seed_expansion"
        assert round.algorithm == expected
        n_negative += int((~is_relevant[round.read]).sum())


def test_the_same_random_state_reads_in_the_same_order(texts):
    first, second = (
        np.concatenate([r.read for r in Replay(*texts, np.array([0, 4]), random_state=3).rounds()])
        for _ in range(2)
    )
    assert first.tolist() == second.tolist()


def test_it_finds_relevant_texts_sooner_than_chance(texts):
    _, is_relevant = texts
    read = np.concatenate([r.read for r in Replay(*texts, np.array([0, 4]), batch=5).rounds()])
    # By chance a quarter of the first 15 would be relevant.
    assert is_relevant[read[:15]].mean() > 0.5


def test_the_seeds_tell_how_many_there_are(texts):
    _, is_relevant = texts
    relevant = np.flatnonzero(is_relevant)
    n_pile, n_hidden = 60 - 6, len(relevant) - 6
    expected = Replay(*texts, relevant[:6]).expected()
    assert 1 <= expected.low <= n_hidden <= expected.high <= n_pile - 1
    assert Replay(*texts, relevant[:1]).expected() is None


def test_seeds_that_are_all_the_same_tell_nothing(texts):
    some, is_relevant = texts
    seeds = np.flatnonzero(is_relevant)[:2]
    some[seeds[1]] = some[seeds[0]]
    assert Replay(some, is_relevant, seeds).expected() is None


def test_what_says_nearly_the_same_is_judged_without_being_read(texts):
    short, is_relevant = texts
    # Words of their own make twenty texts unlike. Each comes three times, but for a word.
    own = [" ".join(f"word{15 * i + j}" for j in range(15)) for i in range(20)]
    copied = [f"{short[i]} {own[i]} {end}" for end in ("a", "b", "c") for i in range(20)]
    truth = np.tile(is_relevant[:20], 3)
    truth[1] = not truth[21]
    replay = Replay(copied, truth, np.array([0]), batch=7, judges_alike=True)

    rounds = list(replay.rounds())
    read, alike = (np.concatenate([round[part] for round in rounds]) for part in (1, 2))

    # The first is known; two others say the same.
    assert sorted((read % 20).tolist()) == list(range(20))
    assert sorted([*read, *alike]) == list(range(1, 60))
    # Of the three that differ in their labels, those got that of the one that was read.
    (first,) = read[read % 20 == 1]
    wrong = {1, 21, 41} - {first} if first == 1 else {1}
    assert set(np.flatnonzero(replay.told != truth).tolist()) == wrong
