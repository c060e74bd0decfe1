"""Distributions of a location and a scale on all real numbers, and the half of one."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32

from .parametric import OfOneKind, within

_ROOT_2 = math.sqrt(2)
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class LocationScale(OfOneKind):
    """What follows from the place and the scale alone; these are the last two parameters."""

    def _z(self, value: Any, place: Any, scale: Any) -> Any:
        return (value - place) / scale

    def _mode(self, place: Any, scale: Any) -> Any:
        return place + ops.zeros_like(scale)


class Normal(LocationScale):
    """The normal distribution: density exp(-((x - mean) / sd)**2 / 2) / (sd sqrt(2 pi)).

    Args:
        mean: Expectation; a number, an array, a Tensor or a Parameter, or None to give it at every call.
        sd: Standard deviation, greater than zero; given like `mean`.
        seed: Seed of the samples; 0 or None takes the generator that `set_seed` seeds.
        dtype: Element type of the samples, floating point.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sd` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Normal
        >>> unit = Normal(0.0, 1.0)
        >>> round(float(unit.prob(Tensor(0.0))), 6), round(float(unit.cdf(Tensor(1.0))), 6)
        (0.398942, 0.841345)
        >>> round(float(Normal().kl_loss("Normal", Tensor(0.0), Tensor(1.0), Tensor(1.0), Tensor(1.0))), 6)
        0.5
    """

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Normal"):
        super().__init__(seed, dtype, name, mean=mean, sd=sd)
        self._positive("sd")

    def _log_prob(self, value: Any, mean: Any, sd: Any) -> Any:
        z = self._z(value, mean, sd)
        return -0.5 * z * z - ops.log(sd) - _HALF_LOG_2PI

    def _cdf(self, value: Any, mean: Any, sd: Any) -> Any:
        return 0.5 * ops.erfc(-self._z(value, mean, sd) / _ROOT_2)

    def _survival_function(self, value: Any, mean: Any, sd: Any) -> Any:
        return 0.5 * ops.erfc(self._z(value, mean, sd) / _ROOT_2)

    def _mean(self, mean: Any, sd: Any) -> Any:
        return mean + ops.zeros_like(sd)

    def _sd(self, mean: Any, sd: Any) -> Any:
        return sd + ops.zeros_like(mean)

    def _entropy(self, mean: Any, sd: Any) -> Any:
        return 0.5 + _HALF_LOG_2PI + ops.log(self._sd(mean, sd))

    def _kl_loss(self, dist: str, mean_b: Any, sd_b: Any, mean: Any, sd: Any) -> Any:
        z, ratio = (mean - mean_b) / sd_b, sd / sd_b
        return 0.5 * (z * z + ratio * ratio - 1) - ops.log(ratio)

    def _sample(self, shape: tuple[int, ...], mean: Any, sd: Any) -> Any:
        return ops.standard_normal(self._shape(shape, mean, sd), self.seed) * sd + mean

    def _shown(self) -> dict[str, Any]:
        mean, sd = self.default_parameters
        return {"mean": mean, "standard deviation": sd}


class HalfNormal(LocationScale):
    """mean + |N(0, sd)|, on [mean, inf).

    Args:
        mean: Start of the support (not the expectation, which is mean + sd sqrt(2 / pi)).
        sd: Scale, greater than zero: the standard deviation of the whole normal distribution.
        seed, dtype, name: As in `Normal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sd` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import HalfNormal
        >>> HalfNormal(0.0, 1.0).prob(Tensor([-1.0, 0.0])).tolist()
        [0.0, 0.7978845834732056]
    """

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "HalfNormal"):
        super().__init__(seed, dtype, name, mean=mean, sd=sd)
        self._positive("sd")

    def _log_prob(self, value: Any, mean: Any, sd: Any) -> Any:
        z = self._z(value, mean, sd)
        return within(z >= 0, z, 0.0, lambda z: -0.5 * z * z, -math.inf) + 0.5 * math.log(2 / math.pi) - ops.log(sd)

    def _cdf(self, value: Any, mean: Any, sd: Any) -> Any:
        return ops.erf(ops.relu(self._z(value, mean, sd)) / _ROOT_2)

    def _survival_function(self, value: Any, mean: Any, sd: Any) -> Any:
        return ops.erfc(ops.relu(self._z(value, mean, sd)) / _ROOT_2)

    def _mean(self, mean: Any, sd: Any) -> Any:
        return mean + sd * math.sqrt(2 / math.pi)

    def _var(self, mean: Any, sd: Any) -> Any:
        return sd * sd * (1 - 2 / math.pi) + ops.zeros_like(mean)

    def _entropy(self, mean: Any, sd: Any) -> Any:
        return 0.5 + 0.5 * math.log(math.pi / 2) + ops.log(sd) + ops.zeros_like(mean)

    def _kl_loss(self, dist: str, mean_b: Any, sd_b: Any, mean: Any, sd: Any) -> Any:
        ahead = mean - mean_b
        square = sd * sd + ahead * (ahead + 2 * math.sqrt(2 / math.pi) * sd)     # E[(x - mean_b)**2]
        found = ops.log(sd_b / sd) + 0.5 * square / (sd_b * sd_b) - 0.5
        return ops.where(ahead < 0, math.inf, found)

    def _sample(self, shape: tuple[int, ...], mean: Any, sd: Any) -> Any:
        return ops.abs(ops.standard_normal(self._shape(shape, mean, sd), self.seed)) * sd + mean


class Laplace(LocationScale):
    """The Laplace distribution: density exp(-|x - mean| / sd) / (2 sd).

    Args:
        mean: Expectation.
        sd: Scale, greater than zero; the standard deviation is sqrt(2) times as large.
        seed, dtype, name: As in `Normal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sd` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Laplace
        >>> Laplace(0.0, 1.0).prob(Tensor(0.0)).item(), round(float(Laplace(0.0, 1.0).var()), 6)
        (0.5, 2.0)
    """

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Laplace"):
        super().__init__(seed, dtype, name, mean=mean, sd=sd)
        self._positive("sd")

    def _log_prob(self, value: Any, mean: Any, sd: Any) -> Any:
        return -ops.abs(self._z(value, mean, sd)) - ops.log(2 * sd)

    def _cdf(self, value: Any, mean: Any, sd: Any) -> Any:
        z = self._z(value, mean, sd)
        tail = 0.5 * ops.exp(-ops.abs(z))
        return ops.where(z < 0, tail, 1 - tail)

    def _survival_function(self, value: Any, mean: Any, sd: Any) -> Any:
        return self._cdf(2 * mean - value, mean, sd)

    def _mean(self, mean: Any, sd: Any) -> Any:
        return mean + ops.zeros_like(sd)

    def _sd(self, mean: Any, sd: Any) -> Any:
        return sd * _ROOT_2 + ops.zeros_like(mean)

    def _entropy(self, mean: Any, sd: Any) -> Any:
        return 1 + ops.log(2 * sd) + ops.zeros_like(mean)

    def _kl_loss(self, dist: str, mean_b: Any, sd_b: Any, mean: Any, sd: Any) -> Any:
        apart = ops.abs(mean - mean_b)
        return ops.log(sd_b / sd) + (apart + sd * ops.exp(-apart / sd)) / sd_b - 1

    def _sample(self, shape: tuple[int, ...], mean: Any, sd: Any) -> Any:
        return ops.standard_laplace(self._shape(shape, mean, sd), self.seed) * sd + mean


class Logistic(LocationScale):
    """The logistic distribution: P(X <= x) = sigmoid((x - loc) / scale).

    Args:
        loc: Expectation.
        scale: Scale, greater than zero.
        seed, dtype, name: As in `Normal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Logistic
        >>> Logistic(0.0, 2.0).cdf(Tensor(0.0)).item(), Logistic(0.0, 1.0).entropy().item()
        (0.5, 2.0)
    """

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Logistic"):
        super().__init__(seed, dtype, name, loc=loc, scale=scale)
        self._positive("scale")

    def _log_prob(self, value: Any, loc: Any, scale: Any) -> Any:
        z = self._z(value, loc, scale)
        return -z - 2 * ops.softplus(-z) - ops.log(scale)

    def _cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return ops.sigmoid(self._z(value, loc, scale))

    def _log_cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return -ops.softplus(-self._z(value, loc, scale))

    def _survival_function(self, value: Any, loc: Any, scale: Any) -> Any:
        return ops.sigmoid(-self._z(value, loc, scale))

    def _log_survival(self, value: Any, loc: Any, scale: Any) -> Any:
        return -ops.softplus(self._z(value, loc, scale))

    def _mean(self, loc: Any, scale: Any) -> Any:
        return loc + ops.zeros_like(scale)

    def _sd(self, loc: Any, scale: Any) -> Any:
        return scale * (math.pi / math.sqrt(3)) + ops.zeros_like(loc)

    def _entropy(self, loc: Any, scale: Any) -> Any:
        return ops.log(scale) + 2 + ops.zeros_like(loc)

    def _sample(self, shape: tuple[int, ...], loc: Any, scale: Any) -> Any:
        u = self._unit(self._shape(shape, loc, scale))
        return (ops.log(u) - ops.log1p(-u)) * scale + loc

    def _shown(self) -> dict[str, Any]:
        loc, scale = self.default_parameters
        return {"location": loc, "scale": scale}
