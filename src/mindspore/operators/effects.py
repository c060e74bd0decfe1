"""Operators that act outside the program: they stay in program order, once each."""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, TypeAlias

from torch import Tensor

from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .torch_private import as_list

Gap: TypeAlias = str | bool | tuple[str] | None       # of a template: a text, or the placeholder of a tensor


@operator(hidden=True, effect="io", dims=whole("it acts once for the whole program"))
def print_text(*xs: Tensor, sep: str = " ", end: str = "\n", template: tuple[Gap, ...] = (), flush: bool = True,
               file: Any = None):
    """Print the template with its gaps filled by the tensors.

    A gap is None for the elements, True for them with their type, `(format,)` for a number in that format.
    """
    values = iter(xs)
    builtins.print(*[_filled(part, values) for part in template], sep=sep, end=end, flush=flush, file=file)
    return ()


@print_text.shape
def _(*xs: Aval, **_: Any) -> tuple[()]:
    return ()


def _filled(part: Gap, values: Iterator[Any]) -> str:
    from mindspore.core.dtype import from_torch
    from mindspore.core.printing import shown, shown_with_type  # printing loads numpy

    if isinstance(part, str):
        return part
    x = next(values)
    if isinstance(part, tuple):
        return format(x.item(), part[0])
    return shown_with_type(x, from_torch(x.dtype)) if part else shown(x)


class FormattedValue:
    """The place of a tensor among the arguments of an error; `make` makes it from the torch tensor."""

    def __init__(self, make: Callable[[Any], Any]):
        self.make = make


class Template:
    """A text with gaps for tensors, as in `print_text`, in the message of an error."""

    def __init__(self, parts: Sequence[Any]):
        self.parts = parts

    def filled(self, values: Any) -> str:
        """The text with its gaps filled."""
        return "".join([_filled(part, values) for part in self.parts])


def like(error: Exception, args: Sequence[Any]) -> Exception:
    """A new error like the given one, with other arguments."""
    kind = type(error)
    made = kind.__new__(kind, *args)
    if not isinstance(kind.__init__, FunctionType):       # some errors of Python keep there what they show
        made.__init__(*args)
    made.args = tuple(args)
    made.__dict__.update({k: v for k, v in error.__dict__.items() if k != "__notes__"})
    made.__cause__ = error.__cause__
    return made


def _made(error: Exception, xs: tuple[Any, ...]) -> Exception:
    """A new error like the given one, its message completed."""
    values = iter(xs)
    return like(error, [a.filled(values) if type(a) is Template
                        else a.make(next(values)) if type(a) is FormattedValue else a for a in error.args])


@operator(hidden=True, effect="io", dims=whole("it acts once for the whole program"))
def check_true(test: Tensor, *xs: Tensor, error: Any):
    """Raise `error`, its message completed by the further tensors, unless the first one is true."""
    if not test:
        raise _made(error, xs)
    return ()


@check_true.shape
def _(test: Aval, *xs: Aval, **_: Any) -> tuple[()]:
    return ()


@operator(hidden=True, effect="io", dims=whole("it acts once for the whole program"))
def raise_error(*xs: Tensor, error: Any):
    """Raise `error`, its message completed by the tensors."""
    raise _made(error, xs)


@raise_error.shape
def _(*xs: Aval, error: Any) -> tuple[()]:
    return ()


@operator(hidden=True, effect="io", dims=whole("it acts once for the whole program"))
def assert_true(test: Tensor, *xs: Tensor, summarize: int):
    """Print the first elements of the tensors and raise RuntimeError, unless the condition is true."""
    if not test:
        builtins.print("For 'Assert' condition is false.", flush=True)
        for x in xs:
            first = x.reshape(-1)[:summarize if summarize >= 0 else None]
            builtins.print(f"input data: [{' '.join([f'{v:g}' for v in as_list(first)])}]", flush=True)
        raise RuntimeError("assert failed: the condition of 'Assert' is false.")
    return ()


@assert_true.shape
def _(test: Aval, *xs: Aval, **_: Any) -> tuple[()]:
    return ()


@operator(hidden=True, effect="io", dims=whole("it acts once for the whole program"))
def host_call(*xs: Tensor, function: Callable[..., Sequence[Tensor]], outs: Sequence[tuple[Any, Any]]):
    """The tensors, of the shapes and types `outs`, that a Python function makes which acts outside the program."""
    made = function(*xs)
    return made[0] if len(made) == 1 else tuple(made)


@host_call.shape
def _(*xs: Aval, function: Any, outs: Sequence[tuple[Any, Any]]) -> Any:
    avals = tuple([Aval(*out) for out in outs])
    return avals[0] if len(avals) == 1 else avals
