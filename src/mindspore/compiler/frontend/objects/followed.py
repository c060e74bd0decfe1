"""What the compiler follows: the one list of the objects and of the native functions that programs may use.

Whatever is not on it is not compiled over: the program runs in Python.  An object is followed if it cannot change, or
if what it holds is read and changed through its attributes and elements alone, so that reading is watched (`Watch`)
and changing kept in the journal (`Heap`).  A native function may be called while compiling if it only computes: it
changes nothing, and reads nothing but its arguments.
"""
from __future__ import annotations

import collections
import datetime
import decimal
import dis
import enum
import functools
import itertools
import operator
import pathlib
import re
import string
import sys
import types
import typing
import uuid
import weakref
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from .watch import CONTAINERS

# ---------------------------------------------------------------------- objects

_UNCHANGING: tuple[Any, ...] = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), tuple, frozenset, range,
    slice, type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType,
    types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType,
    types.GetSetDescriptorType, types.MemberDescriptorType, types.GenericAlias, types.UnionType, types.CodeType,
    property, classmethod, staticmethod, functools.partial, functools.cached_property, operator.attrgetter,
    operator.itemgetter, operator.methodcaller, super, typing.TypeVar, typing.ParamSpec,
    datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, decimal.Decimal, Fraction, re.Pattern, re.Match,
    pathlib.PurePath, uuid.UUID, enum.Enum, np.generic, np.dtype, np.ufunc, torch.dtype, torch.device, torch.Size)
_ITERATORS = (map, filter, zip, enumerate, reversed, *[v for v in vars(itertools).values() if isinstance(v, type)])
_WRITTEN_IN_PYTHON = (collections.UserDict, collections.UserList, collections.UserString, collections.ChainMap,
                      string.Template)
_WITH_ATTRIBUTES = (types.SimpleNamespace,)
# modules of the standard library whose classes those of a program may be derived from
_BASES = {"builtins", "abc", "typing", "enum", "collections", "collections.abc", "contextlib", "numbers", "types",
          "string"}
_LIBRARY = "mindspore"


def _remembered(of_class: Callable[[type], bool]) -> Callable[[type], bool]:
    """A function of classes that remembers its answers as long as the classes live."""
    known: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()

    def answer(kind: type) -> bool:
        found = known.get(kind)
        if found is None:
            found = known[kind] = of_class(kind)
        return found
    return answer


def is_followed(value: Any) -> bool:
    """Whether all that can happen to an object is followed."""
    kind = type(value)
    if kind is np.ndarray:
        return not value.dtype.hasobject
    return _is_unchanging(kind) or is_followed_class(kind)


@_remembered
def _is_unchanging(kind: type) -> bool:
    """Whether objects of a class cannot change."""
    return issubclass(kind, _UNCHANGING)


@_remembered
def is_followed_class(kind: type) -> bool:
    """Whether the objects of a class hold what they hold in attributes and elements, and nothing else.

    A class of the program may be derived from containers and errors, and from classes of a few modules.
    """
    if _root(kind) == _LIBRARY or kind in _WITH_ATTRIBUTES or kind.__module__ == "typing":
        return True
    native = next((base for base in kind.__mro__ if base.__module__ in ("builtins", "collections") and (
        base is object or issubclass(base, (*CONTAINERS, BaseException, *_UNCHANGING)))), object)
    for base in kind.__mro__[:kind.__mro__.index(native)]:
        if base.__module__ not in _BASES and _root(base) != _LIBRARY and is_standard(base.__module__):
            return False
    if native is object and kind.__module__ == "builtins":
        return False
    return kind.__basicsize__ == native.__basicsize__ + _slots(kind, native)


def _slots(kind: type, native: type) -> int:
    """The bytes that a class written in Python adds for slots, attributes and weak references."""
    word = object.__basicsize__ // 2
    own = [member for base in kind.__mro__[:kind.__mro__.index(native)] for member in vars(base).values()
           if type(member) is types.MemberDescriptorType]
    count: int = len(own) + (kind.__dictoffset__ > 0 == native.__dictoffset__)
    return word * (count + (kind.__weakrefoffset__ > 0 == native.__weakrefoffset__))


