from app.repositories.content_digests import content_digests

DIGESTS = [bytes([i]) * 16 for i in range(3)]


def test_without_vectors_they_are_those_of_the_texts() -> None:
    assert content_digests(DIGESTS, [None] * 3) == b"".join(DIGESTS)


def test_a_vector_changes_its_own_alone() -> None:
    codes = [None, "3:abc", None], [None, "3:abd", None]
    first, second = (content_digests(DIGESTS, of_each) for of_each in codes)
    for found in (first, second):
        assert (found[:16], found[32:]) == (DIGESTS[0], DIGESTS[2])
    assert len({first[16:32], second[16:32], DIGESTS[1]}) == 3
