"""Iterators that end together."""
from __future__ import annotations

import pytest

import mindspore.dataset as ds
from mindspore.dataset.engine.iterators import (
    _cleanup,
    _unset_iterator_cleanup,
    check_iterator_cleanup,
)


def test_every_iterator_is_stopped():
    reading = [ds.NumpySlicesDataset([1, 2, 3], shuffle=False).create_tuple_iterator(num_epochs=1) for _ in range(2)]
    assert [int(next(rows)[0]) for rows in reading] == [1, 1]
    try:
        _cleanup()
        assert check_iterator_cleanup()
        for rows in reading:
            with pytest.raises(StopIteration):
                next(rows)
    finally:
        _unset_iterator_cleanup()
    assert not check_iterator_cleanup()
    assert len(list(ds.NumpySlicesDataset([1, 2, 3]))) == 3
