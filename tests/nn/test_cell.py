"""Cells: ownership and names of parameters, state, text."""
from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn


def vector(name=None):
    return Parameter(Tensor(np.ones(2, np.float32)), name=name)


def names(cell):
    return [p.name for p in cell.get_parameters()]


class Leaf(nn.Cell):
    def __init__(self, name=None):
        super().__init__()
        self.w = vector(name)

    def construct(self, x):
        return x * self.w


class Branch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Leaf("user")
        self.b = Leaf()
        self.own = vector("mine")


class Tree(nn.Cell):
    def __init__(self):
        super().__init__()
        self.branch = Branch()


def test_a_parameter_without_a_name_gets_that_of_its_attribute():
    assert names(Leaf()) == ["w"]


def test_a_given_name_is_kept_until_the_cell_becomes_part_of_another():
    assert names(Leaf("user")) == ["user"]
    assert names(Branch()) == ["mine", "a.w", "b.w"]
    assert names(Tree()) == ["branch.own", "branch.a.w", "branch.b.w"]


def test_two_parameters_of_one_name_are_named_by_their_paths():
    class Twins(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = vector("w"), vector("w"), vector("v")

    net = Twins()
    assert [p.name for p in nn.SGD(net.trainable_params()).parameters] == ["a", "b", "c"]
    assert list(Twins().parameters_dict()) == ["a", "b", "c"]


def test_auto_prefix_false_leaves_the_names_of_sub_cells():
    class Plain(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.branch = Branch()

    assert names(Plain()) == ["mine", "a.w", "b.w"]


def test_a_parameter_tuple_registers_its_parameters_by_name():
    class Pair(nn.Cell):
        def __init__(self):
            super().__init__()
            self.both = ParameterTuple([vector("p"), vector("q")])

    assert names(Pair()) == ["p", "q"]


def test_a_shared_cell_counts_once_under_its_first_path():
    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Leaf()
            self.b = self.a

    net = Twice()
    assert names(net) == ["b.w"]         # the second assignment named it, observed: MindSpore 2.10
    assert [path for path, _ in net.cells_and_names()] == ["", "a"]


def test_paths_and_names_differ_only_by_the_prefix_that_is_asked_for():
    assert [(path, p.name) for path, p in Tree().parameters_and_names("pre")] == [
        ("pre.branch.own", "branch.own"), ("pre.branch.a.w", "branch.a.w"),
        ("pre.branch.b.w", "branch.b.w")]
    assert list(Tree().parameters_and_names(expand=False)) == []


def test_update_parameters_name_puts_a_prefix_before_the_paths():
    net = Branch()
    net.update_parameters_name("net.")
    assert names(net) == ["net.own", "net.a.w", "net.b.w"]


def test_two_parameters_of_one_name_are_found_by_check_names():
    class Same(nn.Cell):
        def __init__(self):
            super().__init__()
            self.x = vector("same")
            self.y = vector("same")

    with pytest.raises(ValueError, match="'same' already exists"):
        Same().check_names()
    Tree().check_names()


def test_assigning_none_removes_a_parameter_or_a_cell():
    net = Branch()
    net.own = None
    net.a = None
    assert net.own is None
    assert net.a is None
    assert names(net) == ["b.w"]


def test_assigning_a_tensor_to_a_parameter_changes_its_value():
    net = Leaf()
    kept = net.w
    net.w = Tensor(np.full(2, 5, np.float32))
    assert net.w is kept
    assert net.w.asnumpy().tolist() == [5, 5]


@pytest.mark.parametrize("value", [3, "text", np.ones(2)])
def test_a_parameter_cannot_be_replaced_by_something_else(value):
    with pytest.raises(TypeError, match="Parameter 'w' already exists"):
        Leaf().w = value


def test_a_cell_cannot_be_replaced_by_something_else():
    with pytest.raises(TypeError, match="Sub cell 'a' already exists"):
        Branch().a = 5


def test_a_parameter_and_a_cell_cannot_share_a_name():
    net = Branch()
    with pytest.raises(KeyError):
        net.own = Leaf()
    with pytest.raises(KeyError):
        net.a = vector()


def test_parameters_before_the_constructor_of_the_base_class_are_refused():
    class Early(nn.Cell):
        def __init__(self):
            self.w = vector()
            super().__init__()

    with pytest.raises(AttributeError, match=r"Cell.__init__"):
        Early()


def test_an_unknown_attribute_names_the_class():
    with pytest.raises(AttributeError, match="'Leaf' object has no attribute 'foo'"):
        Leaf().foo  # noqa: B018  # looking it up is the test


def test_insert_param_to_cell_checks_the_name():
    net = Leaf()
    net.insert_param_to_cell("q", vector("user"))
    net.insert_param_to_cell("r", vector())
    assert names(net) == ["w", "user", "r"]
    for wrong in ("", "x.y"):
        with pytest.raises(KeyError):
            net.insert_param_to_cell(wrong, vector())
    with pytest.raises(TypeError):
        net.insert_param_to_cell("s", 5)
    with pytest.raises(KeyError, match="'training' is that of another attribute"):
        net.insert_param_to_cell("training", vector())


def test_insert_child_to_cell_keeps_the_names_of_its_parameters():
    net = Leaf()
    net.insert_child_to_cell("q", Leaf())
    assert (net.w.name, net.q.w.name) == ("w", "w")
    with pytest.raises(TypeError):
        net.insert_child_to_cell("r", 5)
    for wrong in ("", "x.y", "cells"):
        with pytest.raises(KeyError):
            net.insert_child_to_cell(wrong, Leaf())


def test_deleting_an_attribute_removes_what_it_owned():
    net = Branch()
    del net.a
    del net.own
    assert names(net) == ["b.w"]
    assert list(net.name_cells()) == ["b"]
    with pytest.raises(AttributeError, match="no attribute 'a'"):
        del net.a


def test_trainable_and_untrainable_parameters_share_the_whole():
    net = nn.BatchNorm2d(3)
    assert [p.name for p in net.trainable_params()] == ["gamma", "beta"]
    assert [p.name for p in net.untrainable_params()] == ["mean", "variance"]
    assert list(net.parameters_dict()) == ["mean", "variance", "gamma", "beta"]


def test_set_train_reaches_all_cells_and_returns_the_cell():
    net = Tree()
    assert not net.training
    assert net.set_train() is net
    assert all(cell.training for _, cell in net.cells_and_names())
    net.set_train(False)
    assert not any(cell.training for _, cell in net.cells_and_names())


def test_set_grad_concerns_the_cell_alone():
    net = Branch()
    net.set_grad()
    assert net.requires_grad
    assert not net.a.requires_grad


def test_flags_are_attributes_and_may_be_recursive():
    net = Branch()
    net.add_flags(x=3)
    net.add_flags_recursive(y=True)
    assert net.x == 3
    assert net.get_flags() == {"x": 3, "y": True}
    assert net.a.get_flags() == {"y": True}


def test_apply_visits_children_before_their_parent():
    seen = []
    Tree().apply(lambda cell: seen.append(type(cell).__name__))
    assert seen == ["Leaf", "Leaf", "Branch", "Tree"]


def test_changes_move_the_stamp_and_the_version():
    from mindspore.eager.parameter import Version

    net = Leaf()
    stamp, version = net._stamp, Version.value
    net.w = Tensor(np.zeros(2, np.float32))
    assert net._stamp == stamp
    net.size = 3
    assert net._stamp > stamp
    assert Version.value > version
    stamp, version = net._stamp, Version.value
    net.set_train()
    assert net._stamp == stamp
    assert Version.value > version


def test_the_text_shows_the_tree():
    assert repr(Tree()) == ("Tree(\n  (branch): Branch(\n    (a): Leaf()\n    (b): Leaf()\n  )\n)")


def test_the_text_of_a_layer_shows_its_arguments():
    assert repr(nn.Dense(3, 4, activation="relu")) == (
        "Dense(\n  input_channels=3, output_channels=4, has_bias=True, activation=ReLU()\n"
        "  (activation): ReLU()\n)")


def test_a_cell_without_construct_says_so():
    class Empty(nn.Cell):
        pass

    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(AttributeError, match="'construct' is not defined"):
        Empty()(Tensor(1.0))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_copies_own_their_parameters(copied):
    net = nn.SequentialCell(nn.Dense(2, 2), nn.LSTM(2, 3))
    twin = copied(net)
    assert names(twin) == names(net)
    for mine, other in zip(net.get_parameters(), twin.get_parameters(), strict=True):
        assert mine is not other
        assert np.array_equal(mine.asnumpy(), other.asnumpy())
    twin[1].weight_ih_l0.set_data(Tensor(np.zeros((12, 2), np.float32)))
    assert net[1].weight_ih_l0.asnumpy().any()
    assert twin[1]._weights(twin[1].weight_ih_l0, 0, 1)[0] is twin[1].weight_ih_l0


def test_the_state_can_be_saved_and_loaded():
    net, other = Tree(), Tree()
    for p in net.get_parameters():
        p.set_data(Tensor(np.full(2, 7, np.float32)))
    state = net.state_dict()
    assert list(state) == ["branch.own", "branch.a.w", "branch.b.w"]
    assert other.load_state_dict(state) == ([], [])
    assert all((p.asnumpy() == 7).all() for p in other.get_parameters())
    with pytest.raises(RuntimeError, match="Missing key"):
        other.load_state_dict({})
    assert other.load_state_dict({"z": state["branch.own"]}, strict=False).unexpected_keys == ["z"]


def test_buffers_are_saved_and_not_trained():
    net = Leaf()
    net.register_buffer("kept", Tensor(1.0))
    net.register_buffer("dropped", Tensor(2.0), persistent=False)
    assert dict(net.named_buffers()).keys() == {"kept", "dropped"}
    assert list(net.state_dict()) == ["w", "kept"]
    with pytest.raises(TypeError, match="keep_vars"):
        net.state_dict(keep_vars=1)
    assert names(net) == ["w"]
    net.kept = Tensor(5.0)
    assert float(net.state_dict()["kept"]) == 5.0


def test_get_sub_cell_follows_a_path():
    net = Tree()
    assert net.get_sub_cell("branch.a") is net.branch.a
    with pytest.raises(AttributeError):
        net.get_sub_cell("branch.x")


def test_all_names_of_the_package_can_be_reached():
    missing = []
    for name in nn.__all__:
        try:
            getattr(nn, name)
        except (AttributeError, ImportError):
            missing.append(name)
    assert missing == []


def test_a_cell_that_is_held_twice_is_listed_once():
    net = nn.Cell()
    net.a = net.again = Leaf()
    net.other = Leaf()
    assert list(net.name_cells()) == ["a", "other"]
    assert len(list(net.cells())) == 2


def test_loading_keeps_the_dtype_of_buffers():
    net = nn.Cell()
    net.register_buffer("kept", Tensor([1.0, 2.0]))
    net.load_state_dict({"kept": Tensor([3.0, 4.0], ms.float16)})
    assert net.kept.dtype is ms.float32
    assert net.kept.tolist() == [3.0, 4.0]


class Sharing(nn.Cell):
    """A parameter and a buffer under three names each, of cells that are not equal."""

    def __init__(self):
        super().__init__()
        held, weight = Tensor([1.0]), vector("w")
        for name in "abc":
            cell = nn.Cell()
            cell.register_buffer("held", held)
            cell.w = weight
            setattr(self, name, cell)


def test_what_cells_share_is_listed_once_or_under_every_name():
    net = Sharing()
    assert [path for path, _ in net.named_buffers()] == ["a.held"]
    assert [path for path, _ in net.named_buffers(remove_duplicate=False)] == ["a.held", "b.held", "c.held"]
    assert [path for path, _ in net.parameters_and_names()] == ["a.w"]
    assert len(list(net.get_parameters())) == len(net.trainable_params()) == 1


def test_a_parameter_may_have_the_name_of_a_method_that_is_no_longer_there():
    class Placed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.place = Parameter(Tensor([1.0, 2.0]), name="place")
            self.parameter = Parameter(Tensor([4.0]), name="parameter")

        def construct(self, x):
            return (x + self.place) * self.parameter
    net = Placed()
    assert net(Tensor([1.0, 1.0])).asnumpy().tolist() == [8.0, 12.0]
    assert [p.name for p in net.trainable_params()] == ["place", "parameter"]
    with pytest.raises(KeyError, match="the name 'shard' is that of another attribute"):
        net.shard = Parameter(Tensor([1.0]), name="s")
