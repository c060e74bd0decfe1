"""Initializers: how the first values of parameters are drawn.

They fill NumPy arrays from one generator, which `set_seed` starts anew, so that a network gets the
same weights whatever device it runs on.  A subclass overrides `_initialize(arr)`.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.core import seed as global_seed
from mindspore.core.draws import calculate_correct_fan as _calculate_correct_fan
from mindspore.core.draws import calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out
from mindspore.core.draws import calculate_gain as _calculate_gain
from mindspore.core.draws import generator, normal, truncated_normal, uniform
from mindspore.core.dtype import as_dtype, float32
from mindspore.core.errors import kind
from mindspore.core.kinds import is_sequence
from mindspore.eager.tensor import Tensor

_ALIASES: dict[str, type[Initializer]] = {}


def _register(*aliases: str) -> Callable[[type], type]:
    """Let a class be found by its own name, in any case, and by other names."""
    def decorate(cls: type) -> type:
        for name in (cls.__name__, *aliases):
            _ALIASES[name.lower()] = cls
        return cls
    return decorate


class Initializer:
    """Base class of initializers.

    Args:
        kwargs: The arguments of the subclass, kept in `_kwargs`.
    """

    def __init__(self, **kwargs: Any):
        self._kwargs = kwargs

    @property
    def seed(self) -> tuple[int, int]:
        """The global seed (0 if none was set) and a second one, which is not used."""
        return global_seed.get_seed() or 0, 0

    def _initialize(self, arr: np.ndarray, /) -> Any:
        raise NotImplementedError(f"The initializer '{type(self).__name__}' must override "
                                  "'_initialize(self, arr)', which fills a NumPy array.")

    def __call__(self, arr: np.ndarray) -> Any:
        """Fill an array, in place."""
        return self._initialize(arr)


def _assignment(arr: np.ndarray, num: Any) -> np.ndarray:
    """Fill an array with numbers, cast to its type; returns the array."""
    arr[...] = num
    return arr


# ---------------------------------------------------------------------- constants

@_register("zeros")
class Zero(Initializer):
    """Zeros."""

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, 0)


@_register("ones")
class One(Initializer):
    """Ones."""

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, 1)


class Constant(Initializer):
    """One number everywhere."""

    def __init__(self, value: Any):
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, self.value)


@_register()
class Identity(Initializer):
    """Ones on the diagonal of a matrix."""

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim != 2:
            raise ValueError("For Identity initializer, the dimension of the initialized tensor "
                             f"should be 2, but got {arr.ndim}.")
        _assignment(arr, np.eye(*arr.shape))


@_register()
class Dirac(Initializer):
    """Convolution kernels that copy as many channels as possible, in each of `groups` groups."""

    def __init__(self, groups: int = 1):
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim not in (3, 4, 5):
            raise ValueError("For Dirac initializer, only support to initialize tensor with dimension "
                             f"of 3, 4 or 5, but got {arr.ndim}.")
        if arr.shape[0] % self.groups:
            raise ValueError("For Dirac initializer, the first dimension of the initialized tensor "
                             f"must be divisible by groups, but got first dimension {arr.shape[0]}, "
                             f"groups {self.groups}.")
        count = arr.shape[0] // self.groups
        centre = tuple([n // 2 for n in arr.shape[2:]])
        _assignment(arr, 0)
        for group in range(self.groups):
            for channel in range(min(count, arr.shape[1])):
                arr[(group * count + channel, channel, *centre)] = 1


# ---------------------------------------------------------------------- distributions

@_register()
class Normal(Initializer):
    """The normal distribution with mean `mean` and standard deviation `sigma`.

    Args:
        sigma: The standard deviation.
        mean: The mean.

    Examples:
        >>> nn.Dense(3, 2, weight_init=mindspore.common.initializer.Normal(0.02)).weight.shape
        (2, 3)
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = sigma, mean

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, normal(arr.shape) * self.sigma + self.mean)


