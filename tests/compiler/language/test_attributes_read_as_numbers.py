"""Tensors of names and attributes that a program reads as numbers: every call sees what they hold."""

from __future__ import annotations

import dataclasses
from collections import deque, namedtuple
from types import SimpleNamespace

from outside import V, attributes, replaced


def test_every_call_sees_what_the_tensor_holds(outside, like_numpy):
    like_numpy(outside)


def case_name_of_the_function_around(jit, make):
    n = make(2)
    f = jit(lambda x: x * int(n))
    yield f(make(V))
    n = make(5)
    yield f(make(V))
    n += 1
    yield f(make(V))


def case_default_of_a_parameter(jit, make):
    t = make(2.0)

    def scaled(x, k=t):
        return x * float(k)

    f = jit(scaled)
    yield f(make(V))
    t[...] = 4.0
    yield f(make(V))


LIMIT = None


def compiled_name_of_the_module(jit, make):
    global LIMIT
    LIMIT = make(2.0)
    f = jit(lambda x: x * float(LIMIT))
    yield f(make(V))
    LIMIT = make(5.0)
    yield f(make(V))
    LIMIT[...] = 8.0
    yield f(make(V))


class Holder:
    def __init__(self, t):
        self.t = t


class Slotted:
    __slots__ = ("t",)

    def __init__(self, t):
        self.t = t


@dataclasses.dataclass
class Record:
    t: object


def compiled_attribute(jit, make):
    o = Holder(make(2.0))
    yield from attributes(jit(lambda x: x * float(o.t)), o, make)


def compiled_attribute_in_a_slot(jit, make):
    o = Slotted(make(2.0))
    yield from attributes(jit(lambda x: x * o.t.item()), o, make)


def compiled_field_of_a_data_class(jit, make):
    o = Record(make(2.0))
    yield from attributes(jit(lambda x: x * float(o.t)), o, make)


def compiled_attribute_of_a_namespace(jit, make):
    o = SimpleNamespace(t=make(2.0))
    yield from attributes(jit(lambda x: x * float(o.t)), o, make)


def compiled_attribute_of_an_argument(jit, make):
    o = Holder(make(2.0))
    f = jit(lambda x, o: x * float(o.t))
    yield from attributes(lambda x: f(x, o), o, make)


def case_attribute_of_a_class(jit, make):
    class Settings:
        t = make(2.0)

    yield from attributes(jit(lambda x: x * float(Settings.t)), Settings, make)


def compiled_element_of_a_tuple(jit, make):
    held = make(1.0), make(2.0)
    f = jit(lambda x: x * float(held[1]))
    yield f(make(V))
    held[1][...] = 9.0
    yield f(make(V))


def case_element_of_a_named_tuple(jit, make):
    pair = namedtuple("pair", "a b")
    held = [pair(make(1.0), make(2.0))]
    f = jit(lambda x: x * float(held[0].b))
    yield f(make(V))
    held[0] = pair(make(1.0), make(4.0))
    yield f(make(V))


def case_element_of_a_deque(jit, make):
    held = deque([make(2.0)])
    f = jit(lambda x: x * float(held[0]))
    yield f(make(V))
    held.appendleft(make(8.0))
    yield f(make(V)), len(held)


class Stopping:
    def __init__(self, best):
        self.best, self.waited = best, 0

    def __call__(self, loss):
        if float(loss) < float(self.best):
            self.best, self.waited = loss, 0
        else:
            self.waited += 1
        return self.waited


def case_early_stopping(jit, make):
    stopping = Stopping(make(1e9))
    f = jit(lambda x: stopping(x))
    for value in (3.0, 2.0, 5.0, 6.0, 1.0, 4.0):
        yield f(make(value)), stopping.best, stopping.waited


class History:
    def __init__(self):
        self.values = []

    def best(self, value):
        self.values.append(float(value))
        return max(self.values)


def case_history_of_floats(jit, make):
    history = History()
    f = jit(lambda x: x * history.best(x.sum()))
    for value in (1.0, 5.0, 3.0, 7.0):
        yield f(make([value, value])), history.values


class Number:
    def __init__(self, t):
        self.t = t

    def __float__(self):
        return float(self.t)

    def __index__(self):
        return int(self.t)

    def __bool__(self):
        return bool(self.t)

    def __round__(self):
        return round(float(self.t))

    def __lt__(self, other):
        return float(self.t) < float(other.t)


def case_float_of_an_object(jit, make):
    o = Number(make(2.0))
    yield from attributes(jit(lambda x: x * float(o)), o, make)


def case_round_of_an_object(jit, make):
    o = Number(make(2.0))
    yield from attributes(jit(lambda x: x * round(o)), o, make)


def case_object_as_an_index(jit, make):
    o, table = Number(make(1)), list(range(10))
    yield from attributes(jit(lambda x: x * table[o]), o, make)


def compiled_truth_of_an_object(jit, make):
    o = Number(make(0.0))
    yield from attributes(jit(lambda x: x * 2 if o else x), o, make)


def case_order_of_objects(jit, make):
    held = [Number(make(2.0)), Number(make(3.0))]
    yield from attributes(jit(lambda x: x * sorted(held)[0].t), held[0], make)


def case_changed_and_read_again(jit, make):
    d = {"n": make(1.0)}

    def step(x):
        d["n"] += 1
        return x * float(d["n"])

    f = jit(step)
    for _ in range(3):
        yield f(make(V)), d["n"]


def case_read_before_a_change_in_place(jit, make):
    d = {"n": make(1.0)}

    def step(x):
        before = float(d["n"])
        d["n"][...] = before + 2
        return x * before

    f = jit(step)
    for _ in range(3):
        yield f(make(V)), d["n"]


def case_copy_of_a_tensor(jit, make):
    import copy

    d = {"w": make([1.0, 2.0])}
    yield from replaced(jit(lambda x: x * copy.deepcopy(d["w"])), d, "w", [[4.0, 5.0]], make)


def case_different_value_at_every_call(jit, make):
    d = {"w": make([0.0, 0.0])}
    f = jit(lambda x: x * max(d["w"].tolist()))
    for k in range(20):
        d["w"] = make([float(k), 0.5])
        yield f(make(V))
