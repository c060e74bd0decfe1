"""A program holds while nothing that it read has changed."""
from __future__ import annotations

import pytest

from mindspore import Parameter, Tensor, nn
from mindspore.compiler.program import Program
from mindspore.compiler.validity import fits, holds

X = Tensor([1.0, 2.0])
SCALE = 2.0


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")
        self.table = Tensor([1.0, 1.0])
        self.rate = 0.5
        self.seen = []

    def construct(self, x):
        self.seen = [x]
        return x * self.w * self.rate * SCALE + self.table


@pytest.fixture
def net():
    return Net()


@pytest.fixture
def made(net):
    return Program("net", net, (X,), {})


def test_a_program_holds_while_nothing_changes(made):
    assert holds(made)
    assert holds(made)


def test_new_values_of_parameters_and_tensors_matter_not(net, made):
    net.w.set_data(Tensor([7.0, 7.0]))
    net.table = Tensor([5.0, 5.0])
    assert holds(made)
    assert made([X]).asnumpy().tolist() == [12.0, 19.0]


@pytest.mark.parametrize("change", [
    lambda net: setattr(net, "rate", 0.25),
    lambda net: setattr(net, "table", Tensor([1.0])),
    lambda net: setattr(net, "seen", 3),
    lambda net: setattr(net.w, "requires_grad", False),
    lambda net: net.set_train(),
], ids=["attribute", "tensor of another shape", "kind of content", "requires_grad", "training"])
def test_a_program_does_not_hold_after(change, net, made):
    change(net)
    assert not holds(made)


def test_a_program_does_not_hold_when_a_name_has_another_value(made, monkeypatch):
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert not holds(made)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert holds(made)


def test_a_change_elsewhere_is_looked_at_once(net, made):
    Net().rate = 9.0
    assert holds(made)
    del net.w
    assert not holds(made)


def test_constants_among_the_arguments_must_have_their_values():
    def shaped(x, shape):
        return x.reshape(tuple(shape.tolist()))

    program = Program("shaped", shaped, (X, Tensor([2, 1])), {}, by_value=True)
    assert fits(program, (X, Tensor([2, 1])), {})
    assert not fits(program, (X, Tensor([1, 2])), {})