@_register()
class Uniform(Initializer):
    """Uniform in [-scale, scale].

    Args:
        scale: The bound of the magnitudes.

    Examples:
        >>> from mindspore.common.initializer import Uniform, initializer
        >>> bool((abs(initializer(Uniform(0.5), [2, 3])) <= 0.5).all())
        True
    """

    def __init__(self, scale: float = 0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, uniform(arr.shape, self.scale))


@_register()
class TruncatedNormal(Initializer):
    """The normal distribution within the bounds [a, b].

    Args:
        sigma: The standard deviation before it is cut.
        mean: The mean before it is cut.
        a: The smallest value.
        b: The largest value.

    Examples:
        >>> from mindspore.common.initializer import TruncatedNormal, initializer
        >>> bool((abs(initializer(TruncatedNormal(a=-0.1, b=0.1), [2, 3])) <= 0.1).all())
        True
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def _initialize(self, arr: np.ndarray) -> None:
        low, high = (self.a - self.mean) / self.sigma, (self.b - self.mean) / self.sigma
        _assignment(arr, truncated_normal(arr.shape, low, high) * self.sigma + self.mean)


@_register("xavier_uniform")
class XavierUniform(Initializer):
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)).  Glorot and Bengio 2010.

    Args:
        gain: A factor for the function that follows.

    Examples:
        >>> from mindspore.common.initializer import XavierUniform, initializer
        >>> bool((abs(initializer(XavierUniform(), [2, 3])) <= (6 / 5) ** 0.5).all())
        True
    """

    def __init__(self, gain: float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        bound = self.gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(arr.shape)))
        _assignment(arr, uniform(arr.shape, bound))


@_register("xavier_normal")
class XavierNormal(Initializer):
    """Normal with the standard deviation gain * sqrt(2 / (fan_in + fan_out)).  Glorot and Bengio
    2010."""

    def __init__(self, gain: float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        sigma = self.gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(arr.shape)))
        _assignment(arr, normal(arr.shape) * sigma)


class _He(Initializer):
    """What the initializers of He et al. 2015 share: the standard deviation gain / sqrt(fan)."""

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", *,
                 a: float | None = None):       # its name in 1.0
        negative_slope = negative_slope if a is None else a
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def deviation(self, shape: tuple[int, ...]) -> float:
        """The standard deviation for weights of that shape."""
        gain = _calculate_gain(self.nonlinearity, self.negative_slope)
        return gain / math.sqrt(_calculate_correct_fan(shape, self.mode))


@_register("he_uniform")
class HeUniform(_He):
    """Uniform within gain * sqrt(3 / fan).  He et al. 2015."""

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, uniform(arr.shape, math.sqrt(3.0) * self.deviation(arr.shape)))


@_register("he_normal")
class HeNormal(_He):
    """Normal with the standard deviation gain / sqrt(fan).  He et al. 2015."""

    def _initialize(self, arr: np.ndarray) -> None:
        _assignment(arr, normal(arr.shape) * self.deviation(arr.shape))


@_register()
class Orthogonal(Initializer):
    """Orthogonal rows (or columns, if there are fewer), times `gain`.  Saxe et al. 2014."""

    def __init__(self, gain: float = 1.0):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim < 2:
            raise ValueError("For Orthogonal initializer, the dimension of the initialized tensor "
                             f"should be no less than 2, but got {arr.ndim}.")
        rows, cols = arr.shape[0], math.prod(arr.shape[1:])
        drawn = generator().standard_normal((max(rows, cols), min(rows, cols)))
        q, r = np.linalg.qr(drawn)
        q *= np.sign(np.diag(r))             # uniform among the orthogonal matrices
        _assignment(arr, (q.T if rows < cols else q).reshape(arr.shape) * self.gain)


