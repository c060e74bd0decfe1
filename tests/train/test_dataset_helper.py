"""Loops over datasets for programs that write their own training."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import nn, train

X = np.arange(8, dtype=np.float32).reshape(4, 2)


def data():
    return ds.NumpySlicesDataset(X, ["x"], shuffle=False).batch(2)


class Sum(nn.Cell):
    def construct(self, x):
        return x.sum()


def test_without_sink_the_helper_gives_the_batches():
    helper = train.DatasetHelper(data(), dataset_sink_mode=False, epoch_num=2)
    assert helper.sink_size() == 1
    for _ in range(2):
        assert [float(batch[0].asnumpy().sum()) for batch in helper] == [6, 22]


def test_with_sink_the_network_takes_the_batches_itself():
    helper = train.DatasetHelper(data(), sink_size=3)
    network = train.connect_network_with_dataset(Sum(), helper)
    assert helper.sink_size() == 3
    assert [float(network(*inputs).asnumpy()) for inputs in helper] == [6]
    assert [float(network(*inputs).asnumpy()) for inputs in helper] == [22]


def test_a_sink_continues_where_it_was_stopped():
    helper = train.DatasetHelper(data(), sink_size=1)
    network = train.connect_network_with_dataset(Sum(), helper)
    assert helper.get_send_info() == (0, 0.0, 0.0)
    assert [float(network(*inputs).asnumpy()) for inputs in helper] == [6]
    assert helper.get_send_info()[0] == 1
    helper.stop_send()
    helper.continue_send()
    assert [float(network(*inputs).asnumpy()) for inputs in helper] == [22]
    assert helper.get_mbuf_queue_size() >= 0
    helper.release()


def test_a_dataset_with_iterators_of_its_own_is_asked_for_them():
    class Own(ds.NumpySlicesDataset):
        def create_tuple_iterator(self, *args, **kwargs):
            return iter([[5]])

    helper = train.DatasetHelper(Own(X), sink_size=1)
    assert helper._held().queue is None
    assert helper.next_batch() == [5]


def test_the_helper_tells_types_and_shapes():
    types, shapes = train.DatasetHelper(data()).types_shapes()
    assert shapes == [[2, 2]]
    assert len(types) == 1


def test_a_sink_of_a_function_goes_through_the_dataset_again_and_again():
    seen = []
    step = train.data_sink(lambda x: seen.append(float(x.asnumpy().sum())) or len(seen), data(), sink_size=3)
    assert [step(), step()] == [3, 6]
    assert seen == [6, 22, 6, 22, 6, 22]


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (TypeError, lambda: train.DatasetHelper(X)),
        (ValueError, lambda: train.DatasetHelper(data(), sink_size=0)),
        (TypeError, lambda: train.DatasetHelper(data(), dataset_sink_mode=1)),
        (TypeError, lambda: train.data_sink(3, data())),
        (ValueError, lambda: train.data_sink(print, data(), 0)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error):
        make()
