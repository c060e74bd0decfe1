"""Runs programs in both modes and compares all that a user can observe."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch


@pytest.fixture(autouse=True)
def verified(monkeypatch):
    """Verify the invariants of every graph before the passes and after each of them."""
    monkeypatch.setenv("ANYSPORE_VERIFY", "1")


def pytest_generate_tests(metafunc):
    """A test that takes `program` runs for every function `program_...` of its module."""
    if "program" in metafunc.fixturenames:
        found = {n[8:]: f for n, f in vars(metafunc.module).items() if n.startswith("program_")}
        metafunc.parametrize("program", found.values(), ids=found.keys())


class Outcome:
    """What a program did: its result or error, what it printed, what its objects hold."""

    def __init__(self, result, error, printed, state):
        self.result, self.error, self.printed, self.state = result, error, printed, state


@pytest.fixture
def agree(capsys, request):
    """`agree(program)`: the program does the same in both modes.

    Default values are the inputs: lists and arrays are tensors, classes are instantiated.  It runs
    with its inputs and with their negatives, several times on the same objects, and its gradient is
    compared where the result has one.  It must compile as a whole, unless `fullgraph` is False, or the
    module lists in WHOLE which of its programs must.
    """
    from mindspore.compiler.jit import jit

    whole = getattr(request.module, "WHOLE", None)

    def check(program, fullgraph=True):
        fullgraph = fullgraph and (whole is None or program.__name__.removeprefix("program_") in whole)
        defaults = [p.default for p in inspect.signature(program).parameters.values()]
        for sign in (1, -1):
            eager = _observe(program, defaults, sign, capsys)
            graph = _observe(jit(program, fullgraph=fullgraph), defaults, sign, capsys)
            assert (graph.error and repr(graph.error)) is None or eager.error, graph.error
            assert type(graph.error) is type(eager.error), (graph.error, eager.error)
            if eager.error:
                _compare_messages(graph.error, eager.error)
            assert_same(graph.result, eager.result)
            assert graph.printed == eager.printed
            assert_same(graph.state, eager.state)
            _compare_gradients(program, defaults, sign, eager, fullgraph)

    return check


@pytest.fixture
def alike(capsys, monkeypatch):
    """`alike(program)`: a program that makes its own cells and data gives the same in both modes.

    What stands under `jit` runs in Python in PyNative mode.  All must compile, unless `warns` is true.
    """
    import mindspore as ms
    from mindspore.compiler import cache, fallback

    def check(program, warns=False):
        warned = []
        monkeypatch.setattr(fallback, "warn", lambda name, error: warned.append((name, error)))
        graph = _run(program, capsys, ms, 0)
        with monkeypatch.context() as eager:
            eager.setattr(cache.Cache, "run", lambda self, fn, args, kwargs: fallback.uncompiled(fn, args, kwargs))
            plain = _run(program, capsys, ms, 1)
        assert warns or not warned
        assert_same(graph, plain)

    yield check
    ms.set_context(mode=1)


def _run(program, capsys, ms, mode):
    """The result of a program, and what it printed."""
    ms.set_context(mode=mode)
    ms.set_seed(1)
    capsys.readouterr()
    result = _copied(program())
    return result, capsys.readouterr().out


def _observe(program, defaults, sign, capsys):
    args = [_input(d, sign) for d in defaults]
    torch.manual_seed(7)
    capsys.readouterr()
    results, error = [], None
    try:
        for _ in range(3 if any(inspect.isclass(d) for d in defaults) else 1):
            results.append(_copied(program(*args)))
    except Exception as raised:  # of the program: what it raises is what both modes are compared by
        error = raised
    state = [_public(vars(a)) for a in args if not hasattr(a, "asnumpy") and hasattr(a, "__dict__")]
    held = [_copied(a) for a in args if hasattr(a, "asnumpy")]      # a program may change its arguments
    return Outcome(results, error, capsys.readouterr().out, state + held)


def _input(default, sign):
    from mindspore import Tensor

    if isinstance(default, (list, np.ndarray)):
        array = np.asarray(default)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        return Tensor(array if array.dtype == bool else sign * array)
    return default() if inspect.isclass(default) else default


def _public(attributes):
    return {k: _copied(v) for k, v in attributes.items()
            if not k.startswith("_") and not hasattr(v, "construct")}  # fmt: skip


def _copied(value):
    """A value with tensors as arrays, which later runs leave alone."""
    if hasattr(value, "asnumpy"):
        return np.array(value.asnumpy())
    if isinstance(value, tuple):
        parts = [_copied(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return [_copied(v) for v in value]
    if isinstance(value, dict):
        return {k: _copied(v) for k, v in value.items()}
    return value


@pytest.fixture
def same():
    """`same(found, wanted)`: equal types, structure and dtypes, and equal numbers."""
    return assert_alike


def assert_alike(found, wanted):
    """The same, as a function."""
    assert type(found) is type(wanted)
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            assert_alike(a, b)
    elif isinstance(wanted, dict):
        assert_alike(list(found.items()), list(wanted.items()))
    elif hasattr(wanted, "asnumpy"):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-6)
    else:
        assert found == wanted


def assert_same(a, b):
    """Equal structure, types and numbers; a Python number may be a tensor without dimensions."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        assert np.shape(a) == np.shape(b), (a, b)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            assert a.dtype == b.dtype, (a, b)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    elif isinstance(a, (tuple, list)):
        assert type(a) is type(b), (a, b)
        assert len(a) == len(b), (a, b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, dict):
        assert list(a) == list(b), (a, b)
        for key in a:
            assert_same(a[key], b[key])
    elif hasattr(a, "__dataclass_fields__"):
        assert type(a) is type(b)
        assert_same(vars(a), vars(b))
    elif isinstance(a, (bool, int, float, str, type(None))):
        assert a == b, (a, b)
    else:
        assert type(a) is type(b), (a, b)


def _compare_gradients(program, defaults, sign, eager, fullgraph):
    """Gradients with respect to the floating-point inputs, if the program computes from them."""
    from mindspore.compiler.jit import jit
    from mindspore.ops.gradients import grad

    inputs = [_input(d, sign) for d in defaults]
    positions = tuple(
        i for i, x in enumerate(inputs) if hasattr(x, "asnumpy") and x.dtype.is_floating)
    floats = [v for v in _arrays(eager.result) if v.dtype.kind == "f"]
    if eager.error or not positions or not floats or eager.printed:
        return

    def total(*args):
        return _total(program(*args))

    def run(fn):
        torch.manual_seed(7)
        return _copied(fn(*[_input(d, sign) for d in defaults]))

    gradient = grad(total, positions)
    assert_same(run(jit(lambda *args: gradient(*args), fullgraph=fullgraph)), run(gradient))


def _arrays(value):
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in _arrays(v)]
    if isinstance(value, dict):
        return _arrays(list(value.values()))
    return []


def _total(value):
    """The sum of the elements of all floating-point tensors of a result."""
    if hasattr(value, "asnumpy") or hasattr(value, "aval"):
        return value.sum() if value.dtype.is_floating else 0.0
    if isinstance(value, (tuple, list)):
        return sum([_total(v) for v in value], 0.0)
    if isinstance(value, dict):
        return _total(list(value.values()))
    if hasattr(value, "__dataclass_fields__"):
        return _total(list(vars(value).values()))
    return 0.0


def _compare_messages(a, b):
    """Equal messages; pytest itself rewrites those of `assert`."""
    if not isinstance(a, AssertionError):
        assert str(a) == str(b)
