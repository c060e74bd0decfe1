"""How random programs are judged."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import logging
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
SETTING = (HERE / "setting.py").read_text()
INPUTS = (([0.3, -0.8, 1.2], [1.0, 0.2, -0.4]), ([-1.0, 0.5, 0.1], [0.3, 0.3, 2.0]))
SECONDS = 180             # what the judgement of one program may take of the processor's time: a graph may hang


def load(file, name=None):
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(name or file.stem, file)
    module = importlib.util.module_from_spec(spec)
    if spec.submodule_search_locations:            # a package, whose modules look for it
        sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def writer():
    """The class that writes programs."""
    return load(HERE / "writer" / "__init__.py", "fuzz_writer").Writer


@pytest.fixture
def judge(tmp_path):
    """`judge(source)`: PyNative mode, graph mode and torch do the same; whether it was compiled as a whole."""
    names = itertools.count()
    logging.getLogger("mindspore").setLevel(logging.ERROR)

    def check(source, torch=False):
        file = tmp_path / f"drawn_{next(names)}.py"
        file.write_text(f"{SETTING}\n\n{source}")
        with _limited():
            return _judged(load(file), source if torch else "")

    return check


def _judged(module, torch_source):
    from mindspore import grad, jit

    def total(x, w):
        return module.program(x, w)[0].sum()

    whole, graph, gradient = True, jit(module.program), jit(grad(total, (0, 1)))
    for values in INPUTS:
        eager = _outcome(module, module.program, values)
        _same(_outcome(module, graph, values), eager)
        whole &= not graph.cache.uncompiled
        if isinstance(eager[0], type):
            continue
        slopes = _outcome(module, grad(total, (0, 1)), values)
        _same(_outcome(module, gradient, values), slopes)
        if torch_source:
            _same_as_torch(torch_source, values, eager[0], slopes[0])
    return whole


def _outcome(module, fn, values):
    """All that a user can observe: result or type of the error, text, arguments and objects afterwards."""
    from mindspore import Tensor

    args = [Tensor(np.array(v)) for v in values]
    module.reset()
    with contextlib.redirect_stdout(io.StringIO()) as text:
        try:
            found = _plain(fn(*args))
        except Exception as error:  # of the program: both modes are compared by it
            found = type(error)
    if isinstance(found, type):                # a graph that raises changes nothing
        return [found, text.getvalue()]
    return [found, *[_plain(a) for a in args], *map(_plain, module.state()), text.getvalue()]


class _TooLong(BaseException):
    """No exception that programs catch."""


@contextlib.contextmanager
def _limited():
    """AssertionError if it takes too much of the processor's time, which does not depend on what else runs."""

    def late(*_):
        raise _TooLong

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)      # again and again: it may come where it is lost
    try:
        yield
    except _TooLong:
        raise AssertionError(f"The program takes more than {SECONDS} s.") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _plain(value):
    """A result with arrays for tensors and numbers."""
    if isinstance(value, (str, type(None))):
        return value
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    return np.array(value.asnumpy() if hasattr(value, "asnumpy") else value)


def _same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert isinstance(found, (tuple, list)), (found, wanted)
        for one, two in zip(found, wanted, strict=True):
            _same(one, two)
    elif isinstance(wanted, (type, str, type(None))) or isinstance(found, (type, str, type(None))):
        assert found == wanted, (found, wanted)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


def _same_as_torch(source, values, result, slopes):
    """The program on torch's tensors, with torch's gradient."""
    import torch

    space = {}
    around = SETTING.partition("# -----")[0].replace("from mindspore import ops", "import torch as ops")
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Converting a tensor with requires_grad=True to a scalar")   # it is meant
        exec(around + source, space)
        args = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
        out = space["program"](*args)[0]
    _same(out.detach().numpy(), result[0])
    found = torch.autograd.grad(out.sum(), args, allow_unused=True)
    for one, two in zip(found, slopes, strict=True):
        _same(np.zeros(3) if one is None else one.numpy(), two)
