from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import mindspore.dataset as ds


def numbers(count, **more):
    return ds.NumpySlicesDataset({"x": np.arange(count), **more}, shuffle=False)


def ragged(count):
    return ds.GeneratorDataset(lambda: (np.arange(i + 1) for i in range(count)), ["x"])


@pytest.mark.parametrize("size", [1, 2, 3, 64, 1000])
@pytest.mark.parametrize("drop", [False, True])
def test_batches_hold_the_rows_in_their_order(column, size, drop):
    data = numbers(700).batch(size, drop_remainder=drop)
    wanted = [list(range(i, min(i + size, 700))) for i in range(0, 700, size)]
    if drop and len(wanted[-1]) < size:
        wanted.pop()
    assert column(data) == wanted
    assert data.get_dataset_size() == len(wanted)


def test_batches_of_batches_have_one_axis_more():
    data = numbers(8).batch(2).batch(3)
    shapes = [x.shape for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert shapes == [(3, 2), (1, 2)]
    assert data.output_shapes() == [[3, 2]]


def test_rows_of_different_shapes_name_the_column_and_both_shapes(rows):
    with pytest.raises(
        RuntimeError, match=r"'x' of batch 0 got int64\[1\] and int64\[2\].*padded_batch"
    ):
        rows(ragged(4).batch(2))


def test_a_function_of_the_batch_gets_lists_and_the_batch_number(rows):
    def shifted(column, info):
        return ([x + 100 * info.get_batch_num() for x in column],)

    data = numbers(5, y=np.arange(5)).batch(2, per_batch_map=shifted, input_columns=["x"])
    assert rows(data) == [([0, 1], [0, 1]), ([102, 103], [2, 3]), ([204], [4])]


def test_a_function_of_the_batch_may_make_other_columns(rows):
    data = numbers(4, y=np.arange(4)).batch(
        2,
        per_batch_map=lambda x, y, _: (np.stack(x) + np.stack(y),),
        input_columns=["x", "y"],
        output_columns=["sum"],
    )
    assert data.get_col_names() == ["sum"]
    assert rows(data) == [([0, 2],), ([4, 6],)]


def test_a_failing_function_of_the_batch_names_the_batch(rows):
    def broken(column, info):
        if info.get_batch_num() == 1:
            raise KeyError("no such thing")
        return (column,)

    with pytest.raises(
        RuntimeError, match=r"'.*broken' failed at batch 1: KeyError: 'no such thing'"
    ) as caught:
        rows(numbers(4).batch(2, per_batch_map=broken, input_columns="x"))
    assert isinstance(caught.value.__cause__, KeyError)


def test_sizes_of_batches_may_come_from_a_function(column):
    assert column(numbers(7).batch(lambda info: info.get_batch_num() + 1)) == [
        [0],
        [1, 2],
        [3, 4, 5],
        [6],
    ]


def test_padding_to_a_shape_and_to_the_longest(column):
    fixed = ragged(3).padded_batch(2, pad_info={"x": ([4], -1)})
    assert column(fixed) == [[[0, -1, -1, -1], [0, 1, -1, -1]], [[0, 1, 2, -1]]]
    longest = ragged(3).padded_batch(3, pad_info={"x": ([None], 9)})
    assert column(longest) == [[[0, 9, 9], [0, 1, 9], [0, 1, 2]]]
    everything = ragged(2).batch(2, pad_info={})
    assert column(everything) == [[[0, 0], [0, 1]]]


def test_buckets_hold_rows_of_similar_length(column):
    data = ragged(6).bucket_batch_by_length(["x"], [3, 5], [2, 2, 1], pad_info={"x": ([None], 0)})
    assert column(data) == [
        [[0, 0], [0, 1]],
        [[0, 1, 2, 0], [0, 1, 2, 3]],
        [[0, 1, 2, 3, 4]],
        [[0, 1, 2, 3, 4, 5]],
    ]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"batch_size": -1}, ValueError),
        ({"batch_size": 1.5}, TypeError),
        ({"batch_size": 2, "drop_remainder": 1}, TypeError),
        ({"batch_size": 2, "per_batch_map": 3}, TypeError),
        ({"batch_size": 2, "per_batch_map": lambda x: x}, ValueError),
        ({"batch_size": 2, "output_columns": ["y"]}, ValueError),
    ],
)
def test_wrong_arguments_are_refused_at_once(options, error):
    with pytest.raises(error, match="'batch'"):
        numbers(4).batch(**options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"input_columns": ["x"]}, ValueError),
        ({"max_rowsize": "a"}, TypeError),
        ({"max_rowsize": [1]}, TypeError),
        ({"max_rowsize": 2**31}, ValueError),
    ],
)
def test_arguments_that_mean_nothing_are_refused(options, error):
    with pytest.raises(error, match="batch"):
        ds.NumpySlicesDataset([1, 2], ["x"]).batch(2, **options)


def test_buckets_are_padded_with_zeros_unless_told_otherwise():
    data = ds.NumpySlicesDataset([[1], [2, 3]], ["x"], shuffle=False)
    data = data.bucket_batch_by_length(["x"], [5], [2, 2])
    (row,) = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    assert row["x"].tolist() == [[1, 0], [2, 3]]


def test_there_are_no_shapes_and_types_without_rows():
    data = ds.NumpySlicesDataset([1, 2]).skip(5)
    assert data.output_shapes() == data.output_types() == []


def test_threads_pad_where_they_are_asked_for(monkeypatch):
    from mindspore.dataset.operations import padding

    seen, pad = set(), padding.padded

    def noted(*args):
        seen.add(threading.get_ident())
        time.sleep(0.01)                       # so long that other threads take what waits
        return pad(*args)

    monkeypatch.setattr(padding, "padded", noted)

    def rows(workers):
        seen.clear()
        data = ds.GeneratorDataset([np.arange(n % 7 + 1) for n in range(90)], ["x"], shuffle=False)
        data = data.padded_batch(3, num_parallel_workers=workers, pad_info={"x": ([8], -1)})
        return [x.tolist() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    alone = rows(None)
    assert len(seen) == 1
    assert rows(1) == alone
    assert len(seen) == 1
    assert rows(4) == alone
    assert len(seen) > 1
    assert len(alone) == 30
    assert alone[2] == [[0, 1, 2, 3, 4, 5, 6, -1], [0, -1, -1, -1, -1, -1, -1, -1], [0, 1, -1, -1, -1, -1, -1, -1]]


def test_padded_batches_take_a_function_that_gives_their_size():
    # observed: MindSpore 2.10
    data = ragged(4).padded_batch(lambda info: info.get_batch_num() + 1, pad_info={})
    assert [x.shape for (x,) in data.create_tuple_iterator(output_numpy=True)] == [(1, 1), (2, 3), (1, 4)]
    cut = ragged(4).padded_batch(lambda info: info.get_batch_num() + 1, True, pad_info={})
    assert [x.shape for (x,) in cut.create_tuple_iterator(output_numpy=True)] == [(1, 1), (2, 3)]
    with pytest.raises(RuntimeError, match="'padded_batch', the 'batch_size' function must give a positive int"):
        list(ragged(4).padded_batch(lambda info: 0, pad_info={}))
    with pytest.raises(ValueError, match="function of one argument"):
        ragged(4).padded_batch(lambda a, b: 1)
