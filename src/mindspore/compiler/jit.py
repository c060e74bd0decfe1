"""`jit`: run a function or method compiled, whatever the mode."""
from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mindspore.core import check
from mindspore.core.mutable import List, Tuple, mutable_number
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir.runtime import runtime

from .cache import Cache
from .dynamic import Declared, Observed
from .frontend import call
from .inspection.tracebacks import at_border
from .options import JitConfig, checked, levels_of


def jit(function: Callable[..., Any] | None = None, *, capture_mode: str = "ast",
        jit_level: str | None = None, dynamic: int = 0, fullgraph: bool = False, backend: str = "",
        **options: Any) -> Any:
    """A compiled version of a function or method; usable as a decorator, with or without options.

    A program is compiled per signature: shapes and dtypes of tensors, values of other arguments.

    Args:
        function: A function, a method, a callable object such as a cell, or a class: of a Cell its
            `construct` is compiled. None when used as a decorator with options.
        capture_mode: "ast", "bytecode" or "trace"; one front end serves them all.
        jit_level: "O0" leaves out all passes but those that remove what is not needed; "O1" fuses operators, too,
            and makes one native function of small training steps (on a CPU, with the package llvmlite; results differ
            by rounding); "O2" runs every pass. With None that of `jit_config` counts, that of `set_context`, or
            "O1". What the function calls has the level of the function.
        dynamic: With 1, dimensions that differ between calls are compiled for all sizes at once.
        fullgraph: Whether it is an error if the function cannot be compiled as a whole. Without, it
            then runs in Python, operator by operator, and a warning says why.
        backend: "", "ms_backend" or "GE".
        options: `input_signature`, the arguments with `Tensor(shape=[None, 3], dtype=float32)` for
            tensors: a dimension None is compiled for all sizes at once; `hash_args`, `jit_config`,
            `compile_once`, `mode` of earlier releases; `exec_order`, `ge_options`, `infer_boost`,
            `disable_format_transform`, which tune back ends that are not used here.

    Returns:
        The compiled function or class; without `function`, a decorator that makes one.

    Raises:
        ValueError: If an argument has no such value.
        TypeError: If `function` is not callable, an argument has the wrong type or is unknown.

    Examples:
        >>> @mindspore.jit
        ... def absolute(x):
        ...     if x.sum() > 0:
        ...         return x
        ...     return -x
        >>> absolute(Tensor([-1.0, -2.0])).tolist(), absolute(Tensor([3.0, 4.0])).tolist()
        ([1.0, 2.0], [3.0, 4.0])
    """
    function = options.pop("fn", function)
    checked(capture_mode, jit_level, dynamic, fullgraph, backend, options)
    level, passes = levels_of(options.get("jit_config"))
    level, passes = "STRICT" if fullgraph else level, jit_level or passes
    signature = options.get("input_signature")

    def compiled(fn: Any) -> Any:
        return _jitted(fn, Options(level, signature, dynamic, passes))
    return compiled if function is None else compiled(function)


def ms_function(fn: Callable[..., Any] | None = None, input_signature: Any = None,
                hash_args: Any = None, jit_config: JitConfig | None = None) -> Any:
    """The 1.x name of `jit`."""
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


class Options(NamedTuple):
    """What the programs of a function depend on."""

    level: str
    signature: Any
    dynamic: int
    passes: str

    def cache(self, name: str, fn: Any) -> Cache:
        """A cache of programs."""
        unknown: Any = None
        declared = getattr(fn, _DECLARED, None)
        if declared is not None:
            unknown = Declared("enable_dynamic", declared, fn)
        elif self.signature is not None:
            unknown = Declared("input_signature", self.signature, fn)
        elif self.dynamic:
            unknown = Observed(1)
        return Cache(name, self.level, unknown, self.passes)


def _jitted(fn: Any, level: Options) -> Any:
    if isinstance(fn, (staticmethod, classmethod)):
        return type(fn)(_jitted(fn.__func__, level))
    if isinstance(fn, type):
        return _jitted_class(fn, level)
    if not callable(fn):
        raise check.fail(TypeError, "jit", "function", "a function, a class or a Cell", fn)
    if hasattr(fn, "__jitted__"):
        return fn
    if not inspect.isfunction(fn) and not inspect.ismethod(fn):
        return _compiled_object(fn, level)
    return _compiled_function(fn, level)


def _jitted_class(cls: type, level: Options) -> type:
    """A class whose cells run compiled in every mode; objects of other classes need nothing."""
    construct = cls.__dict__.get("construct")
    if inspect.isfunction(construct) and hasattr(cls, "cells_and_names"):
        cls.construct = _jitted(construct, level)
    return cls


def _compiled_function(fn: Any, level: Options) -> Callable[..., Any]:
    cache = level.cache(getattr(fn, "__name__", "function"), fn)
    per_owner: weakref.WeakKeyDictionary[Any, Cache] = weakref.WeakKeyDictionary()
    method = inspect.isfunction(fn) and "." in fn.__qualname__ and "<locals>" not in \
        fn.__qualname__.split(".")[-2]

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        if runtime.building:
            return call(fn, args, kwargs)     # the front end walks the function itself
        try:
            if not method or not args or isinstance(args[0], Tensor):
                return cache.run(fn, args, kwargs)
            owner = args[0]
            held = _of_owner(per_owner, owner, fn, cache, level)
            if held is cache:
                return cache.run(fn, args, kwargs)
            return held.run(fn.__get__(owner), args[1:], kwargs)
        except Exception as error:  # raised again, without the frames of the compiler
            __tracebackhide__ = True
            raise at_border(error) from error.__cause__
    vars(run).update(__jitted__=fn, cache=cache, caches=per_owner)
    return run


