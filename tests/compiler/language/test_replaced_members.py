"""Methods, functions and classes that are replaced between calls: a compiled function does what Python does.

Each program changes something after the first call; the oracle is the same program in plain Python, on floats.
"""
from __future__ import annotations

import abc
import functools
import math
import types

import pytest

import mindspore as ms
from mindspore import Tensor, nn

SCALE = 2


def two_classes():
    """Classes whose method gives two and three times what it gets."""
    class A:
        def go(self, x):
            return x * 2

    class B:
        def go(self, x):
            return x * 3

    return A, B


def method_of_a_class(f):
    A, _ = two_classes()
    a = A()
    fn = f(lambda x: a.go(x))
    yield fn
    A.go = lambda self, x: x * 5
    yield fn
    a.go = lambda x: x * 9
    yield fn


def method_of_a_subclass(f):
    class A:
        factor = 1

        def go(self, x):
            return x * self.factor

    class B(A):
        pass

    b = B()
    fn = f(lambda x: b.go(x))
    yield fn
    A.factor = 2
    yield fn
    B.factor = 3
    yield fn
    B.go = lambda self, x: x * 50
    yield fn
    b.factor, b.go = 4, lambda x: x * 60
    yield fn


def base_that_super_finds(f):
    A, _ = two_classes()

    class B(A):
        def go(self, x):
            return super().go(x) * 10

    b = B()
    fn = f(lambda x: b.go(x))
    yield fn
    A.go = lambda self, x: x * 3
    yield fn


def bases_of_a_class(f):
    A, Other = two_classes()

    class B(A):
        pass

    b = B()
    fn = f(lambda x: b.go(x))
    yield fn
    B.__bases__ = (Other,)
    yield fn


def class_of_an_object(f):
    A, B = two_classes()
    a = A()
    fn = f(lambda x: a.go(x))
    yield fn
    a.__class__ = B
    yield fn


def class_methods(f):
    class A:
        factor = 2

        @classmethod
        def of_class(cls, x):
            return x * cls.factor

        @staticmethod
        def of_none(x):
            return x * 3

    class B(A):
        factor = 5

    fn = f(lambda x: A.of_class(x) + B.of_class(x) + B().of_none(x))
    yield fn
    A.factor = 7
    yield fn
    A.of_none = staticmethod(lambda x: x * 100)
    yield fn
    B.of_class = classmethod(lambda cls, x: x * 1000)
    yield fn


def property_of_a_class(f):
    class A:
        @property
        def factor(self):
            return 2

    a = A()
    fn = f(lambda x: x * a.factor)
    yield fn
    A.factor = property(lambda self: 9)
    yield fn


def special_methods(f):
    class A:
        def __init__(self, value):
            self.value = value

        def __add__(self, other):
            return A(self.value + other.value)

        def __call__(self, x):
            return x * self.value

    a, b = A(3), A(4)
    fn = f(lambda x: (a + b)(x))
    yield fn
    A.__add__ = lambda self, other: A(self.value * other.value)
    yield fn
    A.__call__ = lambda self, x: x - self.value
    yield fn


def making_of_objects(f):
    class A:
        def __init__(self):
            self.value = 2

    def init(self):
        self.value = 5

    fn = f(lambda x: x * A().value)
    yield fn
    A.__init__ = init
    yield fn


def attributes_that_come_later(f):
    class A:
        pass

    a = A()
    fn = f(lambda x: x * 2 + getattr(a, "more", 5) if hasattr(a, "factor") else x * getattr(a, "more", 7))
    yield fn
    a.factor = 1
    yield fn
    A.more = 11
    yield fn
    a.more = 13
    yield fn


def computed_attributes(f):
    class A:
        def __getattr__(self, name):
            return 2

    a = A()
    fn = f(lambda x: x * a.anything)
    yield fn
    A.__getattr__ = lambda self, name: 7
    yield fn
    a.anything = 1
    yield fn


def parts_of_a_function(f):
    def scaled(x, by=2, *, plus=1):
        return x * by + plus

    def other(x, by=2, *, plus=1):
        return x - by - plus

    fn = f(lambda x: scaled(x))
    yield fn
    scaled.__defaults__ = (5,)
    yield fn
    scaled.__kwdefaults__["plus"] = 10
    yield fn
    scaled.__code__ = other.__code__
    yield fn


