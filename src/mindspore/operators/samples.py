"""What the generic tests run operators on.

A sample is a tuple of inputs, with a dict of attributes at its end if there are any.  An input is a
shape (standard normal float32), a `Values`, a Python number, or None.
"""
from __future__ import annotations

from typing import Any, NamedTuple, cast

import torch


class Values(NamedTuple):
    """Random values of a dtype, uniform in [low, high)."""

    shape: tuple[int, ...]
    low: float
    high: float
    dtype: str = "float32"

    def draw(self, generator: torch.Generator) -> torch.Tensor:
        unit = torch.rand(self.shape, generator=generator, dtype=torch.float64)
        scaled = unit * (self.high - self.low) + self.low
        dt = getattr(torch, {"bool_": "bool"}.get(self.dtype, self.dtype))
        return (scaled.floor() if not dt.is_floating_point else scaled).to(dt)


def positive(*shape: int) -> Values:
    """Values in [0.5, 2)."""
    return Values(shape, 0.5, 2.0)


def between(low: float, high: float, *shape: int) -> Values:
    """Values in [low, high)."""
    return Values(shape, low, high)


ONE: list[Any] = [((3, 4),)]
TWO: list[Any] = [((3, 4), (3, 4))]
NEAR = [(between(-2.0, 2.0, 3, 4), between(-2.0, 2.0, 3, 4))]       # an operand and its cotangent


def index(high: int, *shape: int) -> Values:
    """Indices in [0, high), int64."""
    return Values(shape, 0, high, "int64")


def truth(*shape: int) -> Values:
    """Bools."""
    return Values(shape, 0, 2, "bool_")


def inputs_of(sample: tuple[Any, ...], generator: torch.Generator) -> tuple[list[Any], dict[str, Any]]:
    """The torch tensors, constants and attributes of a sample."""
    attrs = cast("dict[str, Any]", sample[-1] if sample and isinstance(sample[-1], dict) else {})
    values = sample[:-1] if attrs else sample
    return [_draw(v, generator) for v in values], attrs


def _draw(value: Any, generator: torch.Generator) -> Any:
    if isinstance(value, Values):
        return value.draw(generator)
    if type(value) is tuple:
        return torch.randn(cast("tuple[int, ...]", value), generator=generator)
    return value
