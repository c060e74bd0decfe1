"""Distributions on the positive numbers."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32

from .parametric import OfOneKind, within


class Exponential(OfOneKind):
    """The exponential distribution: density rate exp(-rate x) for x >= 0.

    Args:
        rate: One over the expectation, greater than zero; a number, an array, a Tensor or a Parameter, or
            None to give it at every call.
        seed: Seed of the samples; 0 or None takes the generator that `set_seed` seeds.
        dtype: Element type of the samples, floating point.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `rate` is not positive.

    Examples:
        >>> from mindspore.nn.probability.distribution import Exponential
        >>> Exponential(2.0).prob(Tensor([-1.0, 0.0])).tolist(), Exponential(2.0).mean().item()
        ([0.0, 2.0], 0.5)
    """

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Exponential"):
        super().__init__(seed, dtype, name, rate=rate)
        self._positive("rate")

    def _log_prob(self, value: Any, rate: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda x: ops.log(rate) - rate * x, -math.inf)

    def _prob(self, value: Any, rate: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda x: rate * ops.exp(-rate * x), 0.0)

    def _cdf(self, value: Any, rate: Any) -> Any:
        return -ops.expm1(-rate * ops.relu(value))

    def _log_survival(self, value: Any, rate: Any) -> Any:
        return -rate * ops.relu(value)

    def _mean(self, rate: Any) -> Any:
        return 1 / rate

    def _mode(self, rate: Any) -> Any:
        return ops.zeros_like(rate)

    def _sd(self, rate: Any) -> Any:
        return 1 / rate

    def _entropy(self, rate: Any) -> Any:
        return 1 - ops.log(rate)

    def _kl_loss(self, dist: str, rate_b: Any, rate: Any) -> Any:
        return ops.log(rate / rate_b) + rate_b / rate - 1

    def _sample(self, shape: tuple[int, ...], rate: Any) -> Any:
        return -ops.log1p(-self._unit(self._shape(shape, rate))) / rate


class Gamma(OfOneKind):
    """The gamma distribution: density rate**a x**(a - 1) exp(-rate x) / Gamma(a) for x >= 0, with
    a = concentration.

    Args:
        concentration: The shape a, greater than zero.
        rate: One over the scale, greater than zero.
        seed, dtype, name: As in `Exponential`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a parameter is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Gamma
        >>> Gamma([4.0], [2.0]).mean().tolist(), Gamma([4.0], [2.0]).mode().tolist()
        ([2.0], [1.5])
    """

    def __init__(self, concentration: Any = None, rate: Any = None, seed: int | None = None,
                 dtype: DType = float32, name: str = "Gamma"):
        super().__init__(seed, dtype, name, concentration=concentration, rate=rate)
        self._positive("concentration", "rate")

    def _log_prob(self, value: Any, a: Any, rate: Any) -> Any:
        def formula(x: Any) -> Any:
            return ops.xlogy(a, rate) + ops.xlogy(a - 1, x) - rate * x - ops.lgamma(a)

        return within(value >= 0, value, 1.0, formula, -math.inf)

    def _cdf(self, value: Any, a: Any, rate: Any) -> Any:
        return ops.igamma(*self._wide(a, rate * ops.relu(value)))

    def _survival_function(self, value: Any, a: Any, rate: Any) -> Any:
        return ops.igammac(*self._wide(a, rate * ops.relu(value)))

    def _mean(self, a: Any, rate: Any) -> Any:
        return a / rate

    def _mode(self, a: Any, rate: Any) -> Any:
        return ops.where(a >= 1, (a - 1) / rate, math.nan)

    def _var(self, a: Any, rate: Any) -> Any:
        return a / (rate * rate)

    def _entropy(self, a: Any, rate: Any) -> Any:
        return a - ops.log(rate) + ops.lgamma(a) + (1 - a) * ops.digamma(a)

    def _kl_loss(self, dist: str, a_b: Any, rate_b: Any, a: Any, rate: Any) -> Any:
        return ((a - a_b) * ops.digamma(a) + ops.lgamma(a_b) - ops.lgamma(a)
                + a_b * ops.log(rate / rate_b) + a * (rate_b / rate - 1))

    def _sample(self, shape: tuple[int, ...], a: Any, rate: Any) -> Any:
        a, rate = self._wide(a, rate)
        return self._gamma(shape, a, rate, self.seed)
