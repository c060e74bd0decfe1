"""Distributions of a location and a scale whose tails fall like a power."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32

from .location import LocationScale, Logistic
from .parametric import within


class Cauchy(Logistic):
    """The Cauchy distribution: density scale / (pi (scale**2 + (x - loc)**2)); it has no moments.

    Args:
        loc: Median.
        scale: Scale, greater than zero.
        seed, dtype, name: As in `Normal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is not positive, the shapes do not broadcast, or a moment is asked for.

    Examples:
        >>> from mindspore.nn.probability.distribution import Cauchy
        >>> Cauchy(0.0, 1.0).cdf(Tensor([-1.0, 0.0, 1.0])).tolist()
        [0.25, 0.5, 0.75]
    """

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Cauchy"):
        super().__init__(loc, scale, seed, dtype, name)

    def _log_prob(self, value: Any, loc: Any, scale: Any) -> Any:
        z = self._z(value, loc, scale)
        return -math.log(math.pi) - ops.log(scale) - ops.log1p(z * z)

    def _cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        z = self._z(value, loc, scale)
        return ops.atan2(ops.ones_like(z), -z) / math.pi          # a sum with 0.5 would lose the digits of a tail

    def _survival_function(self, value: Any, loc: Any, scale: Any) -> Any:
        return self._cdf(2 * loc - value, loc, scale)

    def _log_cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return ops.log(self._cdf(value, loc, scale))

    def _log_survival(self, value: Any, loc: Any, scale: Any) -> Any:
        return ops.log(self._survival_function(value, loc, scale))

    def _mean(self, *own: Any) -> Any:
        raise ValueError("For 'Cauchy', the mean is undefined.")

    def _var(self, *own: Any) -> Any:
        raise ValueError("For 'Cauchy', the variance is undefined.")

    def _sd(self, *own: Any) -> Any:
        raise ValueError("For 'Cauchy', the standard deviation is undefined.")

    def _entropy(self, loc: Any, scale: Any) -> Any:
        return ops.log(scale) + math.log(4 * math.pi) + ops.zeros_like(loc)

    def _kl_loss(self, dist: str, loc_b: Any, scale_b: Any, loc: Any, scale: Any) -> Any:
        both, apart = scale + scale_b, loc - loc_b
        return ops.log((both * both + apart * apart) / (4 * scale * scale_b))

    def _sample(self, shape: tuple[int, ...], loc: Any, scale: Any) -> Any:
        return ops.tan((self._unit(self._shape(shape, loc, scale)) - 0.5) * math.pi) * scale + loc


class StudentT(LocationScale):
    """Student's t: density proportional to (1 + ((x - mean) / sd)**2 / df)**(-(df + 1) / 2).

    Args:
        df: Degrees of freedom, greater than zero.
        mean: Location, which is the expectation where there is one (df > 1).
        sd: Scale, greater than zero; the standard deviation is sd sqrt(df / (df - 2)).
        seed, dtype, name: As in `Normal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `df` or `sd` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import StudentT
        >>> round(float(StudentT(1.0, 0.0, 1.0).prob(Tensor(0.0))), 6), float(StudentT(4.0, 0.0, 1.0).var())
        (0.31831, 2.0)
    """

    def __init__(self, df: Any = None, mean: Any = None, sd: Any = None, seed: int | None = None,
                 dtype: DType = float32, name: str = "StudentT"):
        super().__init__(seed, dtype, name, df=df, mean=mean, sd=sd)
        self._positive("df", "sd")

    def _log_prob(self, value: Any, df: Any, mean: Any, sd: Any) -> Any:
        z, half = self._z(value, mean, sd), 0.5 * (df + 1)
        front = ops.lgamma(half) - ops.lgamma(0.5 * df) - 0.5 * ops.log(math.pi * df) - ops.log(sd)
        return front - half * ops.log1p(z * z / df)

    def _cdf(self, value: Any, df: Any, mean: Any, sd: Any) -> Any:
        z, df = self._wide(self._z(value, mean, sd), df)
        tail = 0.5 * ops.Betainc()(0.5 * df, 0.5 * ops.ones_like(df), df / (df + z * z))
        return ops.where(z < 0, tail, 1 - tail)

    def _survival_function(self, value: Any, df: Any, mean: Any, sd: Any) -> Any:
        return self._cdf(2 * mean - value, df, mean, sd)

    def _mode(self, df: Any, mean: Any, sd: Any) -> Any:
        return mean + ops.zeros_like(sd) + ops.zeros_like(df)

    def _mean(self, df: Any, mean: Any, sd: Any) -> Any:
        return ops.where(df > 1, self._mode(df, mean, sd), math.nan)

    def _var(self, df: Any, mean: Any, sd: Any) -> Any:
        wide = sd * sd + ops.zeros_like(mean)
        finite = within(df > 2, df, 3.0, lambda df: df / (df - 2), math.inf) * wide
        return ops.where(df > 1, finite, math.nan)

    def _entropy(self, df: Any, mean: Any, sd: Any) -> Any:
        half, log_beta = 0.5 * (df + 1), ops.lgamma(0.5 * df) + 0.5 * math.log(math.pi) - ops.lgamma(0.5 * (df + 1))
        found = half * (ops.digamma(half) - ops.digamma(0.5 * df)) + 0.5 * ops.log(df) + log_beta + ops.log(sd)
        return found + ops.zeros_like(mean)

    def _sample(self, shape: tuple[int, ...], df: Any, mean: Any, sd: Any) -> Any:
        wide = self._shape((), df, mean, sd)
        normal = ops.standard_normal((*shape, *wide), self.seed)
        df = ops.broadcast_to(df, wide)
        chi = self._gamma(shape, 0.5 * df, 0.5 * ops.ones_like(df), self.seed and self.seed + 1)
        return normal / ops.sqrt(chi / df) * sd + mean
