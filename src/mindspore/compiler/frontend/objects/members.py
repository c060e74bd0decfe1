"""What containers, objects and functions of the program hold, each with what puts something else there."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from .places import CONTAINERS, elements_of
from .reach import WRAPPERS, has_slots, in_slots, is_local, is_plain, wrapped

Members = list[tuple[Any, Callable[[Any, Any], None]]]


def members(value: Any) -> Members:
    """What a container or object holds; what is put is given the object, or one like it, and the new value."""
    found: Members = []
    if isinstance(value, (list, deque)):
        found += [(held, partial(_put_element, k)) for k, held in enumerate(elements_of(value))]
    elif isinstance(value, dict):
        found += [(key, _stays) for key in elements_of(value)]
        found += [(held, partial(_put_element, key)) for key, held in elements_of(value).items()]
    elif isinstance(value, set):
        found += [(held, partial(_put_member, held)) for held in elements_of(value)]
    elif isinstance(value, BaseException):
        found.append((value.args, _put_arguments))
    elif isinstance(value, type) and is_local(value):
        found += [(held, partial(_put_in_class, name)) for name, held in vars(value).items()]
        found += [(base, _stays) for base in value.__bases__]
    if type(value) not in CONTAINERS and is_plain(value):
        found.append((type(value), _stays))
        own = getattr(value, "__dict__", {}) | (in_slots(value) if has_slots(value) else {})
        found += [(held, partial(_put_attribute, name)) for name, held in own.items()]
    return found


def of_function(value: Any) -> Members:
    """What a function of the program, or a call of one that it still sees, holds."""
    if hasattr(value, "scopes"):
        return [*[(held, partial(_put_default, name)) for name, held in value.defaults.items()],
                *[(scope, _stays) for scope in value.scopes if hasattr(scope, "local")]]
    if hasattr(value, "local"):
        return [*[(held, partial(_put_local, name)) for name, held in value.local.items()],
                *[(scope, _stays) for scope in value.fn.scopes if hasattr(scope, "local")]]
    if isinstance(value, WRAPPERS):
        return [(held, _stays) for held in wrapped(value)]
    return [(value.__self__, _stays)] if hasattr(value, "__self__") else []


def _put_element(key: Any, owner: Any, new: Any) -> None:
    base: Any = next(kind for kind in CONTAINERS if isinstance(owner, kind))
    base.__setitem__(owner, key, new)


def _put_member(before: Any, owner: Any, new: Any) -> None:
    set.discard(owner, before)
    set.add(owner, new)


def _put_attribute(name: str, owner: Any, new: Any) -> None:
    object.__setattr__(owner, name, new)


def _put_arguments(owner: Any, new: Any) -> None:
    owner.args = new


def _put_in_class(name: str, owner: Any, new: Any) -> None:
    if vars(owner)[name] is not new:
        type.__setattr__(owner, name, new)


def _put_default(name: str, owner: Any, new: Any) -> None:
    owner.defaults[name] = new


def _put_local(name: str, owner: Any, new: Any) -> None:
    owner.local[name] = new


def _stays(owner: Any, new: Any) -> None:
    """It is changed where it stands."""
