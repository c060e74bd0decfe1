"""Generated kernels of single operators in training steps that repeat themselves."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.eager import lone, steady
from mindspore.ir.runtime import runtime
from mindspore.operators.choices import choices, using

pytestmark = pytest.mark.skipif(not available(), reason="kernels cannot be generated here")
STEPS = steady._USED + 2


@pytest.fixture(autouse=True)
def _small_ones():
    """Kernels are worth it from the smallest sizes on."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    low = dict.fromkeys(["product_least", "split_least", "window_least", "window_weight_least", "norm_least"], 0)
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
