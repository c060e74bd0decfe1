"""A name that is a bool after one branch and a number after the other stays what Python makes it."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor


def one_or_true(x):
    k = 1
    if x[0] > 0:
        k = True
    return k


def asked_for(x):
    k = True
    if x[0] > 0:
        k = 0
    return isinstance(k, bool), k is True, k + 1


def inside(x):
    k = (1, {"a": 2.5})
    if x[0] > 0:
        k = True, {"a": False}
    return k


def computed(x):
    k = 2
    if x[0] > 0:
        k = bool(x[1] > 0)
    return k


def repeated(x):
    k = 1.5
    for i in range(3):
        if x[i] > 0:
            k = False
    return k


@pytest.mark.parametrize("values", [[1.0, -1.0, -1.0], [-1.0, 2.0, 2.0], [1.0, 2.0, -1.0], [-1.0, -1.0, -1.0]])
@pytest.mark.parametrize("run", [one_or_true, asked_for, inside, computed, repeated])
def test_as_in_python(run, values):
    x = Tensor(values)
    compiled = ms.jit(run)
    for _ in range(2):
        assert repr(compiled(x)) == repr(run(x))


def test_numbers_that_are_computed_with_it_are_the_same():
    def run(x):
        k = 1
        if x[0] > 0:
            k = True
        return x * k

    for values in ([1.0, 2.0], [-1.0, 2.0]):
        assert ms.jit(run)(Tensor(values)).tolist() == values
        assert ms.grad(ms.jit(run))(Tensor(values)).tolist() == [1.0, 1.0]