@_remembered
def is_read_by_natives(kind: type) -> bool:
    """Whether native methods written in Python read the attributes of the objects of a class."""
    return issubclass(kind, _WRITTEN_IN_PYTHON)


@_remembered
def can_be_made(kind: type) -> bool:
    """Whether a program may make objects of a native class."""
    drawing = kind.__module__ == "random" or kind.__module__.startswith("numpy.random")         # see `calls.native`
    return kind is object or drawing or issubclass(kind, (*_UNCHANGING, *_ITERATORS)) or is_followed_class(kind)


# ---------------------------------------------------------------------- functions

_COMPUTING = {
    "builtins", "math", "cmath", "itertools", "_operator", "operator", "functools", "_functools", "copy", "re", "_sre",
    "string", "statistics", "fractions", "numbers", "textwrap", "collections", "_collections", "collections.abc",
    "_collections_abc", "dataclasses", "typing", "enum", "types", "abc", "_abc", "bisect", "_bisect", "heapq", "_heapq",
    "struct", "_struct", "base64", "binascii", "zlib", "difflib", "keyword", "calendar", "unicodedata", "posixpath",
    "genericpath", "json", "contextlib", "numpy", "scipy", "datetime", "decimal", "_decimal", "uuid", "inspect"}
_ACTING = {                               # functions of those modules that do more, or read more
    "builtins": {"open", "input", "eval", "exec", "compile", "__import__", "breakpoint", "globals", "memoryview",
                 "dir"},
    "functools": {"singledispatch"}, "re": {"purge"}, "json": {"dump", "load"}, "struct": {"pack_into"},
    "_struct": {"pack_into"},
    "posixpath": {"abspath", "realpath", "expanduser", "expandvars", "ismount", "lexists"},
    "genericpath": {"exists", "isfile", "isdir", "getsize", "getmtime", "getatime", "getctime", "samefile"},
    "datetime": {"now", "today", "utcnow"}, "uuid": {"uuid1", "uuid4", "getnode"},
    "decimal": {"getcontext", "setcontext", "localcontext"},
    "_decimal": {"getcontext", "setcontext", "localcontext"},
    "inspect": {"currentframe", "stack", "trace", "getsource", "getsourcelines", "getfile"},
    "numpy": {"copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "save", "savez", "savetxt",
              "savez_compressed", "load", "loadtxt", "genfromtxt", "fromfile", "memmap", "seterr", "seterrcall",
              "setbufsize", "set_printoptions", "nditer", "errstate", "geterr", "get_printoptions", "tofile", "dump"}}
_LIBRARY_ACTING = ("mindspore.dataset", "mindspore.mindrecord", "mindspore.formats", "mindspore.train.callback",
                   "mindspore.train.summary", "mindspore.train.serialization", "mindspore.nn.metrics")
CHANGING_CONTAINERS = {
    "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove", "clear", "sort",
    "reverse", "rotate", "update", "setdefault", "add", "discard", "move_to_end", "subtract", "difference_update",
    "intersection_update", "symmetric_difference_update"}
_OF_CONTAINERS = CHANGING_CONTAINERS | {
    "index", "count", "copy", "get", "keys", "items", "values", "union", "intersection", "difference",
    "symmetric_difference", "issubset", "issuperset", "isdisjoint", "fromkeys", "elements", "most_common", "total",
    "new_child", "parents"}
OF_ARRAYS = {
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "compress", "conj",
    "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "flatten", "item", "max", "mean", "min", "nonzero",
    "prod", "ptp", "ravel", "repeat", "reshape", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes", "take",
    "tobytes", "tolist", "trace", "transpose", "var", "view", "__len__", "__getitem__", "__array__"}
