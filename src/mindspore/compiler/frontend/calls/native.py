"""What runs as it is while compiling: the library, NumPy, the standard library; but nothing that draws numbers."""
from __future__ import annotations

import functools
import sys
import sysconfig
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.compiler.frontend.objects.iterators import tracked
from mindspore.compiler.frontend.values.conditional import Choice, each, has_choice, settled
from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.ir.runtime import runtime
from mindspore.operators.python_numbers import is_number

SPECIAL: dict[Any, Callable[..., Any]] = {}     # what functions and classes of Python mean while compiling
_LIBRARIES = {"mindspore", "numpy", "torch", "scipy"}
_STANDARD = sysconfig.get_path("stdlib")


@functools.cache
def is_native_module(name: str | None) -> bool:
    """Whether functions of a module run as they are: the library's, NumPy's, the standard ones."""
    root = (name or "").partition(".")[0]
    if root in _LIBRARIES:
        return True
    if root not in sys.stdlib_module_names or name == "__main__":
        return False
    file = getattr(sys.modules.get(root), "__file__", None) or _STANDARD        # a user's file may be called test.py
    return file.startswith(_STANDARD) and "site-packages" not in file


def is_cell(obj: Any) -> bool:
    """Whether an object is a Cell."""
    return hasattr(type(obj), "cells_and_names")


def call_native(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what runs as it is; a choice among its arguments is made outside."""
    if runtime.trace is not None and _draws(fn, args):
        raise GraphSyntaxError(f"'{getattr(fn, '__qualname__', fn)}' gives another value at every call, or sets the "
                               "seed, and a compiled graph would hold the one of its compilation. Hand the value "
                               "over as an argument, or draw with 'ops'.")
    if runtime.trace is None:
        return tracked(fn(*args, **kwargs), args)
    if runtime.trace.chosen and has_choice((*args, *kwargs.values())):
        return _distributed(fn, args, kwargs)
    if _calls(fn):
        args = tuple(map(_walked, args))
        kwargs = {name: _walked(value) for name, value in kwargs.items()}
    held = runtime.trace.held
    held.append((args, kwargs))
    try:
        out = fn(*args, **kwargs)
    except TypeError as error:
        if isinstance(error, GraphTypeError) or not any(map(is_number, (*args, *kwargs.values()))):
            raise
        raise GraphTypeError(f"'{getattr(fn, '__qualname__', fn)}' takes a number that is known while compiling, but "
                             f"it depends on a tensor here. Call it in the arms of the condition. ({error})") from None
    finally:
        held.pop()
    if type(out).__module__ in _RANDOM:
        runtime.trace.seeded[id(out)] = out, runtime.blocks[-1]
    return tracked(out, args)


_CALLING = {"itertools", "re", "bisect", "_bisect", "heapq", "_heapq", "statistics"}


def _calls(fn: Any) -> bool:
    """Whether a function of the standard library calls those that it is given."""
    return (getattr(fn, "__module__", None) or type(getattr(fn, "__self__", None)).__module__) in _CALLING or (
        fn is functools.cmp_to_key)


def _walked(value: Any) -> Any:
    """A function of the program as one that is walked when Python calls it."""
    inner = value.__func__ if type(value) is MethodType else value
    if type(inner) is FunctionType and not is_native_module(inner.__module__):
        return lambda *args, **kwargs: interpreter.call(value, args, kwargs)
    return value


def _draws(fn: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function has another result, or effect, at every call: random numbers of Python or NumPy, seeds.

    Generators that the program itself seeds are as good as constants, in the block that made them.
    """
    module = getattr(fn, "__module__", None) or type(getattr(fn, "__self__", None)).__module__
    if module == "mindspore.core.seed":
        return getattr(fn, "__name__", "") == "set_seed"
    if module not in _RANDOM:
        return False
    if type(fn) is type or fn.__name__ == "default_rng":
        return not args
    made = runtime.trace.seeded.get(id(getattr(fn, "__self__", None)))
    return made is None or made[1] is not runtime.blocks[-1]


_RANDOM = {"random", "_random", "secrets", "uuid", "numpy.random", "numpy.random.mtrand", "numpy.random._generator"}


def _distributed(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    names = list(kwargs)

    def use(*values: Any) -> Any:
        args = [type(v)(settled(x) for x in v) if type(v) in (tuple, list) else v for v in values]
        for i, value in enumerate(args):
            if type(value) in (tuple, list) and any(type(x) is Choice for x in value):
                return each(lambda *inner: use(*args[:i], type(value)(inner), *args[i + 1:]), *value)  # noqa: B023  # it is returned
        cut = len(args) - len(names)
        return fn(*args[:cut], **dict(zip(names, args[cut:], strict=True)))
    return each(use, *args, *kwargs.values())
