"""Normalisations of many elements become kernels, with the ReLU behind them and its reverse."""
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.passes import norms

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
LIMITED = {"relu": (0.0, float("inf")), "relu6": (0.0, 6.0)}


@pytest.fixture
def made(monkeypatch, choosing):
    """The limits of the kernels that are made: forward, and back."""
    found = {"BatchNorm": [], "BatchNormReverse": []}
    choosing(norm_least=1)
    for name, kinds in found.items():
        whole = getattr(norms, name)
        monkeypatch.setattr(norms, name, lambda *args, kinds=kinds, whole=whole: kinds.append(args[1]) or whole(*args))
    return found


def drawn(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) * 2


def layer(shape):
    net = nn.BatchNorm2d(shape[1])
    net.gamma.set_data(Tensor(drawn(shape[1]) + 1.5))
    net.beta.set_data(Tensor(drawn(shape[1]) + 2))
    return net.set_train()


def torchs(net, x, after):
    """Value and gradients of the sum of squares, in double precision; the moving statistics."""
    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True)
              for v in (x, net.gamma.asnumpy(), net.beta.asnumpy())]
    moving = [torch.zeros(x.shape[1], dtype=torch.float64), torch.ones(x.shape[1], dtype=torch.float64)]
    y = torch.nn.functional.batch_norm(leaves[0], *moving, *leaves[1:], training=True, momentum=0.1, eps=net.eps)
    total = (after(y) ** 2).sum()
    total.backward()
    return total.item(), [t.grad.numpy() for t in leaves], [m.numpy() for m in moving]


CASES = {
    "plain": (lambda y: y, lambda y: y, None, None),
    "relu": (ops.relu, torch.relu, "relu", "relu"),
    "relu6": (ops.relu6, F.relu6, "relu6", "relu6"),
    "used beside": (lambda y: ops.relu(y) + 0.5 * y, lambda y: torch.relu(y) + 0.5 * y, None, None),
    "beside relu of more": (lambda y: ops.relu(y + 1) + ops.stop_gradient(ops.relu(y)),
                            lambda y: torch.relu(y + 1) + torch.relu(y).detach(), None, None),
    "beside relu6 of more": (lambda y: ops.relu6(y + 1) + ops.stop_gradient(ops.relu6(y)),
                             lambda y: F.relu6(y + 1) + F.relu6(y).detach(), None, None),
    "beside other limits": (lambda y: ops.hardtanh(y, -1.0, 2.0) + ops.stop_gradient(ops.relu6(y)),
                            lambda y: F.hardtanh(y, -1.0, 2.0) + F.relu6(y).detach(), None, None),
    "twice": (lambda y: ops.relu(y) + ops.relu6(y), lambda y: torch.relu(y) + F.relu6(y), None,
              None),
}


@pytest.mark.parametrize(("after", "same", "limited", "passed"), CASES.values(), ids=list(CASES))
def test_a_training_step_gives_what_torch_gives(made, after, same, limited, passed):
    x = drawn(4, 20, 6, 5)
    net = layer(x.shape)
    value, grads, moving = torchs(net, x, same)

    def total(x):
        return (after(net(x)) ** 2).sum()
    found, (dx, dw) = ms.jit(ms.value_and_grad(total, 0, net.trainable_params()))(Tensor(x))
    np.testing.assert_allclose(found.item(), value, rtol=1e-5)
    for mine, theirs in zip((dx, *dw), grads, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs, rtol=1e-3, atol=1e-3)
    for mine, theirs in zip((net.moving_mean, net.moving_variance), moving, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs, rtol=1e-5, atol=1e-6)
    assert made["BatchNorm"] == [LIMITED.get(limited)]
    (back,) = made["BatchNormReverse"]
    assert (back is None) is (passed is None)
    if passed:
        assert back[0] == 0.0
        assert np.isnan(back[1]) if passed == "relu" else back[1] == pytest.approx(6.0)


def test_a_function_alone_and_its_reverse_on_the_tape_agree_with_the_other_levels(made):
    x = drawn(4, 20, 6, 5)
    found = []
    for level in ("O1", "O0"):
        net = layer(x.shape)
        net.jit = ms.jit(lambda x, net=net: ops.relu6(net(x)), jit_level=level)
        found.append([net.jit(Tensor(x)), ms.grad(lambda x, net=net: (net.jit(x) ** 2).sum())(Tensor(x))])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-4)
    assert made["BatchNorm"]
    assert made["BatchNormReverse"] == [None]


def test_few_elements_other_ranks_and_types_are_left_to_torch(made, choosing):
    for shape, dtype, least in (((4, 20, 6, 5), ms.float32, 1 << 20), ((40, 20), ms.float32, 1),
                                ((4, 20, 6, 5), ms.float64, 1)):
        choosing(norm_least=least)
        net = (nn.BatchNorm2d(20) if len(shape) == 4 else nn.BatchNorm1d(20)).set_train()
        ms.jit(lambda x, net=net: net(x))(Tensor(drawn(*shape), dtype))
    assert made == {"BatchNorm": [], "BatchNormReverse": []}


def test_a_network_of_them_trains_as_at_the_level_of_torchs_kernels(made):
    x, labels = Tensor(drawn(4, 3, 8, 8)), Tensor(np.array([0, 1, 2, 3], np.int32))
    losses = []
    for level in ("O0", "O1"):
        ms.set_seed(3)
        net = nn.SequentialCell(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU6(), nn.Conv2d(16, 16, 3, 2),
                                nn.BatchNorm2d(16), nn.ReLU(), nn.Flatten(), nn.Dense(256, 4))
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()),
                                   nn.Momentum(net.trainable_params(), 0.02, 0.9)).set_train()
        run = ms.jit(step.construct, jit_level=level)
        losses.append([float(run(x, labels)) for _ in range(6)])
    np.testing.assert_allclose(*losses, rtol=1e-3)
    assert losses[1][-1] < losses[1][0]


@pytest.mark.parametrize("after", [ops.relu, ops.relu6])
def test_what_is_given_back_beside_its_limits_is_not_limited(made, after):
    x = drawn(4, 20, 6, 5)
    net = layer(x.shape)
    y = torch.nn.functional.batch_norm(torch.tensor(x), None, None, torch.tensor(net.gamma.asnumpy()),
                                       torch.tensor(net.beta.asnumpy()), training=True, eps=net.eps).numpy()

    def both(x):
        z = net(x)
        return z, after(z)
    found, limited = ms.jit(both)(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), y, rtol=1e-4, atol=1e-4)
    limits = (0, 6 if after is ops.relu6 else None)
    np.testing.assert_allclose(limited.asnumpy(), np.clip(y, *limits), rtol=1e-4, atol=1e-4)
    assert made["BatchNorm"] == [None]


@pytest.mark.parametrize(("after", "limits"), [(ops.relu, (0, None)), (ops.relu6, (0, 6))])
def test_what_is_limited_alone_is_given_back_so(made, after, limits):
    x = drawn(4, 20, 6, 5)
    net = layer(x.shape)
    y = torch.nn.functional.batch_norm(torch.tensor(x), None, None, torch.tensor(net.gamma.asnumpy()),
                                       torch.tensor(net.beta.asnumpy()), training=True, eps=net.eps).numpy()
    found = ms.jit(lambda x: after(net(x)))(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), np.clip(y, *limits), rtol=1e-4, atol=1e-4)
    assert len(made["BatchNorm"]) == 1
    assert made["BatchNorm"] != [None]
