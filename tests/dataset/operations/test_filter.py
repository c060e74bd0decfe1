from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def test_a_filter_keeps_the_rows_whose_predicate_is_true(rows):
    data = ds.NumpySlicesDataset({"a": np.arange(4), "b": np.arange(4) * 10}, shuffle=False)
    assert rows(data.filter(lambda a, b: a + b > 15, ["a", "b"])) == [(2, 20), (3, 30)]
    with pytest.raises(RuntimeError, match="failed at row 0: ZeroDivisionError"):
        rows(data.filter(lambda a, b: 1 // int(a)))
