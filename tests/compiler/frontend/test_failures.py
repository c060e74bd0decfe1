"""Exceptions that a program keeps: the compiler leaves nothing on them."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ir.runtime import runtime

X = Tensor([1.0, 2.0])


class Refused(Exception):
    """An error of a program, with state of its own."""

    def __init__(self, code):
        super().__init__("refused")
        self._code = code


def untouched(error):
    return vars(error) == {} and error.__traceback__ is None and error.__cause__ is None


def test_an_error_that_a_branch_raises_is_as_it_was():
    kept = ValueError("negative")

    @ms.jit(fullgraph=True)
    def f(x):
        if x.sum() < 0:
            raise kept
        return x * 2

    f(X)
    assert untouched(kept)
    with pytest.raises(ValueError, match="negative"):
        f(-X)
    assert untouched(kept)


def test_an_error_is_raised_by_every_program_that_raises_it():
    kept = ValueError("always")

    @ms.jit(fullgraph=True)
    def f(x):
        if x.sum() > 0:
            x = x * 2
            raise kept
        raise kept

    for x in (X, -X, Tensor([[1.0]])):
        with pytest.raises(ValueError, match="always"):
            f(x)


def test_an_error_that_the_program_catches_is_as_it_was():
    kept = KeyError("first")

    @ms.jit(fullgraph=True)
    def f(x):
        try:
            raise kept
        except KeyError as error:
            return x * len(error.args)

    assert f(X).asnumpy().tolist() == [1.0, 2.0]
    assert untouched(kept)


def test_an_error_that_shows_a_tensor_keeps_it():
    def f(x):
        error = ValueError("large", x * 2)
        if x.sum() > 10:
            raise error
        return error.args[1]

    graph = ms.jit(f, fullgraph=True)
    assert graph(X).asnumpy().tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="large") as raised:
        graph(X * 10)
    np.testing.assert_array_equal(raised.value.args[1].asnumpy(), [20.0, 40.0])


def test_an_error_of_the_run_has_the_state_that_the_program_gave_it():
    @ms.jit(fullgraph=True)
    def f(x):
        if x.sum() > 0:
            raise Refused(7)
        return x

    with pytest.raises(Refused) as raised:
        f(X)
    assert vars(raised.value)["_code"] == 7


def test_an_error_that_leaves_names_the_lines_and_nothing_else():
    @ms.jit
    def f(x):
        return ops.matmul(x, Tensor([[1.0]]))

    with pytest.raises(ValueError, match="MatMul") as raised:
        f(X)
    assert list(vars(raised.value)) == ["__notes__"]
    assert "in test_an_error_that_leaves_names_the_lines_and_nothing_else.<locals>.f: return ops" in (
        raised.value.__notes__[0])
    assert runtime.failed is None


def test_an_error_that_was_met_by_running_in_python_is_forgotten():
    @ms.jit
    def f(x):
        def make():
            yield x

        if x.sum() > 0:
            return next(make())
        return sorted([x, x * 2], key=lambda v: float(v.sum()))[0]

    f(X)
    assert runtime.failed is None
