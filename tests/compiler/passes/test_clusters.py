"""Groups of operators become generated kernels at O2, with the results that they had."""
from __future__ import annotations

import random

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.passes import clusters

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


def compiled(function):
    return ms.jit(function, jit_level="O2")


def kernels_of(monkeypatch):
    """The kernels that are generated from now on."""
    made = []
    whole = clusters.generated

    def noted(elements):
        made.append(whole(elements))
        return made[-1]
    monkeypatch.setattr(clusters, "generated", noted)
    return made


def test_a_chain_is_one_kernel(monkeypatch):
    made = kernels_of(monkeypatch)
    x, b = np.random.default_rng(0).standard_normal((2, 5, 7), np.float32), np.arange(7, dtype=np.float32)

    @compiled
    def run(x, b):
        y = ops.tanh(x + b) * 2.0 - x
        return ops.softmax(y, -1), y.sum(-1)
    soft, total = run(Tensor(x), Tensor(b))
    want = torch.tanh(torch.tensor(x) + torch.tensor(b)) * 2 - torch.tensor(x)
    assert np.allclose(soft.asnumpy(), torch.softmax(want, -1), atol=1e-6)
    assert np.allclose(total.asnumpy(), want.sum(-1), atol=1e-5)
    assert len(made) == 1


def test_products_part_kernels_and_what_stands_beside_them_joins(monkeypatch):
    """The sum over rows stands behind the product in the program; it is computed with what it sums."""
    made = kernels_of(monkeypatch)
    rng = np.random.default_rng(1)
    x, w, v = [rng.standard_normal(s).astype(np.float32) for s in ((6, 8), (8, 8), (8, 4))]

    @compiled
    def run(x, w, v):
        hidden = ops.gelu(x @ w + 1.0, approximate="tanh")
        return hidden @ v, hidden.sum(0)
    out, total = run(Tensor(x), Tensor(w), Tensor(v))
    hidden = torch.nn.functional.gelu(torch.tensor(x) @ torch.tensor(w) + 1.0, approximate="tanh")
    assert np.allclose(out.asnumpy(), hidden @ torch.tensor(v), atol=1e-5)
    assert np.allclose(total.asnumpy(), hidden.sum(0), atol=1e-5)
    assert len(made) == 1


def test_a_level_below_generates_nothing(monkeypatch):
    made = kernels_of(monkeypatch)

    @ms.jit(jit_level="O1")
    def run(x):
        return ops.exp(x) * x + 1.0
    run(Tensor(np.ones((3, 4), np.float32)))
    assert made == []


def test_without_the_package_everything_runs(monkeypatch):
    monkeypatch.setattr(clusters, "available", lambda: False)
    made = kernels_of(monkeypatch)

    @compiled
    def run(x):
        return ops.exp(x) * x + 1.0
    assert np.allclose(run(Tensor(np.ones((3, 4), np.float32))).asnumpy(), np.e + 1.0)
    assert made == []


class Block(nn.Cell):
    """Attention, normalisation, GELU and residuals."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, activation="gelu", batch_first=True)
        self.norm, self.head = nn.LayerNorm((8,)), nn.Dense(8, 11)

    def construct(self, tokens):
        return self.head(self.norm(self.layer(self.embedding(tokens))))


def trained(level, steps=5):
    ms.set_seed(3)
    net = Block()
    rng = np.random.default_rng(2)
    for p in net.trainable_params():
        p.set_data(Tensor(rng.standard_normal(p.shape).astype(np.float32) * 0.3))
    loss = nn.WithLossCell(net, lambda out, y: ops.cross_entropy(out.reshape((-1, 11)), y.reshape((-1,))))
    train = nn.TrainOneStepCell(loss, nn.Adam(net.trainable_params(), 1e-2))
    train.set_train()
    run = ms.jit(train, jit_level=level)
    x = Tensor(rng.integers(0, 11, (3, 5)).astype(np.int32))
    losses = [float(run(x, x).asnumpy()) for _ in range(steps)]
    return losses, [p.asnumpy() for p in net.trainable_params()]


def test_a_transformer_trains_as_without(monkeypatch):
    want, weights = trained("O1")
    made = kernels_of(monkeypatch)
    losses, found = trained("O2")
    assert len([k for k in made if k]) > 5
    assert np.allclose(losses, want, rtol=1e-5)
    for a, b in zip(found, weights, strict=True):
        assert np.allclose(a, b, rtol=1e-3, atol=1e-4)


def test_parameters_that_a_program_assigns(monkeypatch):
    made = kernels_of(monkeypatch)
    w = Parameter(Tensor(np.full((3, 4), 2.0, np.float32)), name="w")

    @compiled
    def run(x):
        before = w * 1.0
        ops.assign(w, ops.exp(w * 0.0) + w * x)
        return before + w
    x = Tensor(np.full((3, 4), 3.0, np.float32))
    assert run(x).tolist() == [[9.0] * 4] * 3
    assert w.tolist() == [[7.0] * 4] * 3
    assert run(x).tolist() == [[29.0] * 4] * 3
    assert made


def test_inside_of_branches_and_loops(monkeypatch):
    made = kernels_of(monkeypatch)

    @compiled
    def run(x):
        while x.sum() < 50.0:
            x = ops.relu(x * 2.0 - 0.5) + 0.1
        if x.max() > 3.0:
            x = ops.exp(x * -0.1) * x
        return x
    x = torch.tensor([[1.0, 2.0, -1.0]])
    while x.sum() < 50:
        x = torch.relu(x * 2 - 0.5) + 0.1
    x = torch.exp(x * -0.1) * x if x.max() > 3 else x
    assert np.allclose(run(Tensor(np.array([[1.0, 2.0, -1.0]], np.float32))).asnumpy(), x, rtol=1e-5)
    assert len(made) == 3              # of the loop, of the branch, and the sums that the condition needs


# ---------------------------------------------------------------------- random programs

UNARY = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "relu": torch.relu, "neg": torch.neg, "abs": torch.abs,
         "square": torch.square, "erf": torch.erf}
BINARY = {"add": torch.add, "sub": torch.sub, "mul": torch.mul,
          "maximum": lambda x, y: torch.maximum(x, y * 0.9 + 0.05),      # without ties, where slopes are a convention
          "minimum": lambda x, y: torch.minimum(x, y * 0.9 + 0.05)}


def drawn(rng, rows, columns):
    """Steps (name, operands) of a program on five inputs: full, full, per row, per column, a product's factor."""
    shapes = [(rows, columns), (rows, columns), (rows, 1), (columns,), (columns, columns)]
    usable, steps = [0, 1, 2, 3], []

    def spread(i, j):
        return torch.broadcast_shapes(shapes[i], shapes[j])
    for _ in range(rng.randint(4, 14)):
        kind = rng.random()
        i, j = rng.choice(usable), rng.choice(usable)
        if kind < 0.35:
            step, shape = (rng.choice(list(UNARY)), (i,)), shapes[i]
        elif kind < 0.7:
            step, shape = (rng.choice(list(BINARY)), (i, j)), spread(i, j)
        else:
            full = [k for k in usable if tuple(shapes[k]) == (rows, columns)]
            i = rng.choice(full)
            name = rng.choice(["sum_rows", "sum_columns", "max_columns", "softmax", "matmul", "reshape", "where"])
            short = {"sum_rows": (columns,), "sum_columns": (rows, 1), "max_columns": (rows, 1)}
            shape = short.get(name, (rows, columns))
            step = (name, (i, 4) if name == "matmul" else (i, rng.choice(full)))
        steps.append(step)
        shapes.append(tuple(shape))
        usable.append(len(shapes) - 1)
    outs = sorted({*rng.sample(usable[4:], min(3, len(usable) - 4)), usable[-1]})
    return shapes[:5], steps, outs


