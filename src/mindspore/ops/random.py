"""Functions that draw random numbers.

Without `seed` they draw from the generator that `set_seed` seeds; with one, from a generator of their
own, whose state lasts from call to call.
"""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32, int64
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
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
    """Numbers of the normal distribution with mean 0 and standard deviation 1."""
    return random.standard_normal(shape=_shape("standard_normal", shape),
                                  seed=_seed("standard_normal", seed))


def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean `mean` and standard deviation `stddev`."""
    wide = _wide(_shape("normal", shape), _number("normal", "mean", mean),
                 _number("normal", "stddev", stddev))
    unit = random.standard_normal(shape=wide, seed=_seed("normal", seed))
    return unit * stddev + mean


def uniform(shape: Any, minval: Any, maxval: Any, seed: int | None = None,
            dtype: Any = float32) -> Any:
    """Numbers uniform in [minval, maxval): float32, or integers for an int32 `dtype`."""
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
    """Numbers uniform in [0, 1)."""
    return random.uniform_real(shape=_shape("rand", spread(size)), seed=_seed("rand", seed),
                               dtype=_floating("rand", dtype))


def rand_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Numbers uniform in [0, 1) in the shape of a tensor."""
    tensor("rand_like", "input", input)
    return random.uniform_real(shape=tuple(input.shape), seed=_seed("rand_like", seed),
                               dtype=_floating("rand_like", dtype or input.dtype))


def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1."""
    return random.standard_normal(shape=_shape("randn", spread(size)), seed=_seed("randn", seed),
                                  dtype=_floating("randn", dtype))


def randn_like(input: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Numbers of the standard normal distribution in the shape of a tensor."""
    tensor("randn_like", "input", input)
    return random.standard_normal(shape=tuple(input.shape), seed=_seed("randn_like", seed),
                                  dtype=_floating("randn_like", dtype or input.dtype))


def _floating(owner: str, dtype: Any) -> Any:
    dtype = float32 if dtype is None else as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"For '{owner}', the 'dtype' must be a floating-point type, but got {dtype}.")
    return dtype


