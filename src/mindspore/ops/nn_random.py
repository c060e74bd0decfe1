"""Dropout functions and primitives of `mindspore.ops`."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.core import check
from mindspore.core.errors import ArgumentError, show
from mindspore.operators import dropout as kernels
from mindspore.operators.structure import cast, reshape

from .arguments import tensor
from .primitive import composed


def dropout(input: Any, p: float = 0.5, training: bool = True, seed: Any = None) -> Any:
    """The input with each element set to 0 with probability `p`, the others divided by 1 - p.

    With a `seed`, the choice comes from a generator of its own, whose state lasts from call to call.

    Args:
        input: A floating-point tensor.
        p: The probability, in [0, 1).
        training: Whether elements are dropped.
        seed: An int, or None.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor or `training` no bool.
        ValueError: If `p` is out of range.

    Examples:
        >>> y = ops.dropout(ops.ones((100,)), 0.5)
        >>> sorted(set(y.tolist()))
        [0.0, 2.0]
    """
    x = tensor("dropout", "input", input)
    check.boolean("dropout", "training", training)
    _probability("dropout", p, below_one=True)
    if not training:
        return x
    own = 0 if seed is None else check.non_negative_int("dropout", "seed", seed)
    return kernels.dropout(x, keep_prob=1.0 - p, seed=own)[0]


def _probability(owner: str, p: Any, below_one: bool = False) -> None:
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise check.fail(TypeError, owner, "p", "a float", p)
    if not 0 <= p <= 1 or (below_one and p == 1):
        raise ArgumentError(f"For '{owner}', the 'p' must be in [0, 1{')' if below_one else ']'}, but got "
                            f"{p}.")


def dropout1d(input: Any, p: float = 0.5, training: bool = True) -> Any:
    """Sequences (N, C, L) or (C, L) with each channel set to 0 with probability `p`.

    Args:
        input: A floating-point tensor (N, C, L) or (C, L).
        p: The probability, in [0, 1].
        training: Whether channels are dropped.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has other dimensions.

    Examples:
        >>> ops.dropout1d(Tensor([[1.0, 2.0]]), 1.0).tolist()
        [[0.0, 0.0]]
    """
    x = tensor("dropout1d", "input", input)
    if x.ndim not in (2, 3):
        raise ValueError(f"For 'dropout1d', the input must be (N, C, L) or (C, L), but got {show(x)}.")
    if x.ndim == 3:
        return _channels("dropout1d", x, p, training)
    y = _channels("dropout1d", reshape(x, shape=(1, *x.shape)), p, training)
    return reshape(y, shape=tuple(x.shape))


def dropout2d(input: Any, p: float = 0.5, training: bool = True) -> Any:
    """Images (N, C, H, W) with each channel set to 0 with probability `p`.

    Args:
        input: A floating-point tensor (N, C, H, W).
        p: The probability, in [0, 1].
        training: Whether channels are dropped.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has other dimensions.

    Examples:
        >>> ops.dropout2d(Tensor([[[[1.0, 2.0]]]]), 0.0).tolist()
        [[[[1.0, 2.0]]]]
    """
    return _channels("dropout2d", _ranked("dropout2d", input, 4), p, training)


def dropout3d(input: Any, p: float = 0.5, training: bool = True) -> Any:
    """Volumes (N, C, D, H, W) with each channel set to 0 with probability `p`.

    Args:
        input: A floating-point tensor (N, C, D, H, W).
        p: The probability, in [0, 1].
        training: Whether channels are dropped.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has other dimensions.

    Examples:
        >>> ops.dropout3d(Tensor([[[[[1.0, 2.0]]]]]), 0.0).tolist()
        [[[[[1.0, 2.0]]]]]
    """
    return _channels("dropout3d", _ranked("dropout3d", input, 5), p, training)


def _ranked(owner: str, x: Any, rank: int) -> Any:
    if tensor(owner, "input", x).ndim != rank:
        raise ValueError(f"For '{owner}', the input must have {rank} dimensions, but got {show(x)}.")
    return x


def _channels(owner: str, x: Any, p: float, training: bool) -> Any:
    check.boolean(owner, "training", training)
    _probability(owner, p)
    return kernels.channel_dropout(x, keep_prob=1.0 - p)[0] if training else x


@composed("Dropout(keep_prob=0.5, Seed0=0, Seed1=0)(x)")
def _dropout(x: Any, *, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> tuple[Any, Any]:
    """`x` / keep_prob with each element kept with that probability; and 1 where it was kept, else 0."""
    y, kept = kernels.dropout(tensor("Dropout", "x", x), keep_prob=keep_prob,
                              seed=check.non_negative_int("Dropout", "Seed0", Seed0),
                              seed2=check.non_negative_int("Dropout", "Seed1", Seed1))
    return y, cast(kept, dtype=x.dtype)


@composed("Dropout2D(keep_prob=0.5)(x)")
def _dropout2d(x: Any, *, keep_prob: float = 0.5) -> tuple[Any, Any]:
    """Images / keep_prob with each channel kept with that probability; and what was kept."""
    return kernels.channel_dropout(_ranked("Dropout2D", x, 4), keep_prob=keep_prob)


@composed("Dropout3D(keep_prob=0.5)(x)")
def _dropout3d(x: Any, *, keep_prob: float = 0.5) -> tuple[Any, Any]:
    """Volumes / keep_prob with each channel kept with that probability; and what was kept."""
    return kernels.channel_dropout(_ranked("Dropout3D", x, 5), keep_prob=keep_prob)


@composed("DropoutGenMask(Seed0=0, Seed1=0)(shape, keep_prob)")
def _dropout_gen_mask(keep_prob: Any, *, shape: Any, Seed0: int = 0, Seed1: int = 0) -> Any:
    """One bit for each element of a tensor of that shape, 1 with a probability; eight in a byte."""
    extents = check.ints("DropoutGenMask", "shape", tuple(shape), len(shape), 0)
    return kernels.packed_mask(keep_prob, count=prod(extents),
                               seed=check.non_negative_int("DropoutGenMask", "Seed0", Seed0),
                               seed2=check.non_negative_int("DropoutGenMask", "Seed1", Seed1))


@composed("DropoutDoMask()(input_x, mask, keep_prob)")
def _dropout_do_mask(x: Any, mask: Any, keep_prob: Any) -> Any:
    """`x` / keep_prob where the bit that `DropoutGenMask` drew for the element is 1, else 0."""
    return kernels.masked_by_bits(tensor("DropoutDoMask", "input_x", x), mask, keep_prob)


__all__ = ["dropout", "dropout1d", "dropout2d", "dropout3d"]
