"""Operators that act on the world: they stay in program order, once each."""
from __future__ import annotations

import builtins
from typing import Any

from .registry import operator


@operator(hidden=True, effect="io")
def print_text(*xs, sep=" ", end="\n", template=(), flush=True, file=None):
    """Print the template with its gaps (None) filled by the tensors."""
    values = iter(xs)
    shown: list[Any] = []
    for part in template:
        shown.append(_text(next(values)) if part is None else part)
    builtins.print(*shown, sep=sep, end=end, flush=flush, file=file)
    return ()


@print_text.shape
def _(*xs, **_) -> tuple[()]:
    return ()


def _text(x: Any) -> str:
    from mindspore.core.printing import shown    # printing loads numpy

    return shown(x)


@operator(hidden=True, effect="io")
def check_true(test, *, error):
    """Raise `error` unless the tensor is true."""
    if not test:
        raise type(error)(*error.args)
    return ()


@check_true.shape
def _(test, **_) -> tuple[()]:
    return ()


@operator(hidden=True, effect="io")
def raise_error(*, error):
    """Raise `error`."""
    raise type(error)(*error.args)


@raise_error.shape
def _(*, error) -> tuple[()]:
    return ()
