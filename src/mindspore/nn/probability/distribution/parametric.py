"""What distributions with declared parameters share: checks, shapes, uniform numbers, text."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32

from .. import arguments
from .base import Distribution


class OfOneKind(Distribution):
    """A distribution that compares only with one of its own kind."""

    _checks_names = True

    def __init__(self, seed: int | None, dtype: DType, name: str, **parameters: Any):
        listed = {**parameters, "seed": seed, "dtype": dtype, "name": name, "param_dict": parameters}
        super().__init__(seed, dtype, name, listed)
        for key, value in parameters.items():
            setattr(self, f"_{key}_value", self._add_parameter(value, key))

    def _require(self, holds: Any, wanted: str, *names: str) -> None:
        """Refuse parameters whose elements do not satisfy `holds`."""
        for name in names:
            arguments.require(self, name, getattr(self, f"_{name}_value"), holds, wanted)

    def _positive(self, *names: str) -> None:
        self._require(lambda x: x > 0, "greater than zero", *names)

    def _shape(self, shape: tuple[int, ...], *own: Any) -> tuple[int, ...]:
        """The shape of samples."""
        return (*shape, *self._joint(*own))

    def _joint(self, *values: Any) -> tuple[int, ...]:
        """The shape that tensors have together."""
        return arguments.common_shape(self, list(values)) or ()

    def _wide(self, *values: Any) -> list[Any]:
        """Tensors spread to the shape that they have together."""
        return [ops.broadcast_to(v, self._joint(*values)) for v in values]

    def _unit(self, shape: tuple[int, ...]) -> Any:
        """Numbers uniform in the open interval (0, 1)."""
        drawn = ops.uniform(shape, 0.0, 1.0, self.seed, float32)
        return ops.clamp(drawn, 2.0**-32, 1 - 2.0**-24)

    def _gamma(self, shape: tuple[int, ...], a: Any, rate: Any, seed: int) -> Any:
        """Numbers of the gamma distribution, which are not drawn in fewer than 32 bits."""
        narrow = a.dtype.itemsize < 4
        a, rate = [x.astype(float32) if narrow else x for x in (a, rate)]
        return ops.gamma((*shape, *self._joint(a, rate)), a, rate, seed)

    def extend_repr(self) -> str:
        return described(self, self._shown())

    def _shown(self) -> dict[str, Any]:
        return dict(zip(self.parameter_names, self.default_parameters, strict=True))


def described(owner: Distribution, parameters: dict[str, Any]) -> str:
    """What `repr` shows of a distribution: the parameters if they are numbers, else their shape."""
    if not owner.is_scalar_batch:
        return f"batch_shape = {owner.batch_shape}"
    return ", ".join(f"{name} = {_text(value)}" for name, value in parameters.items())


def _text(value: Any) -> str:
    if value is None:
        return "None"
    return str(float(f"{value.tolist():.6g}")) if arguments.known(value) and not value.ndim else "?"


def within(inside: Any, value: Any, instead: float, formula: Any, outside: float) -> Any:
    """formula(value) where `inside` holds, `outside` elsewhere; `instead` is a value that is inside.

    The formula never sees a value that it is not made for, so no derivative becomes NaN.
    """
    found = formula(ops.where(inside, value, instead))
    return ops.where(inside, found, outside)
