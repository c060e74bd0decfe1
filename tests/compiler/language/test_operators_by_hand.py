# ruff: noqa  # programs as users write them
"""Operators of classes and containers, targets of assignments, patterns, definitions: the ways that Python goes."""

from __future__ import annotations

import itertools

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]
INTS = [3, 1, 2]
CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]


def test_both_modes_agree(program, agree):
    agree(program)


class Odd:
    """Is true, has no length, and answers the second operand of a difference."""

    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return True

    def __len__(self):
        return 0

    def __iadd__(self, other):
        return NotImplemented

    def __add__(self, other):
        return Odd(self.n + other)

    def __sub__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return (other.n if isinstance(other, Odd) else other) - self.n * 10

    def __eq__(self, other):
        return False

    __hash__ = object.__hash__


class Ranked:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < (other.n if isinstance(other, Ranked) else other)

    def __ge__(self, other):
        return self.n >= (other.n if isinstance(other, Ranked) else other)


class Several:
    def __iter__(self):
        return iter([3, 5])


class Equal:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


def program_objects_as_operands(x=V):
    o = Odd(2)
    y = x * (3 if o else 4)
    o += 1
    y = y * o.n
    return y + (5 - o)


def program_objects_of_one_class_are_not_asked_twice(x=V):
    return x * (Odd(1) - Odd(2))


def program_comparisons_of_objects(x=V):
    a, b = Ranked(1), Ranked(2)
    k = 1 * (a < b) + 2 * (b < a) + 4 * (1 <= b) + 8 * (3 > a) + 16 * (0 > a) + 32 * (a >= b)
    e = Equal(1) != Equal(1), Equal(1) != Equal(2), not Equal(3) == Equal(3)
    n = [r.n for r in sorted([Ranked(3), Ranked(1), Ranked(2)])]
    return x * k, e, n, min(Ranked(4), Ranked(2)).n


def program_membership(x=V):
    o, p = Odd(1), Odd(1)
    k = o in [p, o], p in (o,), 3 in Several(), 4 not in Several(), 4 in Several(), o is o, o is not p
    t = 4.0 in x, 9.0 not in x, -2.0 in x
    return x, k, [bool(v) for v in t]


def program_tensors_among_tensors(x=V):
    first = x[0]
    return bool(first in [x[1], x[0]]), bool(first in [x[0] * 1, x[1]]), bool(first in (x[1], x[2] + 1)), x


def program_negation_of_ints(x=V, n=INTS):
    if not n[0] - 3:
        return x * 2
    return x


def program_shifts(x=V, n=INTS):
    k = int(n[1]) + 1
    return x * (5 >> k), x * (1 << k), (-7 >> k)


def program_large_shift(x=V, n=INTS):
    k = 40 * (int(n[1]) + 1) // 2
    return (1 << k) > 2 ** 31, x


def program_shift_to_the_right_by_less_than_none(x=V, n=INTS):
    return x * (8 >> (int(n[1]) - 2))


class Holder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")
        self.items, self.table, self.calls = [1, 2], {"a": 1}, 0

    def it(self):
        self.calls += 1
        return self


def program_changes_of_attributes(x=V, cell=Holder):
    other = cell.items
    cell.items += [3]
    cell.table["b"] = 2
    del cell.items[0]
    cell.p[1] = 30
    cell.it().calls += 10
    return x * len(cell.items), other is cell.items, cell.p + x, cell.calls


def program_stars(x=V):
    a, *b = (v for v in (1, 2, 3))
    b.append(4)
    c, *d, e = (1, 2)
    *f, (g, h) = [5, 6, (7, 8)]
    [i, *j] = "ab"
    return x * a, b, c, d, e, f, g, h, j


def program_too_few_for_a_star(x=V):
    a, *b, c = [x]
    return a


def program_too_few(x=V):
    a, b = [x]
    return a


def program_too_many_of_an_endless_one(x=V):
    a, b = itertools.count()
    return x * a


def program_just_as_many_of_an_iterator(x=V):
    a, b = iter([2, 3])
    return x * a + b


def program_deep_elements(m=CUBE):
    m = m * 1
    m[1][0][1] = 50
    m[0][1] = 9
    return m


