"""Elements of tensors from outside: values of every run where they can be, constants that the program holds for."""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.core.errors import GraphValueError

X = Tensor([1.0, 2.0])


def test_a_number_of_every_run_needs_one_program():
    held = [Tensor(1.0)]
    f = ms.jit(lambda x: x * float(held[0]))
    for k in range(5):
        held[0] = Tensor(float(k))
        assert f(X).tolist() == [k, 2 * k]
    assert f.cache.compiled == 1


def test_a_constant_needs_a_program_for_every_value():
    held = [Tensor([1.0])]
    f = ms.jit(lambda x: x * sum(held[0].tolist()))
    for k in (1, 2, 2, 1):
        held[0] = Tensor([float(k)])
        assert f(X).tolist() == [k, 2 * k]
    assert f.cache.compiled >= 2


def test_nan_and_minus_zero_are_told_apart_bit_by_bit():
    held = Tensor([float("nan"), 0.0])
    f = ms.jit(lambda x: (x, str(held.tolist())))
    assert f(X)[1] == "[nan, 0.0]"
    f(X)
    assert f.cache.compiled == 1
    held[1] = -0.0
    assert f(X)[1] == "[nan, -0.0]"


def test_what_the_program_changed_is_no_constant():
    held = Tensor([1.0])

    def f(x):
        held[0] = x.sum()
        return x * sum(held.tolist())

    with pytest.raises(GraphValueError, match="changed"):
        ms.jit(f, fullgraph=True)(X)
    assert held.tolist() == [1]
    assert ms.jit(f)(X).tolist() == [3, 6]
