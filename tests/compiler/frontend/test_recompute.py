"""Cells whose values the reverse pass computes again."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


class Block(nn.Cell):
    """A block with a weight, an activation and something that draws or assigns."""

    def __init__(self, last=None):
        super().__init__()
        self.dense, self.last = nn.Dense(6, 6), last

    def construct(self, x):
        y = ops.tanh(self.dense(x)) * ops.exp(x * 0.1)
        return y if self.last is None else self.last(y)


class Net(nn.Cell):
    def __init__(self, *blocks):
        super().__init__()
        self.blocks = nn.CellList(list(blocks))

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return (x * x).sum()


def network(again, last=lambda: None):
    ms.set_seed(5)
    net = Net(Block(last()), Block(last())).set_train()
    if again:
        for block in net.blocks:
            block.recompute()
    return net


def gradients(net, x):
    value, (dx, weights) = ms.jit(ms.value_and_grad(net, 0, net.trainable_params()))(x)
    return [t.asnumpy() for t in (value, dx, *weights)]


@pytest.fixture
def x():
    return Tensor(np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32))


@pytest.mark.parametrize("last", [lambda: None, lambda: nn.BatchNorm1d(6), lambda: nn.Dropout(p=0.5)],
                         ids=["plain", "state", "random"])
def test_values_gradients_and_state_stay_the_same(x, last):
    results = []
    for again in (False, True):
        net = network(again, last)
        ms.set_seed(9)
        results.append(gradients(net, x) + [p.asnumpy() for p in net.get_parameters()])
    for plain, recomputed in zip(*results, strict=True):
        np.testing.assert_allclose(recomputed, plain, rtol=1e-5, atol=1e-6)


def test_the_values_are_computed_in_each_pass(x):
    def counted(net):
        function = ms.jit(ms.grad(net))
        function(x)
        ((program,),) = function.cache.programs.values()
        inside = [n.attrs["graph"] for n in program.graph.nodes if n.op.name == "custom"]
        return [sum(n.op.name == "Tanh" for n in g.nodes) for g in (program.graph, *inside)]
    assert counted(network(False)) == [2]
    assert counted(network(True)) == [2, 1, 1]


def test_a_loop_on_a_tensor_inside_is_computed_again(x):
    class Loop(nn.Cell):
        def construct(self, x):
            i = Tensor(0)
            while i < 3:
                x = ops.sin(x) * 1.5
                i = i + 1
            return x

    plain, again = Net(Loop()), Net(Loop())
    again.blocks[0].recompute()
    for a, b in zip(gradients(plain, x), gradients(again, x), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-6)


def test_second_derivatives_go_through(x):
    def second(net):
        first = ms.grad(net)
        return ms.jit(ms.grad(lambda x: (first(x) ** 2).sum()))(x).asnumpy()
    np.testing.assert_allclose(second(network(True)), second(network(False)), rtol=1e-4, atol=1e-5)


def test_the_program_without_a_derivative_is_the_same(x):
    np.testing.assert_array_equal(ms.jit(network(True))(x).asnumpy(), ms.jit(network(False))(x).asnumpy())


def test_an_unknown_option_is_named():
    with pytest.raises(TypeError, match=r"'recompute'.*'speed'"):
        Block().recompute(speed=1)


def test_asking_twice_is_asking_once(x):
    net = network(True)
    net.blocks[0].recompute()
    assert len(gradients(net, x)) == 6


def test_an_option_must_be_a_bool():
    with pytest.raises(TypeError, match="mp_comm_recompute"):
        Block().recompute(mp_comm_recompute=1)
