"""Batches by all their options: what is left over, which epoch it is, how far rows are padded."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds


def ragged(count):
    rows = [np.arange(i + 1) for i in range(count)]
    return ds.GeneratorDataset(lambda: ((row,) for row in rows), ["x"], shuffle=False)


def lengths(data, **options):
    return [row.shape for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True, **options)]


@pytest.mark.parametrize("drop", [False, True])
def test_what_is_left_over_is_dropped_on_request(drop):
    rest = [] if drop else [(1, 7)]
    assert lengths(ragged(7).padded_batch(3, drop, pad_info={"x": ([7], 0)})) == [(3, 7)] * 2 + rest
    mapped = ds.NumpySlicesDataset({"x": np.arange(7)}, shuffle=False).batch(
        3, drop, per_batch_map=lambda x, _: ([v + 1 for v in x],), input_columns=["x"])
    assert lengths(mapped) == [(3,)] * 2 + ([] if drop else [(1,)])
    buckets = ragged(6).bucket_batch_by_length(["x"], [3, 5], [2, 3, 4], pad_info={"x": ([None], 0)},
                                               drop_remainder=drop)
    assert lengths(buckets) == [(2, 2)] + ([] if drop else [(2, 4), (2, 6)])


def test_functions_of_batches_see_the_epoch_and_the_batch():
    seen = []

    def look(x, info):
        seen.append((info.get_epoch_num(), info.get_batch_num()))
        return (x,)

    data = ds.NumpySlicesDataset({"x": np.arange(5)}, shuffle=False).batch(2, per_batch_map=look, input_columns=["x"])
    passes = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    for _ in range(3):
        list(passes)
    assert sorted(set(seen)) == [(epoch, batch) for epoch in range(3) for batch in range(3)]


def test_buckets_end_below_their_boundaries_and_pad_to_them():
    data = ragged(4).bucket_batch_by_length(["x"], [3, 5], [2, 2, 1], pad_info={"x": ([None], 9)},
                                            pad_to_bucket_boundary=True)
    found = [row.tolist() for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert found == [[[0, 9], [0, 1]], [[0, 1, 2, 9], [0, 1, 2, 3]]]
    wide = ragged(1).bucket_batch_by_length(["x"], [3, 5], [1, 1, 1], pad_info={"x": ([None], 9)},
                                            pad_to_bucket_boundary=True)
    assert lengths(wide) == [(1, 2)]
    by = ragged(4).bucket_batch_by_length(["x"], [3, 5], [2, 2, 1], lambda x: 3, pad_info={"x": ([None], 9)})
    assert lengths(by) == [(2, 2), (2, 4)]


def test_parts_of_a_zip_are_shuffled_apart():
    one = ds.NumpySlicesDataset({"a": np.arange(50)}, shuffle=True)
    other = ds.NumpySlicesDataset({"b": np.arange(50)}, shuffle=True)
    pairs = list(ds.zip((one, other)).create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert sum(int(a) == int(b) for a, b in pairs) < 15


class Drawing:
    def __call__(self, column, info):
        return ([x + np.random.rand() for x in column],)


def test_every_batch_of_a_worker_process_draws_numbers_of_its_own():
    data = ds.NumpySlicesDataset({"x": np.zeros(12)}, shuffle=False).batch(
        3, per_batch_map=Drawing(), input_columns=["x"], num_parallel_workers=2, python_multiprocessing=True)
    drawn = [x.tolist() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert len({number for batch in drawn for number in batch}) == 12
