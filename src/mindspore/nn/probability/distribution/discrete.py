"""Distributions on integers."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import DType, float32, int32

from .. import arguments
from .parametric import OfOneKind, within


class _OfProbability(OfOneKind):
    """A distribution whose one parameter is a probability."""

    _types = "number"
    _spellings = {"probs1": "probs"}

    def __init__(self, probs: Any, seed: int | None, dtype: DType, name: str):
        super().__init__(seed, dtype, name, probs=probs)
        self._require(lambda x: (x > 0) & (x < 1), "greater than zero and less than one", "probs")

    @property
    def probs(self) -> Any:
        """The probability that was given, or None."""
        return self._probs_value


class Bernoulli(_OfProbability):
    """1 with the probability `probs`, else 0.

    Between 0 and 1 the logarithm of the probability is interpolated, as the cross entropy of soft labels is.

    Args:
        probs: Probability of 1, between 0 and 1; a number, an array, a Tensor or a Parameter, or None to
            give it at every call.
        seed: Seed of the samples; 0 or None takes the generator that `set_seed` seeds.
        dtype: Element type of the samples.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `probs` is not between 0 and 1.

    Examples:
        >>> from mindspore.nn.probability.distribution import Bernoulli
        >>> Bernoulli(0.25).cdf(Tensor([-1, 0, 1])).tolist(), Bernoulli(0.25).mode().item()
        ([0.0, 0.75, 1.0], 0)
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32, name: str = "Bernoulli"):
        super().__init__(probs, seed, dtype, name)

    def _log_prob(self, value: Any, p: Any) -> Any:
        inside = ops.logical_and(value >= 0, value <= 1)
        return within(inside, value, 0.0, lambda x: x * ops.log(p) + (1 - x) * ops.log1p(-p), -math.inf)

    def _cdf(self, value: Any, p: Any) -> Any:
        return ops.where(value < 0, 0.0, ops.where(value < 1, 1 - p, 1.0))

    def _survival_function(self, value: Any, p: Any) -> Any:
        return ops.where(value < 0, 1.0, ops.where(value < 1, p, 0.0))

    def _mean(self, p: Any) -> Any:
        return p

    def _mode(self, p: Any) -> Any:
        return arguments.cast(p > 0.5, self.dtype)

    def _var(self, p: Any) -> Any:
        return p * (1 - p)

    def _entropy(self, p: Any) -> Any:
        return -ops.xlogy(p, p) - (1 - p) * ops.log1p(-p)

    def _kl_loss(self, dist: str, p_b: Any, p: Any) -> Any:
        return p * ops.log(p / p_b) + (1 - p) * (ops.log1p(-p) - ops.log1p(-p_b))

    def _sample(self, shape: tuple[int, ...], p: Any) -> Any:
        return arguments.cast(self._unit(self._shape(shape, p)) < p, self.dtype)


