import numpy as np
import pytest

from core import peak_memory


@pytest.mark.skipif(peak_memory.peak() is None, reason="the system does not tell the peak")
def test_peak_holds_what_was_freed_since_the_reset():
    held = peak_memory.reset_peak()
    np.ones(64 * 2**20 // 8).sum()
    assert peak_memory.peak() - held > 50
