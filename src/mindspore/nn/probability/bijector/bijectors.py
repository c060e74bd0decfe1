"""Invertible functions of numbers."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check

from .. import arguments
from .base import Bijector


class _Formula(Bijector):
    """A bijector of named parameters."""

    def __init__(self, name: str, constant: bool = False, **parameters: Any):
        super().__init__(constant, True, name, None, {**parameters, "name": name, "param_dict": parameters})
        for key, value in parameters.items():
            setattr(self, f"_{key}", self._add_parameter(value, key))

    def _like(self, value: Any) -> list[Any]:
        return [self.cast_param_by_value(value, p) for p in self.default_parameters]

    def extend_repr(self) -> str:
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{n} = {_number(p)}"
                         for n, p in zip(self.parameter_names, self.default_parameters, strict=True))


def _number(value: Any) -> str:
    return str(float(f"{value.tolist():.6g}")) if arguments.known(value) else "?"


class PowerTransform(_Formula):
    """y = (1 + power x)**(1 / power), and exp(x) for the power 0.

    Args:
        power: The power, at least zero; a float, an array or a Tensor of floats.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `power` is negative.

    Examples:
        >>> from mindspore.nn.probability.bijector import PowerTransform
        >>> PowerTransform(0.5).forward(Tensor([2.0])).tolist(), PowerTransform(0.5).inverse(Tensor([4.0])).tolist()
        ([4.0], [2.0])
    """

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform"):
        super().__init__(name, power=power)
        arguments.require(self, "power", self._power, lambda p: p >= 0, "at least zero")

    @property
    def power(self) -> Any:
        """The power."""
        return self._power

    def _parts(self, value: Any) -> tuple[Any, Any]:
        """The power with 1 in the place of 0, and where it is 0."""
        power, = self._like(value)
        return ops.where(power == 0, 1.0, power).astype(value.dtype), power == 0

    def _forward(self, value: Any) -> Any:
        power, zero = self._parts(value)
        return ops.where(zero, ops.exp(ops.where(zero, value, 0.0)), ops.pow(1 + power * value, 1 / power))

    def _inverse(self, value: Any) -> Any:
        power, zero = self._parts(value)
        return ops.where(zero, ops.log(value), (ops.pow(value, power) - 1) / power)

    def _forward_log_jacobian(self, value: Any) -> Any:
        power, zero = self._parts(value)
        return ops.where(zero, value, (1 / power - 1) * ops.log1p(power * value))

    def _inverse_log_jacobian(self, value: Any) -> Any:
        power, = self._like(value)
        return (power - 1) * ops.log(value)


class Exp(PowerTransform):
    """y = exp(x).

    Args:
        name: Name that messages use.

    Examples:
        >>> from mindspore.nn.probability.bijector import Exp
        >>> Exp().forward(Tensor([0.0])).tolist(), Exp().inverse_log_jacobian(Tensor([1.0])).tolist()
        ([1.0], [-0.0])
    """

    def __init__(self, name: str = "Exp"):
        super().__init__(0.0, name)

    def _forward(self, value: Any) -> Any:
        return ops.exp(value)

    def _inverse(self, value: Any) -> Any:
        return ops.log(value)

    def _forward_log_jacobian(self, value: Any) -> Any:
        return value

    def _inverse_log_jacobian(self, value: Any) -> Any:
        return -ops.log(value)

    def extend_repr(self) -> str:
        return "exp"


class ScalarAffine(_Formula):
    """y = scale x + shift.

    Args:
        scale: The factor, not zero; a float, an array or a Tensor of floats.
        shift: What is added.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is zero, which has no inverse, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.bijector import ScalarAffine
        >>> ScalarAffine(2.0, 1.0).forward(Tensor([3.0])).tolist()
        [7.0]
    """

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine"):
        super().__init__(name, True, scale=scale, shift=shift)
        arguments.require(self, "scale", self._scale, lambda s: s != 0, "other than zero")

    @property
    def scale(self) -> Any:
        """The factor."""
        return self._scale

    @property
    def shift(self) -> Any:
        """What is added."""
        return self._shift

    def rising(self) -> Any:
        """Where the factor is positive."""
        return self._scale > 0

    def _forward(self, value: Any) -> Any:
        scale, shift = self._like(value)
        return scale * value + shift

    def _inverse(self, value: Any) -> Any:
        scale, shift = self._like(value)
        return (value - shift) / scale

    def _forward_log_jacobian(self, value: Any) -> Any:
        scale, _ = self._like(value)
        return ops.log(ops.abs(scale))

    def _inverse_log_jacobian(self, value: Any) -> Any:
        return -self._forward_log_jacobian(value)


class Softplus(_Formula):
    """y = log(1 + exp(sharpness x)) / sharpness.

    Args:
        sharpness: The factor, not zero; a float, an array or a Tensor of floats.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sharpness` is zero, which has no inverse.

    Examples:
        >>> from mindspore.nn.probability.bijector import Softplus
        >>> round(float(Softplus(2.0).forward(Tensor(0.0))), 6), round(float(Softplus(2.0).inverse(Tensor(30.0))), 6)
        (0.346574, 30.0)
    """

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus"):
        super().__init__(name, sharpness=sharpness)
        arguments.require(self, "sharpness", self._sharpness, lambda s: s != 0, "other than zero")

    @property
    def sharpness(self) -> Any:
        """The factor."""
        return self._sharpness

    def _forward(self, value: Any) -> Any:
        sharpness, = self._like(value)
        return ops.softplus(sharpness * value) / sharpness

    def _inverse(self, value: Any) -> Any:
        sharpness, = self._like(value)
        return value + ops.log(-ops.expm1(-sharpness * value)) / sharpness

    def _forward_log_jacobian(self, value: Any) -> Any:
        sharpness, = self._like(value)
        return -ops.softplus(-sharpness * value)

    def _inverse_log_jacobian(self, value: Any) -> Any:
        sharpness, = self._like(value)
        return -ops.log(-ops.expm1(-sharpness * value))


class GumbelCDF(_Formula):
    """y = exp(-exp(-(x - loc) / scale)), the distribution function of Gumbel's distribution.

    Args:
        loc: Where the function is exp(-1); a float, an array or a Tensor of floats.
        scale: Scale, greater than zero.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.bijector import GumbelCDF
        >>> round(float(GumbelCDF().forward(Tensor(0.0))), 6)
        0.367879
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF"):
        super().__init__(name, loc=loc, scale=scale)
        arguments.require(self, "scale", self._scale, lambda s: s > 0, "greater than zero")

    @property
    def loc(self) -> Any:
        """Where the function is exp(-1)."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _forward(self, value: Any) -> Any:
        loc, scale = self._like(value)
        return ops.exp(-ops.exp(-(value - loc) / scale))

    def _inverse(self, value: Any) -> Any:
        loc, scale = self._like(value)
        return loc - scale * ops.log(-ops.log(value))

    def _forward_log_jacobian(self, value: Any) -> Any:
        loc, scale = self._like(value)
        z = (value - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)

    def _inverse_log_jacobian(self, value: Any) -> Any:
        _, scale = self._like(value)
        return ops.log(scale / (-value * ops.log(value)))


class Invert(Bijector):
    """The inverse function of a bijector.

    Args:
        bijector: The function to invert.
        name: Name that messages use. Default: "Invert" and the name of `bijector`.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> from mindspore.nn.probability.bijector import Exp, Invert
        >>> Invert(Exp()).forward(Tensor([1.0])).tolist(), Invert(Exp()).name
        ([0.0], 'InvertExp')
    """

    def __init__(self, bijector: Bijector, name: str = ""):
        check.instance("Invert", "bijector", bijector, Bijector)
        name = check.string("Invert", "name", name) or f"Invert{bijector.name}"
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, name, bijector.dtype,
                         {"bijector": bijector, "name": name})
        self._bijector = bijector

    @property
    def bijector(self) -> Bijector:
        """The function that is inverted."""
        return self._bijector

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The shape that the parameters have together."""
        return self._bijector.batch_shape

    def rising(self) -> Any:
        """As the function that is inverted."""
        return self._bijector.rising()

    def forward(self, x: Any) -> Any:
        """The inverse of the bijector at `x`."""
        return self._bijector.inverse(x)

    def inverse(self, y: Any) -> Any:
        """The bijector at `y`."""
        return self._bijector.forward(y)

    def forward_log_jacobian(self, x: Any) -> Any:
        """The logarithm of the derivative of the inverse at `x`."""
        return self._bijector.inverse_log_jacobian(x)

    def inverse_log_jacobian(self, y: Any) -> Any:
        """The logarithm of the derivative of the bijector at `y`."""
        return self._bijector.forward_log_jacobian(y)