@_register()
class Sparse(Initializer):
    """Normal with the standard deviation `sigma`, but in each column the share `sparsity` is zero.
    Martens 2010."""

    def __init__(self, sparsity: float, sigma: float = 0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity, self.sigma = sparsity, sigma

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim != 2:
            raise ValueError("For Sparse initializer, the dimension of the initialized tensor should "
                             f"be 2, but got {arr.ndim}.")
        values = normal(arr.shape) * self.sigma
        count = math.ceil(self.sparsity * arr.shape[0])
        for column in range(arr.shape[1]):
            values[generator().permutation(arr.shape[0])[:count], column] = 0
        _assignment(arr, values)


@_register()
class VarianceScaling(Initializer):
    """The variance scale / n, where n is a fan, or the mean of both.

    Args:
        scale: The factor of the variance.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "uniform", "untruncated_normal", or "truncated_normal", which is cut off at two
            standard deviations and widened to keep the variance.
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in",
                 distribution: str = "truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if scale <= 0:
            raise ValueError("For VarianceScaling initializer, the argument 'scale' must be greater "
                             f"than 0, but got {scale}.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("For VarianceScaling initializer, the argument 'mode' must be fan_in, "
                             f"fan_out or fan_avg, but got {mode}.")
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError("For VarianceScaling initializer, the argument 'distribution' must be "
                             f"uniform, truncated_normal or untruncated_normal, but got "
                             f"{distribution}.")
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        sigma = math.sqrt(self.scale / n)
        if self.distribution == "uniform":
            values = uniform(arr.shape, math.sqrt(3.0) * sigma)
        elif self.distribution == "untruncated_normal":
            values = normal(arr.shape) * sigma
        else:
            values = truncated_normal(arr.shape, -2.0, 2.0) * (sigma / 0.87962566103423978)
        _assignment(arr, values)


# ---------------------------------------------------------------------- tensors

def initializer(init: Any, shape: Any = None, dtype: Any = float32) -> Tensor:
    """A tensor with the values of an initializer.

    Args:
        init: An initializer, the name of one such as "normal" or "xavier_uniform" (in any case), a
            number, or a tensor, which is given back if it has that shape.
        shape: The shape, an int or a tuple of ints.
        dtype: The element type.

    Raises:
        TypeError: If `init` is none of these.
        ValueError: If there is no initializer of that name, or if the shape does not fit.

    Examples:
        >>> mindspore.common.initializer.initializer("ones", (2,), mindspore.int32).tolist()
        [1, 1]
    """
    if not isinstance(init, (Tensor, str, bool, int, float, Initializer)):
        raise TypeError("For 'initializer', the type of the 'init' argument should be 'Tensor', "
                        f"'number', 'string' or 'initializer', but got {init!r} of type {kind(init)}.")
    if isinstance(init, Tensor):
        if shape is not None and init.shape != _lengths(shape):
            raise ValueError("For 'initializer', the shape of the 'init' argument should be same as "
                             f"the argument 'shape', but got the 'init' shape {init.shape} and the "
                             f"'shape' {shape}.")
        return init
    if isinstance(init, str):
        init = _by_name(init)
    elif not isinstance(init, Initializer):
        init = Constant(init)
    return Tensor(shape=_lengths(shape), dtype=as_dtype(dtype), init=init)


def _by_name(name: str) -> Initializer:
    if name.lower() not in _ALIASES:
        raise ValueError(f"For 'initializer', the class corresponding to '{name}' was not found; the "
                         f"names are {sorted(_ALIASES)}.")
    return _ALIASES[name.lower()]()


def _lengths(shape: Any) -> tuple[int, ...]:
    found: Any = (shape,) if isinstance(shape, (int, float)) else shape
    fits = is_sequence(found) and all(
        isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n > 0 for n in found)
    if not fits:
        raise ValueError("For 'initializer', the argument 'shape' is invalid, the value of 'shape' "
                         f"must be positive integer, but got {shape}.")
    return tuple([int(n) for n in found])


__all__ = ["Constant", "Dirac", "HeNormal", "HeUniform", "Identity", "Initializer", "Normal", "One",
           "Orthogonal", "Sparse", "TruncatedNormal", "Uniform", "VarianceScaling", "XavierNormal",
           "XavierUniform", "Zero", "initializer"]