class Geometric(_OfProbability):
    """The number of failures before the first success: P(X = k) = (1 - probs)**k probs, k = 0, 1, ...

    The probability at a number that is no integer is that at the integer below.

    Args:
        probs: Probability of a success, between 0 and 1.
        seed, dtype, name: As in `Bernoulli`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `probs` is not between 0 and 1.

    Examples:
        >>> from mindspore.nn.probability.distribution import Geometric
        >>> Geometric(0.5).prob(Tensor([-1, 0, 1, 2])).tolist(), Geometric(0.25).mean().item()
        ([0.0, 0.5, 0.25, 0.125], 3.0)
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32, name: str = "Geometric"):
        super().__init__(probs, seed, dtype, name)

    def _prob(self, value: Any, p: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: p * ops.pow(1 - p, ops.floor(k)), 0.0)

    def _log_prob(self, value: Any, p: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: ops.log(p) + ops.floor(k) * ops.log1p(-p), -math.inf)

    def _log_survival(self, value: Any, p: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: (ops.floor(k) + 1) * ops.log1p(-p), 0.0)

    def _cdf(self, value: Any, p: Any) -> Any:
        return -ops.expm1(self._log_survival(value, p))

    def _mean(self, p: Any) -> Any:
        return (1 - p) / p

    def _mode(self, p: Any) -> Any:
        return ops.zeros_like(p).astype(self.dtype)

    def _var(self, p: Any) -> Any:
        return (1 - p) / (p * p)

    def _entropy(self, p: Any) -> Any:
        return -(ops.xlogy(p, p) + (1 - p) * ops.log1p(-p)) / p

    def _kl_loss(self, dist: str, p_b: Any, p: Any) -> Any:
        return ops.log(p / p_b) + (1 - p) / p * (ops.log1p(-p) - ops.log1p(-p_b))

    def _sample(self, shape: tuple[int, ...], p: Any) -> Any:
        return ops.floor(ops.log(self._unit(self._shape(shape, p))) / ops.log1p(-p))


class Poisson(OfOneKind):
    """The Poisson distribution: P(X = k) = rate**k exp(-rate) / k!, k = 0, 1, ...

    At numbers that are no integers the factorial is the gamma function.

    Args:
        rate: Expectation, greater than zero.
        seed, name: As in `Bernoulli`.
        dtype: Element type of the samples. Default: float32.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `rate` is not positive.

    Examples:
        >>> from mindspore.nn.probability.distribution import Poisson
        >>> round(float(Poisson([2.0]).prob(Tensor([2.0]))), 6), Poisson([2.5]).mode().tolist()
        (0.270671, [2.0])
    """

    _types = "number"

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: DType = float32, name: str = "Poisson"):
        super().__init__(seed, dtype, name, rate=rate)
        self._positive("rate")

    @property
    def rate(self) -> Any:
        """The expectation that was given, or None."""
        return self._rate_value

    def _log_prob(self, value: Any, rate: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: ops.xlogy(k, rate) - rate - ops.lgamma(k + 1), -math.inf)

    def _cdf(self, value: Any, rate: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: ops.igammac(*self._wide(ops.floor(k) + 1, rate)), 0.0)

    def _survival_function(self, value: Any, rate: Any) -> Any:
        return within(value >= 0, value, 0.0, lambda k: ops.igamma(*self._wide(ops.floor(k) + 1, rate)), 1.0)

    def _mean(self, rate: Any) -> Any:
        return rate

    def _mode(self, rate: Any) -> Any:
        return ops.floor(rate)

    def _var(self, rate: Any) -> Any:
        return rate

    def _kl_loss(self, dist: str, rate_b: Any, rate: Any) -> Any:
        return rate * ops.log(rate / rate_b) - rate + rate_b

    def _sample(self, shape: tuple[int, ...], rate: Any) -> Any:
        return ops.random_poisson(shape, rate, self.seed)


class Categorical(OfOneKind):
    """The index k with the probability probs[..., k].

    Args:
        probs: Probabilities along the last axis, which sum to one.
        seed, dtype, name: As in `Bernoulli`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `probs` has no axis, a probability is negative, or they do not sum to one.

    Examples:
        >>> from mindspore.nn.probability.distribution import Categorical
        >>> dice = Categorical([0.5, 0.25, 0.25])
        >>> dice.prob(Tensor([0, 2, 3])).tolist(), dice.cdf(Tensor([0, 1])).tolist(), dice.mode().item()
        ([0.5, 0.25, 0.0], [0.5, 0.75], 0)
    """

    _types = "number"

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32,
                 name: str = "Categorical"):
        super().__init__(seed, dtype, name, probs=probs)
        if self._probs_value is not None and not self._probs_value.ndim:
            raise ValueError("For 'Categorical', the 'probs' must have at least one axis, but got a number.")
        self._require(lambda p: (p >= 0) & (abs(p.sum(-1, keepdims=True) - 1) < 1e-4),
                      "not negative and sum to one along the last axis", "probs")

    @property
    def probs(self) -> Any:
        """The probabilities that were given, or None."""
        return self._probs_value

    @property
    def broadcast_shape(self) -> tuple[int, ...] | None:
        """The shape of one sample; None if the probabilities are not given."""
        return None if self.batch_shape is None else self.batch_shape[:-1]

    def _pick(self, value: Any, table: Any) -> Any:
        """table[..., value], zero where the value is none of the indices."""
        index = ops.floor(value)
        chosen = ops.expand_dims(index, -1) == ops.arange(table.shape[-1]).astype(table.dtype)
        return ops.where(chosen, table, 0.0).sum(-1)

    def _prob(self, value: Any, probs: Any) -> Any:
        return self._pick(value, probs)

    def _cdf(self, value: Any, probs: Any) -> Any:
        last = probs.shape[-1] - 1
        inside = self._pick(ops.clamp(value, 0, last), ops.cumsum(probs, -1))
        return ops.where(value < 0, 0.0, ops.where(value >= last, 1.0, inside))

    def _moment_of(self, probs: Any, power: int) -> Any:
        steps = ops.arange(probs.shape[-1]).astype(probs.dtype)
        return (probs * steps**power).sum(-1, keepdims=True)

    def _mean(self, probs: Any) -> Any:
        return self._moment_of(probs, 1)

    def _mode(self, probs: Any) -> Any:
        return ops.argmax(probs, -1).astype(self.dtype)

    def _var(self, probs: Any) -> Any:
        mean = self._moment_of(probs, 1)
        return self._moment_of(probs, 2) - mean * mean

    def _entropy(self, probs: Any) -> Any:
        return -ops.xlogy(probs, probs).sum(-1)

    def _kl_loss(self, dist: str, probs_b: Any, probs: Any) -> Any:
        return (ops.xlogy(probs, probs) - ops.xlogy(probs, probs_b)).sum(-1)

    def _sample(self, shape: tuple[int, ...], probs: Any) -> Any:
        drawn = self._unit((*shape, *probs.shape[:-1], 1))
        passed = drawn >= ops.cumsum(probs, -1)[..., :-1]        # the last one ends at 1, whatever the rounding
        return passed.astype(self.dtype).sum(-1)
