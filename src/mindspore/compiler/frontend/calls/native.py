"""What runs natively while compiling: the library, NumPy, the standard library; but nothing that draws numbers."""
from __future__ import annotations

import copy
import functools
import itertools
import sys
import sysconfig
from collections.abc import Callable, Iterable
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from mindspore.compiler.frontend.objects.followed import CHANGING_ARRAYS, is_standard, only_computes
from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.compiler.frontend.objects.iterators import tracked
from mindspore.compiler.frontend.objects.places import Array, Contents
from mindspore.compiler.frontend.objects.reach import is_cell
from mindspore.compiler.frontend.values.conditional import (
    INSIDE,
    ITSELF,
    distribute,
    has_alternatives,
)
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime
from mindspore.operators.python_numbers import is_number

SPECIAL: dict[Any, Callable[..., Any]] = {}     # what functions and classes of Python mean while compiling
_LIBRARIES = {"mindspore", "numpy", "torch", "scipy"}
_STANDARD = sysconfig.get_path("stdlib")


@functools.cache
def is_native_module(name: str | None) -> bool:
    """Whether functions of a module run natively: the library's, NumPy's, those of the standard library."""
    root = (name or "").partition(".")[0]
    if root in _LIBRARIES:
        return True
    if root not in sys.stdlib_module_names or name == "__main__":
        return False
    file = getattr(sys.modules.get(root), "__file__", None) or _STANDARD        # a user's file may be called test.py
    return file.startswith(_STANDARD) and "site-packages" not in file


def is_of_python(name: str) -> bool:
    """Whether a module belongs to Python itself, whose objects a program may change, not to a library."""
    return is_native_module(name) and name.partition(".")[0] not in _LIBRARIES


