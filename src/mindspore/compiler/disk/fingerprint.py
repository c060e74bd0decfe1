"""A digest of objects as far as a compiled program may depend on them, equal in every process."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import torch

from mindspore._names.version import ANYSPORE
from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.core.dtype import DType
from mindspore.core.kinds import type_of
from mindspore.eager.hooks import hooks_of
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.registry import Operator

_STATIC = (int, float, bool, str, bytes, type(None), complex, type(Ellipsis), range, slice, np.dtype,
           torch.dtype, torch.device, np.generic)
_HEAP = 1 << 9                   # the flag of classes written in Python
_SKIPPED = {"_compiled", "_stamp", "_changes", "_jit_config", "phase", "cache"}


class Unstorable(Exception):
    """Why a program cannot be kept on disk."""


class Walk:
    """Visits objects in an order that is the same in every process; each gets a number.

    Attributes:
        objects: The objects with an identity, by number.
        files: Source files of the user's classes and functions, with their digests.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.kinds: set[type] = set()
        self.hash = hashlib.blake2b(digest_size=20)
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.files: dict[str, str] = {}

    def put(self, *parts: Any) -> None:
        """Add text to the digest."""
        self.parts.extend(map(str, parts))
        self.parts.append("")

    def flush(self) -> None:
        """Bring the digest up to date."""
        text = "\x1f".join(self.parts)
        self.parts.clear()
        self.hash.update(f"{len(text)} {text}".encode("utf-8", "surrogatepass"))

    def digest(self) -> str:
        """The digest of all so far."""
        self.flush()
        return self.hash.hexdigest()

    def data(self, content: Any) -> None:
        """Add bytes to the digest."""
        self.flush()
        self.hash.update(content)

    def number(self, value: Any) -> int | None:
        """The number of an object that was visited."""
        return self.numbers.get(id(value))

    # ------------------------------------------------------------------ visiting

    def visit(self, value: Any) -> None:
        """Add an object and all that hangs on it.

        Raises:
            Unstorable: If it holds something that another process cannot compare.
        """
        kind = type_of(value)
        visit = _VISITS.get(kind)
        if visit is None:
            visit = _VISITS[kind] = _visit_of(kind)
        if visit is _static:
            self.parts += (kind.__name__, repr(value))
            return
        known = self.numbers.get(id(value))
        if known is not None:
            self.put("#", known)
            return
        self.numbers[id(value)] = len(self.objects)
        self.objects.append(value)
        visit(self, value)

    def all(self, values: Iterable[Any]) -> None:
        """Add several objects."""
        for value in values:
            self.visit(value)
        self.put("end")

    def tensor(self, value: Tensor) -> None:
        if hooks_of(value):
            raise Unstorable("a hook of a tensor")
        self.put("Tensor", value.aval)
        self.content(value._data)

    def content(self, data: torch.Tensor) -> None:
        """Add the elements of a tensor."""
        if data.device.type == "meta":
            raise Unstorable("a tensor without content")
        flat = data.detach().cpu().contiguous().reshape(-1)
        self.data(flat.view(torch.uint8).numpy() if flat.numel() else b"")

    def parameter(self, value: Parameter) -> None:
        if hooks_of(value):
            raise Unstorable("a hook of a parameter")
        rest: dict[str, Any] = {k: v for k, v in value.__dict__.items() if k not in ("_at", "named")
                and isinstance(v, _STATIC)}
        self.put("Parameter", value.aval, rest)

    def dtype(self, value: DType) -> None:
        self.put("dtype", value)

    def operator(self, value: Operator) -> None:
        self.put("operator", value.name)

    def member(self, value: enum.Enum) -> None:
        self.kind(type(value))
        self.put(value.name)

    def module(self, value: ModuleType) -> None:
        self.put("module", value.__name__)

    def array(self, value: np.ndarray) -> None:
        self.put("array", value.dtype, value.shape)
        if value.dtype.hasobject:
            raise Unstorable("an array of objects")
        self.data(np.ascontiguousarray(value).reshape(-1).view(np.uint8))

    def sequence(self, value: Any) -> None:
        self.kind(type_of(value))
        self.put(len(value))
        self.all(value)

    def mapping(self, value: dict[Any, Any]) -> None:
        self.kind(type(value))
        self.put(len(value))
        for key, inner in value.items():
            self.visit(key)
            self.visit(inner)

    def unordered(self, value: Any) -> None:
        if not all(isinstance(v, _STATIC) for v in value):
            raise Unstorable("a set of objects")
        self.put(type(value).__name__, sorted(map(repr, value)))

    def kind(self, value: type) -> None:
        """Add a class: its name, and of a user's class the source and the plain attributes."""
        self.parts += ("class", value.__module__, value.__qualname__)
        if value in self.kinds:
            return
        self.kinds.add(value)
        if is_native_module(value.__module__):
            return
        for base in value.__mro__:
            if not is_native_module(base.__module__):
                self.source(inspect.getsourcefile, base)
                self.put({k: v for k, v in vars(base).items() if isinstance(v, _STATIC)})

    def source(self, finder: Any, value: Any) -> None:
        """Add the source file of a class or function."""
        try:
            file = finder(value)
        except TypeError:
            file = None
        self.file(file, value)

    def file(self, file: str | None, owner: Any = "") -> None:
        """Add a source file."""
        found = digest_of(file) if file else None
        if file is None or found is None:
            raise Unstorable(f"the source of {getattr(owner, '__qualname__', owner)} is not in a file")
        self.files[file] = found
        self.put(found)

    def function(self, value: FunctionType) -> None:
        jitted = getattr(value, "__jitted__", None)
        if jitted is not None:
            self.visit(jitted)
            return
        self.put("function", value.__module__, value.__qualname__)
        if not is_native_module(value.__module__):
            self.source(_file_of_function, value)
            self.code(value.__code__)
        self.visit(value.__defaults__)
        self.visit(value.__kwdefaults__)
        self.all(value.__closure__ or ())

    def code(self, value: CodeType) -> None:
        self.put(value.co_name, value.co_firstlineno, value.co_code.hex(), value.co_names)
        for const in value.co_consts:
            if isinstance(const, CodeType):
                self.code(const)
            else:
                self.put(repr(const))

    def cell(self, value: Any) -> None:
        try:
            self.visit(value.cell_contents)
        except ValueError:
            self.put("empty")

    def method(self, value: MethodType) -> None:
        self.visit(value.__self__)
        self.visit(value.__func__)

    def partial(self, value: functools.partial[Any]) -> None:
        self.put("partial")
        self.all([value.func, value.args, value.keywords])

    def builtin(self, value: BuiltinFunctionType) -> None:
        self.put("builtin", value.__qualname__, value.__module__)
        if not isinstance(value.__self__, ModuleType) and value.__self__ is not None:
            self.visit(value.__self__)

    def instance(self, value: Any) -> None:
        """An object of any other class: the class and the attributes."""
        kind = type_of(value)
        names = _slots(kind)
        own: dict[str, Any] | None = getattr(value, "__dict__", None)
        if (own is None and not names) or not _is_python(kind):
            raise Unstorable(f"an object of the class {kind.__module__}.{kind.__qualname__}")
        self.kind(kind)
        for name in names:
            if hasattr(value, name):
                self.put(name)
                self.visit(getattr(value, name))
        for name, inner in (own or {}).items():
            if name not in _SKIPPED:
                self.parts.append(name)
                self.visit(inner)
        self.parts.append("end")


