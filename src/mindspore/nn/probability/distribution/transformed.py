"""What an invertible function makes of a distribution."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32

from .. import arguments
from ..bijector import Bijector, Exp, GumbelCDF, Invert
from .base import Distribution
from .bounded import Uniform
from .location import Normal
from .parametric import described, within


class TransformedDistribution(Distribution):
    """The distribution of bijector(X) where X has a given distribution.

    Parameters at a call are those of the given distribution. Moments are known where the bijector is linear.

    Args:
        bijector: The invertible function.
        distribution: The distribution of X.
        seed: Seed of the samples. Default: that of `distribution`.
        name: Name that messages use.

    Raises:
        TypeError: If `bijector` is no Bijector or `distribution` no Distribution.
        ValueError: If the mean of a function that is not linear is asked for.
        NotImplementedError: If another moment of such a function is asked for.

    Examples:
        >>> from mindspore.nn.probability.bijector import ScalarAffine
        >>> from mindspore.nn.probability.distribution import Normal, TransformedDistribution
        >>> moved = TransformedDistribution(ScalarAffine(2.0, 1.0), Normal(0.0, 1.0))
        >>> moved.mean().item(), moved.sd().item(), moved.cdf(Tensor(1.0)).item()
        (1.0, 2.0, 0.5)
    """

    def __init__(self, bijector: Bijector, distribution: Distribution, seed: int | None = None,
                 name: str = "transformed_distribution"):
        check.instance("TransformedDistribution", "bijector", bijector, Bijector)
        check.instance("TransformedDistribution", "distribution", distribution, Distribution)
        if seed is not None and seed != distribution.seed:
            distribution = distribution.reseeded(seed)
        super().__init__(distribution.seed, distribution.dtype, name,
                         {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name})
        self._bijector = bijector
        self._distribution = distribution
        self._parameter_type = distribution.parameter_type
        self.parameter_names = distribution.parameter_names
        self.default_parameters = distribution.default_parameters

    @property
    def bijector(self) -> Bijector:
        """The invertible function."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution before the function."""
        return self._distribution

    @property
    def is_linear_transformation(self) -> bool:
        """Whether the function is linear."""
        return self._bijector.is_constant_jacobian

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The shape that the parameters of the distribution and of the function have together."""
        inner, outer = self._distribution.batch_shape, self._bijector.batch_shape
        return None if inner is None else np.broadcast_shapes(inner, outer or ())

    def _log_prob(self, value: Any, *own: Any) -> Any:
        before = self._bijector.inverse(value)
        return self._distribution.log_prob(before, *own) + self._bijector.inverse_log_jacobian(value)

    def _cdf(self, value: Any, *own: Any) -> Any:
        before = self._bijector.inverse(value)
        rising = self._bijector.rising()
        below = self._distribution.cdf(before, *own)
        return below if rising is True else ops.where(rising, below, self._distribution.survival_function(before, *own))

    def _survival_function(self, value: Any, *own: Any) -> Any:
        before = self._bijector.inverse(value)
        rising = self._bijector.rising()
        above = self._distribution.survival_function(before, *own)
        return above if rising is True else ops.where(rising, above, self._distribution.cdf(before, *own))

    def _linear(self, question: str) -> None:
        if not self.is_linear_transformation:
            wrong = ValueError if question == "mean" else NotImplementedError
            raise wrong(f"For '{self.name}', the {question} follows only from a linear function, but "
                             f"{type(self._bijector).__name__} is not.")

    def _mean(self, *own: Any) -> Any:
        self._linear("mean")
        return self._bijector.forward(self._distribution.mean(*own))

    def _mode(self, *own: Any) -> Any:
        self._linear("mode")
        return self._bijector.forward(self._distribution.mode(*own))

    def _sd(self, *own: Any) -> Any:
        self._linear("sd")
        found = self._distribution.sd(*own)
        return found * ops.exp(self._bijector.forward_log_jacobian(found))

    def _entropy(self, *own: Any) -> Any:
        self._linear("entropy")
        found = self._distribution.entropy(*own)
        return found + self._bijector.forward_log_jacobian(found)

    def _sample(self, shape: tuple[int, ...], *own: Any) -> Any:
        return self._bijector.forward(self._distribution.sample(shape, *own))


class LogNormal(TransformedDistribution):
    """The distribution of exp(X) for a normal X.

    Args:
        loc: Expectation of X; a number, an array, a Tensor or a Parameter, or None to give it at every call.
        scale: Standard deviation of X, greater than zero.
        seed: Seed of the samples; 0 takes the generator that `set_seed` seeds.
        dtype: Element type of the samples, floating point.
        name: Name that messages use.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import LogNormal
        >>> LogNormal(0.0, 1.0).cdf(Tensor([-1.0, 1.0])).tolist()
        [0.0, 0.5]
    """

    _checks_names = True

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = 0, dtype: DType = float32,
                 name: str = "LogNormal"):
        super().__init__(Exp(name="Exp"), Normal(loc, scale, seed, dtype), seed, name)
        self._loc, self._scale = self.default_parameters
        self.parameter_names = ["loc", "scale"]

    @property
    def loc(self) -> Any:
        """The expectation of the logarithm."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The standard deviation of the logarithm."""
        return self._scale

    def _log_prob(self, value: Any, loc: Any, scale: Any) -> Any:
        return within(value > 0, value, 1.0, lambda x: super(LogNormal, self)._log_prob(x, loc, scale), -math.inf)

    def _cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return within(value > 0, value, 1.0, lambda x: super(LogNormal, self)._cdf(x, loc, scale), 0.0)

    def _survival_function(self, value: Any, loc: Any, scale: Any) -> Any:
        return within(value > 0, value, 1.0, lambda x: super(LogNormal, self)._survival_function(x, loc, scale), 1.0)

    def _mean(self, loc: Any, scale: Any) -> Any:
        return ops.exp(loc + 0.5 * scale * scale)

    def _mode(self, loc: Any, scale: Any) -> Any:
        return ops.exp(loc - scale * scale)

    def _sd(self, loc: Any, scale: Any) -> Any:
        return ops.sqrt(ops.expm1(scale * scale)) * self._mean(loc, scale)

    def _entropy(self, loc: Any, scale: Any) -> Any:
        return loc + self._distribution.entropy(loc, scale)

    def _kl_loss(self, dist: str, loc_b: Any, scale_b: Any, loc: Any, scale: Any) -> Any:
        return self._distribution.kl_loss("Normal", loc_b, scale_b, loc, scale)

    def extend_repr(self) -> str:
        return described(self, {"loc": self._loc, "scale": self._scale})


