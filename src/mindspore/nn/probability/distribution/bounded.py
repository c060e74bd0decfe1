"""Distributions on an interval."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32

from .. import arguments
from .parametric import OfOneKind, within


class Uniform(OfOneKind):
    """The uniform distribution: density 1 / (high - low) on [low, high].

    Args:
        low: Lower end; a number, an array, a Tensor or a Parameter, or None to give it at every call.
        high: Upper end, greater than `low`.
        seed: Seed of the samples; 0 or None takes the generator that `set_seed` seeds.
        dtype: Element type of the samples, floating point.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `low` is not less than `high`, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Uniform
        >>> Uniform(0.0, 2.0).cdf(Tensor([-1.0, 0.5, 3.0])).tolist()
        [0.0, 0.25, 1.0]
    """

    def __init__(self, low: Any = None, high: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Uniform"):
        super().__init__(seed, dtype, name, low=low, high=high)
        if arguments.known(low := self._low_value) and arguments.known(high := self._high_value):
            arguments.require(self, "low", high - low, lambda x: x > 0, "less than 'high'")

    def _log_prob(self, value: Any, low: Any, high: Any) -> Any:
        return ops.where(self._inside(value, low, high), -ops.log(high - low), -math.inf)

    def _prob(self, value: Any, low: Any, high: Any) -> Any:
        return ops.where(self._inside(value, low, high), 1 / (high - low), 0.0)

    def _inside(self, value: Any, low: Any, high: Any) -> Any:
        return ops.logical_and(value >= low, value <= high)

    def _cdf(self, value: Any, low: Any, high: Any) -> Any:
        return ops.clamp((value - low) / (high - low), 0.0, 1.0)

    def _survival_function(self, value: Any, low: Any, high: Any) -> Any:
        return ops.clamp((high - value) / (high - low), 0.0, 1.0)

    def _mean(self, low: Any, high: Any) -> Any:
        return (low + high) / 2

    def _sd(self, low: Any, high: Any) -> Any:
        return (high - low) / math.sqrt(12)

    def _entropy(self, low: Any, high: Any) -> Any:
        return ops.log(high - low)

    def _kl_loss(self, dist: str, low_b: Any, high_b: Any, low: Any, high: Any) -> Any:
        covered = ops.logical_and(low_b <= low, high <= high_b)
        return ops.where(covered, ops.log((high_b - low_b) / (high - low)), math.inf)

    def _sample(self, shape: tuple[int, ...], low: Any, high: Any) -> Any:
        return ops.uniform(self._shape(shape, low, high), low, high, self.seed, float32)


class Beta(OfOneKind):
    """The beta distribution: density proportional to x**(a - 1) (1 - x)**(b - 1) on [0, 1], with
    a = concentration1 and b = concentration0.

    Args:
        concentration1: a, greater than zero.
        concentration0: b, greater than zero.
        seed, dtype, name: As in `Uniform`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a parameter is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Beta
        >>> Beta([1.0], [3.0]).mean().tolist()
        [0.25]
    """

    def __init__(self, concentration1: Any = None, concentration0: Any = None, seed: int | None = None,
                 dtype: DType = float32, name: str = "Beta"):
        super().__init__(seed, dtype, name, concentration1=concentration1, concentration0=concentration0)
        self._positive("concentration1", "concentration0")

    def _log_prob(self, value: Any, a: Any, b: Any) -> Any:
        inside = ops.logical_and(value >= 0, value <= 1)
        return within(inside, value, 0.5, lambda x: ops.xlogy(a - 1, x) + ops.xlogy(b - 1, 1 - x) - _log_beta(a, b),
                      -math.inf)

    def _cdf(self, value: Any, a: Any, b: Any) -> Any:
        return ops.Betainc()(*self._wide(a, b, ops.clamp(value, 0.0, 1.0)))

    def _survival_function(self, value: Any, a: Any, b: Any) -> Any:
        return self._cdf(1 - value, b, a)

    def _mean(self, a: Any, b: Any) -> Any:
        return a / (a + b)

    def _mode(self, a: Any, b: Any) -> Any:
        return ops.where(ops.logical_and(a > 1, b > 1), (a - 1) / (a + b - 2), math.nan)

    def _var(self, a: Any, b: Any) -> Any:
        return a * b / ((a + b) * (a + b) * (a + b + 1))

    def _entropy(self, a: Any, b: Any) -> Any:
        return (_log_beta(a, b) - (a - 1) * ops.digamma(a) - (b - 1) * ops.digamma(b)
                + (a + b - 2) * ops.digamma(a + b))

    def _kl_loss(self, dist: str, a_b: Any, b_b: Any, a: Any, b: Any) -> Any:
        return (_log_beta(a_b, b_b) - _log_beta(a, b) + (a - a_b) * ops.digamma(a) + (b - b_b) * ops.digamma(b)
                + (a_b - a + b_b - b) * ops.digamma(a + b))

    def _sample(self, shape: tuple[int, ...], a: Any, b: Any) -> Any:
        a, b = self._wide(a, b)
        one = ops.ones_like(a)
        left = self._gamma(shape, a, one, self.seed)
        return left / (left + self._gamma(shape, b, one, self.seed and self.seed + 1))


def _log_beta(a: Any, b: Any) -> Any:
    return ops.lgamma(a) + ops.lgamma(b) - ops.lgamma(a + b)
