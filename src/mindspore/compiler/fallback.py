"""What happens to a function that cannot be compiled: it runs in Python, or the error is raised.

Under `jit_syntax_level` LAX (the default) the function runs in Python, operator by operator, as in PyNative
mode; the cells that it calls are compiled by themselves in graph mode.  One warning says what could not be
compiled, and where.  Under STRICT, and with `fullgraph=True`, the error is raised instead.
"""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.compiler.frontend.objects import failures
from mindspore.core import context, log
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError
from mindspore.ir.runtime import runtime
from mindspore.parallel import running

_LIMITS = (GraphSyntaxError, GraphTypeError, GraphValueError)
STRICT = 0                    # a value of set_context(jit_syntax_level=...)


def is_strict(level: str) -> bool:
    """Whether programs must compile.

    Args:
        level: Their own level; with "" that of the context counts. The environment's goes before both.
    """
    wanted = os.environ.get("MS_DEV_JIT_SYNTAX_LEVEL")
    if wanted in ("0", "1", "2"):
        return int(wanted) == STRICT
    return level == "STRICT" or (not level and context.state.jit_syntax_level == STRICT)


def is_limit(error: Exception) -> bool:
    """Whether an error of the compilation might not come up in PyNative mode.

    That holds for what graph mode does not take, and for any error in a branch that a run might not take.
    """
    return isinstance(error, _LIMITS) or failures.known(error).uncertain


def warn(name: str, error: Exception) -> None:
    """Say what is not compiled, where, and what to do."""
    notes = "\n".join(getattr(error, "__notes__", ())[:3])
    log.warning("'%s' is not compiled and runs in Python, operator by operator, for this kind of arguments: "
                "%s%s\n  To make this an error, use jit(fullgraph=True) or "
                "set_context(jit_syntax_level=mindspore.STRICT).", name, error, f"\n{notes}" if notes else "")


def mark_changes(error: Exception) -> None:
    """Remember of an error that ended a program that the program had changed something outside before."""
    failures.of(error).after_changes = True


def after_changes(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
    """Run a function in Python whose program ended in an error, so that its changes before the error are kept."""
    again, runtime.failed = failures.known(error).after_changes, None
    if not again:
        raise error
    return repeated(fn, args, kwargs, error)


def repeated(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
    """Run a function in Python whose program ended in an error; a warning, if only the program does."""
    try:
        out = uncompiled(fn, args, kwargs)
    except type(error):            # raised with the lines of the program only
        raise error from error.__cause__
    log.warning("The compiled form of '%s' failed where Python does not, so this call ran in Python. Please report it: "
                "%s: %s", getattr(fn, "__qualname__", type(fn).__qualname__), type(error).__name__, error)
    return out


def uncompiled(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a function or cell in Python.

    Raises:
        RuntimeError: Parameters lie in pieces, of which only compiled programs know.
    """
    if runtime.together and running.laid:
        raise RuntimeError(
            f"'{getattr(fn, '__qualname__', type(fn).__qualname__)}' cannot be compiled, so it cannot run in the mode "
            f"{context.parallel.parallel_mode!r}, in which each process has pieces of the parameters. The warning "
            "before says why it is not compiled; jit(fullgraph=True) makes that an error.")
    plain = getattr(fn, "run_uncompiled", None)
    if plain is None or not is_native_module(type(fn).__call__.__module__):    # or a cell with a `__call__` of its own
        return fn(*args, **kwargs)
    return plain(*args, **kwargs)
