"""Nodes know what they hang on; they are inserted, erased, matched and named without touching others."""
from __future__ import annotations

import sys

import numpy as np
import pytest
from rewritten_networks import Scaled, Twins

from mindspore import Tensor, nn, ops
from mindspore.rewrite import (
    Node,
    NodeType,
    PatternEngine,
    PatternNode,
    Replacement,
    ScopedValue,
    SymbolTree,
    VarNode,
)

X = Tensor(np.float32([[1.5, -2.0, 0.25], [3.0, -0.5, 4.0]]))
Y = Tensor(np.float32([[0.5, 4.0, -1.0], [2.0, 8.0, -3.0]]))


def names(*given):
    return [ScopedValue.create_naming_value(name) for name in given]


class Parent(nn.Cell):
    def construct(self, x, y):
        return x - y * 3


class Wired(nn.Cell):
    """Nodes with several results, which others take by position and by name."""

    def construct(self, x, y):
        low, high = ops.split(ops.concat((x, y), 1), 3, 1)
        small = ops.minimum(low, other=high)
        if x.ndim > 7:
            high = ops.neg(high)
        total = ops.add(high, small)
        return ops.clamp(total, min=0.5, max=3.0)


def told(providers):
    return {at: (node.get_name(), target) for at, (node, target) in providers.items()}


def test_nodes_know_who_gives_what_and_who_takes_it():
    tree = SymbolTree.create(Wired())
    split, small, total, clamp = (tree.get_node(name) for name in ("split", "minimum", "add", "clamp"))
    assert told(small.get_arg_providers()) == {0: ("split", 0), 1: ("split", 1)}
    assert told(total.get_arg_providers()) == {0: ("if_node", 0), 1: ("minimum", 0)}     # the branch may set it
    assert told(clamp.get_arg_providers()) == {0: ("add", 0)}
    assert [(n.get_name(), i) for n, i in split.get_target_users(0)] == [("minimum", 0)]
    assert [(n.get_name(), i) for n, i in split.get_target_users(1)] == [("minimum", 1)]
    assert {i: [n.get_name() for n, _ in users] for i, users in split.get_target_users().items()} == {
        0: ["minimum"], 1: ["minimum"]}
    assert [n.get_name() for n in total.get_users()] == ["clamp"]
    assert [n.get_name() for n in tree.get_node("return").get_inputs()] == ["clamp"]


def test_arguments_are_set_by_their_places_those_given_by_name_behind_the_others():
    tree = SymbolTree.create(Wired())
    split, small, clamp = (tree.get_node(name) for name in ("split", "minimum", "clamp"))
    small.set_arg_by_node(0, split, 1)
    small.set_arg_by_node(1, split, 0)
    assert told(small.get_arg_providers()) == {0: ("split", 1), 1: ("split", 0)}
    with pytest.raises(ValueError, match="out_idx"):
        small.set_arg_by_node(0, split)
    clamp.set_arg(1, ScopedValue.create_variable_value(-9.0))
    clamp.set_arg(2, ScopedValue.create_variable_value(1.0))
    x, y = X.asnumpy(), Y.asnumpy()
    assert np.array_equal(tree.get_network()(X, Y).asnumpy(), np.clip(y + np.minimum(x, y), -9.0, 1.0))


class Chain(nn.Cell):
    """Each activation behind another one; one of them is used twice."""

    def __init__(self):
        super().__init__()
        self.part = Scaled(2.0)
        self.r1, self.t1, self.r2, self.t2 = nn.ReLU(), nn.Tanh(), nn.ReLU(), nn.Tanh()

    def construct(self, x):
        x = self.part(x)
        a = self.r1(x)
        b = self.t1(a)
        c = self.r2(b)
        d = self.t2(c)
        return d + c


class Joined(Replacement):
    def __init__(self):
        self.seen = []

    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append((is_chain_pattern, [node.get_name() for node in matched.values()]))
        first = matched["ReLU_0"]
        return [Node.create_call_function(ops.abs, matched[pattern.name()].get_targets(), first.get_args())]


