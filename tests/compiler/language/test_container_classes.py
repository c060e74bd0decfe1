"""Containers of derived classes as arguments and results keep their class, and do what its methods say."""

from __future__ import annotations

import copy
import dataclasses
import enum
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

from outside import V


def test_the_class_is_kept(outside, like_numpy):
    like_numpy(outside)


def calls(f, make, held, times=3):
    """The results of several calls with a container, and the container after each call."""
    for _ in range(times):
        yield f(make(V), held), copy.copy(held)


def compiled_dict_with_a_default(jit, make):
    def f(x, d):
        d["q"].append(x.sum())
        return x * len(d["q"])

    f, d = jit(f), defaultdict(list)
    for _ in range(3):
        yield f(make(V), d), {k: list(v) for k, v in d.items()}, d.default_factory is list


def compiled_dict_with_a_default_and_tensors(jit, make):
    def f(x, d):
        d["z"] += x.sum()
        return x * d["a"]

    yield from calls(jit(f), make, defaultdict(float, a=make(2.0)))


def compiled_defaults_of_two_dicts(jit, make):
    f = jit(lambda x, d: x * d["z"])
    yield f(make(V), defaultdict(lambda: 2))
    yield f(make(V), defaultdict(lambda: 3))


def compiled_counter(jit, make):
    def f(x, c):
        c.update("ab")
        return x * c["a"] + c["missing"] + c.most_common(1)[0][1]

    yield from calls(jit(f), make, Counter("a"))


def compiled_ordered_dict(jit, make):
    def f(x, d):
        d.move_to_end(next(iter(d)))
        return x * next(iter(d.values()))

    yield from calls(jit(f), make, OrderedDict(a=make(1.0), b=make(2.0)))


class Measured(dict):
    def __missing__(self, key):
        return len(key)


def compiled_missing_keys(jit, make):
    f, d = jit(lambda x, d: x * d["abc"] + d["t"]), Measured(t=make(1.0))
    yield f(make(V), d)
    d["abc"] = make(9.0)
    yield f(make(V), d)


class Total(list):
    def total(self):
        return sum(self)


def compiled_method_of_a_list(jit, make):
    f, held = jit(lambda x, held: (x * held.total(), type(held).__name__)), Total([1, 2])
    yield f(make(V), held)
    held.append(3)
    yield f(make(V), held)
    yield f(make(V), Total([make(1.0), make(4.0)]))


def case_attribute_of_a_list(jit, make):
    def f(x, held):
        held.scale += 1
        held.append(x.sum())
        return x * held.scale

    f, held = jit(f), Total([make(1.0)])
    held.scale = 5
    for _ in range(3):
        yield f(make(V), held), list(held), held.scale


class Doubling(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, value * 2)


def compiled_method_that_sets_items(jit, make):
    def f(x, d):
        d["a"] = x
        d["n"] = 3
        return d["a"]

    yield from calls(jit(f), make, Doubling())


class Attributes(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


def compiled_attributes_that_are_items(jit, make):
    def f(x, d):
        d.b = d.a + x
        d.n = d.n + 1
        return d.b * d.n

    f, d = jit(f), Attributes(a=make([1.0, 1.0]), n=1)
    for _ in range(3):
        yield f(make(V), d), list(d.items())


pair = namedtuple("pair", "a b")


def compiled_named_tuple(jit, make):
    f = jit(lambda x, p: (x * p.a + p.b, p._replace(a=p.b)))
    yield f(make(V), pair(make(1.0), 2))
    yield f(make(V), pair(make(2.0), 3))


class Pair(tuple):
    __slots__ = ()

    def total(self):
        return self[0] + self[1]


def compiled_method_of_a_tuple(jit, make):
    f = jit(lambda x, p: x * p.total())
    yield f(make(V), Pair([make(1.0), make(2.0)]))
    yield f(make(V), Pair([1, 2]))


class Pushed(deque):
    def push(self, value):
        self.append(value)


def compiled_method_of_a_deque(jit, make):
    def f(x, d):
        d.push(x.sum())
        return x * len(d)

    f, d = jit(f), Pushed(maxlen=2)
    for _ in range(3):
        yield f(make(V), d), list(d), d.maxlen


class Distinct(set):
    def push(self, value):
        self.add(value)


def compiled_method_of_a_set(jit, make):
    def f(x, s):
        s.push(len(s))
        return x * len(s)

    f, s = jit(f), Distinct()
    for _ in range(3):
        yield f(make(V), s), set(s)


class Twice(int):
    def twice(self):
        return self * 2


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def compiled_method_of_an_int(jit, make):
    f = jit(lambda x, n: x * n.twice())
    yield f(make(V), Twice(2))
    yield f(make(V), Twice(3))


def compiled_member_of_an_enum(jit, make):
    f = jit(lambda x, c: x * c.value)
    yield f(make(V), Colour.RED)
    yield f(make(V), Colour.BLUE)


# ---------------------------------------------------------------------- results


def compiled_result_with_a_default(jit, make):
    def f(x):
        d = defaultdict(int)
        d["a"] = x
        d["n"] += 2
        return d

    f = jit(f)
    yield f(make(V))
    yield f(make(V))["missing"]


def compiled_result_in_order(jit, make):
    f = jit(lambda x: OrderedDict(b=x, a=x * 2))
    yield f(make(V))
    yield f(make(V))


def compiled_result_that_counts(jit, make):
    f = jit(lambda x: (x, Counter("aab")))
    yield f(make(V))
    f(make(V))[1]["a"] = 9
    yield f(make(V))


def compiled_result_of_an_own_class(jit, make):
    f = jit(lambda x: Measured(a=x))
    yield f(make(V))
    yield f(make(V))["missing"]


def case_result_with_an_attribute(jit, make):
    def f(x):
        d = Measured(a=x)
        d.k = 2
        return d

    f = jit(f)
    yield f(make(V)), f(make(V)).k
    yield f(make(V))


def compiled_result_with_a_limit(jit, make):
    f = jit(lambda x: deque([x, x], maxlen=3))
    yield f(make(V)), f(make(V)).maxlen
    yield f(make(V))


def compiled_data_class_is_not_made_again(jit, make):
    @dataclasses.dataclass
    class Scaled:
        t: object

        def __post_init__(self):
            self.t = self.t * 10

    f = jit(lambda x: Scaled(x))
    yield f(make(V))
    yield f(make(V))
