"""Generated kernels of single operators in training steps that repeat themselves."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.native import machine
from mindspore.eager import lone, steady
from mindspore.ir.runtime import runtime
from mindspore.operators.choices import choices, using

pytestmark = pytest.mark.skipif(not available(), reason="kernels cannot be generated here")
STEPS = steady._USED + 2


@pytest.fixture(autouse=True)
def _small_ones():
    """Kernels are worth it from the smallest sizes on."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    low = dict.fromkeys(["product_least", "split_least", "split_edge", "window_least", "window_weight_least",
                         "norm_least"], 0)
    with using(choices()._replace(**low, product_edge=1, window_channels=1, window_tiles=1)):
        lone._known.clear()
        yield


def made():
    return {key[0].name for key, found in lone._known.items() if found is not None}


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 32, 3, pad_mode="pad", padding=1, has_bias=True)
        self.again = nn.Conv2d(32, 32, 3, pad_mode="pad", padding=1)
        self.norm, self.fc = nn.BatchNorm2d(32), nn.Dense(32, 20)

    def construct(self, x):
        x = ops.relu(self.norm(self.again(ops.relu(self.conv(x)))))
        return self.fc(x.mean((2, 3)))


def test_training_gives_what_torch_gives():
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((4, 3, 8, 8)).astype(np.float32), rng.integers(0, 20, 4).astype(np.int32)
    net, f = Net(), torch.nn.functional
    w = {n: torch.tensor(p.asnumpy().copy(), requires_grad=p.requires_grad) for n, p in net.parameters_and_names()}
    optimizer = torch.optim.SGD([t for t in w.values() if t.requires_grad], lr=0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
                               nn.SGD(net.trainable_params(), 0.1)).set_train()
    for _ in range(STEPS):
        h = torch.relu(f.conv2d(torch.tensor(x), w["conv.weight"], w["conv.bias"], padding=1))
        h = f.batch_norm(f.conv2d(h, w["again.weight"], padding=1), w["norm.moving_mean"], w["norm.moving_variance"],
                         w["norm.gamma"], w["norm.beta"], True, 0.1)
        loss = f.cross_entropy(f.linear(torch.relu(h).mean((2, 3)), w["fc.weight"], w["fc.bias"]),
                               torch.tensor(y).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert float(step(Tensor(x), Tensor(y))) == pytest.approx(loss.item(), rel=1e-4)
    assert made() == {"Convolution", "BatchNormTrain", "Dense"}
    for name, p in net.parameters_and_names():
        if "variance" not in name:              # torch keeps the unbiased one
            np.testing.assert_allclose(p.asnumpy(), w[name].detach().numpy(), rtol=2e-3, atol=2e-5)


def test_the_first_steps_and_other_programs_take_the_kernels_of_torch():
    w, seen = Parameter(Tensor(np.ones((8, 8), np.float32)), name="w"), []

    def f(x):
        seen.append(runtime.steady)
        return ops.dense(x, w).sum()
    x = Tensor(np.ones((4, 8), np.float32))
    for _ in range(STEPS):
        ms.value_and_grad(f, None, [w])(x)
    f(x)
    ms.grad(f)(x)
    ms.set_context(jit_level="O0")
    try:
        ms.value_and_grad(f, None, [w])(x)
    finally:
        ms.set_context(jit_level="")
    assert seen == [False] * steady._USED + [True] * (STEPS - steady._USED) + [False] * 3


def test_a_product_of_few_rows_is_left_to_torch():
    w = Parameter(Tensor(np.ones((64, 64), np.float32)), name="w")
    with using(choices()._replace(split_edge=32)):
        for rows, taken in ((31, False), (32, True)):
            for _ in range(STEPS):
                _, (d,) = ms.value_and_grad(lambda x: ops.dense(x, w).sum(), None, [w])(
                    Tensor(np.ones((rows, 64), np.float32)))
                assert d.asnumpy().tolist() == [[float(rows)] * 64] * 64
            assert ("Dense" in made()) is taken


def test_wrong_shapes_are_told_as_ever():
    w = Parameter(Tensor(np.ones((8, 8), np.float32)), name="w")
    for _ in range(STEPS):
        ms.value_and_grad(lambda x: ops.dense(x, w).sum(), None, [w])(Tensor(np.ones((4, 8), np.float32)))
    with pytest.raises(ValueError, match="Dense"):
        ms.value_and_grad(lambda x: ops.dense(x, w).sum(), None, [w])(Tensor(np.ones((4, 7), np.float32)))


def test_other_types_are_left_to_torch():
    w = Parameter(Tensor(np.ones((8, 8), np.float64)), name="w")
    for _ in range(STEPS):
        value, (d,) = ms.value_and_grad(lambda x: ops.dense(x, w).sum(), None, [w])(Tensor(np.ones((4, 8))))
        assert (float(value), d.dtype, d.asnumpy().tolist()) == (256.0, ms.float64, [[4.0] * 8] * 8)
    assert not made()


class Small(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(1, 5, 3, pad_mode="pad", padding=(1, 0, 2, 1), has_bias=True)
        self.two, self.pool = nn.Conv2d(5, 6, 3, pad_mode="valid"), nn.MaxPool2d(2, 2)

    def construct(self, x):
        return self.pool(ops.relu(self.two(self.pool(ops.relu(self.one(x)))))).mean((2, 3))


@pytest.mark.parametrize("batch", [16, 20, 32])
def test_small_convolutions_give_what_torch_gives(batch):
    rng, f = np.random.default_rng(batch), torch.nn.functional
    x, y = rng.standard_normal((batch, 1, 13, 14)).astype(np.float32), rng.integers(0, 6, batch).astype(np.int32)
    x[0, 0, :4, :4] = 0.0                               # equal maxima: the first one gets the gradient
    net = Small()
    w = {n: torch.tensor(p.asnumpy().copy(), requires_grad=True) for n, p in net.parameters_and_names()}
    optimizer = torch.optim.SGD(w.values(), lr=0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
                               nn.SGD(net.trainable_params(), 0.1)).set_train()
    for _ in range(STEPS):
        h = torch.relu(f.conv2d(f.pad(torch.tensor(x), (2, 1, 1, 0)), w["one.weight"], w["one.bias"]))
        h = f.max_pool2d(torch.relu(f.conv2d(f.max_pool2d(h, 2), w["two.weight"])), 2)
        loss = f.cross_entropy(h.mean((2, 3)), torch.tensor(y).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert float(step(Tensor(x), Tensor(y))) == pytest.approx(loss.item(), rel=1e-5)
    for name, p in net.parameters_and_names():
        np.testing.assert_allclose(p.asnumpy(), w[name].detach().numpy(), rtol=1e-4, atol=1e-6)
    whole = batch % machine().width == 0
    assert ("ConvolveSamples" in made(), "MaxPool" in made(), "ReLU" in made()) == (whole,) * 3


def test_what_small_convolutions_give_is_seen_as_any_other_tensor():
    conv, pool = nn.Conv2d(2, 5, 3, pad_mode="valid", has_bias=True), nn.MaxPool2d(2, 2)
    x = Tensor(np.random.default_rng(0).standard_normal((16, 2, 8, 8)).astype(np.float32))
    seen = []

    def f(x):
        y = conv(x)
        z = pool(y)
        seen.append([(t.asnumpy(), t.reshape(16, -1).asnumpy(), t[3].asnumpy(), (t + 1).asnumpy()) for t in (y, z)])
        return z.sum()
    for _ in range(STEPS):
        ms.value_and_grad(f, None, conv.trainable_params())(x)
    for one, last in zip(seen[0], seen[-1], strict=True):
        for a, b in zip(one, last, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    y = torch.nn.functional.conv2d(*[torch.tensor(t.asnumpy()) for t in (x, conv.weight, conv.bias)])
    np.testing.assert_allclose(seen[-1][0][0], y.numpy(), rtol=1e-4, atol=1e-5)
