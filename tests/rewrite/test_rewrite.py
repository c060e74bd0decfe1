"""Networks as trees: looked at, changed, and run again."""
from __future__ import annotations

import runpy

import numpy as np
import pytest

from mindspore import Tensor, nn, ops
from mindspore.rewrite import (
    Node,
    NodeType,
    PatternEngine,
    PatternNode,
    Replacement,
    ScopedValue,
    SymbolTree,
    TreeNodeHelper,
    ValueType,
    VarNode,
)

X = Tensor(np.random.default_rng(1).standard_normal((2, 4)).astype(np.float32))


def named(*names):
    return [ScopedValue.create_naming_value(n) for n in names]


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(3, 3)

    def construct(self, x):
        y = self.d(x)
        return y + 1


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.relu, self.sub = nn.Dense(4, 3), nn.ReLU(), Sub()
        self.ls = nn.CellList([nn.ReLU(), nn.Dense(3, 3)])

    def construct(self, x, scale=2.0):
        x = self.fc(x)
        x = self.relu(x)
        z = ops.add(x, x)
        x = self.sub(z)
        for c in self.ls:
            x = c(x)
        if x.ndim > 1:
            x *= scale
        return x


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()

    def construct(self, x, *, flag=True):
        out = (self.relu(self.bn(self.conv(x))), x.sum(-1) if flag else x)
        return out[0].mean(axis=(2, 3)), ops.tanh(out[1])


class Odd(Sub):
    """What has no nodes of its own stays as it is."""

    def __init__(self):
        super().__init__()
        self.fc, self.times, self.scale = nn.Dense(3, 3), 2, 1.5

    def construct(self, x, *more, **options):
        """A docstring."""
        y, _ = ops.split(x, 1)[0:2]
        a = self.shifted(*more) if more else x
        for i in range(self.times):
            x = self.fc(x) + i * self.scale
            if i > 0:
                continue
        while x.sum() > 100.0:
            x = x / 2
        found = [v * 2 for v in {"a": a, "x": x}.values()]

        def inner(t):
            return t - 1

        x = inner(x) if options else super().construct(inner(x))
        assert x.ndim == 2, "a matrix"
        return (y, x, *found)

    def shifted(self, x, by=1):
        return x + by


@pytest.mark.usefixtures("both_modes")
def test_what_is_no_call_stays_and_parents_stay_parents():
    net, x = Odd(), ops.ones((2, 3))
    tree = SymbolTree.create(net)
    again = tree.get_network()
    for args, options in (((x,), {}), ((x, x), {}), ((x, x, 3), {"key": 1})):
        for a, b in zip(again(*args, **options), net(*args, **options), strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)
    assert "super(Odd, self)" in tree.get_code()
    assert [n.get_name() for n in tree.get_node("return").get_inputs()][-1].startswith("assign")


def table(tree):
    return [(n.get_name(), n.get_node_type().name, [str(t) for t in n.get_targets()], [str(a) for a in n.get_args()],
             [u.get_name() for u in n.get_users()], [i.get_name() for i in n.get_inputs()]) for n in tree.nodes()]


def test_the_nodes_of_a_network_are_its_statements():
    tree = SymbolTree.create(Net())
    assert table(tree)[:6] == [
        ("input_x", "Input", ["x"], [], ["fc"], []),
        ("input_scale", "Input", ["scale"], [], ["if_node"], []),
        ("fc", "CallCell", ["x"], ["x"], ["relu"], ["input_x"]),
        ("relu", "CallCell", ["x"], ["x"], ["add"], ["fc"]),
        ("add", "CallFunction", ["z"], ["x", "x"], ["sub"], ["relu", "relu"]),
        ("sub", "Tree", ["x"], ["z"], ["for_node"], ["add"])]
    kinds = {n.get_name(): n.get_node_type() for n in tree.nodes()}
    assert (kinds["for_node"], kinds["if_node"]) == (NodeType.ControlFlow,) * 2
    assert kinds["compare_gt"] is NodeType.MathOps
    assert tree.get_node("fc").get_instance_type() is nn.Dense
    assert tree.get_node("add").get_instance_type() is ops.add
    assert tree.get_node("nothing") is None
    assert {"binop_mult", "c", "d", "binop_add"} <= {n.get_name() for n in tree.nodes(all_nodes=True)}
    assert [n.get_name() for n in tree.get_inputs()] == ["input_x", "input_scale"]
    giver, target = tree.get_node("sub").get_arg_providers()[0]
    assert (giver.get_name(), target) == ("add", 0)
    assert [(u.get_name(), i) for u, i in tree.get_node("relu").get_target_users(0)] == [("add", 0), ("add", 1)]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("make", "x"), [(Net, X), (Nested, ops.ones((1, 1, 5, 5)))])
