"""Where tensors lie: in memory of other objects, of other tensors, and how to see it."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor


@pytest.mark.parametrize(("options", "words"), [
    ({"count": 0}, "must not be 0"), ({"offset": -2}, "must be non-negative"), ({"offset": 8}, "must be non-negative"),
    ({"count": -3}, "must be -1 or positive"), ({"count": 5}, "is not enough for the requested count"),
    ({"offset": 6, "count": 2}, "is not enough"), ({"offset": 3}, "multiple of element size")])
def test_a_buffer_that_does_not_hold_what_is_asked_for_is_refused(options, words):
    with pytest.raises(RuntimeError, match=words):
        ms.frombuffer(bytearray(8), ms.int16, **options)


def test_what_is_no_buffer_and_what_is_empty_is_refused():
    with pytest.raises(RuntimeError, match="does not implement Python buffer protocol"):
        ms.frombuffer([1, 2], ms.int16)
    with pytest.raises(RuntimeError, match=r"buffer length \(0\)"):
        ms.frombuffer(b"", ms.int16)


def test_a_buffer_of_several_dimensions_is_read_whole():
    given = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert ms.frombuffer(given, ms.int32, 4, 8).tolist() == [2, 3, 4, 5]


def test_views_lie_in_the_storage_of_their_base():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    storage = x.untyped_storage()
    assert (storage.nbytes(), storage.size(), len(storage), storage.element_size(), storage.device) == (
        24, 24, 24, 1, x.device)
    assert x[1].T.untyped_storage().data_ptr() == storage.data_ptr() == x.data_ptr()
    assert (x + 1).untyped_storage().data_ptr() != storage.data_ptr()


def test_data_that_is_assigned_is_shared():
    x, y = Tensor([1.0, 2.0]), Tensor([[3], [4]])
    x.data = y
    assert (x.shape, x.dtype, x.tolist()) == ((2, 1), ms.int64, [[3], [4]])
    y.add_(1)
    assert x.tolist() == [[4], [5]]
    with pytest.raises(TypeError, match="'data' must be of type 'Tensor'"):
        x.data = [1]