def call_native(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what runs natively; what does not say how it looks at its arguments looks inside of them."""
    if runtime.trace is not None and has_alternatives(args, kwargs) and not hasattr(fn, "looks"):
        def use(*values: Any) -> Any:
            cut = len(args)
            return natively(fn, values[:cut], dict(zip(kwargs, values[cut:], strict=True)))
        look = ITSELF if any([fn is one for one in (*_LOOKING, *_PASSING)]) else INSIDE
        return distribute(use, (look,), (*args, *kwargs.values()))
    return natively(fn, args, kwargs)


def natively(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what runs natively and stores the alternatives among its arguments, or distributes itself over them."""
    if runtime.trace is not None and _draws(fn, args):
        raise GraphSyntaxError(f"'{getattr(fn, '__qualname__', fn)}' gives another value at every call, or sets the "
                               "seed, and a compiled graph would hold the one of its compilation. Hand the value "
                               "over as an argument, or draw with 'ops'.")
    if runtime.trace is None:
        return tracked(fn(*args, **kwargs), args)
    follow(fn, args, kwargs)
    if _calls(fn):
        args = tuple(map(_walked, args))
        kwargs = {name: _walked(value) for name, value in kwargs.items()}
    held = runtime.trace.held
    held.append((args, kwargs))
    try:
        out = fn(*args, **kwargs)
    except Exception as error:        # whatever native code says of a node, Python may not say it of the number
        if isinstance(error, (GraphTypeError, GraphSyntaxError, GraphValueError)) or not _is_of_nodes(
                error, fn, (args, kwargs)):
            raise
        raise GraphTypeError(f"'{getattr(fn, '__qualname__', fn)}' takes what is known while compiling, but it "
                             f"depends on a tensor here. Call it in the branches. ({error})") from None
    finally:
        held.pop()
    if type(out).__module__ in _RANDOM:
        runtime.trace.seeded[id(out)] = out, runtime.blocks[-1]
    if type(out) is np.ndarray:
        note_array(out)
    return tracked(out, args)


def _is_of_nodes(error: Exception, fn: Any, given: Any) -> bool:
    """Whether native code may refuse what a call was given only because it is not computed yet."""
    unknown: Callable[[Any], bool] = is_number
    if isinstance(error, (TypeError, AttributeError)) and is_of_python(_module_of(fn) or ""):
        unknown = _is_unknown
    return bool(tree.leaves(given, unknown))


def _is_unknown(value: Any) -> bool:
    return type(value) is Node or getattr(type(value), "shows_tensors", False)


def follow(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note what a native function reads and changes.

    Raises:
        GraphSyntaxError: If that is not known.
    """
    if type(fn) is FunctionType and _is_of_operators(fn.__module__) and "out" not in kwargs:
        return
    if fn is id:
        runtime.trace.heap.watch.identified.add(id(args[0]))
    if is_array_method(fn):
        touch_array(fn.__self__)
    elif not only_computes(fn, args) and id(getattr(fn, "__self__", None)) not in runtime.trace.seeded:
        raise unfollowed(fn)
    if getattr(fn, "__name__", "") == "shuffle":
        if isinstance(args[0], np.ndarray):
            touch_array(args[0])
        else:
            runtime.trace.heap.touch(Contents(args[0]))
    if "out" in kwargs and is_standard(getattr(fn, "__module__", None) or type(fn).__module__):
        for one in kwargs["out"] if type(kwargs["out"]) is tuple else (kwargs["out"],):
            touch_array(one)
    if not any([fn is looking for looking in _LOOKING]) and not _is_own(fn):
        _note_read(fn, (*args, *kwargs.values()))


def _note_read(fn: Any, values: Iterable[Any]) -> None:
    """Note what a native function may read: all that is in its arguments, its owner and its closure."""
    heap = runtime.trace.heap
    for cell in (fn.__closure__ or () if type(fn) is FunctionType and is_standard(fn.__module__) else ()):
        if isinstance(cell.cell_contents, dict):            # the functions of `functools.singledispatch`, by class
            heap.note(cell.cell_contents)
    owner = getattr(fn, "__self__", None)
    for value in (owner, *values):
        if type(value) is FunctionType and not is_native_module(value.__module__):
            heap.watch.function(value)
        elif type(value) not in _PLAIN:
            heap.note_whole(value, owner=owner)


@functools.cache
def _is_of_operators(module: str | None) -> bool:
    """Whether a module of the library has functions of tensors only."""
    return (module or "").startswith(("mindspore.ops.", "mindspore.operators."))


def _is_own(fn: Any) -> bool:
    """Whether a function is the library's, which looks at tensors only."""
    return (getattr(fn, "__module__", None) or type(fn).__module__).partition(".")[0] == "mindspore"


def unfollowed(fn: Any) -> GraphSyntaxError:
    """The error for a call that is not followed."""
    owner = getattr(fn, "__self__", None)
    of = f" of the class '{type(owner).__qualname__}'" if owner is not None and not isinstance(
        owner, (ModuleType, type)) else ""
    return GraphSyntaxError(f"What '{getattr(fn, '__qualname__', type(fn).__qualname__)}'{of} reads or changes is not "
                            "followed in graph mode, and a compiled graph would do it only once. Call it outside of "
                            "the compiled function.")


def is_array_method(fn: Any) -> bool:
    """Whether a method changes a NumPy array in place."""
    return type(getattr(fn, "__self__", None)) is np.ndarray and fn.__name__ in CHANGING_ARRAYS


def note_array(made: np.ndarray) -> None:
    """Note an array that the program made, if it has its memory for itself."""
    trace = runtime.trace
    if made.base is None and id(made) not in trace.heap.watch.arrays:
        trace.seeded.setdefault(id(made), (made, None))


def touch_array(array: Any) -> None:
    """Note an array before it changes.

    Raises:
        GraphSyntaxError: If the program did not make it.
    """
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    trace = runtime.trace
    if not isinstance(array, np.ndarray) or trace.seeded.get(id(array), (None,))[0] is not array:
        raise GraphSyntaxError("A NumPy array that was made outside of the compiled function is changed in place. Use "
                               "a Tensor, or change the array outside.")
    trace.heap.touch(Array(array))


_PLAIN = frozenset([type(None), bool, int, float, str, Node, Tensor, ModuleType, type])
_LOOKING = (isinstance, issubclass, callable, id, len)         # built-in functions that look at no attributes
# those that give the elements of what they are given on
_PASSING = (copy.copy, itertools.chain, itertools.zip_longest, itertools.islice, itertools.product, itertools.repeat,
            itertools.cycle, itertools.permutations, itertools.combinations, itertools.pairwise)
_CALLING = {"itertools", "re", "bisect", "_bisect", "heapq", "_heapq", "statistics", "json", "numpy", "scipy"}


def _calls(fn: Any) -> bool:
    """Whether a function of the standard library calls those that it is given."""
    return _module_of(fn).partition(".")[0] in _CALLING or fn is functools.cmp_to_key


def _module_of(fn: Any) -> str:
    """The module of a function, or of the class that has it as a method."""
    return getattr(fn, "__module__", None) or type(getattr(fn, "__self__", None)).__module__


def _walked(value: Any) -> Any:
    """A function of the program as one that is walked when Python calls it."""
    kind = type(value)
    inner = value.__func__ if kind is MethodType else value
    if not hasattr(kind, "__iter__") and not is_cell(value) and not is_native_module(kind.__module__):
        inner = getattr(kind, "__call__", None)          # noqa: B004  # the function of a callable object
    if type(inner) is FunctionType and not is_native_module(inner.__module__):
        return lambda *args, **kwargs: interpreter.call(value, args, kwargs)
    return value


def _draws(fn: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function has another result, or effect, at every call: random numbers of Python or NumPy, seeds.

    Generators that the program itself seeds are as good as constants, in the block that made them.
    """
    module = _module_of(fn)
    if module == "mindspore.core.seed":
        return getattr(fn, "__name__", "") == "set_seed"
    if module not in _RANDOM:
        return False
    if type(fn) is type or fn.__name__ == "default_rng":
        return not args
    made = runtime.trace.seeded.get(id(getattr(fn, "__self__", None)))
    return made is None or made[1] is not runtime.blocks[-1]


_RANDOM = {"random", "_random", "secrets", "uuid", "numpy.random", "numpy.random.mtrand", "numpy.random._generator"}