def _of_owner(caches: Any, owner: Any, fn: Any, common: Cache, level: Options) -> Cache:
    """The cache of a method for one object; the common one if the object has no weak references."""
    try:
        held = caches.get(owner)
        if held is None:
            held = caches[owner] = level.cache(common.name, fn.__get__(owner))
    except TypeError:
        return common
    return held


def _compiled_object(obj: Any, level: Options) -> Callable[..., Any]:
    """A compiled version of a callable object, such as a cell."""
    cache = level.cache(getattr(obj, "__name__", type(obj).__name__), obj)

    def run(*args: Any, **kwargs: Any) -> Any:
        if runtime.building:
            return call(obj, args, kwargs)
        try:
            return cache.run(obj, args, kwargs)
        except Exception as error:  # raised again, without the frames of the compiler
            __tracebackhide__ = True
            raise at_border(error) from error.__cause__
    vars(run).update(__jitted__=obj, cache=cache)
    return run


_DECLARED = "__declared_inputs__"


def enable_dynamic(**kwargs: Any) -> Callable[[Callable[..., Any]], Any]:
    """Declare arguments of a function under `jit` whose shapes differ between calls.

    Args:
        kwargs: By the name of the argument a `Tensor(shape=[None, 3], dtype=float32)`, or a tuple or list of
            them: a dimension None is compiled for all sizes at once.

    Returns:
        A decorator, to stand above or below `jit`.

    Raises:
        ValueError: If no argument is declared, or the function has none of that name, or what is decorated
            is no function.
        TypeError: If what is declared holds anything else, or no extent that may differ.
    """
    if not kwargs:
        raise ValueError("For 'enable_dynamic', at least one argument must be declared.")
    for name, value in kwargs.items():
        parts = value if isinstance(value, (tuple, list)) else (value,)
        if not parts or not all(isinstance(p, Tensor) for p in parts):
            raise TypeError(f"For 'enable_dynamic', the '{name}' must be a Tensor or a tuple or list of them, but "
                            f"got {value!r} with type '{type(value).__name__}'.")
        if any(min(p.shape, default=0) >= 0 for p in parts):
            raise TypeError(f"For 'enable_dynamic', the shape of '{name}' must have a dimension None, but got "
                            f"{value!r}.")

    def declare(fn: Callable[..., Any]) -> Callable[..., Any]:
        inner = getattr(fn, "__jitted__", fn)
        if not (inspect.isfunction(inner) or inspect.ismethod(inner)):
            raise check.fail(ValueError, "enable_dynamic", "fn", "a function", fn)
        names = inspect.signature(inner).parameters
        strange = [name for name in kwargs if name not in names]
        if strange:
            raise ValueError(f"For 'enable_dynamic', the names must be among {list(names)}, but got '{strange[0]}'.")
        getattr(inner, "__func__", inner).__dict__[_DECLARED] = kwargs
        if inner is not fn:
            fn.cache.unknown = Declared("enable_dynamic", kwargs, inner)
        return fn
    return declare


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """The same value, whose numbers are inputs of compiled programs instead of constants of them.

    One program serves all values of an int or float, unless it asks about the value: a program holds for
    the answers that it got. A bool is a constant. The gradient of a number is zero.

    Args:
        input_data: Numbers and tensors, in tuples, lists and dicts.
        dynamic_len: Whether the length of a tuple or list may differ between calls; a program is
            compiled for each length that comes.

    Returns:
        Ints and floats of derived classes, in the containers that held them.

    Raises:
        TypeError: If the argument holds anything else, or is no tuple or list with `dynamic_len`, or if
            `dynamic_len` is no bool.

    Examples:
        >>> @mindspore.jit
        ... def scaled(x, k):
        ...     return x * k
        >>> [float(scaled(Tensor(1.0), mindspore.mutable(k))) for k in range(3)]       # one program
        [0.0, 1.0, 2.0]
    """
    check.boolean("mutable", "dynamic_len", dynamic_len)
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(f"For 'mutable', the 'input_data' must be a tuple or a list if its length may "
                        f"differ, but got {input_data!r} with type '{type(input_data).__name__}'.")

    def convert(value: Any) -> Any:
        if is_tensor(value):
            return value
        if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
            return value if runtime.building else mutable_number(value)
        if isinstance(value, tuple):
            return tuple([convert(v) for v in value])
        if isinstance(value, list):
            return [convert(v) for v in value]
        if isinstance(value, dict):
            return {k: convert(v) for k, v in value.items()}
        raise TypeError(f"For 'mutable', the 'input_data' must hold numbers and tensors, but got "
                        f"{value!r}.")
    found = convert(input_data)
    if not dynamic_len or runtime.building:
        return found
    return Tuple(found) if isinstance(found, tuple) else List(found)
