"""Operators as classes, functions and Tensor methods, and the functions composed of them.

Names come from the registry of operators and from the modules of this package: each lists its public
names in `__all__` and its Tensor methods in `METHODS`.
"""
from __future__ import annotations

import importlib as _importlib
import pkgutil as _pkgutil
from typing import Any as _Any

import torch as _torch  # noqa: F401  # before the rest, so that `_loading` spares its objects

from mindspore.core.loading import loading as _loading

with _loading():
    from mindspore.core.mistaken import public as _public

    from . import functions, methods, primitives
    from .spelling import with_earlier as _with_earlier

    _DERIVED = (primitives, functions)
    _INNER = (*_DERIVED, methods)
    _own = [_importlib.import_module(f"{__name__}.{m.name}") for m in _pkgutil.iter_modules(__path__)
            if not m.name.startswith("_")]
    _composed = [m for m in _own if m not in _INNER]
    for _module in _composed:
        globals().update({name: _public(name, _with_earlier(name, getattr(_module, name)))
                          for name in getattr(_module, "__all__", ())})
    methods.install(_composed)


def __getattr__(name: str) -> _Any:
    if name == "__all__":
        listed = {n for m in (*_composed, *_DERIVED) for n in getattr(m, "__all__", ())}
        return sorted(n for n in listed if not n.startswith("_"))
    if not name.startswith("__"):
        for module in _DERIVED:
            try:
                value = module.__getattr__(name)           # what it makes, not what it imports
            except AttributeError:
                continue
            globals()[name] = value
            return value
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
