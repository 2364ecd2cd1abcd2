from contextlib import closing

import numpy as np
import pytest

from core.kernels.rows.growing_array import GrowingArray


@pytest.mark.parametrize("is_file", [False, True])
def test_parts_come_one_after_the_other_and_leave_no_file(tmp_path, is_file):
    with closing(GrowingArray(np.float32, tmp_path if is_file else None)) as growing:
        growing.append([1, 2])
        growing.append(np.arange(3, 6)[::2])
        array = growing.array()
    array[0] = 7
    assert array.dtype == np.float32
    assert array.tolist() == [7, 2, 3, 5]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("is_file", [False, True])
def test_nothing_is_an_empty_array(tmp_path, is_file):
    with closing(GrowingArray(np.int32, tmp_path if is_file else None)) as growing:
        assert growing.array().shape == (0,)
