# ruff: noqa  # programs as users write them
"""Attributes that classes of the program compute: descriptors, cached properties, `__getattr__` and its like."""

from __future__ import annotations

import functools

from mindspore import Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Checked:
    def __init__(self):
        self.reads = 0

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, kind=None):
        if obj is None:
            return self
        self.reads += 1
        value = obj.__dict__[self.name]
        return value if value.sum() > 0 else -value

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value * 2

    def __delete__(self, obj):
        del obj.__dict__[self.name]


class Once:
    def __init__(self, function):
        self.function = function

    def __get__(self, obj, kind=None):
        value = obj.__dict__[self.function.__name__] = self.function(obj)
        return value


class Holder:
    value = Checked()

    def __init__(self, value):
        self.value = value
        self.asked = 0

    @Once
    def twice(self):
        self.asked += 1
        return self.value * 2

    @functools.cached_property
    def sign(self):
        self.asked += 10
        return self.value if self.value.sum() > 10 else -self.value

    @property
    def half(self):
        return self.value / 2

    @half.setter
    def half(self, value):
        self.value = value * 2

    @half.deleter
    def half(self):
        del self.value


def program_descriptors(x=V):
    Holder.value.reads = 0
    h = Holder(x)
    y = h.value + h.twice + h.twice
    del h.value
    return y, h.asked, "_value" in vars(h), Holder.value.reads


def program_cached_properties(x=V):
    h = Holder(x)
    a = h.sign + h.sign
    h.half = x
    b = h.half + h.sign
    del h.sign
    c = h.sign
    del h.half
    return a, b, c, h.asked, h.__dict__.keys() == {"asked", "sign"}


class Named:
    def __init__(self, x):
        self.__dict__["data"] = {"x": x}
        self.__dict__["log"] = []

    def __getattr__(self, name):
        self.log.append(name)
        if name not in self.data:
            raise AttributeError(name)
        return self.data[name] if self.data[name].sum() > 0 else -self.data[name]

    def __setattr__(self, name, value):
        self.log.append("=" + name)
        self.data[name] = value * 2

    def __delattr__(self, name):
        del self.data[name]


def program_getattr_setattr_delattr(x=V):
    n = Named(x)
    n.y = n.x + 1
    y = n.y
    del n.x
    return y, hasattr(n, "x"), getattr(n, "q", 3), n.log


class Doubling:
    def __init__(self, x):
        self.x, self.reads = x, 0

    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        if name == "x":
            super().__setattr__("reads", super().__getattribute__("reads") + 1)
            return value * 2 if value.sum() > 0 else value
        return value


def program_getattribute(x=V):
    d = Doubling(x)
    return d.x + d.x, d.reads


class Base:
    def __init__(self, x):
        self.x = x

    @property
    def scale(self):
        return 2 * self.x if self.x.sum() > 0 else 3 * self.x


class Derived(Base):
    @property
    def scale(self):
        return super().scale + 1


def program_property_of_super(x=V):
    return Derived(x).scale


class Logged(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = nn.ReLU()
        self.k, self.steps = 3.0, 0

    def __setattr__(self, name, value):
        if name == "last":
            value = value * 2
        super().__setattr__(name, value)

    def __getattr__(self, name):
        if name == "gain":
            return self.k * 2
        return super().__getattr__(name)

    def construct(self, x):
        self.last = self.inner(x)
        self.steps = self.steps + 1
        return self.last * self.gain


def program_cell_with_attribute_methods(net=Logged, x=V):
    return net(x) + net.last, net.steps


class Doubled(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)

    def __missing__(self, key):
        return 7


class Kept(list):
    def append(self, value):
        list.append(self, value + 1)


def program_derived_containers_in_branches(x=V):
    d, l = Doubled(), Kept()
    d["a"] = x
    if x.sum() > 0:
        d["a"] = x + 1
        l.append(x)
    else:
        list.extend(l, [x * 3])
    return d["a"] * d["zz"], l[0], len(l)


@functools.singledispatch
def described(value):
    return 0


@described.register(Tensor)
def _(value):
    return value if value.sum() > 0 else -value


@described.register(list)
def _(value):
    return [described(v) for v in value]


def program_single_dispatch(x=V):
    return described(x), described([x, 3]), x.__class__ is Tensor, x.__class__.__name__


# ---------------------------------------------------------------------- namespaces of objects

class Bag:
    pass


BAG = Bag()


def program_attributes_through_vars(x=V):
    BAG.n, BAG.rows = 0, []
    names = vars(BAG)
    names["n"] += 1
    names["t"] = x * names["n"]
    BAG.rows.append(names["n"])
    return BAG.t, sorted(vars(BAG)), BAG.rows
