"""Functions that draw random numbers.

Without `seed` they draw from the generator that `set_seed` seeds; with one, from a generator of their
own, whose state lasts from call to call.
"""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32, int64
from mindspore.eager.generator import draws
from mindspore.eager.tensor import is_tensor
from mindspore.operators import random, structure
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import broadcast

from .arguments import spread, tensor
from .primitive import composed
from .signatures import plain


def _shape(owner: str, shape: Any) -> tuple[int, ...]:
    return random.lengths(owner, plain(shape))


def _seed(owner: str, seed: Any) -> int:
    return 0 if seed is None else check.non_negative_int(owner, "seed", seed)


def _number(owner: str, name: str, value: Any) -> Any:
    if not is_tensor(value) and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise TypeError(f"For '{owner}', the '{name}' must be a number or a tensor, but got "
                        f"{value!r}.")
    return value


def _wide(shape: tuple[int, ...], *values: Any) -> tuple[int, ...]:
    """The shape of numbers drawn for a shape with parameters of their own shapes."""
    return broadcast(shape, *[tuple(v.shape) for v in values if is_tensor(v)], name="random")


def standard_normal(shape: Any, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1.

    Args:
        shape: A tuple of ints.
        seed: An int, or None.

    Returns:
        A tensor of float32.

    Raises:
        ValueError: If an extent is negative.

    Examples:
        >>> ops.standard_normal((2, 3)).shape
        (2, 3)
    """
    return random.standard_normal(shape=_shape("standard_normal", shape),
                                  seed=_seed("standard_normal", seed))


def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean `mean` and standard deviation `stddev`.

    Args:
        shape: A tuple of ints, to which the dimensions of `mean` and `stddev` broadcast.
        mean, stddev: Numbers or tensors.
        seed: An int, or None.

    Returns:
        A tensor.

    Examples:
        >>> ops.normal((2, 3), 1.0, 0.0).tolist()
        [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    wide = _wide(_shape("normal", shape), _number("normal", "mean", mean),
                 _number("normal", "stddev", stddev))
    unit = random.standard_normal(shape=wide, seed=_seed("normal", seed))
    return unit * stddev + mean


def uniform(shape: Any, minval: Any, maxval: Any, seed: int | None = None,
            dtype: Any = float32) -> Any:
    """Numbers uniform in [minval, maxval): float32, or integers for an int32 `dtype`.

    Args:
        shape: A tuple of ints, to which the dimensions of the bounds broadcast.
        minval, maxval: The bounds, tensors or numbers.
        seed: An int, or None.
        dtype: A floating-point type or int32.

    Returns:
        A tensor.

    Raises:
        TypeError: If `dtype` is another type.

    Examples:
        >>> x = ops.uniform((2, 3), Tensor(1.0), Tensor(2.0))
        >>> x.shape, bool((x >= 1).all()), bool((x < 2).all())
        ((2, 3), True, True)
    """
    low, high = [_number("uniform", n, v) for n, v in (("minval", minval), ("maxval", maxval))]
    wide, seed = _wide(_shape("uniform", shape), low, high), _seed("uniform", seed)
    dtype = as_dtype(dtype)
    if dtype.kind in "iu":
        return random.uniform_int(low, high, shape=wide, seed=seed, dtype=dtype)
    if not dtype.is_floating:
        raise TypeError(f"For 'uniform', the 'dtype' must be int32 or a floating-point type, but got "
                        f"{dtype}.")
    return random.uniform_real(shape=wide, seed=seed, dtype=dtype) * (high - low) + low


def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Any:
    """Numbers uniform in [0, 1).

    Args:
        size: Ints, or a tuple of ints, the shape.
        dtype: A floating-point type. Default: float32.
        seed: An int, or None.

    Returns:
        A tensor.

    Raises:
        TypeError: If `dtype` is not floating point.

    Examples:
        >>> x = ops.rand(2, 3)
        >>> x.shape, bool((x >= 0).all()), bool((x < 1).all())
        ((2, 3), True, True)
    """
    return random.uniform_real(shape=_shape("rand", spread(size)), seed=_seed("rand", seed),
                               dtype=_floating("rand", dtype))


def rand_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Numbers uniform in [0, 1) in the shape of a tensor.

    Args:
        input: A tensor.
        seed: An int, or None.
        dtype: A floating-point type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor, or the type not floating point.

    Examples:
        >>> ops.rand_like(Tensor([1.0, 2.0])).shape
        (2,)
    """
    tensor("rand_like", "input", input)
    return random.uniform_real(shape=tuple(input.shape), seed=_seed("rand_like", seed),
                               dtype=_floating("rand_like", dtype or input.dtype))


def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1.

    Args:
        size: Ints, or a tuple of ints, the shape.
        dtype: A floating-point type. Default: float32.
        seed: An int, or None.

    Returns:
        A tensor.

    Raises:
        TypeError: If `dtype` is not floating point.

    Examples:
        >>> ops.randn(2, 3).shape
        (2, 3)
    """
    return random.standard_normal(shape=_shape("randn", spread(size)), seed=_seed("randn", seed),
                                  dtype=_floating("randn", dtype))


def randn_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Numbers of the standard normal distribution in the shape of a tensor.

    Args:
        input: A tensor.
        seed: An int, or None.
        dtype: A floating-point type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor, or the type not floating point.

    Examples:
        >>> ops.randn_like(Tensor([1.0, 2.0])).shape
        (2,)
    """
    tensor("randn_like", "input", input)
    return random.standard_normal(shape=tuple(input.shape), seed=_seed("randn_like", seed),
                                  dtype=_floating("randn_like", dtype or input.dtype))


def _floating(owner: str, dtype: Any) -> Any:
    dtype = float32 if dtype is None else as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"For '{owner}', the 'dtype' must be a floating-point type, but got {dtype}.")
    return dtype