class Gumbel(TransformedDistribution):
    """The Gumbel distribution: P(X <= x) = exp(-exp(-(x - loc) / scale)).

    Args:
        loc: Mode.
        scale: Scale, greater than zero.
        seed, dtype, name: As in `LogNormal`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `scale` is not positive, or the shapes do not broadcast.

    Examples:
        >>> from mindspore.nn.probability.distribution import Gumbel
        >>> round(float(Gumbel(0.0, 1.0).mean()), 6), round(float(Gumbel(0.0, 1.0).cdf(Tensor(0.0))), 6)
        (0.577216, 0.367879)
    """

    _checks_names = True

    def __init__(self, loc: Any, scale: Any, seed: int | None = 0, dtype: DType = float32, name: str = "Gumbel"):
        curve = GumbelCDF(loc, scale)
        super().__init__(Invert(curve), Uniform(0.0, 1.0, seed, dtype), seed, name)
        self._parameter_type = curve.loc.dtype
        self._loc, self._scale = curve.loc, curve.scale
        self.parameter_names = ["loc", "scale"]
        self.default_parameters = [curve.loc, curve.scale]

    @property
    def loc(self) -> Any:
        """The mode."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _log_prob(self, value: Any, loc: Any, scale: Any) -> Any:
        z = (value - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)

    def _log_cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return -ops.exp(-(value - loc) / scale)

    def _cdf(self, value: Any, loc: Any, scale: Any) -> Any:
        return ops.exp(self._log_cdf(value, loc, scale))

    def _survival_function(self, value: Any, loc: Any, scale: Any) -> Any:
        return -ops.expm1(self._log_cdf(value, loc, scale))

    def _mean(self, loc: Any, scale: Any) -> Any:
        return loc + np.euler_gamma * scale

    def _mode(self, loc: Any, scale: Any) -> Any:
        return loc + ops.zeros_like(scale)

    def _sd(self, loc: Any, scale: Any) -> Any:
        return scale * (math.pi / math.sqrt(6)) + ops.zeros_like(loc)

    def _entropy(self, loc: Any, scale: Any) -> Any:
        return ops.log(scale) + (1 + np.euler_gamma) + ops.zeros_like(loc)

    def _kl_loss(self, dist: str, loc_b: Any, scale_b: Any, loc: Any, scale: Any) -> Any:
        ratio = scale / scale_b
        spread = ops.exp((loc_b - loc) / scale_b + ops.lgamma(1 + ratio))
        return (loc - loc_b) / scale_b - ops.log(ratio) + np.euler_gamma * (ratio - 1) - 1 + spread

    def _sample(self, shape: tuple[int, ...], loc: Any, scale: Any) -> Any:
        wide = (*shape, *(arguments.common_shape(self, [loc, scale]) or ()))
        drawn = ops.clamp(ops.uniform(wide, 0.0, 1.0, self.seed, float32), 2.0**-32, 1 - 2.0**-24)
        return loc - scale * ops.log(-ops.log(drawn))

    def extend_repr(self) -> str:
        return described(self, {"loc": self._loc, "scale": self._scale})


Distribution.transformed = TransformedDistribution    # for bijectors, which distributions are made of
