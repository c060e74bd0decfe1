from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset.block import RowBlock, as_array, columns_of, joined, packed, stacked


def test_rows_of_stacked_columns_are_arrays_even_without_axes():
    row = RowBlock(0, 2, [np.arange(2)]).row(1)[0]
    assert isinstance(row, np.ndarray)
    assert row.shape == ()


def test_columns_of_different_rows_are_joined_as_a_list():
    column = joined([np.zeros((1, 2)), np.zeros((1, 3))])
    assert [row.shape for row in column] == [(2,), (3,)]


def test_rows_stack_only_with_equal_shapes_and_types():
    assert stacked([np.zeros(2), np.zeros(3)]) is None
    assert stacked([np.zeros(2), np.zeros(2, np.float32)]) is None
    assert stacked([np.array("a"), np.array("bcd")]).tolist() == ["a", "bcd"]


@pytest.mark.parametrize("value", [None, object(), [[1, 2], [3]]])
def test_values_that_are_no_arrays_are_refused(value):
    with pytest.raises(TypeError, match="must be an array"):
        as_array(value)


def test_python_values_become_arrays_of_numpys_types():
    assert as_array(3).dtype == np.int64
    assert as_array(2.5).dtype == np.float64
    assert as_array("text").tolist() == "text"
    assert as_array(b"bytes").tolist() == b"bytes"


def test_a_long_text_does_not_make_all_rows_wide():
    rows = [[np.array("a" * (300_000 if i == 3 else 5 + i))] for i in range(40)]
    column, = columns_of(rows)
    assert [row.item() for row in column] == [row[0].item() for row in rows]
    assert sum([row.nbytes for row in column]) < 2 * 4 * 300_000
    assert isinstance(columns_of(rows[:3])[0], np.ndarray)
    assert packed([row[0] for row in rows]) is None
    assert stacked([row[0] for row in rows]).shape == (40,)      # a batch is one array, whatever it takes