def test_what_others_use_is_no_match_and_what_is_in_a_match_goes():
    tree, joined = SymbolTree.create(Chain()), Joined()
    assert PatternEngine([nn.ReLU, nn.Tanh], joined).apply(tree)
    assert joined.seen == [(True, ["t1", "r1"])]            # `r2` is used by the sum, too
    assert [node.get_name() for node in tree.nodes()] == ["input_x", "part", "abs", "r2", "t2", "binop_add", "return"]
    x = np.maximum(np.abs(2 * X.asnumpy()), 0)
    assert np.allclose(tree.get_network()(X).asnumpy(), np.tanh(x) + x, atol=1e-6)


def test_replacements_reach_the_parts_and_none_is_no_change():
    class Halved(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            node = matched[pattern.name()]
            return [Node.create_call_function(ops.div, node.get_targets(), node.get_args())]

    class Left(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            return []

    tree = SymbolTree.create(Twins())
    assert not PatternEngine([ops.mul], Left()).apply(tree)
    assert not PatternEngine([ops.mul]).apply(tree)
    assert not PatternEngine(PatternNode("mul", ops.mul, [VarNode(), VarNode(), VarNode()]), Halved()).apply(tree)
    assert PatternEngine([ops.mul], Halved()).apply(tree)
    assert np.allclose(tree.get_network()(X).asnumpy(), X.asnumpy() / 2 - X.asnumpy() / 5, atol=1e-6)


def test_new_cells_do_not_take_the_names_of_those_that_are_there():
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.act, self.abs = nn.ReLU(), 3.0

        def construct(self, x):
            return self.act(x) * self.abs

    def abs(x):
        return x + 1

    tree = SymbolTree.create(Own())
    output = tree.get_node("return")
    (given,) = output.get_args()
    tree.insert(tree.before(output), Node.create_call_cell(nn.Tanh(), [given], [given], name="act"))
    tree.insert(tree.before(output), Node.create_call_function(abs, [given], [given]))
    tree.insert(tree.before(output), Node.create_call_function(
        ops.add, [given], [given, ScopedValue.create_variable_value(Tensor([2.0]))]))
    assert len({node.get_name() for node in tree.nodes()}) == len(list(tree.nodes()))
    want = np.tanh(np.maximum(X.asnumpy(), 0) * 3) + 3
    assert np.allclose(tree.get_network()(X).asnumpy(), want, atol=1e-6)


def test_functions_are_called_by_names_that_nothing_else_has():
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = 3.0

        def construct(self, x):
            return x * self.scale

    def names(x, *, other):                     # as a function of this module
        return x - other

    tree = SymbolTree.create(Own())
    output = tree.get_node("return")
    (given,) = output.get_args()
    tree.insert(tree.before(output), Node.create_call_cell(nn.Tanh(), [given], [given], name="scale"))
    tree.insert(tree.before(output), Node.create_call_function(
        names, [given], [given], {"other": ScopedValue.create_variable_value(Tensor([2.0]))}))
    assert np.allclose(tree.get_network()(X).asnumpy(), np.tanh(X.asnumpy() * 3) - 2, atol=1e-6)


def test_nodes_stand_before_and_behind_others_and_come_back():
    tree = SymbolTree.create(Chain())
    (given,) = tree.get_node("t1").get_targets()
    tree.insert(tree.after("t1"), Node.create_call_function(ops.neg, [given], [given]))
    tree.insert(tree.before("t1"), Node.create_call_function(ops.abs, names("a"), names("a")))
    order = ["part", "r1", "abs", "t1", "neg", "r2", "t2"]
    assert [node.get_name() for node in tree.nodes()][1:8] == order
    gone = tree.erase("abs")
    assert gone.get_symbol_tree() is None
    assert [node.get_name() for node in tree.nodes()][1:7] == [name for name in order if name != "abs"]
    tree.insert(tree.after("neg"), gone)
    assert gone.get_symbol_tree() is tree
    with pytest.raises(RuntimeError, match="belongs to a SymbolTree already"):
        tree.insert(tree.after("neg"), gone)


class Grouped(nn.Cell):
    def construct(self, x, y=None, z=2.0):
        a = ops.relu(x)
        b = ops.tanh(x)
        if x.ndim > 7:
            c = ops.neg(a)
        else:
            c = ops.abs(b)
            d = ops.exp(c)
        return ops.concat((a, b, c, d), 1).sum(1)


def test_tuples_branches_methods_and_defaults_have_nodes():
    tree = SymbolTree.create(Grouped())
    every = [node.get_name() for node in tree.nodes(True)]
    assert every[3:] == ["relu", "tanh", "compare_gt", "if_node", "neg", "abs", "exp", "concat", "sum", "return"]
    assert [node.get_name() for node in tree.nodes()][6:] == ["if_node", "concat", "sum", "return"]
    assert told(tree.get_node("concat").get_arg_providers()) == {0: ("relu", 0)}      # the first of the tuple
    assert tree.get_inputs()[0].get_handler().default is None
    assert [repr(n.get_handler().default) for n in tree.get_inputs()][1:] == ["None", "2.0"]
    tree.insert(tree.after("neg"), Node.create_call_function(ops.sin, names("e"), names("c")))
    tree.insert(tree.before("sum"), Node.create_call_function(ops.cos, names("f"), names("e")))
    assert told(tree.get_node("cos").get_arg_providers()) == {0: ("if_node", 0)}


def test_a_pattern_has_all_inputs_of_a_node_or_none():
    class Left(Replacement):
        seen = 0

        def build(self, pattern, is_chain_pattern, matched):
            self.seen += 1
            return []

    for inputs, matches in ((0, 1), (1, 0), (2, 1), (3, 0)):
        left = Left()
        PatternEngine(PatternNode("least", ops.minimum, [VarNode() for _ in range(inputs)]), left).apply(
            SymbolTree.create(Wired()))
        assert left.seen == matches


def test_functions_of_the_main_module_are_found_there(monkeypatch):
    def own(x):
        return x * 3

    own.__module__, own.__qualname__ = "__main__", "own"
    monkeypatch.setattr(sys.modules["__main__"], "own", own, raising=False)
    tree = SymbolTree.create(Parent())
    output = tree.get_node("return")
    given = list(output.get_args())
    tree.insert(tree.before(output), Node.create_call_function(own, given, given))
    assert "own = sys.modules['__main__'].own" in tree.get_code()


def test_values_are_equal_to_what_they_are_made_of():
    value = ScopedValue.create_naming_value("x", "self")
    assert ScopedValue.create_variable_value(value) is value
    assert repr(ScopedValue.create_variable_value((1,))) == "(1,)"
    assert repr(ScopedValue.create_variable_value([1])) == "[1]"
    assert repr(ScopedValue.create_variable_value(((1,), [], "a"))) == "((1,), [], 'a')"
    with pytest.raises(ValueError, match="one scope per name"):
        ScopedValue.create_name_values(["a", "b"], [])


@pytest.mark.parametrize(("given", "kept"), [("net.py", "net.py"), ("net", "net.py"), ("net.txt", "net.txt.py")])
def test_files_of_code_end_with_py(given, kept):
    tree = SymbolTree.create(Parent())
    tree.set_saved_file_name(given)
    assert tree.get_saved_file_name() == kept


def test_the_kinds_of_nodes_and_of_what_they_call():
    tree = SymbolTree.create(Chain())
    assert [(n.get_name(), n.get_node_type()) for n in tree.nodes()][:3] == [
        ("input_x", NodeType.Input), ("part", NodeType.Tree), ("r1", NodeType.CallCell)]
    assert tree.get_node("r1").get_instance_type() is nn.ReLU
    assert tree.get_node("return").get_instance_type() is type(None)
    called = SymbolTree.create(Wired())
    assert called.get_node("clamp").get_instance_type() is ops.clamp
