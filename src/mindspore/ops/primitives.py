"""The operators as classes: `ReduceSum(keep_dims=True)(x, 0)`, made from the registry at first use."""
from __future__ import annotations

from typing import Any

from mindspore import operators

from . import primitive

operators.load()
_BASES = [*primitive.__all__, "_primexpr"]


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted([*primitive.specs(), *primitive.__all__])
    if name in _BASES:
        return getattr(primitive, name)
    made = None if name.startswith("__") else primitive.derived(name)
    if made is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return __getattr__("__all__")
