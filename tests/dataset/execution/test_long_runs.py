"""Memory stays bounded however many passes are read, and loading continues while a network is trained."""

from __future__ import annotations

import time

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, nn, train
from mindspore.dataset import vision
from mindspore.dataset.execution import memory


def resident():
    """Megabytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


@pytest.mark.slow
@pytest.mark.parametrize("processes", [False, True])
def test_memory_is_bounded_over_twenty_passes(processes):
    images = np.zeros((1500, 64, 64, 3), np.uint8)
    data = ds.NumpySlicesDataset({"image": images}, shuffle=True)
    if processes:
        data = data.map(lambda x: x + 1, num_parallel_workers=2, python_multiprocessing=True)
    data = data.map([vision.RandomCrop(60), vision.Rescale(0.5, 0.0)], num_parallel_workers=2)
    iterator = data.batch(32).create_tuple_iterator(num_epochs=20)
    after = []
    for _ in range(20):
        rows = sum(len(batch) for (batch,) in iterator)
        assert rows == 1500
        after.append(resident())
    assert max(after[5:]) < max(after[:5]) + 30  # a pass has 62 MB of results
    kept = sum(len(chunk) for waiting in memory._idle.values() for chunk in waiting)
    assert kept < 400 * 2**20


@pytest.mark.parametrize("sink", [False, True])
def test_a_model_trains_from_a_pipeline(sink):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((64, 3)).astype(np.float32)
    data = ds.NumpySlicesDataset({"x": x, "y": x @ np.array([[1.0], [-2.0], [0.5]], np.float32)})
    data = data.map(lambda x: x * np.float32(1.0), "x").batch(16, drop_remainder=True)
    net = nn.Dense(3, 1)
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(30, data, dataset_sink_mode=sink)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.0, -2.0, 0.5]], atol=1e-2)


def test_loading_continues_while_the_reader_works():
    def slow(x):
        time.sleep(0.01)  # as a file or another machine would
        return x

    data = ds.NumpySlicesDataset({"x": np.zeros((32, 4), np.float32)}, shuffle=False)
    data = data.map(slow, "x").batch(2)
    iterator = data.create_tuple_iterator(num_epochs=1)
    begin, spent = time.perf_counter(), 0.0
    for (batch,) in iterator:
        assert isinstance(batch, Tensor)
        work = time.perf_counter()
        time.sleep(0.02)
        spent += time.perf_counter() - work
    assert iterator.report().waited < 0.75 * (time.perf_counter() - begin)
    loading = dict((n.split(" (")[0], s) for n, _, s in iterator.report().stages)["map x"]
    assert time.perf_counter() - begin < 0.9 * (spent + loading) + 0.1
