"""The matcher: which nodes a pattern fits, and what becomes of them and of those around."""
from __future__ import annotations

import pytest

from mindspore.compiler.passes.patterns import Apply, Either, Rewriting, number, operand, tensor
from mindspore.core.dtype import float32
from mindspore.ir import ITEM, Aval, Graph, Node, param, parse, text, verify
from mindspore.operators import arithmetic as a
from mindspore.operators.piecewise import relu
from mindspore.operators.pooling import max_pool
from mindspore.operators.powers import exp
from mindspore.operators.registry import REGISTRY

X = "x0: f32[2,3], x1: f32[2,3]"


def rectifying(**options):
    """exp(relu(x)) => relu(exp(x)), which is wrong and easy to see."""
    found = Rewriting(**options)

    @found.rule(Apply(exp, Apply(relu, tensor("x"), once=True)))
    def swapped(new, x):
        return new(relu, (new(exp, (x,), {}, x.aval),), {}, new.root.aval)
    return found


BEFORE = "%0 = ReLU(x0): f32[2,3]; %1 = Exp(%0): f32[2,3]; %1"


def test_what_a_pattern_ends_in_computes_the_replacement(assert_rewrites):
    assert_rewrites(rectifying(whole=True), f"{X} -> {BEFORE}",
                    f"{X} -> %0 = Exp(x0): f32[2,3]; %1 = ReLU(%0): f32[2,3]; %1")


def test_where_nodes_may_be_held_what_was_replaced_stays_and_keeps_its_identity(assert_rewrites):
    assert_rewrites(rectifying(), f"{X} -> {BEFORE}",
                    f"{X} -> %0 = ReLU(x0): f32[2,3]; %1 = Exp(x0): f32[2,3]; %2 = ReLU(%1): f32[2,3]; %2")
    x = param(tensor_aval())
    inner = Node(relu, (x,), {}, x.aval)
    last = Node(exp, (inner,), {}, x.aval)
    graph = rectifying()(Graph("f", [x], [inner, last], [last]))
    assert graph.outs == [last]
    assert (last.op, graph.nodes[0]) == (relu, inner)
    verify(graph)


@pytest.mark.parametrize("body", [
    "%0 = ReLU(x0): f32[2,3]; %1 = Exp(%0): f32[2,3]; %2 = Add(%0, %1): f32[2,3]; %2",
    "%0 = Exp(x0): f32[2,3]; %1 = Exp(%0): f32[2,3]; %1"])
def test_another_use_or_another_operator_is_no_match(assert_rewrites, body):
    assert_rewrites(rectifying(whole=True), f"{X} -> {body}", f"{X} -> {body}")


def test_a_node_of_one_use_that_the_list_does_not_hold_is_no_match():
    x = param(tensor_aval())
    outside = Node(relu, (x,), {}, x.aval)
    last = Node(exp, (outside,), {}, x.aval)
    graph = rectifying()(Graph("part", [], [last], [last]))
    assert (graph.nodes, last.op, last.inputs) == ([last], exp, (outside,))


def tensor_aval():
    return Aval((2, 3), float32)


def values(pattern, op, *inputs):
    x = param(tensor_aval())
    found = pattern.match(Node(op, tuple([x if i == "x" else i for i in inputs]), {}, x.aval), {})
    return found and {k: "x" if type(v) is Node else v for k, v in found.items() if k != "once"}


def test_names_stand_for_values_and_the_first_alternative_counts():
    pattern = Either(Apply(a.add, tensor("t"), number("n")), Apply((a.add, a.mul), operand("o"), tensor("t")))
    assert values(pattern, a.add, "x", 2) == {"t": "x", "n": 2}
    assert values(pattern, a.add, 2.5, "x") == {"o": 2.5, "t": "x"}
    assert values(pattern, a.mul, "x", "x") == {"o": "x", "t": "x"}
    assert values(pattern, a.mul, "x", 2) is None
    assert values(pattern, a.add, "x", True) is None
    assert values(pattern, a.sub, "x", "x") is None


def test_a_rule_that_declines_leaves_the_next_one_its_turn():
    asked = []
    found = Rewriting()

    @found.rule(Apply(a.add, tensor("x"), tensor("y")), Apply(a.add, tensor("y"), tensor("x")))
    def declining(new, x, y):
        asked.append((x, y))

    x, y = param(tensor_aval()), param(tensor_aval())
    node = Node(a.add, (x, y), {}, x.aval)
    assert found(Graph("f", [x, y], [node], [node])).nodes == [node]
    assert asked == [(x, y), (y, x)]


def test_a_replacement_of_another_type_is_an_error():
    found = Rewriting()

    @found.rule(Apply(exp, tensor("x")))
    def wrong(new, x):
        return new(a.add, (x, 1), {}, x.aval._replace(shape=(3,)))
    x = param(tensor_aval())
    node = Node(exp, (x,), {}, x.aval)
    with pytest.raises(ValueError, match=r"Add of type f32.3. in place of Exp of f32.2,3."):
        found(Graph("f", [x], [node], [node]))


def test_a_projection_that_is_replaced_leaves_its_owner_another_one(assert_rewrites):
    found = Rewriting()

    @found.rule(Apply(ITEM, Apply(max_pool, tensor("x"), name="pool"), where=lambda node, _: node.attrs["i"] == 0))
    def shifted(new, x, pool):
        seen.append(pool)
        return new(relu, (new(max_pool, (x,), pool.attrs, pool.aval, pool).items[0],), {}, new.root.aval)
    seen = []
    attrs = "window=(2, 2), stride=(2, 2), padding=(0, 0), dilation=(1, 1), ceil_mode=False"
    kinds = "(f32[1,1,2,2], i64[1,1,2,2])"
    graph = parse(f"graph f(x0: f32[1,1,4,4]):\n  %0 = MaxPool(x0, {attrs}) : {kinds}\n"
                  "  %1 = item(%0, i=0) : f32[1,1,2,2]\n  return %1\n", REGISTRY)
    held = graph.outs[0]
    found(graph)
    (pool,) = seen
    assert (held.op, graph.outs) == (relu, [held])
    assert pool.items[0] is not held
    assert pool.items[0].inputs == (pool,)
    assert held.inputs[0].inputs[0].items[0] is held.inputs[0]
    verify(graph)
    assert text(graph, False).count("MaxPool") == 2
