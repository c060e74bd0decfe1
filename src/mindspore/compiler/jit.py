"""`jit`: run a function or method compiled, whatever the mode."""
from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any

from mindspore.compiler.ir import building
from mindspore.core import check
from mindspore.core.tensor import Tensor

from .pipeline import Cache

_LEVELS = ("", "O0", "O1", "O2")
_OPTIONS = {"disable_format_transform", "exec_order", "ge_options", "infer_boost", "input_signature",
            "hash_args", "jit_config", "compile_once", "mode", "fn", "jit_syntax_level", "debug_level",
            "exc_mode"}


class JitConfig:
    """Options of a compilation; they tune the original's back ends and leave results unchanged here.

    Args:
        jit_level: "", "O0", "O1" or "O2".
        exc_mode: "auto", "sink" or "no_sink".
        jit_syntax_level: "", "STRICT" or "LAX".
        debug_level: "RELEASE" or "DEBUG".
        infer_boost: "on" or "off".
    """

    def __init__(self, jit_level: str = "", exc_mode: str = "auto", jit_syntax_level: str = "",
                 debug_level: str = "RELEASE", infer_boost: str = "off", **kwargs: Any):
        check.option("JitConfig", "jit_level", jit_level, _LEVELS)
        check.option("JitConfig", "exc_mode", exc_mode, ("auto", "sink", "no_sink"))
        check.option("JitConfig", "jit_syntax_level", jit_syntax_level, ("", "STRICT", "LAX"))
        check.option("JitConfig", "debug_level", debug_level, ("RELEASE", "DEBUG"))
        check.option("JitConfig", "infer_boost", infer_boost, ("on", "off"))
        self.jit_config_dict = {
            "jit_level": jit_level, "exc_mode": exc_mode, "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level, "infer_boost": infer_boost} | {
                k: str(v) for k, v in kwargs.items()}


def jit(function: Callable[..., Any] | None = None, *, capture_mode: str = "ast",
        jit_level: str = "O0", dynamic: int = 0, fullgraph: bool = False, backend: str = "",
        **options: Any) -> Any:
    """A compiled version of a function or method; usable as a decorator, with or without options.

    A program is compiled per signature: shapes and dtypes of tensors, values of other arguments.

    Args:
        function: The function; None when used as a decorator with options.
        capture_mode: "ast". The other ways of the original ("bytecode", "trace") are served by it.
        jit_level: "O0", "O1" or "O2": how much the original's back end fuses; without effect here.
        dynamic: 0. Every shape is compiled for itself.
        fullgraph: Whether falling back to Python is an error; here a function compiles as a whole.
        backend: "" or "ms_backend".

    Raises:
        ValueError: If an option has no such value or cannot be honoured.
        TypeError: If `function` is no function, or an option is unknown.
    """
    function = options.pop("fn", function)
    check.option("jit", "capture_mode", capture_mode, ("ast", "bytecode", "trace"))
    check.option("jit", "jit_level", jit_level, _LEVELS)
    if dynamic not in (0, 1):
        raise check.fail(ValueError, "jit", "dynamic", "0 or 1", dynamic)
    check.option("jit", "backend", backend, ("", "ms_backend", "GE"))
    unknown = set(options) - _OPTIONS
    if unknown:
        raise TypeError(f"For 'jit', the options {sorted(unknown)} are unknown; known are "
                        f"{sorted(_OPTIONS)}.")
    if function is None:
        return lambda fn: _jitted(fn)
    return _jitted(function)


def ms_function(fn: Callable[..., Any] | None = None, input_signature: Any = None,
                hash_args: Any = None, jit_config: JitConfig | None = None) -> Any:
    """The 1.x name of `jit`; signatures are found at the call, so `input_signature` is not needed."""
    return jit(fn)


def _jitted(fn: Any) -> Any:
    if isinstance(fn, type) or not callable(fn):
        raise TypeError(f"For 'jit', the 'function' must be a function or a Cell, but got {fn!r}.")
    if hasattr(fn, "__jitted__"):
        return fn
    if not inspect.isfunction(fn) and not inspect.ismethod(fn):
        return _compiled_object(fn)
    cache = Cache(getattr(fn, "__name__", "function"))
    per_owner: weakref.WeakKeyDictionary[Any, Cache] = weakref.WeakKeyDictionary()
    method = inspect.isfunction(fn) and "." in fn.__qualname__ and "<locals>" not in \
        fn.__qualname__.split(".")[-2]

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        if building:
            from .frontend import call  # the front end walks the function itself
            return call(fn, args, kwargs)
        if method and args and not isinstance(args[0], Tensor):
            try:
                held = per_owner.get(args[0])
                if held is None:
                    held = per_owner[args[0]] = Cache(cache.name)
            except TypeError:                 # an owner without weak references
                return cache.run(fn, args, kwargs)
            owner = args[0]
            return held.run(_bound(fn, owner), args[1:], kwargs)
        return cache.run(fn, args, kwargs)
    run.__jitted__ = fn                       # type: ignore[attr-defined]
    run.cache = cache                         # type: ignore[attr-defined]
    return run


def _bound(fn: Any, owner: Any) -> Any:
    return fn.__get__(owner)


def _compiled_object(obj: Any) -> Callable[..., Any]:
    """A compiled version of a callable object, such as a cell."""
    cache = Cache(type(obj).__name__)

    def run(*args: Any, **kwargs: Any) -> Any:
        return obj(*args, **kwargs) if building else cache.run(obj, args, kwargs)
    run.__jitted__ = obj                      # type: ignore[attr-defined]
    return run


def jit_class(cls: type) -> type:
    """Mark a class whose objects are used in compiled functions; every class can be used here.

    Raises:
        TypeError: If `cls` is no class, or a Cell, which is compiled as it is.
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if hasattr(cls, "construct") and hasattr(cls, "cells_and_names"):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for "
                        f"nn.Cell: {cls}.")
    return cls


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """The argument itself: numbers and containers of numbers become tensors, not constants.

    Raises:
        TypeError: If the argument holds anything else.
    """
    if dynamic_len:
        raise ValueError("For 'mutable', 'dynamic_len' cannot be honoured: a graph is compiled for "
                         "every length. Pad to one length, or pass the list as it is.")

    def convert(value: Any) -> Any:
        if isinstance(value, Tensor):
            return value
        if isinstance(value, (bool, int, float)):
            return Tensor(value)
        if isinstance(value, tuple):
            return tuple([convert(v) for v in value])
        if isinstance(value, list):
            return [convert(v) for v in value]
        if isinstance(value, dict):
            return {k: convert(v) for k, v in value.items()}
        raise TypeError(f"For 'mutable', the 'input_data' must hold numbers and tensors, but got "
                        f"{value!r}.")
    return convert(input_data)


def lazy_inline(fn: Any = None, attrs: Any = None, policy: Any = None) -> Any:
    """Mark the `__init__` of a cell whose graph the original shares; compilation is linear here."""
    return (lambda inner: inner) if fn is None else fn


def no_inline(fn: Any = None) -> Any:
    """Mark a function that the original keeps as a graph of its own; without effect on results."""
    return (lambda inner: inner) if fn is None else fn


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Set how deep calls may nest while compiling: Python's own limit.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is not positive.
    """
    import sys

    sys.setrecursionlimit(check.positive_int("set_recursion_limit", "recursion_limit", recursion_limit))