def test_a_tree_that_is_not_changed_is_the_same_network(make, x):
    net = make()
    again = SymbolTree.create(net).get_network()
    for a, b in zip(again(x) if make is Nested else [again(x)], net(x) if make is Nested else [net(x)], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)
    assert isinstance(again, make)
    assert [p.name for p in again.get_parameters()] == [p.name for p in net.get_parameters()]
    assert all(p is q for p, q in zip(again.get_parameters(), net.get_parameters(), strict=True))


@pytest.mark.usefixtures("both_modes")
def test_nodes_are_inserted_erased_replaced_and_given_other_arguments():
    net = Net()
    tree = SymbolTree.create(net)
    tree.insert(tree.after("relu"), Node.create_call_cell(nn.Sigmoid(), ["x"], named("x"), name="act"))
    assert tree.erase("relu").get_name() == "relu"
    tree.insert(tree.before(tree.get_node("sub")), Node.create_call_function(ops.exp, ["x"], named("x")))
    tree.get_node("sub").set_arg(0, "x")
    new = nn.Dense(4, 3)
    tree.replace(tree.get_node("fc"), [Node.create_call_cell(new, ["h"], named("x"), name="fc")])
    changed = tree.get_network()
    wanted = net.sub(ops.exp(ops.sigmoid(new(X))))
    wanted = 2 * net.ls[1](net.ls[0](wanted))
    np.testing.assert_allclose(changed(X).asnumpy(), wanted.asnumpy(), rtol=1e-5)
    assert [n.get_name() for n in tree.nodes()][2:7] == ["fc_1", "act", "add", "exp", "sub"]
    assert "act.weight" not in [p.name for p in net.get_parameters()]
    assert not hasattr(net, "act")
    assert "self.act(x)" in tree.get_code()
    grad = ops.grad(changed, None, changed.trainable_params())(X)
    assert len(grad) == len(changed.trainable_params())


@pytest.mark.usefixtures("both_modes")
def test_sub_trees_change_their_part_of_the_network():
    net = Net()
    tree = SymbolTree.create(net)
    sub = TreeNodeHelper.get_sub_tree(tree.get_node("sub"))
    sub.insert(sub.before("binop_add"), Node.create_call_cell(nn.Tanh(), ["y"], named("y"), name="tanh"))
    inner = tree.get_network().sub
    x = ops.ones((1, 3))
    np.testing.assert_allclose(inner(x).asnumpy(), (ops.tanh(net.sub.d(x)) + 1).asnumpy(), rtol=1e-6)
    assert type(inner).__name__ == "SubOpt"
    assert tree.get_node("fc").get_sub_tree() is None


