"""What a run leaves: tensors that are one while compiling are two afterwards, views see new values, sets are sets."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = np.array([1.0, 2.0, 3.0], np.float32)


class Keeps(nn.Cell):
    """Assigns what a function of its input gives, and gives back what another one makes of that."""

    def __init__(self, given=lambda y: y, assigned=lambda y: y):
        super().__init__()
        self.a, self.b = [Parameter(np.zeros(3, np.float32), name=name) for name in ("a", "b")]
        self.given, self.assigned = given, assigned

    def construct(self, x):
        y = x * 2
        ops.assign(self.a, self.assigned(y))
        ops.assign(self.b, y)
        return self.given(y)


FORMS = {"itself": lambda y: y, "stopped": ops.stop_gradient, "a view": lambda y: y.reshape((3,)),
         "two": lambda y: (y, y)}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("assigned", ["itself", "stopped", "a view"])
@pytest.mark.parametrize("given", FORMS)
def test_a_result_and_the_parameters_that_got_it_have_memory_of_their_own(given, assigned):
    net = Keeps(FORMS[given], FORMS[assigned])
    for _ in range(2):
        out = net(Tensor(X))
        out = out[0] if isinstance(out, tuple) else out
        out += 10
        assert (net.a.tolist(), net.b.tolist()) == ([2.0, 4.0, 6.0],) * 2
        net.a += 1
        assert (net.b.tolist(), out.tolist()) == ([2.0, 4.0, 6.0], [12.0, 14.0, 16.0])


@pytest.mark.usefixtures("both_modes")
def test_an_input_that_is_assigned_is_not_the_parameter():
    net, x = Keeps(), Tensor(X)
    net.assigned = lambda y: y / 2 * 1
    direct = Direct()
    for each in (net, direct):
        each(x)
        each.a += 5
        assert x.tolist() == X.tolist()
        x[0] = 9.0
        assert each.a.tolist() == [6.0, 7.0, 8.0]
        x[0] = 1.0


class Direct(nn.Cell):
    """Assigns its input."""

    def __init__(self):
        super().__init__()
        self.a = Parameter(np.zeros(3, np.float32), name="a")

    def construct(self, x):
        ops.assign(self.a, x)
        return x.sum()


@pytest.mark.usefixtures("both_modes")
def test_views_of_a_parameter_see_what_a_run_assigns():
    net = Keeps()
    view, whole = net.a[1:], net.b.view(3)
    for factor in (1.0, 3.0):
        net(Tensor(X * factor))
        assert view.tolist() == [4.0 * factor, 6.0 * factor]
        assert whole.tolist() == [2.0 * factor, 4.0 * factor, 6.0 * factor]


@dataclass
class Held:
    """Something outside."""

    values: list
    count: int = 0


class Stores(nn.Cell):
    """Puts what it computes into objects, in order."""

    def __init__(self):
        super().__init__()
        self.last, self.table, self.held, self.line = None, {}, Held([]), deque(maxlen=2)

    def construct(self, x):
        self.last = (x + 1, 7)
        self.table["sum"] = x.sum()
        self.table["twice"] = [x * 2, "text"]
        self.held.count = self.held.count + 1
        self.line.append(x.max())
        return x - 1


@pytest.mark.usefixtures("both_modes")
def test_each_place_gets_its_own_of_many_values():
    net = Stores()
    for k in (1.0, 2.0, 3.0):
        assert net(Tensor(X * k)).tolist() == (X * k - 1).tolist()
        assert (net.last[0].tolist(), net.last[1]) == ((X * k + 1).tolist(), 7)
        assert (float(net.table["sum"]), net.table["twice"][0].tolist(), net.table["twice"][1]) == (
            6 * k, (X * k * 2).tolist(), "text")
        assert net.held.count == int(k)
        assert [float(v) for v in net.line] == [3.0 * i for i in range(max(1, int(k) - 1), int(k) + 1)]


def test_a_set_that_a_program_makes_is_new_in_every_run_and_one_from_outside_is_itself():
    outside = {1, 2}

    @ms.jit
    def program(x):
        return x + 1, {3, "a"}, outside

    first, second = program(Tensor(X)), program(Tensor(X))
    for found in (first, second):
        assert type(found[1]) is set
        assert found[1] == {3, "a"}
        assert found[2] is outside
    assert first[1] is not second[1]
    first[1].add(4)
    assert program(Tensor(X))[1] == {3, "a"}


@pytest.mark.usefixtures("both_modes")
def test_a_choice_of_functions_or_texts_is_decided_in_the_result():
    @ms.jit
    def program(x):
        if x.sum() > 0:
            kind, scale = "positive", 2
        else:
            kind, scale = "other", 3
        return {"kind": kind, "value": x * scale}

    for sign, kind, scale in ((1, "positive", 2), (-1, "other", 3), (1, "positive", 2)):
        found = program(Tensor(X * sign))
        assert (found["kind"], found["value"].tolist()) == (kind, (X * sign * scale).tolist())


@pytest.mark.usefixtures("both_modes")
def test_tensors_from_outside_that_are_put_elsewhere_are_those_of_their_place_then():
    net = Stores()
    net.kept = Tensor(X)

    def moves(x, other):
        net.last = [net.kept, other, x]
        return x + net.kept
    program = ms.jit(moves)
    for k in (1.0, 5.0):
        net.kept = Tensor(X * k)
        x, other = Tensor(X), Tensor(X + 1)
        assert program(x, other).tolist() == (X + X * k).tolist()
        assert net.last[0] is net.kept
        assert net.last[1] is other
        assert net.last[2] is x
