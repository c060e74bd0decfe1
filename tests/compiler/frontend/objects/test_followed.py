"""The list of what is followed: objects by their classes, native functions by their modules and names."""

from __future__ import annotations

import array
import collections
import copy
import datetime
import enum
import io
import math
import os
import pathlib
import queue
import re
import threading
import time
import types

import numpy as np
import pytest

from mindspore import nn
from mindspore.compiler.frontend.objects.followed import (
    can_be_made,
    computes_only,
    is_followed,
    is_generated,
    only_computes,
)


class Plain:
    pass


class Slotted:
    __slots__ = ("a", "b")


class Both(Slotted):
    pass


class Colour(enum.Enum):
    RED = 1


class Items(list):
    pass


class Table(dict):
    __slots__ = ("name",)


class Local(threading.local):
    pass


class Typed(array.array):
    pass


class Jobs(queue.Queue):
    pass


@pytest.mark.parametrize("value", [
    1, "a", None, b"b", (1, 2), frozenset([1]), range(3), len, math, Plain, Plain(), Slotted(), Both(), Colour.RED,
    Items(), Table(), [1], {}, set(), collections.deque(), collections.OrderedDict(), collections.Counter(),
    collections.defaultdict(list), types.SimpleNamespace(), collections.UserDict(),
    np.zeros(2), np.float32(1),
    np.dtype("f4"), re.compile("a"), datetime.date(2020, 1, 1), pathlib.Path("a"), nn.ReLU(), ValueError("a")])
def test_followed(value):
    assert is_followed(value)


@pytest.mark.parametrize("value", [
    io.StringIO(), queue.Queue(), queue.SimpleQueue(), array.array("d"), bytearray(), memoryview(b"a"),
    threading.Lock(), threading.local(), Local(), Typed("d"), Jobs(), {}.values(),
    types.MappingProxyType({}), np.array([None]),
    os.environ, re.finditer("a", "a")])
def test_not_followed(value):
    assert not is_followed(value)


@pytest.mark.parametrize(("fn", "args"), [
    (math.sqrt, (2,)), (len, ([],)), ([].append, (1,)), ({}.get, (1,)), ("a".join, ([],)), (copy.copy, ([],)),
    (np.add, (1, 2)), (np.zeros(2).sum, ()), (np.mean, ([1],)), (dict.fromkeys, ([],)), (str.upper, ("a",)),
    (pathlib.Path("a").with_suffix, (".b",))])
def test_what_only_computes(fn, args):
    assert only_computes(fn, args)


@pytest.mark.parametrize(("fn", "args"), [
    (time.time, ()), (os.getcwd, ()), (open, ("a",)), (eval, ("1",)), (io.StringIO().write, ("a",)),
    (queue.Queue().put, (1,)), (bytearray().append, (1,)), (np.add, (1, 2, np.zeros(1))), (np.add.at, ()),
    (np.zeros(2).fill, (1,)), (np.copyto, (np.zeros(1), 1)), (datetime.datetime.now, ()),
    (pathlib.Path("a").exists, ()), (array.array.append, (array.array("d"), 1.0))])
def test_what_does_more(fn, args):
    assert not only_computes(fn, args)


def test_classes_of_which_objects_can_be_made():
    assert all(map(can_be_made, [Plain, Slotted, list, zip, ValueError, collections.Counter, int, object]))
    assert not any(map(can_be_made, [io.StringIO, bytearray, queue.Queue, Local, threading.Thread]))


def test_functions_without_source():
    space = {"k": 2, "held": []}
    exec("def plain(x):\n    return abs(x) * 2\ndef reads(x):\n    return x * k\ndef sets(x):\n    x.k = 1", space)
    assert computes_only(space["plain"])
    assert not computes_only(space["reads"])
    assert not computes_only(space["sets"])
    assert is_generated(collections.namedtuple("pair", "a b")._replace)
