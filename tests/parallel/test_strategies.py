"""What `shard` says of operators and layers is followed, and gives the values and derivatives of one device."""
from __future__ import annotations

import numpy as np
import pytest
from split_steps import SLOW, on_all, on_one

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.inspection.plans import Call
from mindspore.parallel import running
from mindspore.parallel.storing import Storing
from mindspore.parallel.strategies import parts_of

DEVICES = 4


def drawn(seed, *shapes):
    draw = np.random.default_rng(seed)
    return [Tensor(draw.standard_normal(s).astype(np.float32)) for s in shapes]


def indices(seed, below, *shape):
    return Tensor(np.random.default_rng(seed).integers(0, below, shape).astype(np.int32))


def alike(fn, inputs, monkeypatch, tolerance=1e-5):
    """Compare all devices with one; the plan, and the graph."""
    monkeypatch.setattr(running, "machine", lambda: SLOW)
    with running.without_processes(DEVICES):
        call = Call(fn, inputs)
    graph, values = call.graph, [t._data for t in (*inputs, *call.captured)]
    found, _ = running.planned(graph, Storing, call.parameters, running.grids_for(graph, DEVICES, call.captured))
    wanted = on_one(graph, values)
    for device in on_all(graph, values, found.plan)[1]:
        for a, b in zip(device, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * max(float(abs(b).max()), 1.0))
    return found.plan, graph


def cut(plan, graph, name):
    """Into how many parts the inputs, and the first result, of the forward operators of a name are cut."""
    def parts(placement, x):
        return parts_of(placement, len(x.aval.shape), plan.mesh)
    for node in graph.nodes:
        if node.op.name == name and node.origin.phase == "forward":
            choice = plan.chosen[id(node)]
            ins = [parts(p, x) for p, x in zip(choice.inputs, node.inputs, strict=True) if p is not None]
            return ins, parts(choice.outs[0], (node.items or [node])[0])
    raise AssertionError(f"{name} is not among {sorted({n.op.name for n in graph.nodes})}")


