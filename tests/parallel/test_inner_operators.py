"""Operators inside of cells that programs cut by name, as `net.dense.matmul.shard(...)`."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler import program
from mindspore.parallel.noted import strategies_of
from mindspore.parallel.placement import REPLICATE, Mesh, Partial, Shard
from mindspore.parallel.running import ways

ALL = REPLICATE


@pytest.fixture
def graph(monkeypatch):
    """The graph of the last cell that ran, as the front end gives it."""
    seen = []
    inner = program.assembled

    def assembled(given):
        seen[:] = [given.graph]
        return inner(given)
    monkeypatch.setattr(program, "assembled", assembled)
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield seen
    ms.set_context(mode=before)


def cut(graph, name):
    """How the inputs and the result of an operator may lie over two devices."""
    wanted = strategies_of(graph, 2)
    (node,) = [n for n in graph.nodes if n.op.name == name]
    return {(tuple([p[0] for p in way.inputs if p is not None]), way.outs[0][0]) for way in ways(
        node, Mesh((2,)), wanted.get(id(node)))}


def test_a_strategy_for_the_product_of_a_dense_layer_cuts_all_that_it_computes(graph):
    rows = nn.Dense(8, 12)
    rows.matmul.shard(((1, 1), (2, 1)))                  # the weight is (outputs, inputs)
    rows.bias_add.shard(((1, 2), (2,)))
    rows(ops.ones((4, 2, 8)))
    assert cut(*graph, "Dense") == {((ALL, Shard(0), Shard(0)), Shard(2))}
    columns = nn.Dense(8, 12, has_bias=False)
    columns.matmul.shard(((1, 2), (1, 2)))
    columns(ops.ones((4, 8)))
    assert cut(*graph, "Dense") == {((Shard(1), Shard(1)), Partial())}


def test_other_cells_have_the_operator_of_their_name(graph):
    norm = nn.LayerNorm((6,))
    norm.layer_norm.shard(((2, 1), (1,), (1,)))
    norm(ops.ones((4, 6)))
    assert cut(*graph, "LayerNorm") == {((Shard(0), ALL, ALL), Shard(0))}
    relu = nn.ReLU()
    relu.relu.shard(((1, 2),))
    relu(ops.ones((4, 6)))
    assert cut(*graph, "ReLU") == {((Shard(1),), Shard(1))}


def test_a_strategy_that_does_not_fit_is_told_with_those_that_do(graph):
    net = nn.Dense(8, 12)
    net.matmul.shard(((1, 3), (1, 3)))
    net(ops.ones((4, 8)))
    with pytest.raises(ValueError, match=r"not possible over 2 processes.*Possible are.*\(2, 1\)"):
        cut(*graph, "Dense")


def test_the_operator_works_by_itself_and_other_names_are_none():
    assert nn.Dense(3, 2).matmul(ops.ones((2, 3)), ops.ones((4, 3))).shape == (2, 4)
    with pytest.raises(AttributeError, match="'Dense' object has no attribute 'conv2d'"):
        nn.Dense(3, 2).conv2d  # noqa: B018  # asked for
