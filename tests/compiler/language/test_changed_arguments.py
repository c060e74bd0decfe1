"""What a program changes of its arguments, its caller sees, and once."""

from __future__ import annotations

import copy
import dataclasses
import functools
import io

import numpy as np
from outside import V


def test_the_owner_sees_every_change(outside, like_numpy):
    like_numpy(outside)


def calls(f, make, *args, times=3, **kwargs):
    """The results of several calls with the same further arguments, and these after each call."""
    for _ in range(times):
        yield f(make(V), *args, **kwargs), copy.copy(args), dict(kwargs)


@dataclasses.dataclass
class State:
    n: int = 0
    t: object = None
    held: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Slotted:
    __slots__ = ("k", "t")
    t: object
    k: int


@dataclasses.dataclass
class Moving:
    mean: object
    count: int = 2

    def step(self, x):
        self.count += 1
        self.mean = self.mean + x
        return self.mean * self.count


@dataclasses.dataclass(frozen=True)
class Fixed:
    t: object
    k: int = 2


class Holder:
    def __init__(self):
        self.n, self.held = 1, [1]


# ---------------------------------------------------------------------- data classes


def compiled_field_with_a_number(jit, make):
    def f(x, s):
        s.n += 1
        return x * s.n

    f = jit(f)
    first, second = State(), State()
    for s in (first, second, first, second):
        yield f(make(V), s), copy.copy(s), first.n, second.n


def compiled_field_with_a_tensor(jit, make):
    def f(x, s):
        s.t = x * 2 + s.t
        return x * s.n

    yield from calls(jit(f), make, State(t=make([1.0, 1.0])))


def compiled_list_of_a_field(jit, make):
    def f(x, s):
        s.held.append(x.sum())
        s.held.append(3)
        return x * len(s.held)

    f, s = jit(f), State(t=make(1.0))
    for _ in range(3):
        yield f(make(V), s), list(s.held)


def case_attribute_that_is_no_field(jit, make):
    def f(x, s):
        s.extra = x + 1
        return x * s.k

    f, s = jit(f), State(t=make(1.0))
    for s.k in (2, 3, 2):
        yield f(make(V), s), dict(vars(s))


def compiled_data_class_with_slots(jit, make):
    def f(x, s):
        s.k += 1
        s.t = x * s.k
        return x

    f, s = jit(f), Slotted(make(V), 2)
    for _ in range(3):
        yield f(make(V), s), s.k, s.t


def compiled_method_of_a_data_class(jit, make):
    yield from calls(jit(lambda x, s: s.step(x)), make, Moving(make([0.0, 0.0])))


def compiled_data_classes_in_a_list(jit, make):
    def f(x, states):
        for s in states:
            s.n += 1
            s.t = s.t + x
        return x * states[0].n

    f, states = jit(f), [State(t=make([0.0, 0.0])), State(t=make([1.0, 1.0]))]
    for _ in range(3):
        yield f(make(V), states), [(s.n, s.t) for s in states]


def compiled_frozen_data_class(jit, make):
    f = jit(lambda x, s: (x * s.t * s.k, dataclasses.replace(s, k=3).k))
    yield f(make(V), Fixed(make([1.0, 2.0])))
    yield f(make(V), Fixed(make([3.0, 4.0]), 5))


def compiled_what_is_done_after_making_is_not_done_again(jit, make):
    made = []

    @dataclasses.dataclass
    class Scaled:
        t: object
        tenfold: object = dataclasses.field(init=False)

        def __post_init__(self):
            made.append(1)
            self.tenfold = self.t * 10

    f = jit(lambda x, s: x * s.tenfold + s.t)
    s = Scaled(make([1.0, 2.0]))
    yield f(make(V), s), len(made)
    yield f(make(V), s), len(made)


def compiled_data_class_that_is_returned(jit, make):
    def f(x, s):
        s.t = x
        return s

    f, s = jit(f), State(t=make([0.0, 0.0]))
    yield f(make(V), s) is s, s.t
    yield f(make(V) * 2, s) is s, s.t


# ---------------------------------------------------------------------- sets, lists, dicts, arrays, objects


def grows(x, s):
    s.add(len(s) + 5)
    return x * len(s)


def compiled_set(jit, make):
    f, s = jit(grows), {1}
    for one in (s, s, {1, 2, 3}, s):
        yield f(make(V), one), set(one)


def case_set_that_is_read(jit, make):
    f, s = jit(lambda x, s: x * sum(s)), {1}
    yield f(make(V), s)
    s.add(5)
    yield f(make(V), s)
    yield f(make(V), {7})


def compiled_set_by_name(jit, make):
    f, s = jit(grows), {1}
    for _ in range(3):
        yield f(make(V), s=s), set(s)


def compiled_set_in_a_dict(jit, make):
    def f(x, d):
        return grows(x, d["s"])

    f, d = jit(f), {"s": {1}}
    for _ in range(3):
        yield f(make(V), d), set(d["s"])


