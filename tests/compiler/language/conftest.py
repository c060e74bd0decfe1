"""Runs programs that change objects between their calls: compiled, and beside it in Python with NumPy."""

from __future__ import annotations

import collections

import numpy as np
import pytest


def pytest_generate_tests(metafunc):
    """A test that takes `outside` runs for every function `case_...` and `compiled_...` of its module."""
    if "outside" in metafunc.fixturenames:
        found = {n: f for n, f in vars(metafunc.module).items() if n.startswith(("case_", "compiled_"))}
        metafunc.parametrize("outside", found.values(), ids=found.keys())


class Array(np.ndarray):
    """A NumPy array with the methods of a Tensor that programs use."""

    def asnumpy(self):
        return np.asarray(self)


def _array(value):
    """What represents a tensor in the run with NumPy: float32, or the type of Python's ints and bools."""
    made = np.array(value)
    return (made.astype(np.float32) if made.dtype == np.float64 else made).view(Array)


def _tensor(value):
    import mindspore as ms

    return ms.Tensor(_array(value).view(np.ndarray))


@pytest.fixture
def like_numpy():
    """`like_numpy(case)`: what a case yields is what it yields without `jit` and with NumPy's arrays for tensors.

    A case is a generator of what can be observed; it is given `jit`, and what makes tensors.  One whose name begins
    with `compiled_` must compile as a whole.
    """
    from mindspore.compiler.jit import jit

    def check(case):
        whole = case.__name__.startswith("compiled_")
        wanted = [_plain(seen) for seen in case(lambda fn: fn, _array)]
        got = [_plain(seen) for seen in case(lambda fn: jit(fn, fullgraph=whole), _tensor)]
        assert len(wanted) > 1
        assert got == wanted

    return check


def _plain(value):
    """Something observed, with the classes of its parts and numbers in place of tensors and arrays."""
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    if isinstance(value, (np.ndarray, np.generic, float)):
        return np.round(np.asarray(value, np.float64), 3).tolist()
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [_plain(v) for v in value], _attributes(value)
    if isinstance(value, dict):
        return type(value).__name__, [(_plain(k), _plain(v)) for k, v in value.items()], _attributes(value)
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted([_plain(v) for v in value], key=repr)
    return _attributes(value) if hasattr(value, "__dict__") and not callable(value) else value


def _attributes(value):
    return {k: _plain(v) for k, v in getattr(value, "__dict__", {}).items()} | {"class": type(value).__name__}
