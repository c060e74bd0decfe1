"""Special methods of a program's objects that built-in and standard functions call: their effects are those of Python.

Every program is called several times, by its plain form and compiled; the plain form is Python itself, on numbers.
"""
from __future__ import annotations

import copy
import functools
import heapq

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor

LIMIT = 2


def ordered(name):
    """A class whose method `name` counts its calls in the class."""
    class Item:
        calls = 0

        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            type(self).calls += name == "__lt__"
            return self.value < other.value

        def __gt__(self, other):
            type(self).calls += name == "__gt__"
            return self.value > other.value

        def __eq__(self, other):
            type(self).calls += name == "__eq__"
            return self.value == other.value

        def __hash__(self):
            type(self).calls += name == "__hash__"
            return hash(self.value)

        def __add__(self, other):
            type(self).calls += name == "__add__"
            return Item(self.value + other.value)

        def __bool__(self):
            type(self).calls += name == "__bool__"
            return self.value > 0

        def __repr__(self):
            type(self).calls += name == "__repr__"
            return "i" * self.value

        def __copy__(self):
            type(self).calls += name == "__copy__"
            return Item(self.value)
    return Item


COUNTED = {
    "min": ("__lt__", lambda items: min(items).value),
    "max": ("__gt__", lambda items: max(items).value),
    "sorted": ("__lt__", lambda items: sorted(items)[1].value),
    "sorted_by_key": ("__lt__", lambda items: sorted(items, key=lambda i: i)[-1].value),
    "list_sort": ("__lt__", lambda items: (kept := list(items), kept.sort(), kept[0].value)[2]),
    "sum": ("__add__", lambda items: sum(items[1:], items[0]).value),
    "any": ("__bool__", lambda items: any(items) + 1),
    "all": ("__bool__", lambda items: all(items) + 1),
    "filter": ("__bool__", lambda items: len(list(filter(None, items)))),
    "index": ("__eq__", lambda items: items.index(type(items[0])(1))),
    "count": ("__eq__", lambda items: items.count(type(items[0])(1))),
    "in_list": ("__eq__", lambda items: (type(items[0])(2) in items) + 1),
    "key": ("__hash__", lambda items: {items[0]: 5}[items[0]]),
    "set": ("__hash__", lambda items: len(set(items))),
    "text": ("__repr__", lambda items: len(f"{items}")),
    "repr": ("__repr__", lambda items: len(repr(items))),
    "heap": ("__lt__", lambda items: heapq.nsmallest(1, items)[0].value),
    "copy": ("__copy__", lambda items: copy.copy(items[0]).value),
}


@pytest.mark.parametrize("name", COUNTED)
def test_calls_are_counted_at_every_run(name):
    method, use = COUNTED[name]
    found = []
    for compile_ in (lambda fn: fn, ms.jit):
        kind = ordered(method)
        items = [kind(3), kind(1), kind(2)]
        fn = compile_(lambda x, items=items: x * use(items))
        found.append(([float(fn(one)) for one in ([1.0, 2.0, 4.0] if compile_ is not ms.jit else
                                                  [Tensor(np.float32(v)) for v in (1, 2, 4)])], kind.calls))
    assert found[0] == found[1]
    assert found[0][1] > 0


def test_what_a_comparison_reads_is_read_at_every_run(monkeypatch):
    class Item:
        order = 1

        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return self.value * Item.order < other.value * LIMIT

    items = [Item(3), Item(1), Item(2)]
    fn = ms.jit(lambda x: x * heapq.nsmallest(1, items)[0].value)
    found, wanted = [float(fn(Tensor(1.0)))], [heapq.nsmallest(1, items)[0].value]
    Item.order = -1
    found, wanted = [*found, float(fn(Tensor(1.0)))], [*wanted, heapq.nsmallest(1, items)[0].value]
    Item.order = 1
    monkeypatch.setitem(globals(), "LIMIT", -5)
    found, wanted = [*found, float(fn(Tensor(1.0)))], [*wanted, heapq.nsmallest(1, items)[0].value]
    assert found == wanted
    assert len({*wanted}) > 1


def test_a_function_for_a_class_that_comes_later_is_called():
    @functools.singledispatch
    def scaled(kind, x):
        return x

    @scaled.register
    def _(kind: int, x):
        return x * 2

    fn = ms.jit(lambda x, kind: scaled(kind, x))
    assert [float(fn(Tensor(3.0), kind)) for kind in (1, 1.5)] == [6, 3]
    scaled.register(float)(lambda kind, x: x * 10)
    assert [float(fn(Tensor(3.0), kind)) for kind in (1, 1.5)] == [6, 30]


def test_key_functions_are_called_once_per_element():
    seen = []

    def key(value):
        seen.append(value)
        return -value

    fn = ms.jit(lambda x: x * max([1, 2, 3], key=key))
    assert [float(fn(Tensor(1.0))) for _ in range(2)] == [1, 1]
    assert seen == [1, 2, 3] * 2