CHANGING_ARRAYS = {"fill", "sort", "partition", "put", "resize", "__setitem__", *[
    f"__i{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift",
                                "and", "or", "xor")]}


def only_computes(fn: Any, args: tuple[Any, ...]) -> bool:
    """Whether a native function or method changes at most what the journal keeps, and reads only its arguments."""
    owner = getattr(fn, "__self__", None)
    name = getattr(fn, "__name__", "")
    if isinstance(owner, types.ModuleType):
        return _computes(owner.__name__, name)
    if isinstance(fn, types.FunctionType):
        return not is_standard(fn.__module__) or _computes(fn.__module__, name)
    if isinstance(fn, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return not args or _of_object(args[0], name)
    if isinstance(fn, np.ufunc):
        return len(args) <= fn.nin and not fn.__name__.endswith(" (vectorized)")       # which calls a function
    if owner is None:
        called: Any = getattr(type(fn), "__call__", None)        # noqa: B004  # the function, not whether there is one
        return isinstance(fn, (functools.partial, type)) or _computes(
            getattr(called, "__module__", None) or getattr(fn, "__module__", None) or type(fn).__module__, name)
    if isinstance(owner, type):
        return not is_standard(owner.__module__) or _computes(owner.__module__, name)
    return _of_object(owner, name)


_NAMED = ("_make", "_replace", "_asdict")         # methods that Python generates for classes of named tuples


def is_generated(fn: types.FunctionType) -> bool:
    """Whether a function without source is one that Python generates: of a data class, of a named tuple."""
    name = fn.__name__
    return name in _NAMED or (name.startswith("__") and fn.__code__.co_filename.startswith("<"))


def computes_only(fn: types.FunctionType) -> bool:
    """Whether a function without source, which cannot be walked, reads only its arguments and sets nothing."""
    if is_generated(fn):
        return True
    code = fn.__code__
    known = [fn.__globals__.get(name, name) for name in code.co_names if name in fn.__globals__]
    sets = any([step.opname.startswith(_SETTING) for step in dis.get_instructions(code)])
    return not code.co_freevars and not sets and all([
        isinstance(value, (types.ModuleType, type)) and is_standard(
            getattr(value, "__module__", None) or value.__name__)
        for value in known])


_SETTING = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF", "DELETE")


def _computes(module: str | None, name: str) -> bool:
    """Whether a function of a module only computes."""
    module = module or "builtins"
    root = module.partition(".")[0]
    if root == _LIBRARY:
        return not module.startswith(_LIBRARY_ACTING)
    listed = module if module in _COMPUTING else root if root in ("numpy", "scipy", "json") else None
    return listed is not None and name not in _ACTING.get(listed, ())


def _of_object(owner: Any, name: str) -> bool:
    """Whether a method of a native class changes at most what the journal keeps."""
    kind = type(owner)
    if kind is np.ndarray:
        return name in OF_ARRAYS or (name.startswith("__") and name not in CHANGING_ARRAYS)
    if isinstance(owner, (*CONTAINERS, *_WRITTEN_IN_PYTHON)):
        return name in _OF_CONTAINERS or name.startswith("__") or isinstance(owner, string.Template)
    if isinstance(owner, np.ufunc):
        return name in ("reduce", "accumulate", "outer", "reduceat")
    if isinstance(owner, pathlib.PurePath):
        return not isinstance(owner, pathlib.Path) or hasattr(pathlib.PurePath, name)
    return isinstance(owner, (*_UNCHANGING, BaseException, *_ITERATORS)) or is_followed_class(kind)


@functools.cache
def is_standard(name: str | None) -> bool:
    """Whether a module is Python's own, or one of the libraries that run natively."""
    root = (name or "").partition(".")[0]
    return root in sys.stdlib_module_names or root in ("numpy", "torch", "scipy", _LIBRARY)


def _root(kind: type) -> str:
    return kind.__module__.partition(".")[0]
