"""Random orders, places and classes."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, int32, int64
from mindspore.core.errors import show
from mindspore.operators import random

from .arguments import tensor
from .primitive import composed
from .random import _seed, _shape
from .signatures import plain


def randint(low: int, high: int, size: Any, seed: int | None = None, *, dtype: Any = None) -> Any:
    """Integers uniform in [low, high).

    Args:
        low, high: The bounds, ints.
        size: A tuple of ints, the shape.
        seed: An int, or None.
        dtype: The element type. Default: int64.

    Returns:
        A tensor.

    Raises:
        TypeError: If a bound is no int.

    Examples:
        >>> x = ops.randint(3, 5, (2, 3))
        >>> x.shape, bool(((x == 3) | (x == 4)).all())
        ((2, 3), True)
    """
    for name, value in (("low", low), ("high", high)):
        check.integer("randint", name, plain(value))
    return random.uniform_int(plain(low), plain(high), shape=_shape("randint", size),
                              seed=_seed("randint", seed), dtype=as_dtype(dtype or int64))


def randint_like(input: Any, low: int, high: int, seed: int | None = None, *,
                 dtype: Any = None) -> Any:
    """Integers uniform in [low, high) in the shape of a tensor.

    Args:
        input: A tensor.
        low, high: The bounds, ints.
        seed: An int, or None.
        dtype: The element type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor or a bound no int.

    Examples:
        >>> ops.randint_like(Tensor([1, 2]), 7, 8).tolist()
        [7, 7]
    """
    return randint(low, high, tuple(tensor("randint_like", "input", input).shape), seed,
                   dtype=dtype or input.dtype)


def randperm(n: int, seed: int = 0, offset: int = 0, dtype: Any = int64) -> Any:
    """The numbers from 0 to before `n` in random order.

    Args:
        n: A positive int.
        seed, offset: Ints that are not negative: a stream of random numbers of their own.
        dtype: The element type.

    Returns:
        A tensor (n,).

    Raises:
        ValueError: If `n` is not positive.

    Examples:
        >>> sorted(ops.randperm(4).tolist())
        [0, 1, 2, 3]
    """
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
    """The slices along the first dimension in random order.

    Args:
        x: A tensor.
        seed: An int, or None.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> sorted(ops.shuffle(Tensor([1, 2, 3])).tolist())
        [1, 2, 3]
    """
    return random.random_shuffle(tensor("shuffle", "x", x), seed=_seed("shuffle", seed))


def choice_with_mask(input_x: Any, count: int = 256, seed: int | None = None) -> tuple[Any, Any]:
    """`count` coordinates of true elements in random order, and which of them are real.

    Args:
        input_x: A bool tensor with n dimensions.
        count: How many coordinates to return.
        seed: An int, or None.

    Returns:
        The coordinates, int32 (count, n), and bools (count,), False where there are no more true elements.

    Raises:
        TypeError: If `input_x` is no bool tensor.

    Examples:
        >>> places, real = ops.choice_with_mask(Tensor([[False, True], [False, False]]), 2)
        >>> places[0].tolist(), real.tolist()
        ([0, 1], [True, False])
    """
    if tensor("choice_with_mask", "input_x", input_x).dtype.name != "bool_":
        raise TypeError(f"For 'choice_with_mask', the input must be a tensor of bools, but got "
                        f"{show(input_x)}.")
    return random.random_choice_with_mask(input_x, count=count, seed=_seed("choice_with_mask", seed))


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
    """Classes drawn uniformly from [0, range_max), and how often the true and the drawn ones are to be expected.

    Args:
        true_classes: A tensor of ints (batch, num_true).
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether all drawn classes differ.
        range_max: The number of classes.
        seed: An int.
        remove_accidental_hits: Whether true classes are never drawn.

    Returns:
        The drawn classes (num_sampled,), the expected numbers of the true ones (batch, num_true) and of the drawn
        ones (num_sampled,).

    Raises:
        ValueError: If the numbers do not fit.

    Examples:
        >>> drawn, true, expected = ops.uniform_candidate_sampler(Tensor([[1]]), 1, 3, True, 3)
        >>> sorted(drawn.tolist()), expected.shape
        ([0, 1, 2], (3,))
    """
    _candidates("UniformCandidateSampler", true_classes, num_true, num_sampled, unique, range_max)
    return random.candidates(true_classes, count=num_sampled, unique=unique, extent=range_max,
                             logarithmic=False, without_true=remove_accidental_hits, seed=seed)


def log_uniform_candidate_sampler(true_classes: Any, num_true: int = 1, num_sampled: int = 5,
                                  unique: bool = True, range_max: int = 5,
                                  seed: int = 0) -> tuple[Any, Any, Any]:
    """Classes drawn from [0, range_max) with chances that fall with their number, and how often the true and the
    drawn ones are to be expected.

    Args:
        class c has the chance (log(c + 2) - log(c + 1)) / log(range_max + 1).
        true_classes: A tensor of ints (batch, num_true).
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether all drawn classes differ.
        range_max: The number of classes.
        seed: An int.

    Returns:
        The drawn classes (num_sampled,), the expected numbers of the true ones (batch, num_true) and of the drawn
        ones (num_sampled,).

    Raises:
        ValueError: If the numbers do not fit.

    Examples:
        >>> drawn, true, expected = ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 3, True, 3)
        >>> sorted(drawn.tolist()), true.shape
        ([0, 1, 2], (1, 1))
    """
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


@composed("RandpermV2(seed=0, offset=0, dtype=int64)(n)")
def _randperm_v2(n: Any, *, seed: int = 0, offset: int = 0, dtype: Any = int64) -> Any:
    """The numbers from 0 to before `n` in random order."""
    return randperm(n, seed, offset, dtype)


__all__ = [
    "choice_with_mask", "log_uniform_candidate_sampler", "randint", "randint_like", "randperm", "shuffle",
    "uniform_candidate_sampler",
]
