"""Which program serves a call, and when there is one more."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.cache import Cache
from mindspore.core.errors import GraphValueError

X = Tensor([1.0, -2.0])


def scaled(x, k=2):
    return x * k


def run(cache, *args):
    return cache.run(scaled, args, {}).asnumpy().tolist()


def test_one_program_serves_calls_of_one_kind():
    cache = Cache("scaled")
    assert run(cache, X, 3) == [3, -6]
    assert run(cache, Tensor([5.0, 1.0]), 3) == [15, 3]
    assert cache.compiled == 1


def test_another_constant_or_shape_needs_another_program():
    cache = Cache("scaled")
    assert run(cache, X, 3) == [3, -6]
    assert run(cache, X, 4) == [4, -8]
    assert run(cache, Tensor([1.0]), 3) == [3]
    assert cache.compiled == len(cache.programs) == 3


def test_the_number_of_signatures_is_bounded(monkeypatch):
    monkeypatch.setattr(Cache, "limit", 4)
    cache = Cache("scaled")
    for k in range(10):
        run(cache, X, k)
    assert [len(programs) for programs in cache.programs.values()] == [1] * 4
    assert cache.compiled == 10


FACTOR = 1.0


def by_factor(x):
    return x * FACTOR


def change_and_call(monkeypatch, call):
    """Call 20 times, each time with another FACTOR."""
    for k in range(20):
        monkeypatch.setitem(globals(), "FACTOR", float(k))
        call(k)


def test_programs_that_do_not_hold_any_more_make_room(monkeypatch):
    cache = Cache("by_factor", "STRICT")

    def call(k):
        assert cache.run(by_factor, (X,), {}).asnumpy().tolist() == [k, -2 * k]

    change_and_call(monkeypatch, call)
    assert cache.compiled == 20
    assert [len(programs) for programs in cache.programs.values()] == [8]


def test_a_function_that_compiles_anew_at_every_call_is_given_up(monkeypatch):
    cache = Cache("by_factor")
    with pytest.raises(GraphValueError, match=r"16 calls in a row had to compile anew.*'FACTOR' changed"):
        change_and_call(monkeypatch, lambda k: cache.program(by_factor, (X,), {}))
    assert cache.compiled == 16


def test_a_second_derivative_is_taken_of_the_function_itself():
    square = ms.jit(lambda x: (x * x * x).sum())
    found = ms.grad(lambda x: ms.grad(square)(x).sum())(X)
    np.testing.assert_allclose(found.asnumpy(), [6.0, -12.0])