def compiled_dict(jit, make):
    def f(x, d):
        d["n"] = d.get("n", 0) + 1
        d["t"] = x
        return x * d["n"]

    f, d = jit(f), {}
    for _ in range(3):
        yield f(make(V), d), dict(d)


def compiled_order_of_a_dict(jit, make):
    def f(x, d):
        key = next(iter(d))
        d[key] = d.pop(key)
        return x * d[key]

    f, d = jit(f), {"a": make(1.0), "b": make(2.0)}
    for _ in range(3):
        yield f(make(V), d), list(d.items())


def compiled_tensors_that_move(jit, make):
    def f(x, held):
        held.append(held.pop(0))
        return x * held[0]

    f, held = jit(f), [make(1.0), make(2.0), make(3.0)]
    ids = list(map(id, held))
    for _ in range(3):
        yield f(make(V), held), list(held), [ids.index(id(t)) for t in held]


def compiled_lists_that_change_places(jit, make):
    def f(x, pair):
        pair[0], pair[1] = pair[1], pair[0]
        pair[0].append(1)
        return x * len(pair[0])

    f, a, b = jit(f), [], [2]
    pair = [a, b]
    for _ in range(3):
        yield f(make(V), pair), list(a), list(b), pair[0] is a


def compiled_object_by_name(jit, make):
    def f(x, o=None):
        o.n += 1
        o.t = x
        return x * o.n

    f, o = jit(f), Holder()
    for _ in range(3):
        yield f(make(V), o=o), dict(vars(o))


def compiled_object_in_a_list(jit, make):
    def f(x, held):
        held[0].n += 1
        return x * held[0].n

    f, o = jit(f), Holder()
    for _ in range(3):
        yield f(make(V), [o]), o.n


def compiled_method_of_an_object(jit, make):
    class Counting:
        n = 1

        def step(self, x):
            self.n += 1
            return x * self.n

    f, o = jit(lambda x, step: step(x)), Counting()
    for _ in range(3):
        yield f(make(V), o.step), o.n


def compiled_partial_function(jit, make):
    def push(held, x):
        held.append(1)
        return x * len(held)

    held = []
    f, step = jit(lambda x, step: step(x)), functools.partial(push, held)
    for _ in range(3):
        yield f(make(V), step), list(held)


def compiled_array_that_is_read(jit, make):
    f, a = jit(lambda x, a: x * float(a[0])), np.array([1.0, 2.0])
    yield f(make(V), a)
    a[0] = 5
    yield f(make(V), a)
    yield f(make(V), np.array([7.0]))


def case_array_that_is_changed(jit, make):
    def f(x, a):
        a[0] += 1
        return x * float(a[0])

    f, a = jit(f), np.array([1.0, 2.0])
    for _ in range(3):
        yield f(make(V), a), a.copy()


def case_buffer(jit, make):
    def f(x, buffer):
        buffer.write("a")
        return x

    f, buffer = jit(f), io.StringIO()
    for _ in range(3):
        yield f(make(V), buffer), buffer.getvalue()


# ---------------------------------------------------------------------- iterators


def case_iterator(jit, make):
    f, numbers = jit(lambda x, numbers: x * next(numbers)), iter([1, 2, 3])
    yield f(make(V), numbers)
    yield f(make(V), numbers)
    yield list(numbers)


def case_generator(jit, make):
    f, numbers = jit(lambda x, numbers: x * next(numbers)), (k for k in (1, 2, 3))
    yield f(make(V), numbers)
    yield f(make(V), numbers)
    yield list(numbers)


def case_sum_of_a_generator(jit, make):
    f = jit(lambda x, numbers: x * sum(numbers))
    yield f(make(V), (k for k in (1, 2, 3)))
    yield f(make(V), (k for k in (4, 5)))


def case_iterator_by_name(jit, make):
    f, numbers = jit(lambda x, numbers=None: x * next(numbers)), iter([1, 2, 3])
    yield f(make(V), numbers=numbers)
    yield f(make(V), numbers=numbers)


def case_iterator_in_a_list(jit, make):
    f, numbers = jit(lambda x, held: x * next(held[0])), iter([1, 2, 3])
    yield f(make(V), [numbers])
    yield f(make(V), [numbers])


def case_pairs(jit, make):
    def f(x, pairs):
        for a, b in pairs:
            x = x + a * b
        return x

    f = jit(f)
    yield f(make(V), zip([1, 2], [3, 4], strict=True))
    yield f(make(V), zip([1, 2], [5, 6], strict=True))


class Numbers:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 5:
            raise StopIteration
        return self.n


def compiled_iterator_of_a_class(jit, make):
    f, numbers = jit(lambda x, numbers: x * next(numbers)), Numbers()
    yield f(make(V), numbers), numbers.n
    yield f(make(V), numbers), numbers.n
    yield list(numbers)
