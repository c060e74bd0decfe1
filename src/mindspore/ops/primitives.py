"""The operators as classes: `ReduceSum(keep_dims=True)(x, 0)`, made from the registry at first use."""
from __future__ import annotations

import functools
from typing import Any

from mindspore import operators
from mindspore.operators.registry import REGISTRY

from . import primitive
from .primitive import COMPOSED, derive
from .signatures import names_in

operators.load()
_BASES = [*primitive.__all__, "_primexpr"]


def _specs() -> dict[str, tuple[Any, str]]:
    return _specs_of(len(REGISTRY), len(COMPOSED))


@functools.cache
def _specs_of(*_: int) -> dict[str, tuple[Any, str]]:
    """Every primitive's operator and signature, by name; made anew when the registry has grown."""
    found = {}
    for op in REGISTRY.values():
        if op.primitive and not op.hidden:
            specs = op.primitive.split(";")
            found.update({n: (op, s) for n, s in zip(names_in(op.primitive), specs, strict=True)})
    return found | {name: (op, spec) for name, (spec, op) in COMPOSED.items()}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted([*_specs(), *primitive.__all__])
    if name in _BASES:
        return getattr(primitive, name)
    entry = None if name.startswith("__") else _specs().get(name)
    if entry is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made = globals()[name] = derive(*entry, __name__)
    return made


def __dir__() -> list[str]:
    return __getattr__("__all__")
