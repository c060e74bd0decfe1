"""Draws from distributions with parameters, and from given numbers."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int64
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import random, structure

from .arguments import tensor
from .random import _number, _seed, _shape, _wide, gamma_numbers, poisson_numbers
from .signatures import plain


def bernoulli(input: Any, p: Any = 0.5, seed: int | None = None) -> Any:
    """Ones with probability `p`, else zeros, in the shape of a tensor.

    Args:
        input: A tensor, whose shape and dtype are meant.
        p: The probability, a number or a tensor that broadcasts.
        seed: An int, or None.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.bernoulli(Tensor([0.0, 0.0]), 1.0).tolist()
        [1.0, 1.0]
    """
    seed = -1 if seed is None else seed
    return random.bernoulli(tensor("bernoulli", "input", input), _number("bernoulli", "p", p), seed=seed)


def multinomial(input: Any, num_samples: int, replacement: bool = True,
                seed: int | None = None) -> Any:
    """Indices, int32, drawn with the probabilities that the rows are proportional to.

    Args:
        input: A tensor (n,) or (rows, n) of numbers that are not negative.
        num_samples: How many indices to draw from a row.
        replacement: Whether an index may be drawn several times.
        seed: An int, or None.

    Returns:
        A tensor of int32, (num_samples,) or (rows, num_samples).

    Raises:
        TypeError: If `input` is no tensor or `replacement` no bool.

    Examples:
        >>> ops.multinomial(Tensor([0.0, 1.0, 0.0]), 3).tolist()
        [1, 1, 1]
    """
    weights = tensor("multinomial", "input", input)
    if not weights.dtype.is_floating:
        weights = structure.cast(weights, dtype=float32)
    return random.multinomial(weights, num_samples=plain(num_samples),
                              replacement=check.boolean("multinomial", "replacement", replacement),
                              seed=_seed("multinomial", seed))


def random_categorical(logits: Any, num_sample: int, seed: int = 0, dtype: Any = int64) -> Any:
    """Indices drawn with the probabilities softmax(logits) of each row.

    Args:
        logits: A tensor (rows, n) of unnormalised log-probabilities.
        num_sample: How many indices to draw from a row.
        seed: An int.
        dtype: The element type of the indices.

    Returns:
        A tensor (rows, num_sample).

    Examples:
        >>> ops.random_categorical(Tensor([[-1000.0, 0.0]]), 3).tolist()
        [[1, 1, 1]]
    """
    return random.random_categorical(logits, num_sample=plain(num_sample), seed=seed,
                                     dtype=as_dtype(dtype))


def standard_laplace(shape: Any, seed: int | None = None) -> Any:
    """Numbers of the Laplace distribution with location 0 and scale 1.

    Args:
        shape: A tuple of ints.
        seed: An int, or None.

    Returns:
        A tensor of float32.

    Examples:
        >>> ops.standard_laplace((2, 3)).shape
        (2, 3)
    """
    return random.standard_laplace(shape=_shape("standard_laplace", shape),
                                   seed=_seed("standard_laplace", seed))


def laplace(shape: Any, mean: Any, lambda_param: Any, seed: int | None = None) -> Any:
    """Numbers of the Laplace distribution with location `mean` and scale `lambda_param`.

    Args:
        shape: A tuple of ints, to which the dimensions of the parameters broadcast.
        mean, lambda_param: Tensors.
        seed: An int, or None.

    Returns:
        A tensor.

    Examples:
        >>> ops.laplace((2, 3), Tensor(0.0), Tensor(1.0)).shape
        (2, 3)
    """
    wide = _wide(_shape("laplace", shape), mean, lambda_param)
    return random.standard_laplace(shape=wide, seed=_seed("laplace", seed)) * lambda_param + mean


def gamma(shape: Any, alpha: Any, beta: Any, seed: int | None = None) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate `beta`.

    Args:
        shape: A tuple of ints.
        alpha, beta: Floating-point tensors of broadcastable shapes, positive.
        seed: An int, or None.

    Returns:
        A tensor of the shape that `shape` and those of the parameters broadcast to.

    Raises:
        TypeError: If a parameter is no floating-point tensor.

    Examples:
        >>> ops.gamma((4, 1), Tensor([1.0, 2.0]), Tensor([1.0, 1.0])).shape
        (4, 2)
    """
    return gamma_numbers(shape, _float("gamma", "alpha", alpha), _float("gamma", "beta", beta),
                         seed=_seed("gamma", seed))


def random_gamma(shape: Any, alpha: Any, seed: int | None = None) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate 1, whose dimensions follow those of `shape`.

    Args:
        shape: A tuple of ints.
        alpha: A floating-point tensor, positive.
        seed: An int, or None.

    Returns:
        A tensor of the shape `shape` and that of `alpha`.

    Raises:
        TypeError: If `alpha` is no floating-point tensor.

    Examples:
        >>> ops.random_gamma((4,), Tensor([1.0, 2.0])).shape
        (4, 2)
    """
    alpha = _float("random_gamma", "alpha", alpha)
    return random.gamma(alpha, structure.ones_like(alpha), shape=_shape("random_gamma", shape),
                        seed=_seed("random_gamma", seed))


def _float(owner: str, name: str, value: Any) -> Any:
    value = _number(owner, name, value)
    return value if is_tensor(value) else Tensor(float(value))


def random_poisson(shape: Any, rate: Any, seed: int | None = None, dtype: Any = float32) -> Any:
    """Numbers of the Poisson distribution with expectation `rate`, whose dimensions follow `shape`.

    Args:
        shape: A tuple of ints.
        rate: A floating-point tensor, not negative.
        seed: An int, or None.
        dtype: The element type of the result.

    Returns:
        A tensor of the shape `shape` and that of `rate`.

    Raises:
        TypeError: If `rate` is no floating-point tensor.

    Examples:
        >>> ops.random_poisson((3,), Tensor(0.0)).tolist()
        [0.0, 0.0, 0.0]
    """
    return random.poisson(_float("random_poisson", "rate", rate), shape=_shape("random_poisson", shape),
                          seed=_seed("random_poisson", seed), dtype=as_dtype(dtype))


def poisson(shape: Any, mean: Any, seed: int | None = None) -> Any:
    """Numbers of the Poisson distribution with expectation `mean`, int32.

    Args:
        shape: A tuple of ints.
        mean: A floating-point tensor, not negative.
        seed: An int, or None.

    Returns:
        A tensor of int32, of the shape that `shape` and that of `mean` broadcast to.

    Raises:
        TypeError: If `mean` is no floating-point tensor.

    Examples:
        >>> ops.poisson((3,), Tensor(0.0)).tolist()
        [0, 0, 0]
    """
    return poisson_numbers(shape, _float("poisson", "mean", mean), seed=_seed("poisson", seed))


__all__ = [
    "bernoulli", "gamma", "laplace", "multinomial", "poisson", "random_categorical", "random_gamma",
    "random_poisson", "standard_laplace",
]


def _random_categorical(self: Any, num_sample: int, seed: int = 0, dtype: Any = int64) -> Any:
    """Indices drawn with the probabilities softmax(self) of each row.

    Args:
        num_sample: How many indices to draw from a row.
        seed: An int.
        dtype: The element type of the indices.

    Returns:
        A tensor (rows, num_sample).

    Examples:
        >>> Tensor([[-1000.0, 0.0]]).random_categorical(3).tolist()
        [[1, 1, 1]]
    """
    return random_categorical(self, num_sample, seed, dtype)


METHODS = {
    "multinomial": multinomial,
    "random_categorical": _random_categorical,
}