def program_chained_targets(x=V):
    i, line = 0, [0, 0, 0]
    i = line[i] = 2
    line[i] = i = 1
    return x * i, line


def program_name_that_is_not_there(x=V):
    del nothing
    return x


def program_decorators_and_defaults(x=V):
    def plus(f):
        return lambda *a, **k: f(*a, **k) + 1

    def twice(f):
        return lambda *a, **k: f(*a, **k) * 2

    @plus
    @twice
    def f(a, b=2, c=3, *, k=5, m=7):
        return a * b - c * k + m
    return f(x), f(x, 4), f(x, c=1, m=0), f(x, k=1)


def program_scopes_of_classes(x=V):
    n = 5

    class Inner:
        n = 7

        def get(self):
            return n
    return x * Inner().get() + Inner.n


def program_nonlocal_through_two(x=V):
    n = 1

    def outer():
        def inner():
            nonlocal n
            n += 2
            return n
        return inner() + inner()
    return x * outer(), n


def program_classes_with_parents_and_hooks(x=V):
    made = []

    class Base:
        def __init_subclass__(cls, **more):
            made.append(cls.__name__)

        def value(self):
            return 3

    def marked(cls):
        cls.mark = 4
        return cls

    @marked
    class Derived(Base):
        def value(self):
            return super().value() * 2
    return x * Derived().value() * Derived.mark, made


def program_assertions(x=V):
    assert 0, "nought"
    return x


def program_errors_with_causes(x=V):
    try:
        try:
            raise ValueError
        except ValueError as error:
            raise KeyError("k") from error
    except KeyError as error:
        print(type(error.__cause__).__name__, error.args)
    return x


def program_imports(x=V):
    from math import floor as down, ceil
    import math as m
    return x * down(2.5) + ceil(2.5) * m.sqrt(4)


def program_matches(x=V):
    found = []
    for subject in (1, True, None, "ab", [1, 2], [1], (1, 2, 3, 4), {"k": 1, "m": 2, "n": 3}, {}, b"xy", 2.5, [[]], "a"):
        match subject:
            case True:
                found.append("true")
            case None:
                found.append("none")
            case int(k) if k > 1:
                found.append("large")
            case int(k):
                found.append(k)
            case [a, *rest, b] if rest:
                found.append((a, rest, b))
            case [a, b]:
                found.append((b, a))
            case [[*inner]]:
                found.append(("inner", inner))
            case [a]:
                found.append(a)
            case {"k": value, **others}:
                found.append((value, others))
            case "a" | "b":
                found.append("letter")
            case str():
                found.append("text")
            case float(f):
                found.append(f)
            case {}:
                found.append("mapping")
            case _:
                found.append("other")
    return x, found


def program_matches_of_objects(x=V):
    class Point:
        __match_args__ = ("a", "b")

        def __init__(self, a, b):
            self.a, self.b = a, b
    found = []
    for subject in (Point(1, 2), Point(1, [3]), Point(4, 5), Point(0, 0), 3):
        match subject:
            case Point(1, b=[c]):
                found.append(("list", c))
            case Point(1, b):
                found.append(("one", b))
            case Point(a=0, c=_):
                found.append("never")
            case Point(a, 5) if a > 9:
                found.append("never")
            case Point(a, 5) | Point(0, a):
                found.append(("or", a))
            case Point():
                found.append("point")
            case _:
                found.append("other")
    return x, found


def program_matches_of_tensors(x=V):
    match x[0]:
        case 1.0:
            y = x * 2
        case n if n > 0:
            y = x * 3
        case _:
            y = x * 5
    match (x[0] > 0, x[1] > 0):
        case (True, True):
            k = 1
        case (True, False):
            k = 2
        case (False, True):
            k = 3
        case _:
            k = 4
    return y * k


def program_kinds(x=V):
    k = int(x[0])
    return (isinstance(k, (float, int)), isinstance(k, int), isinstance(k, float), isinstance(x, (list, Tensor)),
            isinstance(x, list), issubclass(bool, (str, int)), issubclass(int, (str, bool)), isinstance(True, int)), x


def program_tensors_of_numbers(x=V):
    a = Tensor([float(x[0]), 2.0, 3])
    b = Tensor([int(x[0]), 2])
    c = ops.stack([x, x * 2])
    print(a.dtype, b.dtype)
    return a, b, c
