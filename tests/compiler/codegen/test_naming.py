"""Names in generated source: given again after the last use, and never too early."""
from __future__ import annotations

import re
import weakref

import numpy as np
import pytest
import torch

from mindspore import Tensor, ops
from mindspore.compiler.codegen.naming import Names
from mindspore.compiler.jit import jit
from mindspore.compiler.program import Program
from mindspore.core.dtype import float32
from mindspore.ir import Aval, Graph, Node

SQUARE = np.array([[1.0, 0.5], [0.25, 2.0]], np.float32)


def source_of(fn, *args):
    return Program(fn.__name__, fn, args, {}).executable.source


def node():
    return Node(None, (), {}, Aval((2,), float32), None)


def test_a_long_chain_needs_one_name():
    def net(x):
        for _ in range(50):
            x = ops.matmul(ops.sin(x), x)
        return x

    found = set(re.findall(r"\bv\d+\b", source_of(net, Tensor(SQUARE))))
    assert len(found) == 2


def test_a_value_is_released_while_the_rest_runs():
    def net(x):
        for _ in range(6):
            x = ops.matmul(ops.softmax(x), x)
        return x

    run = Program("net", net, (Tensor(SQUARE),), {}).executable.run
    softmax, alive, most = run.__globals__["k_Softmax"], [], []

    def counted(x, **attrs):
        most.append(sum(one() is not None for one in alive))
        made = softmax(x, **attrs)
        alive.append(weakref.ref(made))
        return made

    run.__globals__["k_Softmax"] = counted
    run(torch.tensor(SQUARE))
    assert most == [0] * 6


def test_names_freed_in_a_branch_are_not_taken_from_values_outside():
    def net(x):
        a, b = ops.sin(x), ops.cos(x)
        if x.sum() > 0:
            c = ops.matmul(ops.exp(a), b)
        else:
            c = ops.matmul(ops.tanh(b), ops.exp(a))
        d = ops.exp(x)
        return a + b + c + d

    for x in (SQUARE, -SQUARE):
        np.testing.assert_allclose(jit(net)(Tensor(x)).asnumpy(), net(Tensor(x)).asnumpy(), rtol=1e-6)


def test_what_a_loop_carries_keeps_its_name_in_every_pass():
    def net(x):
        total, k, scale = x * 0, x.sum() * 0, ops.exp(x)
        while k < 5:
            step = ops.matmul(ops.sin(x + k), scale)
            total = total + step
            k = k + 1
        return total + scale

    np.testing.assert_allclose(jit(net)(Tensor(SQUARE)).asnumpy(), net(Tensor(SQUARE)).asnumpy(), rtol=1e-5)


def test_results_that_are_not_used_are_released_at_once():
    def net(x):
        return ops.split(x, 1)[1] + 1

    lines = source_of(net, Tensor(SQUARE)).splitlines()
    assert lines[2].strip() == "del v0"


def test_a_name_is_taken_from_the_dead_before_the_free():
    names = Names(())
    a, b, c = node(), node(), node()
    first = names.fresh(a)
    names.free.append("other")
    dead = [first]
    assert names.fresh(b, dead) == first
    assert dead == []
    assert names.fresh(c) == "other"


def test_parameters_keep_the_program_s_names_unless_python_or_torch_has_them():
    names = Names(["in_x", "sum", "weight.1", "v3", "class"])
    assert names.parameters([node() for _ in range(6)]) == ["in_x", "in_0", "in_1", "in_2", "in_3", "v4"]


def test_functions_are_told_apart():
    names = Names(())
    one, other = Graph("net"), Graph("net")
    assert [names.function(g) for g in (one, other, one)] == ["net_0", "net_1", "net_0"]


def test_what_a_part_does_with_free_names_is_not_known_after_it():
    names = Names(())
    names.free = ["v7", "v8"]
    with names.apart():
        assert names.fresh(node()) == "v8"
        names.free.append("v9")
    assert names.free == ["v7", "v8"]


def test_only_the_first_function_has_the_names_of_the_program():
    names = Names(("x", "y"))
    assert names.parameters([node(), node(), node()]) == ["x", "y", "v0"]
    assert names.parameters([node()]) == ["v1"]


def test_a_function_begins_without_free_names():
    names = Names(())
    names.free = ["v5"]
    assert names.parameters([node()]) == ["v0"]


@pytest.mark.parametrize("name", ["x", "list", "relu", "lambda", "v1", "k_relu", "s3", "step", "a b", "3x", "part_2"])
def test_names_that_mean_something_else_are_not_taken(name):
    names = Names(("x", name))
    first, second = names.parameters([node(), node()])
    assert first == "x"
    assert second == ("a_b" if name == "a b" else "in_0")


def test_a_graph_keeps_the_name_of_its_function():
    names, one, other = Names(()), Graph("part", [], [], []), Graph("part", [], [], [])
    assert [names.function(g) for g in (one, other, one)] == ["part_0", "part_1", "part_0"]
