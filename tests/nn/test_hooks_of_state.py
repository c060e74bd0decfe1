"""Hooks around `state_dict` and `load_state_dict`, and state that is no tensor."""
from __future__ import annotations

import pytest

from mindspore import Parameter, Tensor, nn


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="w")
        self.steps = 3

    def get_extra_state(self):
        return {"steps": self.steps}

    def set_extra_state(self, state):
        self.steps = state["steps"]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Counting()
        self.b = Parameter(Tensor([2.0]), name="b")
        self.register_buffer("mean", Tensor([5.0]))


def test_hooks_are_called_from_the_outside_in_and_back():
    net, seen = Net(), []
    for name, cell in (("net", net), ("inner", net.inner)):
        cell.register_state_dict_pre_hook(lambda cell, prefix, keep, name=name: seen.append(("before", name, prefix)))
        cell.register_state_dict_post_hook(
            lambda cell, state, prefix, about, name=name: seen.append(("after", name, list(state))))
    state = net.state_dict()
    keys = ["b", "mean", "inner.w", "inner._extra_state"]
    assert list(state) == keys
    assert state["inner._extra_state"] == {"steps": 3}
    assert list(state._metadata) == ["", "inner"]
    assert seen[:2] == [("before", "net", ""), ("before", "inner", "inner.")]
    assert seen[2:] == [("after", "inner", keys), ("after", "net", keys)]


def test_hooks_around_loading_may_change_what_is_missing():
    net, seen = Net(), []
    state = Net().state_dict()
    state["inner._extra_state"] = {"steps": 9}
    state["other"] = Tensor([0.0])
    net.inner.register_load_state_dict_pre_hook(
        lambda cell, given, prefix, about, strict, missing, unexpected, errors: seen.append((prefix, list(given))))
    with pytest.raises(RuntimeError, match=r'Unexpected key.*"other"'):
        net.load_state_dict(state)
    handle = net.register_load_state_dict_post_hook(lambda cell, keys: keys.unexpected_keys.clear())
    found = net.load_state_dict(state)
    assert (net.inner.steps, str(found)) == (9, "<All keys matched successfully>")
    assert seen[-1] == ("inner.", ["inner.w", "inner._extra_state"])
    handle.remove()
    found = net.load_state_dict({"b": Tensor([7.0])}, strict=False)
    assert found.missing_keys == ["mean", "inner.w", "inner._extra_state"]
    assert net.b.tolist() == [7]


def test_without_hooks_nothing_changes_before_all_is_known_to_fit():
    net = Net()
    state = {**net.state_dict(), "b": Tensor([9.0]), "inner.w": Tensor([1.0, 2.0])}
    with pytest.raises(RuntimeError, match=r"size mismatch for inner\.w"):
        net.load_state_dict(state)
    assert net.b.tolist() == [2]
    with pytest.raises(RuntimeError, match="Missing key"):
        net.load_state_dict({"b": Tensor([9.0])})
    assert net.b.tolist() == [2]
    with pytest.raises(RuntimeError, match="no extra state"):
        net.get_extra_state()
    assert list(net.parameters_broadcast_dict()) == ["b", "inner.w"]
