"""Rows that a training takes from a queue."""

from __future__ import annotations

import time

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn


def numbers(count=5, shuffle=False):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=shuffle)


def taken(queue, most=None):
    rows = []
    for row in queue.rows():
        rows.append(int(row[0].asnumpy()))
        if len(rows) == most:
            break
    return rows


def test_rows_are_prepared_before_they_are_taken():
    queue = numbers().device_que()
    queue.send(num_epochs=2)
    end = time.monotonic() + 10
    while queue.get_mbuf_queue_size() < 5 and time.monotonic() < end:
        time.sleep(0.01)
    assert queue.get_mbuf_queue_size() >= 5
    assert taken(queue) == [0, 1, 2, 3, 4]
    assert taken(queue) == [0, 1, 2, 3, 4]
    assert queue.get_send_info()[0] == 10
    with pytest.raises(RuntimeError, match="2 passes"):
        taken(queue)
    queue.release()
    queue.send(1)
    assert taken(queue) == [0, 1, 2, 3, 4]


def test_passes_may_follow_each_other_without_an_end():
    queue = numbers(2).device_que(send_epoch_end=False)
    queue.send(num_epochs=3)
    assert taken(queue) == [0, 1] * 3


@pytest.mark.parametrize("passes", [-1, 3])
def test_sending_continues_where_it_was_stopped(passes):
    data = numbers(20, shuffle=True).map(lambda x: x + np.random.randint(1), "x")
    queue = data.device_que()
    queue.send(passes)
    first = taken(queue)
    part = taken(queue, 7)
    queue.stop_send()
    assert taken(queue) == []
    queue.continue_send()
    second = part + taken(queue)
    assert sorted(first) == sorted(second) == list(range(20))
    assert first != second
    assert sorted(taken(queue)) == list(range(20))
    queue.release()


def test_a_seed_gives_the_rows_of_an_iterator_with_and_without_a_stop():
    ds.config.set_seed(7)
    expected = [int(x) for (x,) in numbers(30, True).create_tuple_iterator(num_epochs=1)]
    queue = numbers(30, True).device_que()
    queue.send(1)
    rows = taken(queue, 11)
    queue.stop_send()
    queue.continue_send()
    assert rows + taken(queue) == expected


def test_what_the_queue_tells():
    queue = numbers().batch(2).device_que(create_data_info_queue=True, queue_name="mine")
    assert queue.queue_name == "mine"
    assert queue.get_data_info() == ([np.int64], [[2]])
    assert queue.get_dataset_size() == 3
    assert numbers().device_que().queue_name != numbers().device_que().queue_name
    assert queue.get_send_info() == (0, 0.0, 0.0)


def test_what_the_queue_refuses():
    queue = numbers().device_que()
    for ask in (
        queue.create_dict_iterator,
        queue.create_tuple_iterator,
        queue.output_shapes,
        queue.output_types,
        queue.get_data_info,
        lambda: taken(queue),
        lambda: iter(queue),
    ):
        with pytest.raises(RuntimeError, match="For '"):
            ask()
    queue.send()
    with pytest.raises(RuntimeError, match="already"):
        queue.send()
    queue.release()
    for arguments in ((3,), (True, 2), (True, False, 2)):
        with pytest.raises(TypeError, match="device_que"):
            numbers().device_que(*arguments)


def test_transforms_for_the_device_are_done_by_the_workers():
    data = numbers().map(lambda x: x * np.float32(2), "x", offload=True).batch(5)
    (row,) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    np.testing.assert_array_equal(row[0], np.arange(5) * 2)
    cell = data.device_que().get_offload_model()
    assert isinstance(cell, nn.Cell)
    (out,) = cell(ms.Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(out.asnumpy(), [1, 2])
    ds.config.set_auto_offload(True)
    assert ds.config.get_auto_offload() is True
    with pytest.raises(TypeError, match="offload"):
        numbers().map(abs, "x", offload="yes")


def test_a_gate_lets_rows_pass_and_more_after_a_sign():
    seen = []
    gate = ds.BlockReleasePair(2, seen.append)
    assert [gate.block_func(), gate.block_func()] == [True, True]
    assert gate.block_func(lambda: True) is False
    gate.release_func(1, "sign")
    assert gate.block_func() is True
    assert gate.block_func(lambda: True) is False
    gate.release_func()
    assert [gate.block_func(), gate.block_func()] == [True, True]
    assert seen == ["sign", None]
    gate.reset()
    assert [gate.block_func(), gate.block_func()] == [True, True]
    gate.disable_lock()
    assert all(gate.block_func() for _ in range(9))
    for rows, error in [("a", TypeError), (0, ValueError), (-1, ValueError)]:
        with pytest.raises(error, match="init_release_rows"):
            ds.BlockReleasePair(rows)
