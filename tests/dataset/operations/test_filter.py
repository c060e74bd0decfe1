from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def test_a_filter_keeps_the_rows_whose_predicate_is_true(rows):
    data = ds.NumpySlicesDataset({"a": np.arange(4), "b": np.arange(4) * 10}, shuffle=False)
    assert rows(data.filter(lambda a, b: a + b > 15, ["a", "b"])) == [(2, 20), (3, 30)]
    with pytest.raises(RuntimeError, match="failed at row 0: ZeroDivisionError"):
        rows(data.filter(lambda a, b: 1 // int(a)))


def test_the_columns_of_a_predicate_need_not_be_the_first_ones():
    rows = ds.NumpySlicesDataset({"a": [1, 2, 3], "b": [30, 10, 20]}, shuffle=False)
    kept = rows.filter(lambda b: b > 15, input_columns=["b"])
    assert [int(r["a"]) for r in kept.create_dict_iterator(output_numpy=True)] == [1, 3]
    both = rows.filter(lambda b, a: b > 15 * a, input_columns=["b", "a"])
    assert [int(r["a"]) for r in both.create_dict_iterator(output_numpy=True)] == [1]


def test_rows_are_counted_over_all_that_comes_in():
    parts = [ds.NumpySlicesDataset({"a": part}, shuffle=False) for part in ([1, 2, 3, 4], [5, 6, 7], [8, 9])]
    odd = (parts[0] + parts[1] + parts[2]).filter(lambda a: a % 2 == 1)
    with pytest.raises(RuntimeError, match="failed at row 4: ZeroDivisionError"):
        list(odd.filter(lambda a: 1 // int(a - 9)))
