"""Trees of containers: what stands at the leaves, and at the same places of another tree."""

from __future__ import annotations

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
