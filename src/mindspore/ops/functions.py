"""The operators as functions: `softmax(x, axis=1)`, made from the registry at first use."""
from __future__ import annotations

import functools
from typing import Any

from mindspore import operators
from mindspore.operators.registry import REGISTRY

from .signatures import function, names_in
from .spelling import with_earlier

operators.load()


def _specs() -> dict[str, tuple[Any, str]]:
    return _specs_of(len(REGISTRY))


@functools.cache
def _specs_of(_: int) -> dict[str, tuple[Any, str]]:
    """Every function's operator and signature, by name; made anew when the registry has grown."""
    found = {}
    for op in REGISTRY.values():
        if op.function:
            specs = op.function.split(";")
            found.update({n: (op, s) for n, s in zip(names_in(op.function), specs, strict=True)})
    return found


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_specs())
    entry = None if name.startswith("__") else _specs().get(name)
    if entry is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made = globals()[name] = with_earlier(name, function(*entry, "mindspore.ops"))
    return made


def __dir__() -> list[str]:
    return __getattr__("__all__")