# ---------------------------------------------------------------------- candidate sampling


# ---------------------------------------------------------------------- further primitives, methods

@composed("Gamma(seed=0, seed2=0)(shape, alpha, beta)")
def gamma_numbers(shape: Any, alpha: Any, beta: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate `beta`, which broadcast with `shape`."""
    out = broadcast(_shape("Gamma", shape), alpha.shape, beta.shape, name="Gamma")
    return random.gamma(structure.broadcast_to(alpha, shape=out), structure.broadcast_to(beta, shape=out), shape=(),
                        seed=seed, seed2=seed2)


@composed("Poisson(seed=0, seed2=0)(shape, mean)")
def poisson_numbers(shape: Any, mean: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Numbers of the Poisson distribution with expectation `mean`, which broadcasts with `shape`, int32."""
    out = broadcast(_shape("Poisson", shape), mean.shape, name="Poisson")
    return random.poisson(structure.broadcast_to(mean, shape=out), shape=(), seed=seed, seed2=seed2, dtype=int32)


@composed("RandomPoisson(seed=0, seed2=0, dtype=int64)(shape, rate)")
def _random_poisson(shape: Any, rate: Any, *, seed: int = 0, seed2: int = 0, dtype: Any = int64) -> Any:
    """Numbers of the Poisson distribution with expectation `rate`."""
    return random.poisson(rate, shape=_shape("RandomPoisson", shape), seed=seed, seed2=seed2,
                          dtype=as_dtype(dtype))


@composed("RandomGamma(seed=0, seed2=0)(shape, alpha)")
def _random_gamma(shape: Any, alpha: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate 1."""
    return random.gamma(alpha, structure.ones_like(alpha), shape=_shape("RandomGamma", shape),
                        seed=seed, seed2=seed2)


@composed("MultinomialWithReplacement(numsamples, replacement=False)(x, seed, offset)")
def _multinomial_with(x: Any, seed: Any, offset: Any, *, numsamples: int,
                      replacement: bool = False) -> Any:
    """Indices, int64, drawn with the probabilities that the rows are proportional to."""
    rows = x if x.ndim == 2 else structure.expand_dims(x, axis=0)
    return random.multinomial(rows, num_samples=numsamples, replacement=replacement, dtype=int64,
                              seed=plain(seed), seed2=plain(offset))


@composed("Cauchy(size, median=0.0, sigma=1.0)()")
def _cauchy_of(*, size: Any, median: float = 0.0, sigma: float = 1.0) -> Any:
    """Numbers of the Cauchy distribution."""
    return _cauchy_numbers(_shape("Cauchy", size), median, sigma)


@composed("LogNormalReverse(mean=1.0, std=2.0)(input)")
def _log_normal_like(input: Any, *, mean: float = 1.0, std: float = 2.0) -> Any:
    """Numbers whose logarithms are normally distributed, in the shape of a tensor."""
    if not input.dtype.is_floating:
        raise TypeError(f"For 'LogNormalReverse', the input must be floating point, but got {input.dtype}.")
    return structure.cast(_log_normal(input, mean, std), dtype=input.dtype)


def _cauchy_numbers(shape: tuple[int, ...], median: float, sigma: float) -> Any:
    unit = random.uniform_real(shape=shape)
    return REGISTRY["Tan"]((unit - 0.5) * math.pi) * sigma + median


@draws
def _bernoulli(self: Any, *, generator: Any = None) -> Any:
    """Ones with the probabilities that the tensor holds, else zeros.

    Args:
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        A tensor of the shape and dtype of the tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> Tensor([0.0, 1.0]).bernoulli().tolist()
        [0.0, 1.0]
    """
    return random.bernoulli(self, self)


def _cauchy(self: Any, median: float = 0.0, sigma: float = 1.0) -> Any:
    """Numbers of the Cauchy distribution in the shape of the tensor.

    Args:
        median: The middle of the distribution.
        sigma: Its scale, half of the distance between the quartiles.

    Returns:
        A tensor.

    Examples:
        >>> Tensor([1.0, 2.0]).cauchy().shape
        (2,)
    """
    return _cauchy_numbers(tuple(self.shape), median, sigma)


def _log_normal(self: Any, mean: float = 1.0, std: float = 2.0) -> Any:
    """Numbers whose logarithms are normally distributed, in the shape of the tensor.

    Args:
        mean, std: Mean and standard deviation of the logarithms.

    Returns:
        A tensor.

    Examples:
        >>> bool((Tensor([1.0, 2.0]).log_normal() > 0).all())
        True
    """
    return REGISTRY["Exp"](random.standard_normal(shape=tuple(self.shape)) * std + mean)


METHODS = {
    "bernoulli": _bernoulli, "cauchy": _cauchy, "log_normal": _log_normal,
}
__all__ = [
    "normal", "rand", "rand_like", "randn", "randn_like", "standard_normal", "uniform",
]
