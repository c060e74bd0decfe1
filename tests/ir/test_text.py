"""The text form of graphs, its parser, and the invariants that `verify` states."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.ops  # noqa: F401  # operators and methods
from mindspore import Tensor
from mindspore.compiler.program import Program
from mindspore.ir import parse, text, verify
from mindspore.operators.registry import REGISTRY

PLAIN = """\
graph net(x0: f32[2,3], x1: f32[3]):
  %0 = Add(x0, x1)                           : f32[2,3]
  %1 = ReduceSum(%0, axis=(1,))              : f32[2]
  %2 = Mul(%1, 2.0)                          : f32[2]
  return %2, x1
"""


def graph_of(fn, *arrays):
    args = tuple(Tensor(np.asarray(a, np.float32)) for a in arrays)
    return Program(fn.__name__, fn, args, {}).graph


def test_the_text_of_a_parsed_graph_is_the_text():
    assert text(parse(PLAIN, REGISTRY)) == PLAIN


def test_a_graph_shows_the_lines_of_the_program():
    def net(x):
        return x + 1

    assert "# test_text.py:" in text(graph_of(net, [1.0]))
    assert "#" not in text(graph_of(net, [1.0]), locs=False)


def test_comments_are_skipped_by_the_parser():
    assert text(parse(PLAIN.replace(": f32[2]\n", ": f32[2]  # net.py:3\n"), REGISTRY)) == PLAIN


def test_a_condition_survives_the_round_trip():
    def net(x):
        return x * 2 if x.sum() > 0 else x

    once = text(graph_of(net, [1.0, 2.0]), locs=False)
    assert "then = graph" in once
    assert text(parse(once, REGISTRY), locs=False) == once


def test_a_loop_survives_the_round_trip():
    def net(x):
        while x.sum() < 9:
            x = x + 1
        return x

    once = text(graph_of(net, [1.0, 2.0]), locs=False)
    assert "body = graph" in once
    assert text(parse(once, REGISTRY), locs=False) == once


def test_recursion_survives_the_round_trip():
    def down(x):
        return x if x.sum() < 0 else down(x - 1)

    once = text(graph_of(down, [1.0, 2.0]), locs=False)
    assert "graph='down'" in once
    assert text(parse(once, REGISTRY), locs=False) == once


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("nothing", "expected 'graph"),
        ("graph f(x0: f32[2]):\n  %0 = Nope(x0) : f32[2]\n  return %0", "unknown operator 'Nope'"),
        ("graph f(x0: f32[2]):\n  %0 = Neg(%7) : f32[2]\n  return %0", "unknown value '%7'"),
        ("graph f(x0: f32[2]):\n  %0 = Neg(x0)\n  return %0", "expected '%n ="),
        ("graph f(x0: f32[2]):\n  %0 = Neg(x0) : f33[2]\n  return %0", "unknown type"),
        ("graph f(x0: f32[2]):\n  %0 = Neg(x0) : f32[2]", "no 'return'"),
        ("", "holds no graph"),
    ],
)
def test_the_parser_names_what_it_cannot_read(wrong, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        parse(wrong, REGISTRY)


def test_verify_takes_a_sound_graph():
    verify(parse(PLAIN, REGISTRY))


def test_verify_refuses_a_use_before_the_definition():
    graph = parse(PLAIN, REGISTRY)
    graph.nodes.reverse()
    with pytest.raises(ValueError, match="neither a parameter nor an earlier node"):
        verify(graph)


def test_verify_refuses_a_wrong_type():
    graph = parse(PLAIN.replace("%0 = Add(x0, x1)                           : f32[2,3]",
                                "%0 = Add(x0, x1)                           : f32[3,2]"), REGISTRY)
    with pytest.raises(ValueError, match="the operator's rule says"):
        verify(graph)


def test_verify_refuses_a_foreign_result():
    graph, other = parse(PLAIN, REGISTRY), parse(PLAIN, REGISTRY)
    graph.outs = other.outs
    with pytest.raises(ValueError, match="a result is no node of the graph"):
        verify(graph)


def without_a_parameter(graph, cond):
    cond.attrs["then"].params.pop()


def with_a_foreign_result(graph, cond):
    cond.attrs["orelse"].outs = [graph.params[0]]


@pytest.mark.parametrize(("broken", "message"), [
    (without_a_parameter, r"'then'|neither a parameter"),
    (with_a_foreign_result, "no node of the graph"),
])  # fmt: skip
def test_verify_refuses_a_sub_graph_that_is_not_closed(broken, message):
    def net(x):
        return x * 2 if x.sum() > 0 else x

    graph = graph_of(net, [1.0, 2.0])
    broken(graph, next(n for n in graph.nodes if n.op.name == "cond"))
    with pytest.raises(ValueError, match=message):
        verify(graph)
