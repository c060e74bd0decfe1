"""Which program serves a call, and when there is one more."""
from __future__ import annotations

import copy
import gc
import io

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler.cache import Cache
from mindspore.core.errors import GraphValueError
from mindspore.ir.runtime import base, runtime

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


def test_the_oldest_signature_goes_and_the_newest_stays(monkeypatch):
    monkeypatch.setattr(Cache, "limit", 3)
    cache = Cache("scaled")
    for k in (1, 2, 3, 4):
        assert run(cache, X, k) == [k, -2 * k]
    for k in (4, 3, 2):
        assert run(cache, X, k) == [k, -2 * k]
    assert cache.compiled == 4
    assert run(cache, X, 1) == [1, -2]
    assert cache.compiled == 5
    assert run(cache, X, 4) == [4, -8]
    assert cache.compiled == 5


def in_python(x, k):
    return x * len(io.StringIO("a" * k).read())


def test_the_number_of_signatures_that_run_in_python_is_bounded(monkeypatch):
    monkeypatch.setattr(Cache, "limit", 3)
    said = []
    monkeypatch.setattr("mindspore.core.log.warning", lambda *args: said.append(args))
    cache = Cache("in_python")
    for k in (1, 2, 3, 4, 5, 1):
        assert cache.run(in_python, (X, k), {}).tolist() == [k, -2 * k]
        assert len(cache.uncompiled) <= 3
    assert not cache.programs
    assert said


def failing(x, k):
    y = [x * row for row in x]
    if k == 1:
        raise KeyError("in the middle")
    return ops.reshape(y[0] + y[1], (3,)) if k == 2 else y[0]


class Failing(nn.Cell):
    def construct(self, x):
        with_gradient = ms.grad(lambda v: failing(v, 1))
        return with_gradient(x)


@pytest.mark.parametrize("call", [
    lambda: ms.jit(failing)(X, 1), lambda: ms.jit(failing)(X, 2), lambda: ms.grad(ms.jit(failing))(X, 1),
    lambda: ms.grad(lambda x: failing(x, 1))(X), lambda: ms.jit(Failing())(X),
    lambda: Failing().to_float(ms.float16)(X), lambda: ms.vmap(lambda x: failing(x, 1))(ops.ones((2, 2)))])
def test_an_error_in_the_middle_leaves_nothing_behind(call):
    for _ in range(2):
        with pytest.raises((KeyError, ValueError)):
            call()
        state = (runtime.top, runtime.building, runtime.blocks, runtime.trace, runtime.casting, runtime.depth,
                 runtime.watched, runtime.slicing, runtime.failed, runtime.loc, runtime.sizes, runtime.journal)
        assert state == (base, None, [], None, None, 0, [], 0, None, None, None, None)
        assert gc.isenabled()
    compiled = ms.jit(failing)
    assert compiled(X, 3).tolist() == [1.0, -2.0]
    assert ms.grad(compiled)(X, 3).tolist() == [0.0, 1.0]


def lookup(x):
    return x / TABLE[0] + TABLE[1]


@pytest.mark.parametrize(("table", "changes"), [
    (np.array([1.5, np.nan], np.float32), [(1, 2.0), (0, -0.0), (0, 0.0), (1, np.nan), (0, 5.0)]),
    (np.array([1 + 2j, complex(0, np.nan)]).view(np.float64)[1:], [(0, np.nan), (0, 7.0)])], ids=["nan", "view"])
def test_arrays_are_compared_bit_by_bit_nan_with_nan(table, changes, monkeypatch):
    monkeypatch.setitem(globals(), "TABLE", table)
    compiled, states = ms.jit(lookup), [table.copy()]
    for place, value in [(0, table[0]), *changes, *changes[::-1]]:
        table[place] = value
        if not any(repr(table.tolist()) == repr(state.tolist()) for state in states):
            states.append(table.copy())
        for _ in range(3):
            assert repr(compiled(X).tolist()) == repr(lookup(X).tolist())
    assert compiled.cache.compiled <= len(states)
    assert not compiled.cache.uncompiled


FACTOR, TABLE = 1.0, np.zeros(2)


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


def test_a_call_that_needs_no_compiling_ends_a_row_of_those_that_do():
    net = type("Turning", (nn.Cell,), {"construct": lambda self, x: x * self.count})()
    net.count = 0
    cache = Cache("turning")
    for k in range(40):
        net.count = k
        for _ in range(2 if k % 10 == 9 else 1):       # each tenth program serves once more
            assert cache.run(net.construct, (X,), {}).tolist() == [k, -2 * k]
    assert not cache.uncompiled
    assert cache.compiled == 40


def test_a_copy_compiles_anew_in_the_same_way():
    twin = copy.deepcopy(Cache("f", "LAX", None, "O2"))
    assert (twin.name, twin.level, twin.passes, twin.compiled) == ("f", "LAX", "O2", 0)
