"""What the special methods of a program's objects read, where native code asks them (`sorted`, a key, `copy.copy`).

Native code calls these methods while compiling only, so they may compute, and what they read is watched; one that
changes something would do it once instead of at every run.  Their bytecode tells which it is.
"""
from __future__ import annotations

import builtins
import dis
import sysconfig
import types
from collections.abc import Collection, Iterator
from typing import Any

from mindspore.core.errors import GraphSyntaxError

from .followed import CHANGING_CONTAINERS, is_standard, only_computes
from .watch import MISSING

_CHANGING = ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_SUBSCR",
             "DELETE_GLOBAL", "YIELD_VALUE")
# methods that native code asks for only where an object is made, called or changed, which is followed as such
_NOT_ASKED = frozenset(["__init__", "__new__", "__init_subclass__", "__class_getitem__", "__set_name__", "__setattr__",
                        "__delattr__", "__setitem__", "__delitem__", "__set__", "__delete__", "__enter__", "__exit__",
                        "__del__", "__call__", "__post_init__", "__getattr__", "__getattribute__"])
_STANDARD = sysconfig.get_path("stdlib")
Read = tuple[Any, Any, Any]            # (owner, name, value), as `Watch.place` takes them


def read_by_methods(kind: type, asked: Collection[str] | None = None) -> list[Read]:
    """What the special methods of a class of the program (all, or those `asked`) read besides their arguments.

    Raises:
        GraphSyntaxError: If one of them may change something.
    """
    found: list[Read] = []
    seen: set[Any] = set()
    for owner in kind.__mro__:
        if is_standard(owner.__module__):
            continue
        for name, fn in vars(owner).items():
            called = name in asked if asked else name.startswith("__") and name not in _NOT_ASKED
            if called and type(fn) is types.FunctionType:
                _look(fn, kind, found, seen)
    return found


def _look(fn: types.FunctionType, kind: type, found: list[Read], seen: set[Any]) -> None:
    """Add what a function reads, and the functions that it calls."""
    file = fn.__code__.co_filename
    generated = file.startswith("<") or (file.startswith(_STANDARD) and "site-packages" not in file)
    if fn.__code__ in seen or generated or is_standard(fn.__module__):
        return
    seen.add(fn.__code__)
    for code in _codes(fn.__code__):
        cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
        for step in dis.get_instructions(code):
            name = step.argval
            if step.opname in _CHANGING or (step.opname in ("STORE_DEREF", "DELETE_DEREF") and name in cells):
                raise _changing(fn)
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                value = fn.__globals__.get(name, MISSING)
                _add((fn.__globals__, name, value) if value is not MISSING else
                     (builtins, name, getattr(builtins, name, MISSING)), fn, kind, found, seen)
            elif step.opname in ("LOAD_DEREF", "LOAD_CLASSDEREF") and name in cells:
                _add((cells[name], name, cells[name].cell_contents), fn, kind, found, seen)
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                if name in CHANGING_CONTAINERS:
                    raise _changing(fn)
                for owner in [*kind.__mro__, *[v for _, _, v in found if isinstance(v, type)]]:
                    if name in vars(owner) and not is_standard(owner.__module__):
                        _add((owner, name, vars(owner)[name]), fn, kind, found, seen)


def _add(read: Read, fn: types.FunctionType, kind: type, found: list[Read], seen: set[Any]) -> None:
    """Add something that a function reads; what it may call must only compute."""
    owner, _, value = read
    value = getattr(value, "__func__", getattr(value, "fget", value))
    if type(value) is types.FunctionType:
        _look(value, kind, found, seen)
    elif type(value) is types.BuiltinFunctionType and not only_computes(value, ()):
        raise _changing(fn)
    if owner is not builtins and not any([o is owner and n == read[1] for o, n, _ in found]):
        found.append(read)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of those that are written in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _codes(inner)


def _changing(fn: types.FunctionType) -> GraphSyntaxError:
    return GraphSyntaxError(f"'{fn.__qualname__}', which may change something, is called by native code, and a "
                            "compiled graph would not call it at every run. Let it only compute, or call it outside "
                            "of the compiled function.")
