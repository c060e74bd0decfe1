"""Names, keys, elements and attributes that were not there when a function was compiled, and come later.

The oracle is the same program in plain Python, on floats.
"""
from __future__ import annotations

import copy
import math
import sys
import types

import pytest

import mindspore as ms
from mindspore import Tensor


def key_of_a_dict(f):
    table = {"a": 1}

    def use(x):
        try:
            return x * table["b"]
        except KeyError:
            return x * 100

    fn = f(use)
    yield fn
    table["b"] = 4
    yield fn


def element_of_a_list(f):
    items = [1]

    def use(x):
        try:
            return x * items[2]
        except IndexError:
            return x * 100

    fn = f(use)
    yield fn
    items += [2, 3]
    yield fn


def attribute_of_an_object(f):
    held = types.SimpleNamespace()

    def use(x):
        try:
            return x * held.factor
        except AttributeError:
            return x * 100

    fn = f(use)
    yield fn
    held.factor = 3
    yield fn
    del held.factor
    yield fn


def name_of_the_module(f):
    def use(x):
        try:
            return x * COMES_LATER
        except NameError:
            return x * 100

    fn = f(use)
    yield fn
    globals()["COMES_LATER"] = 3
    try:
        yield fn
    finally:
        del globals()["COMES_LATER"]
    yield fn


def name_of_python(f):
    fn = f(lambda x: x * len([1, 2]))
    yield fn
    globals()["len"] = lambda value: 50
    try:
        yield fn
    finally:
        del globals()["len"]
    yield fn


def module(f):
    def use(x):
        try:
            import comes_later
            return x * comes_later.factor
        except ImportError:
            return x * 100

    fn = f(use)
    yield fn
    sys.modules["comes_later"] = types.ModuleType("comes_later")
    sys.modules["comes_later"].factor = 4
    try:
        yield fn
    finally:
        del sys.modules["comes_later"]


def attributes_that_are_listed(f):
    class A:
        pass

    a = A()
    a.first = 1
    fn = f(lambda x: x * len([name for name in dir(a) if not name.startswith("_")]))
    yield fn
    a.second = 1
    yield fn
    A.third = 1
    yield fn


def attributes_that_are_copied(f):
    held = types.SimpleNamespace(first=1)
    fn = f(lambda x: x * len(vars(copy.copy(held))))
    yield fn
    held.second = 2
    yield fn


def negative_zero(f):
    held = types.SimpleNamespace(sign=0.0)
    fn = f(lambda x: x * math.copysign(1, held.sign))
    yield fn
    held.sign = -0.0
    yield fn


PROGRAMS = [key_of_a_dict, element_of_a_list, attribute_of_an_object, name_of_the_module, name_of_python, module,
            attributes_that_are_listed, attributes_that_are_copied, negative_zero]


@pytest.mark.parametrize("changing", PROGRAMS, ids=lambda p: p.__name__)
def test_what_comes_later_counts(changing):
    wanted = [fn(3.0) for fn in changing(lambda fn: fn)]
    assert [float(fn(Tensor(3.0))) for fn in changing(ms.jit)] == wanted
    assert len(set(wanted)) > 1


def test_zeros_of_both_signs_are_two_arguments():
    fn = ms.jit(lambda x, sign: x * math.copysign(1, sign))
    assert [float(fn(Tensor(3.0), sign)) for sign in (0.0, -0.0, 0.0)] == [3, -3, 3]
