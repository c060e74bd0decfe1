"""Avals: a Python number that only the run knows is told from a tensor by its type."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.program import Program
from mindspore.core.dtype import float32, float64, int64
from mindspore.ir import LOOP, Aval, Loc, Node, parse, text, verify
from mindspore.ir.origin import Origin
from mindspore.operators.registry import REGISTRY

NUMBER = Aval((), float64, True)
SUM = """\
graph net(x0: ~f64[], x1: f64[]):
  %0 = Add(x0, x1)                           : f64[]
  return %0
"""


def powers(x):
    """1.1 to the power of the passes, as a Python number, times `x`."""
    rate, left = 1.0, x.sum()
    while left > 0:
        rate = rate * 1.1
        left = left - 1
    return x * rate


def graph_of(fn, *arrays):
    return Program(fn.__name__, fn, tuple([Tensor(np.asarray(a, np.float32)) for a in arrays]), {}).graph


def loop_in(graph):
    return next(node for node in graph.nodes if node.op is LOOP)


def test_a_node_that_becomes_another_keeps_its_place_unless_it_takes_one_over():
    mul, exp = REGISTRY["Mul"], REGISTRY["Exp"]
    x = Node(None, (), {}, Aval((2,), float32))
    node = Node(mul, (x, 2.0), {}, x.aval, Loc("a.py", 1, "f", None), Origin(("A",)))
    other = Node(mul, (x, 3.0), {}, x.aval, Loc("a.py", 2, "f", None), Origin(("B",)))
    node.become(exp, (x,), {})
    assert (node.op, node.inputs, node.loc.line, node.origin.scope) == (exp, (x,), 1, ("A",))
    node.become(exp, (x,), {}, other)
    assert (node.loc.line, node.origin.scope) == (2, ("B",))


def test_a_number_differs_from_a_tensor_of_its_dtype():
    assert Aval((), float64) != NUMBER
    assert NUMBER.strong == Aval((), float64)
    assert str(NUMBER) == "~f64[]"


def test_results_of_operators_are_tensors_whatever_goes_in():
    for op in ("Neg", "Identity"):         # rules that return an input's aval itself
        assert REGISTRY[op].infer(NUMBER) == Aval((), float64)


def test_the_text_form_keeps_numbers():
    once = text(parse(SUM, REGISTRY))
    assert once == SUM
    assert [p.aval.weak for p in parse(once, REGISTRY).params] == [True, False]


@pytest.mark.parametrize("wrong", ["~f64[2]", "~f32[]", "~i32[]"])
def test_verify_refuses_a_number_that_python_has_not(wrong):
    graph = parse(SUM.replace("~f64[]", wrong), REGISTRY)
    with pytest.raises(ValueError, match="is no type of a number"):
        verify(graph)


def test_a_loop_carries_a_number_in_its_type():
    graph = graph_of(powers, [1.0, 2.0])
    verify(graph)
    loop = loop_in(graph)
    numbers = [i for i, p in enumerate(loop.attrs["body"].params) if p.aval.weak]
    assert [loop.aval[i] for i in numbers] == [NUMBER]
    again = text(parse(text(graph, False), REGISTRY), False)
    assert again == text(graph, False)


@pytest.mark.parametrize("inside", [False, True])
def test_a_derivative_computes_with_the_number_in_64_bits(inside):
    x = np.full(3, 20.0, np.float32)
    grad = ms.jit(ms.grad(powers)) if inside else ms.grad(ms.jit(powers))
    expected = np.float32(np.cumprod([1.1] * 60)[-1])
    np.testing.assert_array_equal(grad(Tensor(x)).asnumpy(), np.full(3, expected))


@pytest.mark.parametrize(("other", "kind"), [
    (lambda x: x.sum(), Tensor), (lambda x: 3.0, float), (lambda x: 3, float)])
def test_branches_make_a_number_of_numbers_only(other, kind):
    @ms.jit
    def net(x):
        return other(x) if x[0] > 0 else 0.5

    for first in (1.0, -1.0):
        found = net(Tensor([first, 2.0], float32))
        assert type(found) is kind
        assert float(found) == (3.0 if first > 0 else 0.5)


def test_a_recursive_function_returns_a_number():
    def count(x):
        return 0 if x.sum() < 1 else count(x - 1) + 1

    found = ms.jit(count)(Tensor([4.0], float32))
    assert type(found) is int
    assert found == 4


def test_a_number_decides_kind_and_not_width_of_a_tensor():
    @ms.jit
    def net(x, n):
        k = 2 if n.sum() > 0 else 3
        return x * k

    assert net(Tensor([1, 2], ms.int8), Tensor([1], int64)).dtype == ms.int8
