"""Rows that wait for a sign of their reader: counted as the reader gets them."""

from __future__ import annotations

import threading

import pytest

import mindspore.dataset as ds
from mindspore.core import log
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.operations import sync


def signed(data, number=None, seen=lambda x: None):
    """What a reader gets who gives a sign after each row; an error if he waits for ever."""
    found, iterator = [], data.create_tuple_iterator(num_epochs=1, output_numpy=True)

    def read():
        for (x,) in iterator:
            found.append(x.tolist())
            seen(x)
            data.sync_update("read", number)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join(20)
    ended = not reader.is_alive()
    iterator.stop()
    assert ended, found
    return found


def waiting(num_batch=1):
    """Eight rows, of which the reader gets so many without a sign."""
    return ds.NumpySlicesDataset(list(range(8)), shuffle=False).sync_wait("read", num_batch)


# what MindSpore 2.10 gives for these
@pytest.mark.parametrize(("data", "number", "expected"), [
    (lambda: waiting().batch(4), None, [[0, 1, 2, 3], [4, 5, 6, 7]]),
    (lambda: waiting(2).batch(3), None, [[0, 1, 2], [3, 4, 5], [6, 7]]),
    (lambda: waiting().batch(4), 1, [[0, 1, 2, 3], [4, 5, 6, 7]]),
    (lambda: waiting().batch(2).batch(2), None, [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]),
    (lambda: waiting().padded_batch(3), None, [[0, 1, 2], [3, 4, 5], [6, 7]]),
    (lambda: waiting().map(abs).batch(3), None, [[0, 1, 2], [3, 4, 5], [6, 7]]),
    (lambda: waiting().repeat(2).batch(6), None, [[0, 1, 2, 3, 4, 5], [6, 7, 0, 1, 2, 3], [4, 5, 6, 7]]),
    (lambda: waiting().batch(5).map(abs), None, [[0, 1, 2, 3, 4], [5, 6, 7]]),
])
def test_batches_are_counted_where_they_are_made_after_the_wait(data, number, expected):
    assert signed(data(), number) == expected


def test_no_more_rows_are_made_than_the_signs_allow():
    made = []

    def seen(x):
        made.append(int(x))
        return x

    data = ds.NumpySlicesDataset(list(range(12)), shuffle=False).sync_wait("read").map(seen).batch(3)
    counts = []
    assert len(signed(data, seen=lambda x: counts.append(len(made)))) == 4
    assert counts == [3, 6, 9, 12]


def test_one_gate_serves_batches_of_two_sizes():
    data = waiting()
    assert signed(data.batch(4)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert signed(data.batch(5)) == [[0, 1, 2, 3, 4], [5, 6, 7]]
    assert signed(data) == list(range(8))


def test_a_batch_size_that_a_function_gives_is_refused():
    with pytest.raises(PipelineError, match="'batch_size' must be a number where a 'sync_wait' stands before"):
        waiting().batch(lambda info: 2)
    data = waiting()
    data.disable_sync()
    assert len(signed(data.batch(lambda info: 2))) == 4


def test_a_reader_who_waits_for_rows_that_wait_for_him_is_told(monkeypatch):
    monkeypatch.setattr(sync, "PATIENCE", 0.1)
    data = waiting().filter(lambda x: x % 3 == 1).batch(2)
    said = []

    def warning(text):
        said.append(text)
        data.sync_update("read", 8)

    monkeypatch.setattr(log, "warning", warning)
    assert [x.tolist() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [[1, 4], [7]]
    assert len(said) == 1
    assert "has waited 0.1 s for a row, and the rows wait in 'sync_wait' for 'sync_update' of 'read'" in said[0]
    assert "give 'sync_wait' a larger 'num_batch'" in said[0]


def test_rows_pass_in_the_end_if_nobody_gives_a_sign(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", said.append)
    ds.config.set_callback_timeout(1)
    data = waiting(2)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert [x.tolist() for (x,) in iterator] == list(range(8))
    assert len(said) == 1
    assert "no 'sync_update' of 'read' came within 1 s" in said[0]
