import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils import murmurhash3_32

from core.kernels.tokens.hash import MARGIN, hash_bytes, murmur_hash


@given(st.binary(max_size=40), st.binary(max_size=5))
def test_murmur_hashes_are_those_of_scikit_learn(text, behind):
    data = np.frombuffer(text + behind, dtype=np.uint8)
    assert murmur_hash(data, len(text)) == murmurhash3_32(text)


@given(st.binary(max_size=24), st.binary(min_size=MARGIN, max_size=MARGIN))
def test_what_is_behind_a_string_does_not_matter(text, behind):
    expected = hash_bytes(np.frombuffer(text + bytes(MARGIN), dtype=np.uint8), 0, len(text))
    assert hash_bytes(np.frombuffer(text + behind, dtype=np.uint8), 0, len(text)) == expected


def test_short_strings_of_one_length_never_share_a_hash():
    # All pairs of bytes, in front of and behind zeros.
    pairs = np.indices((256, 256), dtype=np.uint8).reshape(2, -1)
    for place in (0, 3, 6):
        data = np.zeros((pairs.shape[1], 2 * MARGIN), dtype=np.uint8)
        data[:, place], data[:, place + 1] = pairs
        hashes = {int(hash_bytes(row, 0, 8)) for row in data}
        assert len(hashes) == len(data)
