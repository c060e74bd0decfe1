"""How random programs are judged."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import itertools
import logging
import signal
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
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
def view_writer(writer):
    """The class that writes programs on views and changes in place."""
    return sys.modules["fuzz_writer"].Views


@pytest.fixture
def judge(tmp_path, quiet):
    """`judge(source)`: PyNative mode, graph mode and torch do the same; whether it was compiled as a whole.

    With `views=True` the program also runs in several threads, and differences say what torch refuses.
    """
    names = itertools.count()

    def check(source, torch=False, views=False):
        file = tmp_path / f"drawn_{next(names)}.py"
        file.write_text(f"{SETTING}\n\n{source}")
        with _limited():
            return _judged_by_torch(load(file), source) if views else _judged(load(file), source if torch else "")

    return check


@pytest.fixture
def quiet():
    """No warnings of what runs in Python."""
    logger = logging.getLogger("mindspore")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


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
        found = _outcome(module, gradient, values)
        if slopes[0] is not RuntimeError:    # what a rule needs was changed; a graph still has it
            _same(found, slopes)
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


def _same(found, wanted, rtol=1e-8, atol=1e-10):
    if isinstance(wanted, (tuple, list)):
        assert isinstance(found, (tuple, list)), (found, wanted)
        for one, two in zip(found, wanted, strict=True):
            _same(one, two, rtol, atol)
    elif isinstance(wanted, (type, str, type(None))) or isinstance(found, (type, str, type(None))):
        assert found == wanted, (found, wanted)
    else:
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=atol)


def _same_as_torch(source, values, result, slopes):
    """The program on torch's tensors, with torch's gradient."""
    import torch

    args = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            out = _in_torch(source)(*args)[0]
    except RuntimeError as error:
        if "Boolean value" in str(error):     # a ValueError here, which the program may catch
            return
        raise
    _same(out.detach().numpy(), result[0])
    found = torch.autograd.grad(out.sum(), args, allow_unused=True)
    for one, two in zip(found, slopes, strict=True):
        _same(np.zeros(3) if one is None else one.numpy(), two)


def _in_torch(source, apart=False):
    """The program, for torch's tensors; `apart` if what is written to tensors may be part of them."""
    space = {"apart": lambda v: v.clone() if hasattr(v, "clone") else v}
    around = SETTING.partition("# -----")[0].replace("from mindspore import ops", "import torch as ops")
    tree = ast.parse(around + source)
    exec(compile(ast.fix_missing_locations(_Apart().visit(tree) if apart else tree), "drawn", "exec"), space)

    def program(*args):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Converting a tensor with requires_grad=True to a scalar")  # it is meant
            warnings.filterwarnings("ignore", "The use of `x.T` on tensors of dimension other than 2")
            warnings.filterwarnings("ignore", "Use of .* on expanded tensors is deprecated")
            return space["program"](*args)

    return program


# ---------------------------------------------------------------- views and changes in place


class _Apart(ast.NodeTransformer):
    """Copies what is written to a tensor: torch writes while it reads, and what overlaps depends on the order."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            node.args = [self.copied(a) for a in node.args]
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        place = node.targets[0]
        if isinstance(place, ast.Subscript) and ast.unparse(place.value) not in ("views", "table"):
            node.value = self.copied(node.value)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        node.value = self.copied(node.value)
        return node

    @staticmethod
    def copied(value):
        return ast.Call(ast.Name("apart", ast.Load()), [value], [])


def _judged_by_torch(module, source):
    """Values, arguments afterwards and gradients are torch's, in one thread and in several.

    A gradient may be refused where a value that it needs was changed in place. Where torch refuses to compute it, the
    judge is what torch's values give by differences; where torch refuses the program, both modes do the same.
    """
    from mindspore import grad, jit

    def total(x, w):
        return module.program(x, w)[0].sum()

    whole, graph, other, plain = True, jit(module.program), jit(module.program), _in_torch(source, apart=True)
    gradients = [grad(total, (0, 1)), jit(grad(total, (0, 1))), grad(jit(total), (0, 1))]
    for values in INPUTS:
        wanted = _values(plain, values)
        eager = _found(module.program, values)
        for found in (eager, _found(graph, values)):
            _same(found[:2], wanted if wanted is not None else eager[:2])
        whole &= not graph.cache.uncompiled
        if wanted is None:
            continue
        _same_in_threads(other, values, eager)
        slopes = _slopes(plain, values)
        found = [_found(gradient, values) for gradient in gradients]
        for kind, _, error in found:
            if isinstance(kind, type):
                _same(kind, RuntimeError)
                assert "in place" in error
            elif slopes is not None:
                _same(kind, slopes[0], *slopes[1:])
        _same_in_threads(gradients[0], values, found[0])
    return whole


def _found(fn, values):
    """Result or type of the error, arguments afterwards, text of the error."""
    from mindspore import Tensor

    args = [Tensor(np.array(v)) for v in values]
    try:
        return _plain(fn(*args)), tuple(map(_plain, args)), ""
    except Exception as error:  # of the program: it is compared
        return type(error), (), str(error)


def _values(plain, values):
    """The same by torch, without gradients; None where torch refuses the program."""
    import torch

    args = [torch.tensor(v, dtype=torch.float64) for v in values]
    try:
        out, *rest = plain(*args)
    except (RuntimeError, IndexError):
        return None
    return (out.numpy(), *map(np.array, rest)), tuple(a.numpy() for a in args)


def _slopes(plain, values):
    """The gradients and their tolerance, by torch, or by differences; None where those depend on step or side."""
    import torch

    args = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    try:
        out = plain(*args)[0].sum()
        found = [np.zeros(3) if d is None else d.numpy()
                 for d in torch.autograd.grad(out, args, allow_unused=True)]
        if np.isfinite(found).all() or not out.isfinite():     # else it is 0 * inf, of what was overwritten
            return tuple(found), 1e-8, 1e-10
    except RuntimeError:                      # something that torch does not differentiate was changed
        pass
    found, again, ahead = [[_difference(plain, values, k, i, *steps) for k in range(2) for i in range(3)]
                           for steps in ((1e-6, -1e-6), (3e-6, -3e-6), (1e-6, 0))]
    if not np.isfinite(found).all() or not np.allclose(found, again, rtol=1e-5, atol=1e-5) or not np.allclose(
            found, ahead, rtol=1e-3, atol=1e-2):
        return None                           # such as a corner of `maximum`, where each side has a slope
    return tuple(np.reshape(found, (2, 3))), 1e-4, 1e-4


def _difference(plain, values, k, i, *steps):
    """The slope of one element between two steps from its value."""
    ends = []
    for step in steps:
        moved = [list(v) for v in values]
        moved[k][i] += step
        end = _values(plain, moved)
        if end is None:                             # a condition lies in between, and torch refuses what is behind it
            return np.nan
        ends.append(end[0][0].sum())
    with np.errstate(invalid="ignore"):             # values may grow beyond all numbers
        return (ends[0] - ends[1]) / (steps[0] - steps[1])


def _same_in_threads(fn, values, wanted):
    """Several threads that take turns all the time find what one thread finds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(3) as pool:
            found = list(pool.map(lambda _: _found(fn, values), range(3)))
    finally:
        sys.setswitchinterval(before)
    for one in found:
        _same(one, wanted)
