# ruff: noqa  # programs as users write them
"""Data classes, enumerations, protocols, and objects that conditions choose."""

from __future__ import annotations

import dataclasses
import enum
import typing
from dataclasses import dataclass, field

import numpy as np

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


@dataclass
class Point:
    x: typing.Any
    y: int = 2
    tags: list = field(default_factory=list)

    def norm(self):
        return (self.x * self.x).sum() * self.y

    def moved(self, by):
        return dataclasses.replace(self, x=self.x + by)


@dataclass(frozen=True)
class Frozen:
    a: typing.Any
    b: typing.Any = 1

    def __post_init__(self):
        object.__setattr__(self, "c", 5)


@dataclass(order=True)
class Ranked:
    rank: int
    value: typing.Any = field(compare=False)


@dataclass
class Child(Point):
    z: int = 3


def program_dataclass_methods(x=V):
    p = Point(x).moved(1)
    p.tags.append(x)
    return p.norm() + p.tags[0] * len(Point(x).tags)


def program_dataclass_frozen(x=V):
    f = Frozen(x)
    g = dataclasses.replace(f, b=x * 2)
    return f.a + g.b * g.c


def program_dataclass_frozen_assignment(x=V):
    f = Frozen(x)
    f.a = x * 2
    return f.a


def program_dataclass_order(x=V):
    return max(Ranked(1, x), Ranked(2, x * 2)).value


def program_dataclass_inheritance(x=V):
    c = Child(x, z=4)
    return c.norm() * c.z + len(dataclasses.fields(c))


def program_dataclass_equality(x=V):
    return x * (Ranked(1, 0) == Ranked(1, 5))


def program_dataclass_as_dict(x=V):
    d = dataclasses.asdict(Ranked(1, 2))
    return x * d["rank"] + len(dataclasses.astuple(Ranked(1, 2)))


def program_dataclass_returned_from_branch(x=V):
    def pick(x):
        if x.sum() > 0:
            return Point(x, 3)
        return Point(x * 2, 3)
    p = pick(x)
    return p.x * p.y


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2

    @property
    def factor(self):
        return self.value * 3


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Flags(enum.Flag):
    A = enum.auto()
    B = enum.auto()


def program_enum(x=V):
    m = Mode.SLOW
    y = x * m.factor
    if m is Mode.SLOW and m != Mode.FAST and m.name == "SLOW":
        y = y + len(Mode)
    return y + Mode["FAST"].value


def program_int_enum(x=V):
    return x * Level.HIGH + (Level.LOW < Level.HIGH)


def program_flag(x=V):
    f = Flags.A | Flags.B
    return x * 2 if Flags.A in f and f & Flags.B else x


def program_enum_in_match(x=V):
    match Mode.FAST:
        case Mode.SLOW:
            return x
        case Mode.FAST:
            return x * 2


class Drawable(typing.Protocol):
    def draw(self, x): ...


class Circle:
    def draw(self, x):
        return x + 1


def program_protocol(x=V):
    c: Drawable = Circle()
    return c.draw(x)


T = typing.TypeVar("T")


class Stack(typing.Generic[T]):
    def __init__(self):
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()


def program_generic_class(x=V):
    s = Stack[int]()
    s.push(x)
    s.push(x * 2)
    return s.pop() - s.pop() * 2


class Error(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


def program_exception_class(x=V):
    try:
        raise Error(3)
    except ValueError as e:
        return x * e.code + len(str(e))


class Chained:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x = self.x + y
        return self

    def mul(self, y):
        self.x = self.x * y
        return self


def program_method_chain(x=V):
    return Chained(x).add(1).mul(x).x


def program_two_names_for_one_object(x=V):
    a = Chained(x)
    b = a
    b.add(1)
    held = [a]
    held[0].mul(2)
    return a.x


def program_object_in_both_branches(x=V):
    if x.sum() > 0:
        c = Chained(x)
    else:
        c = Chained(x * 3)
    return c.add(1).x


def program_object_replaced_in_branch(x=V):
    c = Chained(x)
    old = c
    if x.sum() > 0:
        c = Chained(x * 2)
        c.add(5)
    c.mul(2)
    return c.x + old.x


def program_linked_list(x=V):
    class_ = Chained
    head = None
    for k in range(3):
        node = class_(x * k)
        node.next = head
        head = node
    y = x
    while head is not None:
        y = y + head.x
        head = head.next
    return y


def program_class_with_dict_of_methods(x=V):
    c = Chained(x)
    table = {"add": c.add, "mul": c.mul}
    for name in ("add", "mul"):
        table[name](2)
    return c.x


def program_class_defined_inside(x=V):
    class Inner:
        factor = 3

        def __init__(self, v):
            self.v = v

        def run(self):
            return self.v * self.factor + x

    return Inner(x * 2).run()


def program_dataclass_defined_inside(x=V):
    @dataclass
    class Inner:
        v: typing.Any
        k: int = 2
    return Inner(x).v * Inner(x).k
