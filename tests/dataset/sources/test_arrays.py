from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def test_lists_arrays_tuples_and_dicts_are_columns(rows):
    assert rows(ds.NumpySlicesDataset([1, 2], shuffle=False)) == [(1,), (2,)]
    assert rows(ds.NumpySlicesDataset(np.eye(2), shuffle=False)) == [([1.0, 0.0],), ([0.0, 1.0],)]
    data = ds.NumpySlicesDataset(([1, 2], ["x", "yy"]), shuffle=False)
    assert data.get_col_names() == ["column_0", "column_1"]
    assert rows(data) == [(1, "x"), (2, "yy")]
    assert ds.NumpySlicesDataset({"a": [1], "b": [2]}).get_col_names() == ["a", "b"]


def test_rows_keep_their_type():
    data = ds.NumpySlicesDataset({"a": np.zeros((2, 3), np.float16), "b": np.array([True, False])})
    assert data.output_types() == [np.float16, np.bool_]
    assert data.output_shapes() == [[3], []]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([], ValueError),
        (5, TypeError),
        ({"a": [1], "b": [1, 2]}, ValueError),
        ({}, ValueError),
        ((1, 2), TypeError),
    ],
)
def test_columns_must_be_equally_long_and_not_empty(data, error):
    with pytest.raises(error, match="NumpySlicesDataset"):
        ds.NumpySlicesDataset(data)


def test_rows_can_be_given_one_by_one(rows):
    assert rows(ds.PaddedDataset([{"x": [1, 2]}, {"x": [3]}])) == [([1, 2],), ([3],)]


def test_rows_of_a_list_may_differ_in_length():
    data = ds.NumpySlicesDataset([[1], [2, 3]], ["x"], shuffle=False)
    rows = [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True)]
    assert rows == [[1], [2, 3]]
