"""Parameters of a checkpoint in a network."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore.core import log
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

W, B = np.arange(6, dtype="float32").reshape(2, 3), np.array([1, -1, 0.5], "float32")


class Net(Cell):
    def __init__(self, dtype="float32", shape=(2, 3)):
        super().__init__()
        self.w = Parameter(np.zeros(shape, dtype), name="w")
        self.b = Parameter(np.zeros(3, "float32"), name="b")


def filled():
    net = Net()
    net.w.set_data(Tensor(W))
    net.b.set_data(Tensor(B))
    return net


def parameter(value, name="p"):
    return Parameter(Tensor(value), name=name)


@pytest.fixture
def warnings(monkeypatch):
    found = []
    monkeypatch.setattr(log, "warning", lambda text, *args: found.append(text % args))
    return found


def same(got, want):
    return got.asnumpy().dtype == want.dtype and np.array_equal(got.asnumpy(), want)


def test_a_network_takes_the_values_and_shares_nothing_with_the_dict(tmp_path):
    path = str(tmp_path / "net.ckpt")
    save_checkpoint(filled(), path)
    net = Net()
    loaded = load_checkpoint(path, net=net)
    assert same(net.w, W)
    loaded["w"].set_data(Tensor(W * 0))
    assert same(net.w, W)


def test_missing_and_surplus_names_are_returned_and_missing_ones_told(warnings):
    net = Net()
    values = {"w": parameter(W), "epoch": "text", "k": parameter(B)}
    assert load_param_into_net(net, values) == (["b"], ["epoch", "k"])
    assert "1 parameters in the 'net' are not loaded" in warnings[0]
    assert warnings[1] == "['b'] are not loaded."
    assert same(net.w, W)
    assert net.w.name == "w"


def test_values_below_a_prefix_are_taken_for_missing_names_unless_strict(warnings):
    # observed: MindSpore 2.10, CPU: also that the names count as not loaded
    values = {"x.w": parameter(W), "y.b": parameter(B)}
    net = Net()
    assert load_param_into_net(net, values) == ([], ["x.w", "y.b"])
    assert same(net.w, W)
    assert same(net.b, B)
    assert ["name: x., continue" in warnings[0], "name: y., continue" in warnings[1]] == [True, True]
    assert load_param_into_net(Net(), values, strict_load=True) == (["w", "b"], ["x.w", "y.b"])


FLOATS, INTS = ("float16", "float32", "float64", "bfloat16"), ("int8", "int16", "int32", "int64")


@pytest.mark.parametrize(("have", "get"), [(a, b) for kinds in (FLOATS, INTS) for a in kinds for b in kinds if a != b])
def test_floats_and_signed_integers_are_converted_unless_strict(have, get, warnings):
    # observed: MindSpore 2.10, CPU
    def fresh():
        net = Net()
        net.w = Parameter(Tensor(np.zeros((2, 3)), getattr(ms, have)), name="w")
        return net

    values = {"w": Parameter(Tensor(W, getattr(ms, get)), name="w"), "b": parameter(B)}
    net = fresh()
    assert load_param_into_net(net, values) == ([], [])
    assert net.w.dtype == getattr(ms, have)
    assert np.array_equal(net.w.asnumpy(), W)
    assert "'w' is converted" in warnings[0]
    with pytest.raises(RuntimeError, match="same type"):
        load_param_into_net(fresh(), values, strict_load=True)


@pytest.mark.parametrize(
    ("have", "get"),
    [("float32", "int32"), ("int32", "float32"), ("bool_", "int8"), ("uint8", "int8"), ("uint8", "uint16")],
)
def test_other_types_are_refused(have, get):
    # observed: MindSpore 2.10, CPU, except for the last
    net = Net()
    net.w = Parameter(Tensor(np.zeros((2, 3)), getattr(ms, have)), name="w")
    with pytest.raises(RuntimeError, match="'load_param_into_net', w in the argument 'net' should have the same type"):
        load_param_into_net(net, {"w": Parameter(Tensor(W, getattr(ms, get)), name="w")})


@pytest.mark.parametrize("shape", [(6,), (1, 2, 3), (3, 3), (2, 3, 2), (3, 2, 1), ()])
def test_other_shapes_are_refused(shape):
    with pytest.raises(RuntimeError, match="should have the same shape"):
        load_param_into_net(Net(), {"w": parameter(np.ones(shape, "float32"))})


def test_a_scalar_takes_one_element_as_older_files_have_it():
    # observed: MindSpore 2.10, CPU
    net = Net()
    net.w = Parameter(Tensor(np.float32(0)), name="w")
    load_param_into_net(net, {"w": parameter(np.array([2.5], "float32"))})
    assert net.w.asnumpy() == 2.5
    assert net.w.shape == ()


def test_axes_of_length_one_at_the_end_are_dropped():
    # observed: MindSpore 2.10, CPU
    net = Net()
    load_param_into_net(net, {"w": parameter(W.reshape(2, 3, 1, 1))})
    assert same(net.w, W)


def test_a_flag_that_is_none_is_refused():
    # observed: MindSpore 2.10, CPU: the class
    with pytest.raises(ValueError, match="'remove_redundancy' must be a bool, but got int"):
        load_param_into_net(Net(), {}, False, 3)


@pytest.mark.parametrize(
    "arguments",
    [(1, {}), (None, 1), (None, {"w": 1}), (None, {"w": Tensor(W)}), (None, {}, 1), (None, {}, False, True),
     (None, {1: W})],
)
def test_a_wrong_kind_of_argument_is_refused(arguments):
    # observed: MindSpore 2.10, CPU
    net, *others = arguments
    with pytest.raises(TypeError, match="load_param_into_net"):
        load_param_into_net(net or Net(), *others)