def randint(low: int, high: int, size: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Integers uniform in [low, high), int64 without `dtype`."""
    for name, value in (("low", low), ("high", high)):
        check.integer("randint", name, plain(value))
    return random.uniform_int(plain(low), plain(high), shape=_shape("randint", size),
                              seed=_seed("randint", seed), dtype=as_dtype(dtype or int64))


def randint_like(input: Any, low: int, high: int, seed: int | None = None, *,
                 dtype: Any = None) -> Any:
    """Integers uniform in [low, high) in the shape of a tensor."""
    return randint(low, high, tuple(tensor("randint_like", "input", input).shape), seed,
                   dtype=dtype or input.dtype)


def randperm(n: int, seed: int = 0, offset: int = 0, dtype: Any = int64) -> Any:
    """The numbers from 0 to before `n` in random order."""
    check.non_negative_int("randperm", "seed", seed)
    check.non_negative_int("randperm", "offset", offset)
    return random.permutation(n=check.positive_int("randperm", "n", plain(n)), seed=seed, offset=offset,
                              dtype=as_dtype(dtype))


@composed("Randperm(max_length=1, pad=-1, dtype=int32)(n)")
def _randperm(n: Any, *, max_length: int = 1, pad: int = -1, dtype: Any = int32) -> Any:
    """The numbers from 0 to before `n` in random order, filled up with `pad` to `max_length`."""
    from .padding import pad as padded  # padding is needed only here

    n = plain(n)
    n = n[0] if isinstance(n, tuple) else n
    check.integer("Randperm", "n", n, 0, max_length)
    return padded(random.permutation(n=n, dtype=as_dtype(dtype)), (0, max_length - n), value=pad)


def shuffle(x: Any, seed: int | None = None) -> Any:
    """The slices along the first dimension in random order."""
    return random.random_shuffle(tensor("shuffle", "x", x), seed=_seed("shuffle", seed))


def bernoulli(input: Any, p: Any = 0.5, seed: int | None = None) -> Any:
    """Ones with probability `p`, else zeros, in the shape of a tensor."""
    seed = -1 if seed is None else seed
    return random.bernoulli(tensor("bernoulli", "input", input), _number("bernoulli", "p", p), seed=seed)


def multinomial(input: Any, num_samples: int, replacement: bool = True,
                seed: int | None = None) -> Any:
    """Indices, int32, drawn with the probabilities that the rows are proportional to."""
    return random.multinomial(tensor("multinomial", "input", input), num_samples=plain(num_samples),
                              replacement=check.boolean("multinomial", "replacement", replacement),
                              seed=_seed("multinomial", seed))


def random_categorical(logits: Any, num_sample: int, seed: int = 0, dtype: Any = int64) -> Any:
    """Indices drawn with the probabilities softmax(logits) of each row."""
    return random.random_categorical(logits, num_sample=plain(num_sample), seed=seed,
                                     dtype=as_dtype(dtype))


def standard_laplace(shape: Any, seed: int | None = None) -> Any:
    """Numbers of the Laplace distribution with location 0 and scale 1."""
    return random.standard_laplace(shape=_shape("standard_laplace", shape),
                                   seed=_seed("standard_laplace", seed))


def laplace(shape: Any, mean: Any, lambda_param: Any, seed: int | None = None) -> Any:
    """Numbers of the Laplace distribution with location `mean` and scale `lambda_param`."""
    wide = _wide(_shape("laplace", shape), mean, lambda_param)
    return random.standard_laplace(shape=wide, seed=_seed("laplace", seed)) * lambda_param + mean


def gamma(shape: Any, alpha: Any, beta: Any, seed: int | None = None) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate `beta`, whose dimensions follow
    those of `shape`."""
    return random.gamma(_float("gamma", "alpha", alpha), _float("gamma", "beta", beta),
                        shape=_shape("gamma", shape), seed=_seed("gamma", seed))


def random_gamma(shape: Any, alpha: Any, seed: int | None = None) -> Any:
    """Numbers of the gamma distribution with shape `alpha` and rate 1."""
    alpha = _float("random_gamma", "alpha", alpha)
    return random.gamma(alpha, structure.ones_like(alpha), shape=_shape("random_gamma", shape),
                        seed=_seed("random_gamma", seed))


def _float(owner: str, name: str, value: Any) -> Any:
    value = _number(owner, name, value)
    return value if is_tensor(value) else Tensor(float(value))


def random_poisson(shape: Any, rate: Any, seed: int | None = None, dtype: Any = float32) -> Any:
    """Numbers of the Poisson distribution with expectation `rate`, whose dimensions follow `shape`."""
    return random.poisson(_float("random_poisson", "rate", rate), shape=_shape("random_poisson", shape),
                          seed=_seed("random_poisson", seed), dtype=as_dtype(dtype))


def poisson(shape: Any, mean: Any, seed: int | None = None) -> Any:
    """Numbers of the Poisson distribution with expectation `mean`, int32."""
    return random_poisson(shape, mean, seed, int32)


def choice_with_mask(input_x: Any, count: int = 256, seed: int | None = None) -> tuple[Any, Any]:
    """`count` coordinates of true elements in random order, and which of them are real."""
    if tensor("choice_with_mask", "input_x", input_x).dtype.name != "bool_":
        raise TypeError(f"For 'choice_with_mask', the input must be a tensor of bools, but got "
                        f"{show(input_x)}.")
    return random.random_choice_with_mask(input_x, count=count, seed=_seed("choice_with_mask", seed))


# ---------------------------------------------------------------------- candidate sampling

def _candidates(owner: str, true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                range_max: int) -> None:
    for name, value in (("num_true", num_true), ("num_sampled", num_sampled), ("range_max", range_max)):
        check.positive_int(owner, name, value)
    if tensor(owner, "true_classes", true_classes).ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{owner}', the 'true_classes' must have the shape (N, {num_true}), but "
                         f"got {show(true_classes)}.")
    if check.boolean(owner, "unique", unique) and num_sampled > range_max:
        raise ValueError(f"For '{owner}', {num_sampled} distinct candidates cannot be drawn from "
                         f"{range_max}.")


