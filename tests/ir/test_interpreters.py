"""Two interpreters as others would add them: one traces what is applied, one counts; each knows nothing of the rest."""
from collections import Counter

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ir.runtime import Interpreter, pushed


class Tracing(Interpreter):
    """Writes down operators with the shapes of what goes in and comes out."""

    def __init__(self):
        self.lines = []

    def apply(self, op, inputs, attrs):
        out = self.below.apply(op, inputs, attrs)
        shapes = [tuple(x.shape) for x in inputs if hasattr(x, "shape")]
        self.lines.append(f"{op.name} {shapes} -> {tuple(out.shape)}")
        return out


class Counting(Interpreter):
    """Counts applications by operator."""

    def __init__(self):
        self.found = Counter()

    def apply(self, op, inputs, attrs):
        self.found[op.name] += 1
        return self.below.apply(op, inputs, attrs)


def test_a_tracing_hook_sees_shapes():
    with pushed(Tracing()) as trace:
        ops.matmul(Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((3, 4), np.float32))) + 1.0
    assert trace.lines == ["BatchedMatmul [(2, 3), (3, 4)] -> (2, 4)", "Add [(2, 4)] -> (2, 4)"]


def test_a_counter_sees_the_reverse_of_a_gradient():
    x = Tensor([1.0, 2.0])
    with pushed(Counting()) as count:
        found = ms.grad(lambda x: (x * x * x).sum())(x)
    assert found.asnumpy().tolist() == [3.0, 12.0]
    assert count.found["Mul"] >= 2 + 4           # two forward, each with two cotangents


def test_it_sees_what_is_recorded_and_what_is_cast():
    net = nn.Dense(3, 2).to_float(ms.float16)
    with pushed(Counting()) as count:
        ms.grad(lambda x: net(x).astype(ms.float32).sum())(Tensor(np.ones((1, 3), np.float32)))
    assert count.found["Cast"] >= 3              # argument, weight, bias


def test_it_sees_nodes_while_a_graph_is_built_and_nothing_when_it_runs():
    x = Tensor([1.0, 2.0])
    run = ms.jit(lambda x: ops.sin(x) * 2.0)
    with pushed(Counting()) as count:
        run(x)
        assert count.found == {"Sin": 1, "Mul": 1}
        run(x)
    assert count.found == {"Sin": 1, "Mul": 1}
