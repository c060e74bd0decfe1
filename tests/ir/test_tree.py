"""Trees of containers: what stands at the leaves, and at the same places of another tree."""

from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import Any, NamedTuple

from mindspore.ir import tree


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Box:
    inside: Any


def is_number(value):
    return isinstance(value, int)


def test_every_kind_of_container_is_changed_at_its_leaves():
    given = [Pair(1, "a"), {"k": (2, None)}, Box([3])]
    assert tree.mapped(given, is_number, lambda n: n * 10) == [Pair(10, "a"), {"k": (20, None)}, Box([30])]
    assert given[2].inside == [3]


def test_leaves_find_what_stands_at_their_place():
    given = (1, Pair(2, {"k": 3}), "a", [4, 5])
    assert tree.matched(given, ("x", ("y", {"k": "z"}), None, ["u"]), is_number) == ["x", "y", "z", "u", None]
    assert tree.matched(given, ["x"], is_number) == ["x", None, None, None, None]


class Own(dict):
    def __init__(self):
        raise AssertionError("it is not made anew")

    def __iter__(self):
        raise AssertionError("its methods are not asked")


@dataclasses.dataclass
class MutableCount:
    a: int
    b: int = dataclasses.field(init=False)

    def __post_init__(self):
        raise AssertionError("it is not made anew")


def test_containers_of_derived_classes_keep_their_class():
    own = dict.__new__(Own)
    dict.update(own, a=1, b=2)
    made = object.__new__(MutableCount)
    made.a, made.b = 1, 2
    for value in (OrderedDict(b=1, a=2), defaultdict(list, a=1, b=2), Counter("aab"), deque([1, 2], 3), own, made):
        again = tree.mapped(value, lambda v: type(v) is int, lambda v: v + 1)
        assert type(again) is type(value)
        assert again is not value
        assert tree.leaves(again, lambda v: type(v) is int) == [
            v + 1 for v in tree.leaves(value, lambda v: type(v) is int)]
    assert tree.mapped(defaultdict(list, a=1), lambda v: type(v) is int, str).default_factory is list
    assert tree.mapped(deque([1], 3), lambda v: type(v) is int, str).maxlen == 3


def test_what_has_further_attributes_is_a_leaf():
    own, made = dict.__new__(Own), object.__new__(MutableCount)
    own.scale = made.scale = 2
    assert tree.children(own) is None
    assert tree.children(made) is None


def test_signatures_tell_factories_and_limits():
    def signature(value):
        return tree.signature(value, lambda v: v)

    assert signature(defaultdict(list)) != signature(defaultdict(int))
    assert signature(deque([1], 2)) != signature(deque([1], 3))
    assert signature(OrderedDict(a=1)) != signature({"a": 1})
