"""Objects that a program makes are new at every call, and methods that Python calls itself see what is so then."""

from __future__ import annotations

import copy
import dataclasses
import io
import types

from outside import V, between


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


class Counted:
    def __init__(self):
        self.n = 1


def case_object_that_is_returned(jit, make):
    f = jit(lambda x: (x, Counted()))
    first = f(make(V))[1]
    first.n = 9
    yield f(make(V))
    yield first


def case_object_that_is_stored(jit, make):
    d = {}

    def f(x):
        d["o"] = Counted()
        return x

    g = jit(f)
    g(make(V))
    first = d["o"]
    first.n = 9
    yield g(make(V)), d
    yield first


def case_buffer_that_is_returned(jit, make):
    f = jit(lambda x: (x, io.StringIO()))
    f(make(V))[1].write("a")
    yield f(make(V))[1].getvalue()
    yield f(make(V))[0]






class Compared:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < other.n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return 1

    def __str__(self):
        return str(self.n)


def case_order_by_a_method(jit, make):
    held = [Compared(1), Compared(2)]
    yield from between(jit(lambda x: x * sorted(held)[0].n), make, lambda: setattr(held[0], "n", 5))


def case_membership_by_a_method(jit, make):
    held, one = [Compared(1), Compared(2)], Compared(2)
    yield from between(jit(lambda x: x * 2 if one in held else x), make, lambda: setattr(held[1], "n", 5))


def case_key_by_a_method(jit, make):
    one = Compared(2)
    d = {Compared(2): 5.0}
    yield from between(jit(lambda x: x * d.get(one, 1.0)), make, lambda: setattr(one, "n", 9))


def case_lists_compared_by_a_method(jit, make):
    a, b = [Compared(1)], [Compared(1)]
    yield from between(jit(lambda x: x * 2 if a == b else x), make, lambda: setattr(a[0], "n", 9))


def case_text_by_a_method(jit, make):
    o = Compared(1)
    f = jit(lambda x: (x, str(o), f"{o}", "%s" % o, "{}".format(o)))  # noqa: UP031, UP032  # both are tested
    yield from between(f, make, lambda: setattr(o, "n", 9))


def case_copy_of_an_object(jit, make):
    o = Counted()
    yield from between(jit(lambda x: x * copy.copy(o).n), make, lambda: setattr(o, "n", 5))


def case_deep_copy_of_an_object(jit, make):
    o = types.SimpleNamespace(held=[1])
    yield from between(jit(lambda x: x * copy.deepcopy(o).held[0]), make, lambda: o.held.insert(0, 5))


@dataclasses.dataclass
class Settings:
    n: int = 1


def case_dict_of_a_data_class(jit, make):
    o = Settings()
    yield from between(jit(lambda x: x * dataclasses.asdict(o)["n"]), make, lambda: setattr(o, "n", 5))
