"""What other threads do while one calls a compiled function: attributes, parameters, errors, hooks, tasks."""
import asyncio
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from threads_at_once import at_once

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ir.runtime import runtime

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -2.0]], np.float32)


@pytest.fixture(autouse=True)
def often():
    """Let threads take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@contextmanager
def meanwhile(change):
    """Let a thread call a function again and again."""
    end, count = threading.Event(), []

    def run():
        while not end.is_set():
            change(len(count))
            count.append(0)
            end.wait(0.0002)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
    assert count


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w, self.scale = Parameter(Tensor(X), name="w"), 1.0

    def construct(self, x):
        return ops.tanh(x) * self.w * self.scale


def test_attributes_and_parameters_that_change():
    net, scales, factors = Net(), (1.0, 2.0, 3.0), (1.0, -1.0)
    run = ms.jit(net)

    def change(k):
        net.scale = scales[k % 3]
        ms.load_param_into_net(net, {"w": Parameter(Tensor(X * factors[k % 2]), name="w")})
        net.set_train(bool(k % 2))
    found = []
    with meanwhile(change):
        for results in at_once(*[lambda: [run(Tensor(X)).asnumpy() for _ in range(40)]] * 3):
            found += results
    possible = [np.tanh(X) * X * s for s in scales]
    for one in found:                       # elements are written one after another: each has its sign
        assert any(np.allclose(np.abs(one), np.abs(p), rtol=1e-5) for p in possible)


def test_first_calls_with_different_shapes():
    for n in range(4):
        @ms.jit
        def run(x, n=n):
            return ops.sin(x) * n + x.shape[0]
        rows = [np.arange(k + 1.0, dtype=np.float32) for k in range(8)]
        for x, found in zip(rows, at_once(*[lambda x=x: run(Tensor(x)).asnumpy() for x in rows]), strict=True):
            np.testing.assert_allclose(found, np.sin(x) * n + len(x), rtol=1e-5)


def test_errors_of_one_thread_leave_nothing_to_others():
    product, good = ms.jit(lambda x, y: x @ y), ms.jit(lambda x: ops.relu(x) * 3)

    def fail():
        for k in range(20):
            with pytest.raises(ValueError, match="MatMul"):
                product(Tensor(np.ones((2, 3 + k), np.float32)), Tensor(np.ones((2, 3), np.float32)))
            with pytest.raises(KeyError):
                ms.grad(lambda x: {}[x * 2])(Tensor(1.0))
            assert runtime.depth == 0
            assert runtime.building is None
            assert len(runtime.stack) == 1

    def work():
        for k in range(20):
            x = np.arange(-3.0, k, dtype=np.float32)
            np.testing.assert_array_equal(good(Tensor(x)).asnumpy(), np.maximum(x, 0) * 3)
            assert float(ms.grad(lambda x: x * x)(Tensor(3.0))) == 6.0
    at_once(fail, work, fail, work)


def test_hooks_see_the_gradients_of_their_thread():
    def run(k):
        seen = []

        def change(d):
            seen.append(float(d))
            return d * k

        def f(x):
            y = x * 2
            y.register_hook(change)
            return y * y
        return [float(ms.grad(f)(Tensor(3.0))) for _ in range(20)], seen
    for k, (found, seen) in enumerate(at_once(*[lambda k=k: run(k) for k in range(6)])):
        assert found == [24.0 * k] * 20
        assert seen == [12.0] * 20


def test_tasks_and_threads_of_a_function():
    async def cubes(x):
        y = x * x
        await asyncio.sleep(0)
        return y * x

    def in_a_pool(x):
        with ThreadPoolExecutor(2) as pool:
            return pool.submit(ops.cos, x).result() * 3
    assert float(ms.grad(lambda x: asyncio.run(cubes(x)))(Tensor(2.0))) == 12.0
    run = ms.jit(in_a_pool)
    for found in at_once(*[lambda: run(Tensor(X)).asnumpy()] * 4):
        np.testing.assert_allclose(found, np.cos(X) * 3, rtol=1e-5)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_checkpoints_hold_what_was_there_when_they_were_asked_for(tmp_path, mode):
    ms.set_context(mode=mode)
    try:
        net = Net()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.5))
        saved = []
        for k in range(10):
            saved.append(net.w.asnumpy())
            ms.save_checkpoint(net, str(tmp_path / f"{k}.ckpt"), async_save=True)
            step(Tensor(X), Tensor(X))
            net.w.set_data(net.w * 1.5)
        end = time.monotonic() + 30
        while len(list(tmp_path.glob("*.ckpt"))) < len(saved) and time.monotonic() < end:
            time.sleep(0.01)
        for k, one in enumerate(saved):
            np.testing.assert_array_equal(ms.load_checkpoint(str(tmp_path / f"{k}.ckpt"))["w"].asnumpy(), one)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