def uniform_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                              range_max: int, seed: int = 0,
                              remove_accidental_hits: bool = False) -> tuple[Any, Any, Any]:
    """Classes drawn uniformly from [0, range_max), and how often the true and the drawn ones are to be
    expected.

    Args:
        unique: Whether all drawn classes differ.
        remove_accidental_hits: Whether true classes are never drawn.
    """
    _candidates("UniformCandidateSampler", true_classes, num_true, num_sampled, unique, range_max)
    return random.candidates(true_classes, count=num_sampled, unique=unique, extent=range_max,
                             logarithmic=False, without_true=remove_accidental_hits, seed=seed)


def log_uniform_candidate_sampler(true_classes: Any, num_true: int = 1, num_sampled: int = 5,
                                  unique: bool = True, range_max: int = 5,
                                  seed: int = 0) -> tuple[Any, Any, Any]:
    """Classes drawn from [0, range_max) with chances that fall with their number, and how often the
    true and the drawn ones are to be expected."""
    _candidates("LogUniformCandidateSampler", true_classes, num_true, num_sampled, unique, range_max)
    return random.candidates(true_classes, count=num_sampled, unique=unique, extent=range_max,
                             logarithmic=True, without_true=False, seed=seed)


@composed("UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed=0, "
          "remove_accidental_hits=False)(true_classes)")
def _uniform_candidates(true_classes: Any, *, num_true: int, num_sampled: int, unique: bool,
                        range_max: int, seed: int = 0, remove_accidental_hits: bool = False) -> Any:
    """Classes drawn uniformly, and how often the true and the drawn ones are to be expected."""
    return uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed,
                                     remove_accidental_hits)


@composed("LogUniformCandidateSampler(num_true=1, num_sampled=5, unique=True, range_max=5, seed=0)"
          "(true_classes)")
def _log_uniform_candidates(true_classes: Any, *, num_true: int = 1, num_sampled: int = 5,
                            unique: bool = True, range_max: int = 5, seed: int = 0) -> Any:
    """Classes drawn with falling chances, and how often the true and the drawn ones are expected."""
    return log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed)


# ---------------------------------------------------------------------- further primitives, methods

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


@composed("RandpermV2(seed=0, offset=0, dtype=int64)(n)")
def _randperm_v2(n: Any, *, seed: int = 0, offset: int = 0, dtype: Any = int64) -> Any:
    """The numbers from 0 to before `n` in random order."""
    return randperm(n, seed, offset, dtype)


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
    return _log_normal(input, mean, std)


def _cauchy_numbers(shape: tuple[int, ...], median: float, sigma: float) -> Any:
    unit = random.uniform_real(shape=shape)
    return REGISTRY["Tan"]((unit - 0.5) * math.pi) * sigma + median


def _bernoulli(self: Any, *, generator: Any = None) -> Any:
    """Ones with the probabilities that the tensor holds, else zeros."""
    if generator is not None:
        raise ValueError("For 'Tensor.bernoulli', a 'generator' of its own is not taken; seed the "
                         "common one by 'mindspore.set_seed'.")
    return random.bernoulli(self, self)


def _cauchy(self: Any, median: float = 0.0, sigma: float = 1.0) -> Any:
    """Numbers of the Cauchy distribution in the shape of the tensor."""
    return _cauchy_numbers(tuple(self.shape), median, sigma)


def _log_normal(self: Any, mean: float = 1.0, std: float = 2.0) -> Any:
    """Numbers whose logarithms are normally distributed, in the shape of the tensor."""
    return REGISTRY["Exp"](random.standard_normal(shape=tuple(self.shape)) * std + mean)


METHODS = {
    "bernoulli": _bernoulli, "cauchy": _cauchy, "log_normal": _log_normal,
    "multinomial": multinomial,
    "random_categorical": lambda self, num_sample, seed=0, dtype=int64: random_categorical(
        self, num_sample, seed, dtype),
}
__all__ = ["bernoulli", "choice_with_mask", "gamma", "laplace", "log_uniform_candidate_sampler",
           "multinomial", "normal", "poisson",
           "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "random_categorical",
           "random_gamma", "random_poisson", "randperm", "shuffle", "standard_laplace",
           "standard_normal", "uniform", "uniform_candidate_sampler"]
