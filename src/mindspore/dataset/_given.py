"""What objects were made with, kept so that a pipeline can be written down and made again."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def recorded(init: Callable[..., None]) -> Callable[..., None]:
    """An `__init__` that keeps its arguments, those of the outermost class, by name; defaults are left out."""

    @functools.wraps(init)
    def keep(self: Any, *args: Any, **kwargs: Any) -> None:
        if "_given" not in vars(self):
            self._given = None  # the classes above do not record what this one passes them
            init(self, *args, **kwargs)
            self._given = dict(signature_of(type(self)).bind(*args, **kwargs).arguments)
        else:
            init(self, *args, **kwargs)

    return keep


class Recorded:
    """Base of classes whose objects know their arguments, see `given`."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = recorded(vars(cls)["__init__"])


class RecordedStep(Recorded):
    """Base of the steps of pipelines: objects that know their arguments and the steps that they read."""

    children: list[Any]


@functools.cache
def signature_of(kind: type) -> inspect.Signature:
    """What makes an object of a class: the signature that it states, else that of its `__init__`."""
    stated = getattr(kind, "__signature__", None)
    if stated is not None:
        return stated
    (_, *parameters) = inspect.signature(kind.__init__).parameters.values()
    return inspect.Signature(parameters)


def given(made: Any) -> dict[str, Any]:
    """The arguments that an object was made with, flattened: those of `*args` as a list under their name."""
    arguments: dict[str, Any] = {}
    for name, value in (getattr(made, "_given", None) or {}).items():
        kind = signature_of(type(made)).parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            arguments |= value
        else:
            arguments[name] = value
    return arguments