LOGITS = Tensor(np.random.default_rng(2).uniform(0.1, 0.9, (16, 8)).astype(np.float32))
CASES = {
    "product": (lambda: ops.MatMul(), drawn(1, (16, 32), (32, 64)), ((2, 1), (1, 2)), "MatMul", (2, 2)),
    "rows and a column": (lambda: ops.Sub(), drawn(1, (16, 32), (16, 1)), ((2, 2), (2, 1)), "Sub", (2, 2)),
    "a number": (lambda: ops.Mul(), drawn(1, (16, 8)), ((2, 2), ()), "Mul", (2, 2)),
    "softmax of pieces": (lambda: ops.Softmax(), drawn(1, (16, 32)), ((1, 4),), "Softmax", (1, 4)),
    "one by one": (lambda: ops.Conv2D(8, 1), drawn(1, (4, 4, 16, 16), (8, 4, 1, 1)), ((1, 1, 1, 4), (1, 1, 1, 1)),
                   "Convolution", (1, 1, 1, 4)),
    "losses": (lambda: ops.BinaryCrossEntropy("none"), [LOGITS, LOGITS, LOGITS], ((2, 2), (2, 2), (2, 2)),
               "CrossEntropyOf", (2, 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_operators_are_cut_as_strategies_say(name, monkeypatch):
    make, inputs, strategy, node, result = CASES[name]
    op, numbers = make().shard(strategy), (2.0,) if name == "a number" else ()

    def step(*xs):
        def total(*xs):
            out = op(*xs, *numbers)
            return (out * ops.sin(out)).sum()
        return total(*xs), ms.grad(total, (0,))(*xs)
    plan, graph = alike(step, tuple(inputs), monkeypatch)
    found, out = cut(plan, graph, node)
    assert out == result
    assert found == [s for s in strategy if s][:len(found)]


@pytest.mark.parametrize("strategy", [(4, 1), (1, 4), (2, 2)])
def test_the_strategy_of_a_one_hot_is_that_of_its_result(strategy, monkeypatch):
    hot = ops.OneHot().shard((strategy, (), ()))
    on, off = Tensor(0.9, ms.float32), Tensor(0.1, ms.float32)
    plan, graph = alike(lambda x: hot(x, 8, on, off), (indices(3, 8, 16),), monkeypatch)
    assert cut(plan, graph, "OneHot") == ([strategy[:1], (), ()], strategy)
    wrong = ops.OneHot().shard(((3, 1), (), ()))
    with pytest.raises(ValueError, match="Possible are for the result and the inputs"):
        alike(lambda x: wrong(x, 8, on, off), (indices(3, 8, 16),), monkeypatch)


class Attention(nn.Cell):
    """Attention in heads, written out as programs do, all of whose operators are cut."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = [Parameter(x * 0.3, name=n) for n, x in zip(
            "qkvo", drawn(4, *[(16, 16)] * 4), strict=True)]
        self.project, self.out = ops.MatMul().shard(((2, 1), (1, 2))), ops.MatMul().shard(((2, 2), (2, 1)))
        heads = (2, 2, 1, 1)
        self.scores, self.mix = ops.BatchMatMul(transpose_b=True).shard((heads, heads)), ops.BatchMatMul().shard(
            (heads, heads))
        self.softmax, self.turn = ops.Softmax().shard((heads,)), ops.Transpose().shard(((2, 1, 2, 1),))

    def construct(self, x):
        rows = x.reshape((-1, 16))
        q, k, v = [self.turn(self.project(rows, w).reshape((-1, 6, 4, 4)), (0, 2, 1, 3)) for w in (self.q, self.k,
                                                                                                self.v)]
        mixed = self.mix(self.softmax(self.scores(q, k)), v).transpose((0, 2, 1, 3))
        return ops.tanh(self.out(mixed.reshape((-1, 16)), self.o)).sum()


class Layers(nn.Cell):
    """Layers with activations, whose operators are cut by the names that they have in cells."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Dense(16, 32, activation="relu"), nn.Dense(32, 16)
        self.norm = nn.LayerNorm((16,))
        self.first.matmul.shard(((2, 1), (2, 1)))
        self.last.matmul.shard(((2, 2), (1, 2)))
        self.norm.layer_norm.shard(((4, 1), (1,), (1,)))

    def construct(self, x):
        return ops.tanh(self.norm(self.last(self.first(x)))).sum()


class Images(nn.Cell):
    """A convolution, a batch norm in training, and a convolution of one by one."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.point = nn.Conv2d(4, 8, 3), nn.BatchNorm2d(8), nn.Conv2d(8, 4, 1)
        self.conv.conv2d.shard(((4, 1, 1, 1), (1, 1, 1, 1)))
        self.norm.bn_train.shard(((2, 2, 1, 1), (2,), (2,), (2,), (2,)))
        self.point.conv2d.shard(((2, 1, 2, 1), (1, 1, 1, 1)))
        self.set_train()

    def construct(self, x):
        return ops.tanh(self.point(ops.relu(self.norm(self.conv(x))))).sum()


class Planned(nn.Cell):
    """A layer whose parameter is named as in programs of 2.10."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(16, 32)
        self.cut = self.layer.shard(in_strategy=((2, 2),), parameter_plan={"self.layer.weight": (1, 4)})

    def construct(self, x):
        return ops.tanh(self.cut(x)).sum()


@pytest.mark.parametrize(("make", "shape", "cuts"), [
    (Attention, (4, 6, 16), {"BatchMatMul": (2, 2, 1, 1), "Softmax": (2, 2, 1, 1)}),
    (Layers, (8, 16), {"Dense": (2, 2), "LayerNorm": (4, 1)}),
    (Images, (8, 4, 8, 8), {"BatchNormTrain": (2, 2, 1, 1), "Convolution": (4, 1, 1, 1)}), (Planned, (8, 16), {})])
def test_layers_are_cut_as_strategies_say(make, shape, cuts, monkeypatch):
    ms.set_seed(5)
    net, (x,) = make(), drawn(6, shape)
    step = ms.value_and_grad(lambda x: net(x), None, net.trainable_params())
    plan, graph = alike(lambda x: step(x), (x,), monkeypatch)
    for name, parts in cuts.items():
        assert cut(plan, graph, name)[1] == parts, name


def test_attention_without_strategies_is_still_one_operator():
    net, (x,) = Attention(), drawn(6, (4, 6, 16))
    assert "Attention" in {n.op.name for n in Call(lambda x: net(x), (x,)).graph.nodes}


@pytest.mark.parametrize(("out", "parts"), [((4, 1), (4, 1)), ((1, 1), (1, 1)), ((1, 4), (1, 4)), ((2, 2), (2, 2))])
def test_results_lie_as_out_strategies_say(out, parts, monkeypatch):
    product = ops.MatMul().shard(((1, 4), (4, 1)), out_strategy=(out,))
    plan, graph = alike(lambda x, w: ops.tanh(product(x, w)), tuple(drawn(1, (16, 32), (32, 8))), monkeypatch)
    assert cut(plan, graph, "LieAs") == ([parts], parts)
    assert cut(plan, graph, "MatMul")[0] == [(1, 4), (4, 1)]
    twice = ops.MatMul().shard(((1, 4), (4, 1)), out_strategy=(out, out))
    with pytest.raises(ValueError, match="for each of the 1 tensors, but got 2"):
        alike(*stated(twice), monkeypatch)
    inner = nn.Dense(4, 4).matmul
    with pytest.raises(ValueError, match=r"not followed. Cut the cell: mindspore.shard\(cell"):
        inner.shard(((1, 4), (1, 4)), out_strategy=(out,))


def stated(op):
    """A function of an operator and its inputs, as `Call` takes them."""
    return (lambda x, w: op(x, w)), tuple(drawn(1, (16, 32), (32, 8)))


def test_layouts_name_devices_that_there_are(monkeypatch):
    rows = ms.Layout((4,), ("rows",), [4, 5, 6, 7])
    product = ops.MatMul().shard((rows("rows", "None"), rows("None", "None")))
    with pytest.raises(ValueError, match=r"rank_list \[4, 5, 6, 7\] .* beyond the 4 that there are"):
        alike(*stated(product), monkeypatch)
