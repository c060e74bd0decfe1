"""Containers among the arguments: what a compiled function changes of them, its caller sees."""

from __future__ import annotations

import dataclasses

import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.arguments import held_in

S = Tensor(2.0)


def appends(xs):
    xs.append(xs[0] * 2)
    return xs[1]


def fills(d):
    d["b"] = d["a"] * 2
    del d["a"]
    return d["b"]


def deep(t):
    t[1]["list"].insert(0, t[0] + 1)
    return len(t[1]["list"])


def numbers(xs):
    xs += [len(xs)]
    return S


def by_condition(xs):
    if xs[0] > 1:
        xs[0] = xs[0] * 10
    return xs[0]


@dataclasses.dataclass
class Data:
    items: list
    x: Tensor


def of_data(data):
    data.items.append(data.x)
    return data.x


def plain(value):
    if isinstance(value, Tensor):
        return float(value)
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return plain(vars(value)) if dataclasses.is_dataclass(value) else value


@pytest.mark.parametrize(("fn", "make"), [
    (appends, lambda: [S]), (fills, lambda: {"a": S}), (deep, lambda: (S, {"list": [S]})), (numbers, lambda: [1, 2]),
    (by_condition, lambda: [S]), (of_data, lambda: Data([], S))])  # fmt: skip
def test_changes_are_seen_by_the_caller(fn, make):
    own, given = make(), make()
    expected = [plain(fn(own)), plain(own)]
    compiled = ms.jit(fn)
    assert [plain(compiled(given)), plain(given)] == expected
    again = make()
    assert [plain(compiled(again)), plain(again)] == expected
    assert compiled.cache.compiled == 1


def test_changes_are_seen_inside_a_gradient():
    def loss(x):
        xs = [x]
        ms.jit(appends)(xs)
        return xs[1] * 3

    assert float(ms.grad(loss)(S)) == 6


def test_a_call_that_fails_changes_its_arguments_as_far_as_it_came():
    def fails(xs):
        xs.append(xs[0])
        return xs[0].reshape(7)

    given = [S]
    with pytest.raises(ValueError, match="Reshape"):
        ms.jit(fails)(given)
    assert len(given) == 2


def test_containers_among_arguments_are_counted_as_often_as_they_have_names():
    held = [1]
    assert held_in((S, 1, "a"), {"k": None}) == []
    assert held_in(((held, held),), {}) == [id(held), id(held)]
    assert len(set(held_in((held, {"a": [2]}), {"k": (3,)}))) == 3
    held.append(held)
    assert set(held_in((held,), {})) == {id(held)}
