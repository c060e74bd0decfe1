"""When steps are done at once and when one by one: what else watches, which batches come, what the step is."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler import sinking
from mindspore.compiler.kernels import available
from mindspore.compiler.sinking import Steps

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


def batches(count=6, rows=4):
    draws = np.random.default_rng(1)
    return [(Tensor(draws.standard_normal((rows, 1, 8, 8)).astype(np.float32)),
             Tensor(draws.integers(0, 5, rows).astype(np.int32))) for _ in range(count)]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.pool, self.last = nn.Conv2d(1, 3, 3, pad_mode="valid"), nn.MaxPool2d(2, 2), nn.Dense(27, 5)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv(x)))
        return self.last(x.reshape((x.shape[0], 27)))


def stepping(seed=0):
    """A function under `jit` that trains a network, as steps; and the network."""
    net, loss = Net(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    draws = np.random.default_rng(seed)
    for p in net.trainable_params():
        p.set_data(Tensor(draws.standard_normal(p.shape).astype(np.float32)))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    grads = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        value, found = grads(x, y)
        optimizer(found)
        return value
    steps = Steps(step)
    steps.run(batches())               # compiles
    assert steps.done == 1
    return steps, net


@pytest.fixture(scope="module")
def compiled():
    steps, _ = stepping()
    steps.run(batches())
    assert steps.done > 1
    return steps


@pytest.fixture
def known(compiled):
    """Steps whose program is there, as if none had been tried in vain."""
    compiled.trials, compiled.most = 3, 64
    return compiled


@pytest.mark.parametrize("count", [2, 3, 6])
def test_all_batches_that_are_alike_are_done(count):
    steps, net = stepping()
    alone, other = stepping()
    out = steps.run(batches()[:count])
    assert steps.done == count
    assert 2 <= steps.most <= 64
    for x, y in batches()[:count]:
        want = alone.step(x, y)
    assert float(out) == float(want)
    for mine, theirs in zip(net.trainable_params(), other.trainable_params(), strict=True):
        np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())


def test_one_batch_is_one_step(known):
    known.run(batches()[:1])
    assert known.done == 1


def test_batches_of_other_kinds_end_what_is_done_at_once(known):
    known.run([*batches()[:3], *batches(1, rows=2), *batches()[:2]])
    assert known.done == 3
    first = batches()[0]
    for other in ((first[0], first[1].astype(ms.int64)), (Parameter(first[0], name="p"), first[1]),
                  (first[0][:2], first[1][:2])):
        assert sinking._alike([first, first, other, first]) == 2
    assert sinking._alike([first] * 4) == 4
    known.run([(Parameter(first[0], name="p"), first[1]), *batches()])
    assert known.done == 1


OTHERS = {"depth": 1, "building": True, "casting": object()}


@pytest.mark.parametrize("name", OTHERS)
def test_what_a_thread_does_meanwhile_wants_single_steps(known, monkeypatch, name):
    state = {"depth": 0, "building": False, "casting": None}
    monkeypatch.setattr(sinking, "runtime", SimpleNamespace(**state))
    known.run(batches())
    assert known.done > 1
    monkeypatch.setattr(sinking, "runtime", SimpleNamespace(**{**state, name: OTHERS[name]}))
    known.run(batches())
    assert known.done == 1


@pytest.mark.parametrize(("name", "value"), [
    ("waiting", {1: 2}), ("Hooked", SimpleNamespace(count=1)), ("watching", SimpleNamespace(begin=len)),
    ("running", SimpleNamespace(active=lambda: True)),
    ("context", SimpleNamespace(state=SimpleNamespace(precompile_only=True, mode=1), GRAPH_MODE=0))])
def test_what_watches_or_changes_steps_wants_single_ones(known, monkeypatch, name, value):
    with monkeypatch.context() as changed:
        changed.setattr(sinking, name, value)
        known.run(batches())
        assert known.done == 1
    known.run(batches())
    assert known.done > 1


def test_a_function_that_is_no_native_program_is_tried_three_times():
    @ms.jit
    def step(x, y):
        return ops.sort(x)[0].sum() + y.sum() * 1.0
    steps, seen = Steps(step), []
    for _ in range(5):
        steps.run(batches())
        assert steps.done == 1
        seen.append(steps.most)
        steps.run(batches()[:1])                  # one batch is no trial
    assert seen == [64, 64, 1, 1, 1]
    assert Steps(lambda x, y: x).most == 1


def test_a_step_that_fails_counts_as_done():
    def step(x, y):
        raise ArithmeticError("x")
    steps = Steps(step)
    with pytest.raises(ArithmeticError):
        steps.run(batches())
    assert steps.done == 1
