"""Objects that a program reaches by two names, and those that come back or are kept: they stay one."""

from __future__ import annotations

import dataclasses
from collections import deque

import pytest
from outside import V


def test_an_object_stays_one(outside, like_numpy):
    like_numpy(outside)


@dataclasses.dataclass
class State:
    n: int = 0
    t: object = None
    held: list = dataclasses.field(default_factory=list)


class Holder:
    def __init__(self):
        self.n, self.held = 1, [1]


def case_one_list_twice_in_a_list(jit, make):
    def f(x, pair):
        pair[0].append(1)
        return x * len(pair[1])

    f, a, b = jit(f), [], []
    for pair in ([a, a], [a, b], [b, b]):
        yield f(make(V), pair), list(a), list(b)


def case_one_list_as_two_arguments(jit, make):
    def f(x, a, b):
        a.append(1)
        return x * len(b)

    f, a, b = jit(f), [], []
    for pair in ((a, b), (a, a), (b, a)):
        yield f(make(V), *pair), list(a), list(b)


def case_one_list_of_tensors_twice(jit, make):
    def f(x, a, b):
        a.append(x)
        b[0] = x * 2
        return a[0] + len(b)

    f, a, b = jit(f), [make([1.0, 1.0])], [make([1.0, 1.0])]
    yield f(make(V), a, a), list(a)
    yield f(make(V), a, b), list(a), list(b)


def case_one_data_class_twice(jit, make):
    def f(x, a, b):
        a.n += 1
        b.n += 10
        return x * a.n

    f, a, b = jit(f), State(), State()
    for pair in ((a, b), (a, a), (a, b)):
        yield f(make(V), *pair), a.n, b.n


def case_list_that_the_function_knows(jit, make):
    held = [1]

    def argument_is_changed(x, a):
        a.append(2)
        return x * len(held)

    def held_is_changed(x, a):
        held.append(2)
        return x * len(a)

    for f in (jit(argument_is_changed), jit(held_is_changed)):
        for a in ([3], held, [3], held):
            yield f(make(V), a), list(held)


def case_list_of_an_object_among_the_arguments(jit, make):
    def f(x, o, a):
        o.held.append(2)
        return x * len(a)

    f, o = jit(f), Holder()
    for a in ([3], o.held, [3]):
        yield f(make(V), o, a), list(o.held)


def case_list_that_holds_itself(jit, make):
    def f(x, held):
        held.append(2)
        return x * len(held)

    f, held = jit(f), [1]
    held.append(held)
    yield f(make(V), held), len(held)
    yield f(make(V), held), len(held)


# ---------------------------------------------------------------------- what comes back, or is kept, is the object


def compiled_argument_that_is_returned(jit, make):
    f, held = jit(lambda x, held: held), [make(1.0)]
    yield f(make(V), held) is held
    yield list(held)


def compiled_list_of_outside_that_is_returned(jit, make):
    held = [1, 2]
    f = jit(lambda x: (x, held))
    yield f(make(V))[1] is held
    f(make(V))[1].append(3)
    yield held


def compiled_attribute_that_is_returned(jit, make):
    o = Holder()

    def f(x):
        o.held.append(x.sum())
        return o.held

    f = jit(f)
    yield f(make(V)) is o.held, list(o.held)
    yield f(make(V)) is o.held, list(o.held)


def compiled_argument_that_is_stored(jit, make):
    d = {}

    def f(x, a):
        d["a"] = a
        return x

    f = jit(f)
    for a in ([1], [1], [2]):
        yield f(make(V), a), d["a"] is a


def compiled_tensor_that_is_stored(jit, make):
    d = {}

    def f(x):
        d["x"] = x
        return x * 2

    f = jit(f)
    for x in (make(V), make(V)):
        yield f(x), d["x"] is x


def compiled_limited_deque(jit, make):
    def f(x, d):
        d.append(x.sum())
        return x * d[0] * len(d)

    f, limited, free = jit(f), deque([make(1.0)], maxlen=2), deque([make(1.0)])
    for d in (limited, free, limited, free):
        yield f(make(V), d), list(d), d.maxlen


@pytest.mark.parametrize("way", ["two names", "known"])
def test_two_names_of_one_list_are_an_error_if_all_must_compile(way):
    import mindspore as ms

    held = []
    f = ms.jit(lambda x, a, b: (held.append(1), a.append(1), x)[2], fullgraph=True)
    args = ([1],) * 2 if way == "two names" else ([1], held)
    with pytest.raises(ms.core.errors.GraphSyntaxError, match="twice among the arguments"):
        f(ms.Tensor(V), *args)
    assert (held, args[0]) == ([], [1])


def case_list_that_is_returned_twice(jit, make):
    def f(x):
        made = [1]
        return made, made

    f = jit(f)
    for _ in range(2):
        a, b = f(make(V))
        yield a is b


def case_list_that_is_stored_twice(jit, make):
    d = {}

    def f(x):
        made = [1]
        d["a"], d["b"] = made, made
        return x

    f = jit(f)
    for _ in range(2):
        f(make(V))
        d["a"].append(2)
        yield dict(d)


def case_list_that_is_returned_and_stored(jit, make):
    d = {}

    def f(x):
        d["made"] = made = [x.sum()]
        return made

    f = jit(f)
    for _ in range(2):
        yield f(make(V)) is d["made"], dict(d)
