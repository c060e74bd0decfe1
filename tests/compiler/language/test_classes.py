# ruff: noqa  # programs as users write them
"""Inheritance, attributes, descriptors and slots of the user's own classes inside compiled functions."""

from __future__ import annotations

import abc


V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Base:
    shared = []
    scale = 2

    def __init__(self, x):
        self.x = x
        self._factor = 1

    @property
    def factor(self):
        return self._factor

    @factor.setter
    def factor(self, value):
        self._factor = value * 2

    @factor.deleter
    def factor(self):
        self._factor = 0

    @classmethod
    def make(cls, x):
        return cls(x * cls.scale)

    @staticmethod
    def twice(x):
        return x * 2

    def run(self):
        return self.x * self.factor


class Left(Base):
    scale = 3

    def run(self):
        return super().run() + 1


class Right(Base):
    def run(self):
        return super().run() * 2


class Both(Left, Right):
    def __init__(self, x, extra=0):
        super().__init__(x)
        self.extra = extra

    def run(self):
        return super().run() + self.extra


def program_multiple_inheritance(x=V):
    return Both(x, extra=x).run()


def program_class_method(x=V):
    return Left.make(x).run() + Base.twice(x) + Both.make(x).x


def program_property(x=V):
    b = Base(x)
    b.factor = 3
    y = b.run()
    del b.factor
    return y + b.run()


def program_property_of_tensor_in_branch(x=V):
    b = Base(x)
    if x.sum() > 0:
        b.factor = x
    else:
        b.factor = x * 3
    return b.run()


def program_class_attribute(x=V):
    b = Base(x)
    b.scale = 5
    return x * b.scale + Base.scale + type(b).scale


def program_isinstance_of_classes(x=V):
    b = Both(x)
    return x * (isinstance(b, Left) + isinstance(b, (int, Base)) + issubclass(Both, Right) + (type(b) is Both))


def program_super_with_arguments(x=V):
    return super(Both, Both(x)).run()


def program_method_as_value(x=V):
    run = Both(x).run
    fs = [Base.run, Right.run]
    return run() + sum(f(Both(x)) for f in fs)


def program_getattr_and_setattr(x=V):
    b = Base(x)
    for name in ("p", "q"):
        setattr(b, name, x * len(name))
    return getattr(b, "p") + b.q + getattr(b, "missing", 3) + hasattr(b, "x") + len(vars(b))


class Dynamic:
    def __init__(self, x):
        self.__dict__["held"] = {"x": x}

    def __getattr__(self, name):
        try:
            return self.held[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self.held[name] = value


def program_dynamic_attributes(x=V):
    d = Dynamic(x)
    d.y = d.x * 2
    return d.y + d.x + (0 if hasattr(d, "zzz") else 1)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def program_slots(x=V):
    s = Slots(x, 2)
    s.a = s.a * s.b
    if x.sum() > 0:
        s.a = s.a + 1
    return s.a


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, kind=None):
        return getattr(obj, self.name) * 2

    def __set__(self, obj, value):
        setattr(obj, self.name, value + 1)


class Described:
    value = Descriptor()


def program_descriptor(x=V):
    d = Described()
    d.value = x
    return d.value


class Nested:
    class Inner:
        factor = 4

        def __init__(self, x):
            self.x = x

        def run(self):
            return self.x * self.factor

    def __init__(self, x):
        self.inner = Nested.Inner(x)


def program_nested_class(x=V):
    n = Nested(x)
    n.inner.x = n.inner.x + 1
    return n.inner.run()


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        ...

    @property
    @abc.abstractmethod
    def name(self):
        ...

    def described(self):
        return self.area() + len(self.name)


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side

    @property
    def name(self):
        return "square"


def program_abstract_class(x=V):
    return Square(x).described()


def program_abstract_class_cannot_be_made(x=V):
    return Shape().area() + x


def program_objects_of_two_classes(x=V):
    s = Left(x) if x.sum() > 0 else Right(x * 2)
    return s.run()
