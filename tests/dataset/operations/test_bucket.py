"""Batches of rows of similar length: which bucket a length belongs to."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.mark.parametrize("length", [None, len])
def test_a_boundary_begins_the_next_bucket(length):
    rows = ds.GeneratorDataset([(np.full(n, n),) for n in (2, 3, 4, 5, 1, 6)], ["x"], shuffle=False)
    rows = rows.bucket_batch_by_length(["x"], [3, 5], [2, 2, 2], length)
    batches = [sorted({int(v) for v in b[0].ravel()} - {0}) for b in rows.create_tuple_iterator(output_numpy=True)]
    assert sorted(batches) == [[1, 2], [3, 4], [5, 6]]


def test_the_size_of_a_batch_is_asked_for_with_its_number_and_epoch():
    rows = ds.NumpySlicesDataset(list(range(12)), shuffle=False)
    rows = rows.batch(lambda info: info.get_batch_num() + info.get_epoch_num() + 1)
    epochs = rows.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [[len(b[0]) for b in epochs] for _ in range(2)] == [[1, 2, 3, 4, 2], [2, 3, 4, 3]]


def test_lengths_are_those_of_the_first_axis():
    rows = ds.GeneratorDataset([(np.full((n, 3), n),) for n in (1, 4, 2, 5)], ["x"], shuffle=False)
    rows = rows.bucket_batch_by_length(["x"], [3, 6], [2, 2, 2], pad_info={"x": ([None, 3], 0)})
    batches = [sorted({int(v) for v in b[0].ravel()} - {0}) for b in rows.create_tuple_iterator(output_numpy=True)]
    assert sorted(batches) == [[1, 2], [4, 5]]