class ToGelu(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        assert is_chain_pattern
        dense, relu = list(matched.values())[::-1]
        return [Node.create_call_cell(dense.get_instance(), ["h"], dense.get_args(), name="dense"),
                Node.create_call_cell(nn.GELU(), relu.get_targets(), named("h"), name="gelu")]


class OneSum(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        node = matched[pattern.name()]
        return [Node.create_call_function(ops.mul, node.get_targets(), node.get_args())]


@pytest.mark.usefixtures("both_modes")
def test_patterns_are_found_and_replaced():
    net = Net()
    tree = SymbolTree.create(net)
    assert PatternEngine([nn.Dense, nn.ReLU], ToGelu()).apply(tree)
    assert PatternEngine(PatternNode("sum", ops.add, [VarNode(), VarNode()]), OneSum()).apply(tree)
    assert not PatternEngine([nn.Conv2d, nn.ReLU], ToGelu()).apply(tree)
    h = nn.GELU()(net.fc(X))
    wanted = 2 * net.ls[1](net.ls[0](net.sub(h * h)))
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), wanted.asnumpy(), rtol=1e-4, atol=1e-6)
    same = PatternNode.create_pattern_from_node(tree.get_node("gelu"))
    assert same.type() is nn.GELU
    assert same.get_inputs()[0].type() is nn.Dense


def test_inputs_outputs_and_objects_are_set():
    tree = SymbolTree.create(Net())
    tree.insert(tree.after("input_scale"), Node.create_input("shift", ScopedValue.create_variable_value(1.5)))
    tree.insert(tree.before("return"), Node.create_call_function(ops.add, ["y"], named("x", "shift")))
    tree.set_output(0, "y")
    tree.insert(tree.before("return"), Node.create_call_function(ops.add, ["y"], [
        *named("y"), ScopedValue.create_variable_value(Tensor([10.0]))]))
    changed, net = tree.get_network(), tree.get_origin_network()
    np.testing.assert_allclose(changed(X).asnumpy(), net(X).asnumpy() + 11.5, rtol=1e-5)
    np.testing.assert_allclose(changed(X, 2.0, 0.5).asnumpy(), net(X).asnumpy() + 10.5, rtol=1e-5)
    tree.get_node("add").set_arg_by_node(1, tree.get_node("relu"))
    assert tree.get_node("add").get_args() == named("x", "x")
    assert tree.unique_name("x") == "x_1"


def test_code_is_written_to_a_file_that_runs(tmp_path, capsys):
    tree = SymbolTree.create(Nested())
    tree.set_saved_file_name(str(tmp_path / "nested"))
    tree.save_network_to_file()
    assert tree.get_saved_file_name().endswith("nested.py")
    made = runpy.run_path(tree.get_saved_file_name())
    x = ops.ones((1, 1, 5, 5))
    np.testing.assert_allclose(made["NestedOpt"](tree.network)(x)[1].asnumpy(), tree.network(x)[1].asnumpy())
    tree.print_node_tabulate()
    assert "self.conv(x)" in capsys.readouterr().out


def test_values_know_their_kind_and_text():
    values = [ScopedValue.create_variable_value(v) for v in (1, (1, "a"), [2.0], {"k": 1}, Tensor([1]))]
    assert [v.type for v in values] == [ValueType.ConstantValue, ValueType.TupleValue, ValueType.ListValue,
                                        ValueType.DictValue, ValueType.CustomObjValue]
    assert [str(v) for v in values[:3]] == ["1", "(1, 'a')", "[2.0]"]
    assert [str(v) for v in ScopedValue.create_name_values(["a", "b"], ["self", ""])] == ["self.a", "b"]


@pytest.mark.parametrize(("call", "error"), [
    (lambda t: SymbolTree.create(1), TypeError), (lambda t: t.erase("nothing"), RuntimeError),
    (lambda t: t.erase(1), TypeError), (lambda t: t.insert(t.before("fc"), 1), TypeError),
    (lambda t: t.insert(t.before("fc"), t.get_node("fc")), RuntimeError), (lambda t: t.set_output(3, "x"), ValueError),
    (lambda t: t.get_node("fc").set_arg(1, "x"), ValueError), (lambda t: t.get_node("fc").set_arg(0, 1), TypeError),
    (lambda t: t.replace(t.get_node("fc"), []), ValueError), (lambda t: Node.create_call_cell(1, ["x"]), TypeError),
    (lambda t: Node.create_call_function(ops.exp, "x"), TypeError), (lambda t: PatternEngine(1), TypeError),
    (lambda t: ScopedValue.create_name_values(["a"], ["b", "c"]), ValueError),
])
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call(SymbolTree.create(Net()))