def _file_of_function(fn: FunctionType) -> str:
    return fn.__code__.co_filename


@functools.cache
def _is_python(kind: type) -> bool:
    """Whether objects of a class hold nothing but Python's attributes."""
    return all(k.__flags__ & _HEAP for k in kind.__mro__[:-1])


@functools.cache
def _slots(kind: type) -> list[str]:
    found: list[str] = []
    for base in kind.__mro__:
        own = base.__dict__.get("__slots__", ())
        found += [own] if isinstance(own, str) else own
    return [n for n in found if n not in ("__dict__", "__weakref__", *_SKIPPED)]


_KINDS: list[tuple[Any, Any]] = [
    (Parameter, Walk.parameter), (Tensor, Walk.tensor), (np.ndarray, Walk.array),
    (DType, Walk.dtype), (Operator, Walk.operator), (enum.Enum, Walk.member),
    (type, Walk.kind), (FunctionType, Walk.function), (MethodType, Walk.method),
    (CellType, Walk.cell), (functools.partial, Walk.partial), (BuiltinFunctionType, Walk.builtin),
    (ModuleType, Walk.module), ((list, tuple, deque), Walk.sequence), (dict, Walk.mapping),
    ((set, frozenset), Walk.unordered),
]


_VISITS: dict[type, Any] = {}


def _static(walk: Walk, value: Any) -> None:
    """A constant, which has no identity."""


def _visit_of(kind: type) -> Any:
    """How objects of a class are visited."""
    if issubclass(kind, _STATIC) and not issubclass(kind, enum.Enum):
        return _static
    return next((visit for kinds, visit in _KINDS if issubclass(kind, kinds)), Walk.instance)


_digests: dict[str, tuple[tuple[int, int], str]] = {}


def digest_of(file: str) -> str | None:
    """The digest of a file; None if it cannot be read."""
    try:
        found = Path(file).stat()
        stamp = found.st_mtime_ns, found.st_size
        known = _digests.get(file)
        if known is None or known[0] != stamp:
            known = stamp, hashlib.blake2b(Path(file).read_bytes(), digest_size=16).hexdigest()
            _digests[file] = known
    except OSError:
        return None
    return known[1]


@functools.cache
def versions() -> str:
    """The versions of all that takes part, and the state of this package's files."""
    package = Path(__file__).resolve().parents[2]
    files = [(p.relative_to(package).as_posix(), p.stat().st_size, p.stat().st_mtime_ns)
             for p in sorted(package.rglob("*.py"))]
    return repr((ANYSPORE, sys.version, torch.__version__, np.__version__, files))
