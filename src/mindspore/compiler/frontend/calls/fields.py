"""Data classes of the program: their generated `__init__` calls factories and methods of the program, as in Python."""
from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import Any

from mindspore.compiler.frontend.objects.followed import is_generated
from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.ir.runtime import runtime

from .lookup import inherited, is_users, user_part
from .native import SPECIAL, call_native, is_native_module
from .protocols import user_method


def makes_fields(cls: Any) -> bool:
    """Whether a data class of the program has the `__init__` that Python generates."""
    init: Any = cls.__init__
    return runtime.trace is not None and dataclasses.is_dataclass(cls) and not is_native_module(
        cls.__module__) and type(init) is FunctionType and is_generated(init)


def init_fields(init: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Do what the generated `__init__` of a data class does."""
    made, cls = args[0], type(args[0])
    try:
        given = inspect.signature(init).bind(*args, **kwargs).arguments
    except TypeError:
        call_native(init, args, kwargs)                       # which says what is wrong with the arguments
        raise
    fields = {f.name for f in dataclasses.fields(cls)}
    handed = []                                               # to `__post_init__`
    for name, field in cls.__dataclass_fields__.items():
        if name in given:
            value = given[name]
        elif field.default_factory is not dataclasses.MISSING:
            value = interpreter.call(field.default_factory, (), {})
        elif field.default is not dataclasses.MISSING and (field.init or name in getattr(cls, "__slots__", ())):
            value = field.default
            runtime.trace.heap.note(value)
        else:
            continue
        if name in fields:
            _set(made, name, value)
        elif name in inspect.signature(init).parameters:      # no field, but an argument
            handed.append(value)
    if hasattr(cls, "__post_init__"):
        interpreter.call(cls.__post_init__, (made, *handed), {})


def _set(made: Any, name: str, value: Any) -> None:
    """Give a field its first value."""
    cls = type(made)
    found = inherited(cls, name)
    setter = None if cls.__dataclass_params__.frozen else user_method(made, "__setattr__")
    if setter:
        setter(name, value)
    elif user_part(found, "__set__") or (type(found) is property and is_users(found.fset)):
        SPECIAL[object.__setattr__](made, name, value)
    else:
        object.__setattr__(made, name, value)


def replaced(obj: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace`: another object of the class is made."""
    kind: Any = type(obj)
    if not makes_fields(kind):
        return dataclasses.replace(obj, **changes)
    for field in dataclasses.fields(obj):
        if field.init and field.name not in changes:
            changes[field.name] = interpreter.call(getattr, (obj, field.name), {})
        elif not field.init and field.name in changes:
            return dataclasses.replace(obj, **changes)         # which refuses it
    return interpreter.call(kind, (), changes)


SPECIAL[dataclasses.replace] = replaced