def run_steps(steps, outs, values, unary, binary, special):
    values = list(values)
    for name, places in steps:
        args = [values[k] for k in places]
        table = unary if name in unary else binary if name in binary else special
        values.append(table[name](*args[:1 if name in unary else 2]))
    return tuple([values[k] for k in outs])


TORCH = {"sum_rows": lambda x, _: x.sum(0) * 0.1, "sum_columns": lambda x, _: x.sum(1, keepdim=True) * 0.1,
         "max_columns": lambda x, _: x.amax(1, keepdim=True), "softmax": lambda x, _: torch.softmax(x, -1),
         "matmul": lambda x, w: x @ w * 0.1, "reshape": lambda x, y: (x.reshape(-1) + y.reshape(-1)).reshape(x.shape),
         "where": lambda x, y: torch.where(x > y, x, y * 0.5)}
OURS = {"sum_rows": lambda x, _: x.sum(0) * 0.1, "sum_columns": lambda x, _: x.sum(1, keepdims=True) * 0.1,
        "max_columns": lambda x, _: ops.amax(x, 1, keepdims=True), "softmax": lambda x, _: ops.softmax(x, -1),
        "matmul": lambda x, w: ops.matmul(x, w) * 0.1,
        "reshape": lambda x, y: (x.reshape((-1,)) + y.reshape((-1,))).reshape(x.shape),
        "where": lambda x, y: ops.where(x > y, x, y * 0.5)}


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_and_their_gradients(seed, monkeypatch):
    made = kernels_of(monkeypatch)
    rng = random.Random(seed)
    shapes, steps, outs = drawn(rng, rng.choice([1, 3, 5]), rng.choice([2, 17, 40]))
    inputs = [torch.randn(s, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) for s in shapes]
    leaves = [x.clone().requires_grad_() for x in inputs]
    want = run_steps(steps, outs, leaves, UNARY, BINARY, TORCH)
    grads = torch.autograd.grad(sum(o.sum() for o in want), leaves, allow_unused=True)

    ours = {n: getattr(ops, n) for n in UNARY}, {
        **{n: getattr(ops, n) for n in BINARY}, "maximum": lambda x, y: ops.maximum(x, y * 0.9 + 0.05),
        "minimum": lambda x, y: ops.minimum(x, y * 0.9 + 0.05)}

    def program(*values):
        return run_steps(steps, outs, values, *ours, OURS)

    def summed(*values):
        return sum([o.sum() for o in program(*values)])
    tensors = [Tensor(x.float().numpy()) for x in inputs]
    for found, exact in zip(compiled(program)(*tensors), want, strict=True):
        assert np.allclose(found.asnumpy(), exact.detach(), rtol=1e-3, atol=1e-4)
    got = compiled(ms.grad(summed, tuple(range(5))))(*tensors)
    for found, exact in zip(got, grads, strict=True):
        assert np.allclose(found.asnumpy(), 0.0 if exact is None else exact, rtol=2e-3, atol=2e-3)
    assert made or len(steps) < 6
