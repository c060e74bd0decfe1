"""Networks of every kind of statement come out of a tree as they went in."""
from __future__ import annotations

import functools

import numpy as np
import pytest
from rewritten_networks import Twins

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.rewrite import Node, SymbolTree

X = Tensor(np.float32([[1.5, -2.0, 0.25], [3.0, -0.5, 4.0]]))
Y = Tensor(np.float32([[0.5, 4.0, -1.0], [2.0, 8.0, -3.0]]))


def doubled(construct):
    """What a network gives times two."""
    @functools.wraps(construct)
    def twice(self, *args):
        return construct(self, *args) * 2
    return twice


class Assigned(nn.Cell):
    def construct(self, x, y=Y, z=3.0):
        a = x
        a -= y
        a /= z
        b = y
        b **= 2
        return a - b


class Order(nn.Cell):
    """Calls and operators within calls, in whose order the operands matter."""

    def construct(self, x, y):
        first, second = ops.split(ops.concat((x - y, y / x), 1), 3, 1)
        return ops.sub(ops.exp(first * 0.1), second).clip(-2.0, 2.0).sum(1).expand_dims(1) - ops.abs(y).mean()


class Branches(nn.Cell):
    def construct(self, x, y):
        if ops.sum(x) > 100.0:
            x = x * 7
        else:
            x = x - y
        for part in (y, x):
            x = x + ops.relu(part)
        return x


class Loop(nn.Cell):
    """A loop whose condition is computed again in each round."""

    def construct(self, x, y):
        count = 0
        while ops.sum(x) < 50.0:
            x = x + ops.abs(y)
            count += 1
        return x * count


class Lazy(nn.Cell):
    """Parts that are not computed at all, or more than once."""

    def construct(self, x, y):
        a = x if x.ndim == 2 else ops.expand_dims(x, 9)
        b = sum([ops.relu(part) for part in (x, y)])
        ok = isinstance(x, Tensor) or ops.expand_dims(x, 9)
        return a + b if ok else x


class Compared(nn.Cell):
    def construct(self, x, y):
        rank = x.ndim
        if 1 < rank <= 2:
            x = -x
        if 0 < rank < 2:
            x = x * 100
        return x + (1 if 3 > rank > 1 > 2 else 0) + (y is not None)


class OneOfOne(nn.Cell):
    def construct(self, x, y):
        return (x - y,)


class Three(nn.Cell):
    def construct(self, x, y):
        return x, [y, x], x - y


class Nothing(nn.Cell):
    def construct(self, x, y):
        ops.add(x, y)


class Parent(nn.Cell):
    def construct(self, x, y):
        return x - y * 3


class Child(Parent):
    def construct(self, x, y):
        return super().construct(y, x) + 1


def tensors(value):
    if isinstance(value, (tuple, list)):
        return [part for inner in value for part in tensors(inner)]
    return [value]


@pytest.mark.parametrize("kind", [Assigned, Order, Branches, Loop, Lazy, Compared, OneOfOne, Three, Nothing, Child])
@pytest.mark.parametrize("given", [(X, Y), (Y, X)], ids=["xy", "yx"])
def test_a_network_comes_out_as_it_went_in(kind, given):
    net = kind()
    want, got = net(*given), SymbolTree.create(net).get_network()(*given)
    assert type(got) is type(want)
    for a, b in zip(tensors(got), tensors(want), strict=True):
        assert np.array_equal(getattr(a, "asnumpy", lambda a=a: a)(), getattr(b, "asnumpy", lambda b=b: b)())


def test_defaults_stay_with_the_arguments_that_have_them():
    net = Assigned()
    made = SymbolTree.create(net).get_network()
    assert np.array_equal(made(X).asnumpy(), net(X).asnumpy())
    assert np.array_equal(made(X, X).asnumpy(), net(X, X).asnumpy())


def test_parts_of_one_class_are_changed_apart():
    tree = SymbolTree.create(Twins())
    for name, cell in (("a", nn.ReLU()), ("b", nn.Tanh())):
        part = tree.get_node(name).get_sub_tree()
        assert part is tree.get_node(name).get_sub_tree()
        output = part.get_node("return")
        given = list(output.get_args())
        part.insert(part.before(output), Node.create_call_cell(cell, given, given, name="act"))
    x = X.asnumpy()
    assert np.allclose(tree.get_network()(X).asnumpy(), np.maximum(2 * x, 0) - np.tanh(5 * x), atol=1e-6)


class Decorated(nn.Cell):
    @doubled
    def construct(self, x, y):
        return x - y * 3


class Compiled(nn.Cell):
    @ms.jit
    def construct(self, x, y):
        return x - y * 3


def test_decorators_of_programs_stay_and_those_that_compile_go():
    for kind, kept in ((Decorated, True), (Compiled, False)):
        net = kind()
        tree = SymbolTree.create(net)
        assert np.array_equal(tree.get_network()(X, Y).asnumpy(), net(X, Y).asnumpy())
        assert ("@" in tree.get_code()) == kept
