"""The walk over a function: what becomes of it."""
from __future__ import annotations

import gc

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.program import Program
from mindspore.compiler.walking import draws
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

X = Tensor([1.0, 2.0])


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")
        self.table = Tensor([1.0, 1.0])

    def construct(self, x, pair):
        return x * self.w + self.table + pair[0] * pair[1]


def test_parameters_of_the_graph_are_inputs_and_then_what_was_captured():
    net = Net()
    program = Program("net", net, (X, (X, X)), {})
    assert program.names == ["in_x", "in_pair_0", "in_pair_1", "param_w", "const_1"]
    assert program.captured[0] is net.w
    assert program.captured[1] is net.table
    assert [p.shape for p in program.graph.params] == [(2,)] * 5


def test_a_tensor_of_an_attribute_is_taken_from_there():
    net = Net()
    program = Program("net", net, (X, (X, X)), {})
    assert [(k, owner, name) for k, owner, name, *_ in program.sources] == [(1, net, "table")]


def test_a_function_that_always_raises_does_so_at_the_run():
    def refuse(x):
        raise ValueError("never")

    program = Program("refuse", refuse, (X,), {})
    with pytest.raises(ValueError, match="never"):
        program([X])


def test_a_walk_that_fails_leaves_no_traces():
    def wrong(x):
        return ops.matmul(x, Tensor([[1.0]]))

    with pytest.raises(ValueError, match="MatMul"):
        Program("wrong", wrong, (X,), {})
    assert runtime.trace is None
    assert runtime.blocks == []
    assert runtime.loc is None


def test_no_nodes_are_left_of_programs_that_are_gone():
    def nodes():
        ms.value_and_grad(ms.jit(lambda x: (x.reshape(2, 1)[1:] * 3).sum()))(X)
        gc.collect()
        return sum(type(o) is Node for o in gc.get_objects())

    before = nodes()
    assert nodes() <= before


def test_drawing_is_found_in_sub_graphs():
    def noisy(x):
        return ops.standard_normal((2,)) if x.sum() > 0 else x

    assert draws(Program("noisy", noisy, (X,), {}).graph)
    assert not draws(Program("net", Net(), (X, (X, X)), {}).graph)


def test_a_program_inside_of_another_is_part_of_it():
    inner = ms.jit(lambda x: ops.exp(x))
    program = Program("outer", lambda x: inner(x) + 1, (X,), {})
    assert [n.op.name for n in program.graph.nodes] == ["Exp", "Add"]