def function_of_a_module(f):
    fn = f(lambda x: x * math.floor(2.5))
    yield fn
    before, math.floor = math.floor, lambda value: 77
    try:
        yield fn
    finally:
        math.floor = before
    yield fn


def classes_that_say_what_they_hold(f):
    class Kind(type):
        answer = True

        def __instancecheck__(cls, value):
            return Kind.answer

    class A(metaclass=Kind):
        pass

    class Registered(abc.ABC):  # noqa: B024  # a virtual base class
        pass

    fn = f(lambda x: x * (2 if isinstance(3, A) else 1) * (3 if isinstance(3, (Registered, str)) else 1))
    yield fn
    Kind.answer = False
    yield fn
    Registered.register(int)
    yield fn


def names_by_globals(f):
    fn = f(lambda x: x * globals()["SCALE"])
    yield fn
    globals()["SCALE"] = 6
    try:
        yield fn
    finally:
        globals()["SCALE"] = 2


def names_written_by_globals(f):
    def change(x):
        globals()["SCALE"] += 1
        return x * SCALE

    fn = f(change)
    try:
        yield fn
        yield fn
    finally:
        globals()["SCALE"] = 2


def a_method_of_slots(f):
    class A:
        __slots__ = ("factor",)

        def go(self, x):
            return x * self.factor

    a = A()
    a.factor = 2
    fn = f(lambda x: a.go(x))
    yield fn
    a.factor = 3
    yield fn
    A.go = lambda self, x: x - self.factor
    yield fn


def a_wrapped_function(f):
    def counted(fn):
        @functools.wraps(fn)
        def wrapper(x):
            wrapper.calls = getattr(wrapper, "calls", 0) + 1
            return fn(x) * wrapper.calls
        return wrapper

    double = counted(lambda x: x * 2)
    fn = f(lambda x: double(x))
    yield fn
    yield fn


def a_function_in_a_namespace(f):
    held = types.SimpleNamespace(fn=lambda x: x * 2)
    fn = f(lambda x: held.fn(x))
    yield fn
    held.fn = lambda x: x * 3
    yield fn


PROGRAMS = [method_of_a_class, method_of_a_subclass, base_that_super_finds, bases_of_a_class, class_of_an_object,
            class_methods, property_of_a_class, special_methods, making_of_objects, attributes_that_come_later,
            computed_attributes, parts_of_a_function, function_of_a_module, classes_that_say_what_they_hold,
            names_by_globals, names_written_by_globals, a_method_of_slots, a_wrapped_function,
            a_function_in_a_namespace]


@pytest.mark.parametrize("changing", PROGRAMS, ids=lambda p: p.__name__)
def test_what_is_replaced_counts(changing):
    wanted = [fn(3.0) for fn in changing(lambda fn: fn)]
    assert [float(fn(Tensor(3.0))) for fn in changing(ms.jit)] == wanted
    assert len(set(wanted)) > 1


def test_methods_of_cells_are_replaced():
    class Net(nn.Cell):
        def scaled(self, x):
            return x * 2

        def construct(self, x):
            return self.scaled(x)

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net, found = Net(), []
        found.append(float(net(Tensor(1.0))))
        Net.scaled = lambda self, x: x * 5
        found.append(float(net(Tensor(1.0))))
        net.scaled = lambda x: x * 7
        found.append(float(net(Tensor(1.0))))
        Net.construct = lambda self, x: x * 9
        found.append(float(net(Tensor(1.0))))
        net.construct = lambda x: x * 11
        found.append(float(net(Tensor(1.0))))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [2, 5, 7, 9, 11]


def test_a_program_on_a_replaced_method_is_compiled_once_per_change():
    class A:
        def go(self, x):
            return x * 2

    a = A()
    fn = ms.jit(lambda x: a.go(x))
    for _ in range(3):
        fn(Tensor(1.0))
    A.go = lambda self, x: x * 3
    for _ in range(3):
        fn(Tensor(1.0))
    assert ms.graph.explain(fn).compiled == 2
