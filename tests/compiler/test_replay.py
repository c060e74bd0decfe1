"""Sweeps over the tape of training steps that repeat themselves are done by a compiled program, and give the same."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler import replay
from mindspore.eager import steady

STEPS = steady._USED + 3


@pytest.fixture
def runs(monkeypatch):
    """How many sweeps were done by programs."""
    found = []
    plain = replay.Program.__call__

    def call(self, tensors):
        found.append(self)
        return plain(self, tensors)
    monkeypatch.setattr(replay.Program, "__call__", call)
    return found


@pytest.fixture(autouse=True)
def _pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


def trained(net, forward, x, y, steps):
    """The losses of torch for the same network: momentum 0.9, rate 0.1."""
    weights = {n: torch.tensor(p.asnumpy().copy(), requires_grad=True) for n, p in net.parameters_and_names()}
    optimizer = torch.optim.SGD(weights.values(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(forward(weights, torch.tensor(x)), torch.tensor(y).long())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def stepping(net):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    return step.set_train()


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = nn.Conv2d(2, 3, 3, pad_mode="valid", has_bias=True), nn.Dense(12, 4)
        self.pool = nn.MaxPool2d(2, 2)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv(x)))
        return self.fc(x.reshape(x.shape[0], -1))


@pytest.mark.parametrize("batch", [3, 16, 20])
def test_training_gives_what_torch_gives_and_programs_do_the_sweeps(runs, batch):
    rng = np.random.default_rng(batch)
    x = rng.standard_normal((batch, 2, 6, 6)).astype(np.float32)
    y = rng.integers(0, 4, batch).astype(np.int32)

    def forward(w, x):
        x = torch.relu(torch.nn.functional.conv2d(x, w["conv.weight"], w["conv.bias"]))
        x = torch.nn.functional.max_pool2d(x, 2).flatten(1)
        return torch.nn.functional.linear(x, w["fc.weight"], w["fc.bias"])
    net = Net()
    expected = trained(net, forward, x, y, STEPS)
    step = stepping(net)
    np.testing.assert_allclose([float(step(Tensor(x), Tensor(y))) for _ in range(STEPS)], expected, rtol=2e-5)
    assert len(runs) == STEPS - steady._USED + 1


def test_a_training_that_is_run_again_gives_the_same_numbers():
    def losses():
        ms.set_seed(3)
        step = stepping(nn.SequentialCell(nn.Dense(5, 16), nn.LayerNorm((16,)), nn.GELU(), nn.Dense(16, 3)))
        x, y = Tensor(np.linspace(-1, 1, 40, dtype=np.float32).reshape(8, 5)), Tensor(np.arange(8, dtype=np.int32) % 3)
        return [float(step(x, y)) for _ in range(STEPS)]
    first = losses()
    assert losses() == first


def gradient(function, weight, *args):
    return ms.value_and_grad(function, None, [weight])(*args)[1][0].asnumpy().tolist()


def test_another_constant_is_another_program(runs):
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    for _ in range(STEPS):
        assert gradient(lambda: (w * 3.0).sum(), w) == [3.0, 3.0]
    count = len(runs)
    assert count
    assert gradient(lambda: (w * 4.0).sum(), w) == [4.0, 4.0]
    assert len(runs) == count
    assert gradient(lambda: (w * -0.0).sum(), w) == [0.0, 0.0]
    assert str(gradient(lambda: (w * -0.0).sum(), w)) == "[-0.0, -0.0]"


def test_structures_that_alternate_are_told_apart(runs):
    w = Parameter(Tensor([1.0, -2.0]), name="w")
    for k in range(4 * STEPS):
        if k % 2:
            assert gradient(lambda: (w * w).sum(), w) == [2.0, -4.0]
        else:
            assert gradient(lambda: (w * w * w).sum(), w) == [3.0, 12.0]
    assert len({id(p) for p in runs}) == 2


def test_shapes_that_differ_are_other_programs(runs):
    w = Parameter(Tensor([2.0]), name="w")
    for n in (3, 5):
        for _ in range(STEPS):
            x = Tensor(np.arange(n, dtype=np.float32))
            assert gradient(lambda x: (w * x).sum(), w, x) == [n * (n - 1) / 2]
    assert len({id(p) for p in runs}) == 2


def test_gradients_share_no_memory_with_each_other_or_what_was_saved(runs):
    v, w = [Parameter(Tensor([1.0, 2.0]), name=n) for n in "vw"]
    x = Tensor([3.0, 4.0])
    for _ in range(STEPS):
        _, (dv, dw) = ms.value_and_grad(lambda x: (v * x + w * x).sum(), None, [v, w])(x)
        dv += 1.0
        assert (dv.tolist(), dw.tolist(), x.tolist()) == ([4.0, 5.0], [3.0, 4.0], [3.0, 4.0])
    assert runs


def test_a_parameter_that_is_not_used_gets_zeros(runs):
    v, w = [Parameter(Tensor([1.0, 2.0]), name=n) for n in "vw"]
    for _ in range(STEPS):
        _, (dv, dw) = ms.value_and_grad(lambda: (v * v).sum(), None, [v, w])()
        assert (dv.tolist(), dw.tolist()) == ([2.0, 4.0], [0.0, 0.0])
    assert runs


def test_a_value_that_was_changed_in_place_is_an_error_in_every_step():
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    def changing(x):
        y = w * x
        z = ops.exp(y)
        view = z[:1]
        z = z * 2.0
        view.assign_value(Tensor([7.0]))
        return z.sum()
    said = []
    for k in range(STEPS):
        try:
            said.append(gradient(changing if k % 2 else lambda x: (w * x).sum(), w, Tensor([1.0, 1.0])))
        except RuntimeError as error:
            said.append(str(error).splitlines()[0])
    assert said == [said[0], said[1]] * (STEPS // 2)
    assert said[0] == [1.0, 1.0]


def test_a_hook_is_called_in_every_step():
    w, seen = Parameter(Tensor([1.0, 2.0]), name="w"), []

    def hooked(x):
        y = w * x
        y.register_hook(lambda d: seen.append(1) or d * 2.0)
        return y.sum()
    for _ in range(STEPS):
        assert gradient(hooked, w, Tensor([3.0, 4.0])) == [6.0, 8.0]
    assert len(seen) == STEPS


def test_o0_leaves_the_sweep_as_it_is(runs):
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    ms.set_context(jit_level="O0")
    try:
        for _ in range(STEPS):
            assert gradient(lambda: (w * w).sum(), w) == [2.0, 4.0]
    finally:
        ms.set_context(jit_level="")
    assert not runs


def test_many_structures_end_the_search(runs):
    w = Parameter(Tensor([1.0]), name="w")
    for k in range(steady._MOST + 2):
        for _ in range(2):
            assert gradient(lambda k=k: (w * float(k)).sum(), w) == [float(k)]
    for _ in range(STEPS):
        assert gradient(lambda: (w * w).sum(), w) == [2.0]
    assert not runs


def test_random_numbers_of_the_forward_pass_differ_from_step_to_step(runs):
    w = Parameter(Tensor(np.ones(256, np.float32)), name="w")
    drop = nn.Dropout(p=0.5).set_train()
    seen = []
    for _ in range(STEPS):
        _, (dw,) = ms.value_and_grad(lambda: drop(w).sum(), None, [w])()
        seen.append(tuple(dw.tolist()))
        assert set(seen[-1]) == {0.0, 2.0}
    assert len(set(seen)) == STEPS


@pytest.mark.parametrize(("function", "expected"), [
    (lambda w: ops.sort(w)[0] * Tensor([1.0, 2.0, 4.0]), [4.0, 1.0, 2.0]),
    (lambda w: ops.stack([w[0], w[2], w[2]]) * Tensor([1.0, 2.0, 4.0]), [1.0, 0.0, 6.0]),
    (lambda w: ops.split(w, 1)[1] * 5.0, [0.0, 5.0, 0.0]),
    (lambda w: ops.cumsum(w, 0).astype(ms.float16).astype(ms.float32), [3.0, 2.0, 1.0]),
    (lambda w: ops.where(w > 0, w * w, -w), [6.0, -1.0, 4.0]),
    (lambda w: ops.gather(w, Tensor([0, 2, 2]), 0) * 3.0, [3.0, 0.0, 6.0]),
], ids=["sort", "stack", "split", "cumsum", "where", "gather"])
def test_operators_with_several_results_views_and_types(function, expected):
    w = Parameter(Tensor([3.0, -1.0, 2.0]), name="w")
    for _ in range(STEPS):
        assert gradient(lambda: function(w).sum(), w) == expected
