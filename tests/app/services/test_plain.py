import json

import numpy as np

from app.services.plain import plain


def test_plain_values_are_json() -> None:
    value = {
        "array": np.array([1.5, np.nan]),
        "numbers": (np.int64(3), np.float32(0.5), float("inf")),
        "flag": np.bool_(True),
        "text": "word",
    }
    expected = {"array": [1.5, None], "numbers": [3, 0.5, None], "flag": True, "text": "word"}
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)
