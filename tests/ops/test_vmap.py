"""vmap: all slices at once or one by one, against a loop over the slices and against torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops.vmap import Mapped

pytestmark = pytest.mark.usefixtures("both_modes")

rng = np.random.default_rng(0)
X, Y = (rng.standard_normal((4, 3)).astype(np.float32) for _ in range(2))
W = rng.standard_normal((3, 5)).astype(np.float32)
B = rng.standard_normal((4, 2, 3)).astype(np.float32)
IMAGES = rng.standard_normal((4, 2, 3, 6, 6)).astype(np.float32)


def value(x):
    if isinstance(x, (tuple, list)):
        return [value(v) for v in x]
    return {k: value(v) for k, v in x.items()} if isinstance(x, dict) else x.asnumpy()


def same(a, b):
    if isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    else:
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)


def layers(x):
    y = nn.LayerNorm((3,))(x)
    return ops.softmax(ops.matmul(y, Tensor(W)), -1).max()


convolution = nn.Conv2d(3, 2, 3, weight_init="ones")
attention = nn.MultiheadAttention(4, 2)
lstm = nn.LSTM(3, 4, batch_first=True)

FUNCTIONS = [
    (lambda x: x * 2 + 1, X), (lambda x: ops.relu(x).sum(), X), (layers, X), (lambda x: ops.matmul(x, Tensor(W)), X),
    (lambda x: ops.sort(x)[0], X), (lambda x: ops.cumsum(x, 0), X), (lambda x: x[1:] - x[:-1], X),
    (lambda x: ops.where(x > 0, x, -x), X), (lambda x: ops.gather(x, Tensor([2, 0]), 0), X),
    (lambda x: ops.one_hot(x.argmax(), 3, Tensor(1.0), Tensor(0.0)), X), (lambda x: ops.concat((x, x * 2)), X),
    (lambda x: x.reshape(-1)[:2], X), (lambda x: ops.norm(x), X), (lambda x: ops.topk(x, 2), X),
    (lambda x: x.swapaxes(0, 1) @ x, B), (lambda x: ops.einsum("ij,kj->ik", x, x), B), (convolution, IMAGES),
    (lambda x: ops.max_pool2d(x, 2), IMAGES), (lambda x: nn.BatchNorm2d(3)(x), IMAGES),
    (lambda x: lstm(x.expand_dims(0))[0], B), (lambda x: ops.erf(x) / ops.sqrt(ops.abs(x)), X),
    (lambda x: ops.interpolate(x, scale_factor=2.0, mode="nearest", recompute_scale_factor=True), IMAGES),
    (lambda x: ops.inverse(x @ x.T + ops.eye(2)), B), (lambda x: (x.shape[0] * x.mean(), x.max(), 3), X),
]


@pytest.mark.parametrize(("fn", "x"), FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_it_is_a_loop_over_the_slices(fn, x):
    rows = [value(fn(Tensor(row))) if not isinstance(fn(Tensor(row)), tuple) else
            [v.asnumpy() if isinstance(v, Tensor) else v for v in fn(Tensor(row))] for row in x]
    found = value(ms.vmap(fn)(Tensor(x)))
    same(found, [np.stack(c) for c in zip(*rows, strict=True)] if isinstance(rows[0], list) else np.stack(rows))


GRADIENTS = [
    (lambda x, w: (ops.tanh(ops.matmul(x, w)) ** 2).sum(), lambda x, w: (torch.tanh(x @ w) ** 2).sum()),
    (lambda x, w: ops.logsumexp(ops.matmul(x, w), 0), lambda x, w: torch.logsumexp(x @ w, 0)),
    (lambda x, w: (x[1] * w).max() + x[:2].prod(), lambda x, w: (x[1] * w).max() + x[:2].prod()),
    (lambda x, w: ops.gelu(ops.matmul(x, w)).mean(), lambda x, w: torch.nn.functional.gelu(x @ w).mean()),
]


@pytest.mark.parametrize(("ours", "theirs"), GRADIENTS, ids=range(len(GRADIENTS)))
def test_gradients_of_slices_and_gradients_through_slices_are_those_of_torch(ours, theirs):
    x, w, tx, tw = Tensor(X), Tensor(W), torch.tensor(X), torch.tensor(W)
    wanted = torch.func.vmap(torch.func.grad(theirs, (0, 1)), (0, None))(tx, tw)
    same(value(ms.vmap(ms.grad(ours, (0, 1)), (0, None))(x, w)), [d.numpy() for d in wanted])
    both = torch.func.grad(lambda x, w: (torch.func.vmap(theirs, (0, None))(x, w) ** 2).sum(), (0, 1))(tx, tw)
    mapped = ms.vmap(ours, (0, None))
    same(value(ms.grad(lambda x, w: (mapped(x, w) ** 2).sum(), (0, 1))(x, w)), [d.numpy() for d in both])
    twice = torch.func.vmap(torch.func.jacrev(torch.func.jacrev(theirs)), (0, None))(tx, tw)
    hessian = ms.vmap(ms.jacrev(ms.grad(ours)), (0, None))
    same(value(hessian(x, w)), twice.numpy())


def test_second_derivatives_through_slices():
    def ours(x):
        return ms.vmap(lambda r: (r ** 3).sum() * r[0])(x).sum()

    def theirs(x):
        return torch.func.vmap(lambda r: (r ** 3).sum() * r[0])(x).sum()

    found = ms.grad(lambda x: (ms.grad(ours)(x) ** 2).sum())(Tensor(X))
    wanted = torch.func.grad(lambda x: (torch.func.grad(theirs)(x) ** 2).sum())(torch.tensor(X))
    same(found.asnumpy(), wanted.numpy())


class Net(nn.Cell):
    def __init__(self, scale=1.0):
        super().__init__()
        self.w = Parameter(Tensor(W * scale), name="w")

    def construct(self, x):
        return ops.tanh(ops.matmul(x, self.w)).sum()


def test_gradients_reach_parameters_that_slices_share():
    net = Net()
    per_slice = ms.vmap(ms.grad(net, None, net.trainable_params()))(Tensor(X))[0].asnumpy()
    wanted = np.stack([np.outer(x, 1 - np.tanh(x @ W) ** 2) for x in X])
    same(per_slice, wanted)
    mapped = ms.vmap(net)
    total = ms.grad(lambda x: mapped(x).sum(), None, net.trainable_params())(Tensor(X))
    same(total[0].asnumpy(), wanted.sum(0))


def test_slices_of_slices():
    x = Tensor(B)
    product = ms.vmap(ms.vmap(lambda a, b: (a * b).sum(), (0, None)), (0, None))
    same(product(x, Tensor(X[0])).asnumpy(), (B * X[0]).sum(-1))
    outer = ms.vmap(lambda a: ms.vmap(lambda b: a * b)(x[0]))(Tensor(X))
    same(outer.asnumpy(), X[:, None] * B[0][None])
    inner = ms.grad(lambda x: ms.vmap(lambda r: (ms.vmap(ops.sin)(r) * r).sum())(x).sum())(x)
    same(inner.asnumpy(), np.sin(B) + B * np.cos(B))


def test_axes_describe_tuples_lists_and_dicts():
    x, y = Tensor(X), Tensor(Y)
    same(ms.vmap(lambda t, u: t[0] + t[1][0] * u, ((0, [None]), 1), 1)((x, [y[0]]), Tensor(Y.T)).asnumpy(),
         (X + Y[0] * Y).T)
    same(ms.vmap(lambda d: d["a"] - d["b"], ({"a": 0, "b": -1},))({"a": x, "b": Tensor(Y.T)}).asnumpy(), X - Y)
    found = ms.vmap(lambda x, s: ({"x": x}, (x.sum(), s)), (0, None), ({"x": 1}, (0, None)))(x, y)
    same(found[0]["x"].asnumpy(), X.T)
    same(found[1][0].asnumpy(), X.sum(1))
    same(found[1][1].asnumpy(), Y)
    shared = ms.vmap(lambda x, s: (x, s * 2), (0, None))(x, Tensor(3.0))[1]
    assert shared.asnumpy().tolist() == [6, 6, 6, 6]


def test_inside_of_a_compiled_function():
    mapped = ms.vmap(lambda x, w: ops.matmul(x, w), (0, None))

    @ms.jit(fullgraph=True)
    def program(x, w):
        return mapped(x * 2, w).sum() + ms.vmap(ops.relu)(x).sum()

    same(program(Tensor(X), Tensor(W)).asnumpy(), (2 * X @ W).sum() + np.maximum(X, 0).sum())
    gradient = ms.grad(program)(Tensor(X), Tensor(W)).asnumpy()
    same(gradient, 2 * np.broadcast_to(W.sum(1), X.shape) + (X > 0))


def test_a_slice_may_change_what_it_made_itself_in_a_compiled_function():
    def slice_of(x):
        y = x * 2
        y[0] = 5.0
        return y

    program = ms.jit(lambda x: ms.vmap(slice_of)(x), fullgraph=True)
    expected = X * 2
    expected[:, 0] = 5.0
    same(program(Tensor(X)).asnumpy(), expected)


def test_a_graph_has_one_node_for_all_slices():
    mapped = ms.vmap(lambda x: ops.tanh(x) * 2)
    compiled = ms.jit(lambda x: mapped(x))
    compiled(Tensor(X))
    (program,), = compiled.cache.programs.values()
    assert [n.op.name for n in program.graph.nodes] == ["Mapped"]


def by_condition(x):
    if x.sum() > 0:
        return x
    return -x * 2


def by_loop(x):
    n = 0
    while x.max() < 3:
        x, n = x * 1.5 + 0.1, n + 1
    return x * n


@pytest.mark.parametrize("fn", [by_condition, by_loop])
def test_what_depends_on_elements_runs_slice_by_slice(fn):
    x = Tensor(np.abs(X) * np.array([[1], [-1], [1], [1]], np.float32) if fn is by_condition else X)
    wanted = np.stack([fn(row).asnumpy() for row in x])
    mapped = ms.vmap(fn)
    same(mapped(x).asnumpy(), wanted)
    same(ms.grad(lambda x: mapped(x).sum())(x).asnumpy(), np.stack([ms.grad(lambda r: fn(r).sum())(r).asnumpy()
                                                                   for r in x]))


def test_every_slice_draws_its_own_random_numbers():
    drawn = ms.vmap(lambda x: x + ops.rand(3))(ops.zeros((4, 3))).asnumpy()
    assert drawn.shape == (4, 3)
    assert len(np.unique(drawn)) == 12


def test_a_parameter_that_slices_assign_holds_the_last():
    w = Parameter(Tensor(X[0]), name="w")

    def assigning(x):
        ops.assign(w, x)
        return w.sum()

    same(ms.vmap(assigning)(Tensor(X)).asnumpy(), X.sum(1))
    assert w.asnumpy().tolist() == X[3].tolist()
    same(ms.vmap(ms.grad(lambda x: (x * 1 + 0 * assigning(x * 2)).sum()))(Tensor(X)).shape, X.shape)
    assert w.asnumpy().tolist() == (2 * X[3]).tolist()


@pytest.mark.usefixtures("both_modes")
def test_a_parameter_that_does_not_depend_on_the_slice_changes_once_for_each():
    count = Parameter(Tensor(0.0), name="count")

    def counted(x):
        ops.assign_add(count, Tensor(1.0))
        return x.sum() + count

    same(ms.vmap(counted)(Tensor(X)).asnumpy(), X.sum(1) + np.arange(1, 5))
    assert float(count) == 4


def test_an_ensemble_runs_one_cell_per_slice():
    cells = nn.CellList([Net(1.0), Net(2.0)])
    same(ms.vmap(cells, in_axes=None)(Tensor(X[0])).asnumpy(), [np.tanh(X[0] @ W).sum(), np.tanh(2 * X[0] @ W).sum()])
    same(ms.vmap(cells)(Tensor(X[:2])).asnumpy(), [np.tanh(X[0] @ W).sum(), np.tanh(2 * X[1] @ W).sum()])
    gradient = ms.grad(lambda x: ms.vmap(cells, in_axes=None)(x).sum(), None, [cells[1].w])(Tensor(X[0]))[0]
    same(gradient.asnumpy(), np.outer(X[0], 1 - np.tanh(2 * X[0] @ W) ** 2))


def two(x, y):
    return x + y, x * y


@pytest.mark.parametrize(("fn", "axes", "args", "text"), [
    (two, (0, 0), (X, W), r"must have one extent, but got \[3, 4\]"), (two, (None, None), (X, Y), "one extent"),
    (two, None, (X, Y), "'in_axes' must not be None"), (two, (0, 0, 0), (X, Y), "3 entries"),
    (two, (2, 0), (X, Y), r"axis 2 in 'in_axes' must be in \[-2, 2\)"), (two, True, (X, Y), "an int or None"),
    (two, (0.5, 0), (X, Y), "an int or None"), (two, 0, (X, 3), "None for what is no tensor"),
    (two, ((0, 0), 0), (X, Y), "an int or None"), (lambda t: t[0], ((0, 0, 0),), ((X, Y),), "do not fit 2 values"),
])
@pytest.mark.parametrize("error", [ValueError, RuntimeError])
def test_axes_must_fit_the_arguments(fn, axes, args, text, error):
    def tensors(v):
        return tuple(map(tensors, v)) if isinstance(v, tuple) else Tensor(v) if isinstance(v, np.ndarray) else v

    with pytest.raises(error, match=text):
        ms.vmap(fn, axes)(*map(tensors, args))


@pytest.mark.parametrize(("out_axes", "text"), [
    (None, "'out_axes' must not be None"), ((0, 1, 0), "do not fit 2 values"), (5, r"must be in \[-2, 2\)"),
    ("a", "an int or None"), ((0, None), "must not be None for a result that differs")])
def test_axes_must_fit_the_results(out_axes, text):
    with pytest.raises(ValueError, match=text):
        ms.vmap(two, 0, out_axes)(Tensor(X), Tensor(Y))


def test_programs_are_kept_for_the_function(monkeypatch):
    from mindspore.compiler.program import Program

    def doubled(x):
        return x * 2

    made = []
    walk = Program.walk
    monkeypatch.setattr(Program, "walk", lambda self, name, *args: made.append(name) or walk(self, name, *args))
    for _ in range(3):
        ms.grad(lambda x: ms.vmap(doubled)(x).sum())(Tensor(X))
    assert made.count("vmap") <= 1


def test_what_is_no_function_cannot_be_mapped():
    with pytest.raises(TypeError, match="must be a function"):
        ms.vmap(3)


def test_an_error_of_the_function_is_that_of_one_slice():
    with pytest.raises(ValueError, match="MatMul"):
        ms.vmap(lambda x: ops.matmul(x, Tensor(X)))(Tensor(X))
    assert isinstance(ms.vmap(ops.relu), Mapped)


@pytest.mark.parametrize("jitted", [False, True])
def test_slices_that_change_in_place_change_the_whole(jitted):
    def assigns(x, i):
        x[i] = 5.0
        return x.sum()

    def adds(x, y):
        x.add_(y)
        return x * 2

    wrap = ms.jit if jitted else (lambda fn: fn)
    x = Tensor(np.arange(6.0).reshape(2, 3).astype(np.float32))
    assert wrap(lambda a: ms.vmap(assigns, (0, None))(a, 1))(x).asnumpy().tolist() == [7, 13]
    assert x.asnumpy().tolist() == [[0, 5, 2], [3, 5, 5]]
    y = Tensor(np.ones((3, 2), np.float32))
    assert wrap(lambda a, b: ms.vmap(adds, (0, 1))(a, b))(x, y).asnumpy().tolist() == [[2, 12, 6], [8, 12, 12]]
    assert x.asnumpy().tolist() == [[1, 6, 3], [4, 6, 6]]


@pytest.mark.parametrize("call", [lambda f: f, ms.jit, lambda f: lambda x: ops.vjp(f, x)[0]])
def test_results_have_memory_of_their_own(call):
    def computed(x):                # a graph takes the memory of a value that is not needed any more for another
        return ops.exp(ms.vmap(lambda row: row)(x))

    def changed(x):
        first, second = ms.vmap(lambda row: (row[:2], row[1:]))(x)
        first.add_(1.0)
        return second
    x = Tensor(X)
    np.testing.assert_allclose(call(computed)(x).asnumpy(), np.exp(X), rtol=1e-6)
    np.testing.assert_array_equal(call(changed)(x).asnumpy(), X[:, 1:])
    np.testing.assert_array_equal(x.asnumpy(), X)
