from __future__ import annotations

import gc

import numpy as np
import pytest

from mindspore.dataset.execution import memory

MANY = 2**20


@pytest.fixture(autouse=True)
def _nothing_idle():
    gc.collect()
    memory.release()
    yield
    memory.release()


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_is_used_again_when_the_last_view_is_gone():
    array = memory.empty((MANY,), np.uint8)
    place, view = address(array), array[5:10]
    del array
    assert address(memory.empty((MANY,), np.uint8)) != place
    del view
    assert address(memory.empty((MANY // 4,), np.float32)) == place


def test_arrays_in_use_are_never_handed_out_twice():
    arrays = [memory.empty((MANY,), np.uint8) for _ in range(5)]
    for number, array in enumerate(arrays):
        array[:] = number
    assert [int(array.max()) for array in arrays] == list(range(5))


def test_a_bounded_number_of_chunks_waits():
    arrays = [memory.empty((2**25,), np.uint8) for _ in range(10)]
    del arrays
    assert sum(len(waiting) for waiting in memory._idle.values()) == 4


def test_rows_are_gathered():
    rows = np.arange(40_000, dtype=np.int32).reshape(4000, 10)
    numbers = np.array([3, 3999, 0] * 1000)
    np.testing.assert_array_equal(memory.gathered(rows, numbers), rows[numbers])
    assert memory.gathered(rows, numbers[:0]).shape == (0, 10)


def test_small_and_other_arrays_are_ordinary():
    assert memory.empty((3,), np.float64).base is None
    assert memory.empty((MANY,), "U1").base is None
