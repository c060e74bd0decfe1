"""Large products become generated ones, with the values and gradients of torch's."""
import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import MatrixProduct
from mindspore.compiler.passes import products

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


@pytest.fixture
def made(monkeypatch, choosing):
    """What products are made of; small ones, too."""
    found = []

    def noted(*args):
        found.append((args[0].shape, args[1].shape, *args[2:4]))
        return MatrixProduct(*args)
    choosing(product_least=1 << 14)
    monkeypatch.setattr(products, "MatrixProduct", noted)
    return found


def test_a_layer_and_its_gradients_are_generated_products(made):
    rng = np.random.default_rng(2)
    x, w, b, a = [rng.standard_normal(s) for s in ((3, 16, 40), (32, 40), (32,), (48, 32))]

    def total(x, w, b, a):
        return (ops.relu(ops.dense(x, w, b)) * ops.matmul(a, w).sum()).sum()
    got = mindspore.jit(mindspore.grad(total, (0, 1, 2, 3)))(*[Tensor(v.astype(np.float32)) for v in (x, w, b, a)])
    t = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (x, w, b, a)]
    (torch.relu(torch.nn.functional.linear(*t[:3])) * (t[3] @ t[1]).sum()).sum().backward()
    for mine, theirs in zip(got, t, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.grad.numpy(), rtol=2e-4, atol=2e-3)
    assert ((3, 16, 40), (32, 40), False, True) in made
    assert ((48, 32), (48, 40), True, False) in made or ((48, 40), (48, 32), True, False) in made


def test_a_network_trains_alike_in_both_modes(made):
    def losses(mode):
        mindspore.set_seed(3)
        net = nn.SequentialCell(nn.Dense(64, 96), nn.GELU(), nn.Dense(96, 32))
        train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 1e-2))
        rng = np.random.default_rng(5)
        x, y = [Tensor(rng.standard_normal((40, n)).astype(np.float32)) for n in (64, 32)]
        step = mindspore.jit(train) if mode else train
        return [float(step(x, y)) for _ in range(4)]
    np.testing.assert_allclose(losses(True), losses(False), rtol=1e-5)


@pytest.mark.parametrize(("x", "w"), [((8, 64), (64, 64)), ((64, 8), (8, 64)), ((64, 64), (64, 8))])
def test_thin_products_are_left_to_torch(made, x, w):
    got = mindspore.jit(ops.matmul)(ops.ones(x), ops.ones(w))
    assert (got.asnumpy() == x[1]).all()
    assert not made


def test_other_types_are_left_to_torch(made):
    got = mindspore.jit(ops.matmul)(ops.ones((32, 32), mindspore.float64), ops.ones((32, 32), mindspore.float64))
    assert got.dtype is mindspore.float64
    assert not made


@pytest.mark.parametrize("name", ["dense", "square", "transposed", "both", "batched"])
def test_products_of_every_form_are_generated_with_their_operands_as_they_lie(made, name):
    """Square operands hide which of them is turned; so does a matrix that is equal to its transpose."""
    rng = np.random.default_rng(4)
    shapes = {"dense": ((40, 48), (32, 48)), "square": ((48, 48), (48, 48)), "transposed": ((48, 40), (48, 32)),
              "both": ((48, 40), (32, 48)), "batched": ((3, 40, 48), (48, 32))}[name]
    x, w = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    ours = {"dense": ops.dense, "square": ops.dense, "transposed": ops.MatMul(transpose_a=True),
            "both": ops.MatMul(transpose_a=True, transpose_b=True), "batched": ops.matmul}[name]
    theirs = {"dense": lambda x, w: x @ w.T, "square": lambda x, w: x @ w.T, "transposed": lambda x, w: x.T @ w,
              "both": lambda x, w: x.T @ w.T, "batched": lambda x, w: x @ w}[name]
    got = mindspore.jit(lambda x, w: ours(x, w))(Tensor(x), Tensor(w))
    np.testing.assert_allclose(got.asnumpy(), theirs(x.astype(np.float64), w), rtol=1e-4, atol=1e-4)
    turned = {"dense": (False, True), "square": (False, True), "transposed": (True, False), "both": (True, True),
              "batched": (False, False)}[name]
    assert [one[2:] for one in made] == [turned]


@pytest.mark.parametrize("bias", [(32,), (1,), (), (40, 1), (40, 32)], ids=str)
def test_what_is_added_to_a_product_need_not_be_a_row(made, bias):
    rng = np.random.default_rng(5)
    x, w, b = [rng.standard_normal(s).astype(np.float32) for s in ((40, 48), (32, 48), bias)]
    got = mindspore.jit(lambda x, w, b: ops.matmul(x, w.T) + b)(Tensor(x), Tensor(w), Tensor(b))
    np.testing.assert_allclose(got.asnumpy(), x.astype(np.float64) @ w.T + b, rtol=1e-4, atol=1e-4)
