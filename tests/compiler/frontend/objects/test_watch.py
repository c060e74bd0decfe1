"""What a program read may be replaced by what is equal, as long as nobody could tell the one from the other."""
from __future__ import annotations

import collections
import functools
import types

import numpy as np
import pytest

from mindspore import Tensor, jit, nn

X = Tensor([1.0, 2.0])
GLOBAL = None


def plus(x, k):
    return x + k


def use(value, x):
    """A function of a value that tells values apart."""
    if isinstance(value, dict):
        return functools.reduce(lambda y, item: use(item[1], y) * len(item[0]), value.items(), x)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return functools.reduce(lambda y, part: use(part, y * 2), value, x)
    if callable(value):
        return value(x)
    return x / value if not isinstance(value, (bool, str)) else x + len(str(value))


class Box:
    value = None


Pair = collections.namedtuple("Pair", "a b")
SLOTS = type("Slotted", (), {"__slots__": ("value",)})


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.value = None

    def construct(self, x):
        return use(self.value, x)


def of_attribute(owner):
    return lambda value: setattr(owner, "value", value), lambda x: use(owner.value, x)


def of_cell():
    net = Net()
    return lambda value: setattr(net, "value", value), net


def of_closure():
    held = None

    def put(value):
        nonlocal held
        held = value

    return put, lambda x: use(held, x)


def of_global():
    return functools.partial(globals().__setitem__, "GLOBAL"), lambda x: use(GLOBAL, x)


def of_element(owner, key):
    return functools.partial(owner.__setitem__, key), lambda x: use(owner[key], x)


HOLDERS = {
    "object": lambda: of_attribute(Box()), "class": lambda: of_attribute(type("Kind", (), {})), "closure": of_closure,
    "slots": lambda: of_attribute(SLOTS()), "namespace": lambda: of_attribute(types.SimpleNamespace()),
    "global": of_global, "dict": lambda: of_element({"k": None, "z": 1}, "k"), "list": lambda: of_element([0, None], 1),
    "cell": of_cell}
NAN = [lambda: [float("nan"), 2.0], lambda: [1.0, 2.0]]
VALUES = {
    "list": [lambda: [1.5, 2], lambda: [2, 1.5]], "types": [lambda: [1], lambda: [1.0], lambda: [True]],
    "zeros": [lambda: [0.0], lambda: [-0.0]], "nan": NAN, "tuple": [lambda: (1, float("2")), lambda: (1, 2)],
    "dict": [lambda: {"a": 1, "bb": 2}, lambda: {"bb": 2, "a": 1}, lambda: {"a": 1}],
    "nested": [lambda: {"a": [1, (2, {"c": 3})]}, lambda: {"a": [1, (2, {"c": 4})]}],
    "set": [lambda: {8, 16, 1}, lambda: {3}], "deque": [lambda: collections.deque([1, 2]), lambda: collections.deque()],
    "named": [lambda: Pair(1, 2.0), lambda: Pair(1, 3.0)],
    "array": [lambda: np.array([0.0, 1.0], np.float32), lambda: np.array([-0.0, 1.0], np.float32)],
    "partial": [lambda: functools.partial(plus, k=float("1")), lambda: functools.partial(plus, k=2.0)],
    "scalar": [lambda: np.float32(1.5), lambda: np.float64(1.5)]}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_equal_values_in_turn_keep_their_programs(holder, values):
    put, function = holder()
    compiled = jit(function)
    plain = getattr(function, "run_uncompiled", function)
    for make in [*values, *values] * 5:
        put(make())
        assert repr(compiled(X).tolist()) == repr(plain(X).tolist())
    assert compiled.cache.compiled == len(values)
    assert not compiled.cache.uncompiled


def anew(box, check, calls=3):
    """Call a function several times, each time with a new list of the same elements."""
    def call(function, *args):
        compiled = jit(function)
        for _ in range(calls):
            box.value = [1, 2]
            check(compiled(X, *args), box)
    return call


def test_a_list_that_is_given_back_is_the_present_one():
    def check(out, box):
        assert out[1] is box.value

    anew(box := Box(), check)(lambda x: (x, box.value))


def test_an_array_and_a_set_that_are_given_back_are_the_present_ones():
    compiled, box = jit(lambda x: (x, box.value, box.other)), Box()
    for _ in range(3):
        box.value, box.other = np.ones(2), {1}
        out = compiled(X)
        assert out[1] is box.value
        assert out[2] is box.other


def test_a_list_that_is_changed_is_the_present_one():
    def function(x):
        box.value.append(3)
        return x * len(box.value)

    def check(out, box):
        assert box.value == [1, 2, 3]
        assert out.tolist() == [3, 6]

    anew(box := Box(), check)(function)


def test_a_list_that_is_kept_is_the_present_one():
    def function(x):
        box.kept = box.value
        return x

    def check(out, box):
        assert box.kept is box.value

    anew(box := Box(), check)(function)


@pytest.mark.parametrize("asks", [
    lambda box: box.value is box.other, lambda box: box.value is not box.other,
    lambda box: id(box.value) == id(box.other)])
def test_a_program_that_asks_which_list_it_is_compiles_for_each(asks):
    box = Box()
    compiled = jit(lambda x: x * 3 if asks(box) else x * 5)
    for one in (True, False) * 3:
        box.value = [1]
        box.other = box.value if one else [1]
        assert compiled(X).tolist() == (X * (3 if asks(box) else 5)).tolist()


def test_a_list_of_other_tensors_is_another_list():
    box, tensors = Box(), [Tensor([2.0, 3.0]), Tensor([5.0, 7.0])]
    compiled = jit(lambda x: x * box.value[0])
    for k in (0, 1, 1, 0):
        box.value = [tensors[k]]
        assert compiled(X).tolist() == (X * tensors[k]).tolist()


def test_a_list_that_holds_itself_ends_nothing():
    box = Box()
    compiled = jit(lambda x: x * box.value[0])
    for _ in range(3):
        box.value = [3]
        box.value.append(box.value)
        assert compiled(X).tolist() == [3, 6]


def test_a_list_of_a_cell_that_is_changed_and_given_again_counts():
    net = Net()
    compiled = jit(net)
    for k in range(1, 4):
        net.value = [1.0]
        assert compiled(X).tolist() == [2.0, 4.0]
        net.value[0] = float(k)
        net.value = net.value
        assert compiled(X).tolist() == (X * 2 / k).tolist()


def test_elements_of_a_list_that_took_the_place_of_another_count():
    box = Box()
    compiled = jit(lambda x: use(box.value, x))
    for k in (1, 2, 1, 4):
        box.value = [1, [2]]
        assert compiled(X).tolist() == use([1, [2]], X).tolist()
        box.value[1][0] = k
        assert compiled(X).tolist() == use([1, [k]], X).tolist()
