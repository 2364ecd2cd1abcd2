"""Hashes of short strings of bytes, for compiled code."""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

#: Bytes that may be read behind a string, so that it can be read in words.
MARGIN = 8

_ODD = np.uint64(0x9E3779B97F4A7C15)
_OTHER_ODD = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


@intrinsic
def _eight_bytes(typing_context, array, start):
    """Return eight bytes of an array of bytes as one number; the bounds are not checked."""

    def generate(context, builder, call, arguments):
        data = context.make_array(call.args[0])(context, builder, arguments[0]).data
        address = builder.gep(data, [arguments[1]])
        return builder.load(builder.bitcast(address, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(array, types.intp), generate


@numba.njit(cache=True, nogil=True, inline="always")
def mixed(number, length):
    """Return a hash of a 64-bit number: different ones for different numbers, at one length."""
    number ^= np.uint64(length) * _OTHER_ODD
    number *= _ODD
    number ^= number >> _HALF
    number *= _OTHER_ODD
    return number ^ (number >> np.uint64(29))


@numba.njit(cache=True, nogil=True, forceinline=True)
def hash_bytes(source, start, length):
    """Return the 64-bit hash of bytes; no two strings of eight bytes or fewer share one length too.

    Up to ``MARGIN`` bytes behind the string are read, and ignored.
    """
    total = np.uint64(0)
    end = start + length
    while end - start > 8:
        total = mixed(total ^ _eight_bytes(source, start), 0)
        start += 8
    rest = _eight_bytes(source, start)
    if end - start < 8:
        rest &= (np.uint64(1) << np.uint64(8 * (end - start))) - np.uint64(1)
    return mixed(total ^ rest, length)


@numba.njit(cache=True, nogil=True, forceinline=True)
def equal_bytes(first, first_start, second, second_start, length):
    """Tell whether two strings of eight bytes or more are equal."""
    last = length - 8
    for at in range(0, last, 8):
        if _eight_bytes(first, first_start + at) != _eight_bytes(second, second_start + at):
            return False
    return _eight_bytes(first, first_start + last) == _eight_bytes(second, second_start + last)


@numba.njit(cache=True, nogil=True)
def murmur_hash(source, length):
    """Return MurmurHash3 of the first bytes: 32 bits, seed 0, signed, as in scikit-learn.

    References
    ----------
    Appleby, A. (2011). MurmurHash3, function ``MurmurHash3_x86_32``. Public domain.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.utils import murmurhash3_32
    >>> from core.kernels.tokens.hash import murmur_hash
    >>> bool(murmur_hash(np.frombuffer(b"a seed", np.uint8), 6) == murmurhash3_32(b"a seed"))
    True
    """
    total = np.uint32(0)
    for block in range(length // 4):
        word = np.uint32(0)
        for i in range(4):
            word |= np.uint32(source[4 * block + i]) << np.uint32(8 * i)
        total ^= _murmur_word(word)
        total = np.uint32(_rotated(total, 13) * np.uint32(5) + np.uint32(0xE6546B64))
    rest = np.uint32(0)
    for i in range(length % 4):
        rest |= np.uint32(source[length - length % 4 + i]) << np.uint32(8 * i)
    total ^= _murmur_word(rest) ^ np.uint32(length)
    total = np.uint32((total ^ (total >> np.uint32(16))) * np.uint32(0x85EBCA6B))
    total = np.uint32((total ^ (total >> np.uint32(13))) * np.uint32(0xC2B2AE35))
    return np.int32(total ^ (total >> np.uint32(16)))


@numba.njit(cache=True, nogil=True, forceinline=True)
def _murmur_word(word):
    word = np.uint32(word * np.uint32(0xCC9E2D51))
    return np.uint32(_rotated(word, 15) * np.uint32(0x1B873593))


@numba.njit(cache=True, nogil=True, forceinline=True)
def _rotated(word, n_bits):
    return np.uint32((word << np.uint32(n_bits)) | (word >> np.uint32(32 - n_bits)))
