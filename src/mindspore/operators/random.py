"""Operators that draw random numbers.

They draw from torch's generator, which `set_seed` seeds; with `seed` or `seed2` given, from one of
their own.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core import seed as global_seed
from mindspore.core.dtype import DType, as_dtype, float32, int32, int64
from mindspore.core.errors import show
from mindspore.ir import INTS, Aval

from .exported import Exported
from .indexing import integers
from .labels import whole
from .registry import operator
from .rules import is_value
from .structure import device_in_use
from .torch_private import as_list, broadcast_tensors, special, standard_gamma
from .values import Ints, Value

_LIMIT = 1024
_streams: dict[Any, torch.Generator] = {}


def generator(seed: int, seed2: int, stream: int, device: torch.device) -> torch.Generator | None:
    """torch's own generator without seeds, else the one of these seeds, whose state lasts from call
    to call.

    `stream` tells instances of a primitive apart, so that each starts at its seeds; `set_seed` lets
    all of them start anew.
    """
    if (not seed and not seed2) or device.type == "meta":
        return None
    key = (seed, seed2, stream, device, global_seed.version())
    found = _streams.pop(key, None)
    if found is None:
        found = torch.Generator(device)
        found.manual_seed((seed * 0x9E3779B1 + seed2) & 0x7FFFFFFFFFFFFFFF)
        if len(_streams) >= _LIMIT:
            del _streams[next(iter(_streams))]
    _streams[key] = found
    return found


def snapshot() -> Any:
    """The state of all streams, for `restore`."""
    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return torch.get_rng_state(), gpus, {key: g.get_state() for key, g in _streams.items()}


def restore(state: Any) -> None:
    """Let all streams continue from where they were at `snapshot`."""
    own, gpus, others = state
    torch.set_rng_state(own)
    if gpus:
        torch.cuda.set_rng_state_all(gpus)
    for key in _streams.keys() - others.keys():
        del _streams[key]
    for key, content in others.items():
        if key not in _streams:  # of an earlier run of the program
            _streams[key] = torch.Generator(key[3])
        _streams[key].set_state(content)


_SEQUENCE: type[Any] = Sequence


def lengths(name: str, shape: Any) -> Ints:
    """A shape.  TypeError and ValueError for what is none."""
    shape = (shape,) if isinstance(shape, int) and not isinstance(shape, bool) else shape
    if not isinstance(shape, _SEQUENCE) or any(type(n) not in INTS for n in shape):
        raise TypeError(f"For '{name}', the 'shape' must be a tuple of ints, but got {shape!r}.")
    if any([n < 0 for n in shape]):
        raise ValueError(f"For '{name}', no extent of the 'shape' can be negative, but got {shape}.")
    return tuple(shape)


def _drawn(name: str, dtype: Any = None) -> Any:
    """Shape rule of an operator that draws a tensor of a given shape."""
    def rule(*_: Any, shape: Any, **attrs: Any) -> Aval:
        return Aval(lengths(name, shape), as_dtype(attrs.get("dtype") or dtype or float32))
    return rule


def _in_onnx(kind: str, **settings: Any) -> Any:
    """The rule of an operator that draws: the distribution is the same, the numbers are those of the other system."""
    def rule(g: Exported, *, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0,
             dtype: DType = float32) -> str:
        like = g.add("Expand", g.constant(0, g.results[0].dtype), g.integers(g.results[0].shape))
        own: dict[str, Any] = {"seed": float(seed or seed2)} if seed or seed2 else {}
        return g.add(kind, like, **settings, **own)
    return rule


def _no_gradient(op: Any) -> None:
    def rule(dout: Value, **_: Any) -> tuple[None, ...]:
        return (None,) * len(op.inputs)
    op.grad(rule, needs="")


def drawn_labels(shape: Sequence[int], parameters: str) -> str:
    """Labels of draws of that shape for every one of the parameters."""
    line = " ".join([f"s{i}" for i in range(len(shape))])
    return f"{parameters}; shape={line} -> {line} ..."


@operator(primitive="StandardNormal(seed=0, seed2=0)(shape)", effect="random", samples=[],
          dims="; shape=... -> ...")
def standard_normal(*, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = float32):
    """Numbers of the normal distribution with mean 0 and standard deviation 1."""
    device = device_in_use()
    return torch.randn(shape, dtype=dtype.torch, device=device,
                       generator=generator(seed, seed2, stream, device))


standard_normal.shape(_drawn("StandardNormal"))
standard_normal.onnx(_in_onnx("RandomNormalLike", mean=0.0, scale=1.0))


@operator(primitive="UniformReal(seed=0, seed2=0)(shape)", effect="random", samples=[],
          dims="; shape=... -> ...")
def uniform_real(*, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = float32):
    """Numbers uniform in [0, 1)."""
    device = device_in_use()
    return torch.rand(shape, dtype=dtype.torch, device=device,
                      generator=generator(seed, seed2, stream, device))


uniform_real.shape(_drawn("UniformReal"))
uniform_real.onnx(_in_onnx("RandomUniformLike", low=0.0, high=1.0))


@operator(primitive="UniformInt(seed=0, seed2=0)(shape, minval, maxval)", effect="random", samples=[],
          dims=", ; shape=... -> ...")
def uniform_int(minval: Tensor | int, maxval: Tensor | int, *, shape: Ints, seed: int = 0, seed2: int = 0,
                stream: int = 0, dtype: DType = int32):
    """Integers uniform in [minval, maxval)."""
    device = device_in_use()
    made = generator(seed, seed2, stream, device)
    if isinstance(minval, int) and isinstance(maxval, int):
        return torch.randint(minval, maxval, shape, dtype=dtype.torch, device=device, generator=made)
    unit = torch.rand(shape, dtype=torch.float64, device=device, generator=made)
    return (minval + (unit * (maxval - minval)).floor()).to(dtype.torch)


@uniform_int.shape
def _(minval: Any, maxval: Any, *, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0,
      dtype: DType = int32) -> Aval:
    if isinstance(minval, int) and isinstance(maxval, int) and minval >= maxval:
        raise ValueError(f"For 'UniformInt', the 'minval' must be less than the 'maxval', but got "
                         f"{minval} and {maxval}.")
    return Aval(lengths("UniformInt", shape), as_dtype(dtype))


@operator(primitive="StandardLaplace(seed=0, seed2=0)(shape)", effect="random", samples=[],
          dims="; shape=... -> ...")
def standard_laplace(*, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0):
    """Numbers of the Laplace distribution with location 0 and scale 1."""
    device = device_in_use()
    unit = torch.rand(shape, dtype=torch.float64, device=device,
                      generator=generator(seed, seed2, stream, device)) - 0.5
    return (-unit.sign() * torch.log1p(-2 * unit.abs().clamp(max=0.5 - 1e-16))).float()


standard_laplace.shape(_drawn("StandardLaplace"))


@operator(primitive="TruncatedNormal(dtype=float32, seed=0, seed2=0)(shape)", effect="random",
          samples=[], dims="; shape=... -> ...")
def truncated_normal(*, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = float32):
    """Numbers of the standard normal distribution, those beyond two standard deviations drawn again."""
    device = device_in_use()
    low, high = 0.022750131948179212, 0.9772498680518208      # the distribution function at -2 and 2
    unit = torch.rand(shape, dtype=torch.float64, device=device,
                      generator=generator(seed, seed2, stream, device))
    return special.ndtri(low + unit * (high - low)).to(dtype.torch)


truncated_normal.shape(_drawn("TruncatedNormal"))


@operator(hidden=True, effect="random", samples=[],
          dims=lambda alpha, beta, shape, seed=0, seed2=0, stream=0: drawn_labels(shape, "..., ..."))
def gamma(alpha: Tensor, beta: Tensor, *, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0):
    """Numbers of the gamma distribution with shape `alpha` and rate `beta`; the dimensions of both
    follow those of `shape`."""
    alpha, beta = broadcast_tensors(alpha, beta)
    wide = alpha.expand((*shape, *alpha.shape)).contiguous()
    return standard_gamma(wide, generator(seed, seed2, stream, alpha.device)) / beta


@operator(hidden=True, effect="random", samples=[],
          dims=lambda mean, shape, seed=0, seed2=0, stream=0, dtype=None: drawn_labels(shape, "..."))
def poisson(mean: Tensor, *, shape: Ints, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = int32):
    """Numbers of the Poisson distribution with expectation `mean`, whose dimensions follow `shape`."""
    wide = mean.expand((*shape, *mean.shape)).float().contiguous()
    return torch.poisson(wide, generator(seed, seed2, stream, mean.device)).to(dtype.torch)


@operator(primitive="Multinomial(seed=0, seed2=0, dtype=int32)(x, num_samples)", effect="random",
          samples=[], dims="... c! -> ... k!")
def multinomial(x: Tensor, *, num_samples: int, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = int32,
                replacement: bool = True):
    """Indices drawn with the probabilities that the rows of `x` are proportional to."""
    found = torch.multinomial(x, num_samples, replacement, generator=generator(seed, seed2, stream, x.device))
    return found.to(dtype.torch)


@multinomial.shape
def _(x: Aval, *, num_samples: object, seed: int = 0, seed2: int = 0, stream: int = 0, dtype: DType = int32,
      replacement: bool = True) -> Aval:
    if not is_value(x) or not x.dtype.is_floating:
        raise TypeError(f"For 'Multinomial', the input must be floating point, but got {show(x)}.")
    if len(x.shape) not in (1, 2):
        raise ValueError(f"For 'Multinomial', the input must have one or two dimensions, but got "
                         f"{show(x)}.")
    if isinstance(num_samples, bool) or not isinstance(num_samples, int):
        raise TypeError(f"For 'Multinomial', the 'num_samples' must be an int, but got "
                        f"{num_samples!r}.")
    if num_samples < 0 or (not replacement and num_samples > x.shape[-1]):
        raise ValueError(f"For 'Multinomial', {num_samples} samples cannot be drawn from "
                         f"{x.shape[-1]} without replacement.")
    return Aval((*x.shape[:-1], num_samples), as_dtype(dtype))


@operator(primitive="RandomCategorical(dtype=int64)(logits, num_sample, seed=0)", effect="random",
          samples=[], dims="n c! -> n k!")
def random_categorical(logits: Tensor, *, num_sample: int, seed: int = 0, stream: int = 0, dtype: DType = int64):
    """Indices drawn with the probabilities softmax(logits) of each row."""
    chance = torch.softmax(logits.double(), -1)
    return torch.multinomial(chance, num_sample, True,
                             generator=generator(seed, 0, stream, logits.device)).to(dtype.torch)


@operator(primitive="Bernoulli(seed=-1, offset=0)(x, p)", effect="random", samples=[],
          dims="..., ... -> ...")
def bernoulli(x: Tensor, p: float, *, seed: int = -1, offset: int = 0, stream: int = 0):
    """Ones with probability `p`, else zeros, in the shape and dtype of `x`."""
    _need_chance(p)
    made = generator(max(seed, 0), offset, stream, x.device)
    unit = torch.rand(x.shape, device=x.device, generator=made)
    return (unit < p).to(x.dtype)


@bernoulli.shape
def _(x: Aval, p: Any, **_: Any) -> Aval:
    _need_chance(p)
    return x


def _need_chance(p: Any) -> None:
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        raise ValueError(f"For 'Bernoulli', the 'p' must be in [0, 1], but got {p}.")


@operator(hidden=True, effect="random", samples=[], dims=whole("every number is drawn once for the whole"))
def permutation(*, n: int, seed: int = 0, offset: int = 0, stream: int = 0, dtype: DType = int64):
    """The numbers from 0 to before `n` in random order."""
    device = device_in_use()
    return torch.randperm(n, device=device, dtype=dtype.torch,
                          generator=generator(seed, offset, stream, device))


@permutation.shape
def _(*, n: int, dtype: DType = int64, **_: Any) -> Aval:
    return Aval((n,), as_dtype(dtype))


@operator(primitive="RandomShuffle(seed=0, seed2=0)(x)", effect="random", samples=[],
          dims=whole("every number is drawn once for the whole"))
def random_shuffle(x: Tensor, *, seed: int = 0, seed2: int = 0, stream: int = 0):
    """The slices of `x` along its first dimension in random order."""
    return x[torch.randperm(x.shape[0], device=x.device, generator=generator(seed, seed2, stream, x.device))]


@random_shuffle.shape
def _(x: Aval, **_: Any) -> Aval:
    return x


@operator(primitive="RandomChoiceWithMask(count=256, seed=0, seed2=0)(input_x)", effect="random",
          samples=[], dims=whole("every number is drawn once for the whole"))
def random_choice_with_mask(x: Tensor, *, count: int = 256, seed: int = 0, seed2: int = 0, stream: int = 0):
    """`count` coordinates of true elements in random order, int32, and which of them are real: zeros
    fill up where there are too few."""
    if x.is_meta:
        return (torch.empty(count, x.dim(), dtype=torch.int32),
                torch.empty(count, dtype=torch.bool))
    found = torch.nonzero(x)
    order = torch.randperm(len(found), device=x.device, generator=generator(seed, seed2, stream, x.device))
    found = found[order[:count]].int()
    places = found.new_zeros(count, x.dim())
    places[:len(found)] = found
    return places, torch.arange(count, device=x.device) < len(found)


@operator(hidden=True, effect="random", samples=[], dims=whole("every number is drawn once for the whole"))
def candidates(true_classes: Tensor, *, count: int, unique: bool, extent: int, logarithmic: bool, without_true: bool,
               seed: int = 0, stream: int = 0):
    """`count` classes drawn from [0, extent), and the expected counts of the true and the drawn ones.

    Without repetition the expected count of a class with chance p is 1 - (1 - p) ** tries, where
    `tries` is how many draws it took.
    """
    device = true_classes.device
    classes = torch.arange(extent, device=device, dtype=torch.float64)
    chance = torch.log1p(1 / (classes + 1)) / math.log(extent + 1) if logarithmic else (
        torch.full_like(classes, 1 / extent))
    weights = chance.clone()
    if without_true:
        weights[true_classes.long().clamp(0, extent - 1)] = 0
    made = generator(seed, 0, stream, device)
    if unique:
        found, tries = _distinct(weights, count, made)
    else:
        found, tries = torch.multinomial(weights, count, True, generator=made), count
    expected = (-torch.expm1(tries * torch.log1p(-chance)) if unique else count * chance).float()
    true = true_classes.long().clamp(0, extent - 1)
    return found.to(true_classes.dtype), expected[true], expected[found]


def _distinct(weights: torch.Tensor, count: int, made: torch.Generator | None) -> tuple[Any, int]:
    """Distinct classes in the order of their first draw, and the number of draws."""
    found: dict[int, None] = {}
    tries = 0
    while len(found) < count:
        for one in as_list(torch.multinomial(weights, 64, True, generator=made)):
            tries += 1
            found[one] = None
            if len(found) == count:
                break
    return torch.tensor(list(found), device=weights.device), tries


@candidates.shape
def _(true_classes: Aval, *, count: int, **_: Any) -> tuple[Aval, Aval, Aval]:
    integers("UniformCandidateSampler", "true_classes", true_classes)
    return (Aval((count,), true_classes.dtype), Aval(true_classes.shape, float32),
            Aval((count,), float32))


for _op in (standard_normal, uniform_real, uniform_int, standard_laplace, truncated_normal, gamma,
            poisson, multinomial, random_categorical, bernoulli, random_choice_with_mask, candidates):
    _no_gradient(_op)
