"""Functions that pad, and that move elements between the batch, the channels and the plane."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators import joining, structure
from mindspore.operators import padding as operators

from .arguments import extents, spread, tensor
from .array import ravel, reshape
from .primitive import composed
from .signatures import plain

_MODES = ("constant", "reflect", "replicate", "circular")


def pad(input_x: Any, padding: Any, mode: str = "constant", value: Any = None) -> Any:
    """The tensor with elements added at its borders.

    Args:
        input_x: A tensor.
        padding: (before, after) for the last dimension, then for the one before it, and so on; negative numbers cut
            off. An int for both sides of the last one.
        mode: "constant" adds `value`; "reflect" mirrors without the border, "replicate" repeats it, "circular"
            wraps round.
        value: What "constant" adds. Default: 0.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input_x` is no tensor, or the `padding` no ints.
        ValueError: If `mode` is another one, or the `padding` does not fit.

    Examples:
        >>> ops.pad(Tensor([[1, 2], [3, 4]]), (1, 0), value=9).tolist()
        [[9, 1, 2], [9, 3, 4]]
        >>> ops.pad(Tensor([[1.0, 2.0, 3.0]]), (1, 1), "reflect").tolist()
        [[2.0, 1.0, 2.0, 3.0, 2.0]]
    """
    rank, flat = tensor("pad", "input_x", input_x).ndim, plain(padding)
    check.option("pad", "mode", mode, _MODES)
    if isinstance(flat, int):
        flat = (flat,) * 2
    if len(flat) % 2 or len(flat) // 2 > rank:
        raise ValueError(f"For 'pad', the 'padding' must hold a pair for at most {rank} dimensions, "
                         f"but got {padding}.")
    for n in flat:
        check.integer("pad", "padding", n)
    pads = tuple([(0, 0)] * (rank - len(flat) // 2)
                 + [(flat[i], flat[i + 1]) for i in range(len(flat) - 2, -1, -2)])
    if mode == "constant":
        return operators.pad_constant(input_x, pads=pads, value=0 if value is None else plain(value))
    if value is not None:
        raise ValueError(f"For 'pad', the 'value' is used only in mode 'constant', but got {value} in "
                         f"mode '{mode}'.")
    if min(flat, default=0) >= 0:
        return operators.pad_border(input_x, pads=pads, mode=mode)
    return _cut_and_padded(input_x, pads, mode)


def _cut_and_padded(x: Any, pads: tuple[tuple[int, int], ...], mode: str) -> Any:
    """The tensor continued by positive paddings and cut by negative ones; "circular" wraps what is left."""
    less = tuple([(min(a, 0), min(b, 0)) for a, b in pads])
    more = tuple([(max(a, 0), max(b, 0)) for a, b in pads])
    for n, pair in zip(x.shape, pads, strict=True):
        if n + sum(pair) < 1 or n + min(pair) < 0:
            raise ValueError(f"For 'pad', the 'padding' must leave something of every dimension in mode '{mode}', but "
                             f"got {pair} for an extent of {n}.")
    if mode == "circular":
        return operators.pad_border(operators.pad_constant(x, pads=less), pads=more, mode=mode)
    return operators.pad_constant(operators.pad_border(x, pads=more, mode=mode), pads=less)


@composed("PadV3(mode='constant', paddings_contiguous=True)(x, paddings, constant_value=None)")
def _pad_v3(x: Any, *, paddings: Any, constant_value: Any = None, mode: str = "constant",
            paddings_contiguous: bool = True) -> Any:
    """The tensor with elements added at its borders, from the last dimension on."""
    check.option("PadV3", "mode", mode, ("constant", "reflect", "edge", "circular"))
    if not paddings_contiguous:
        half = len(paddings) // 2
        paddings = tuple([n for pair in zip(paddings[:half], paddings[half:], strict=True)
                          for n in pair])
    if mode == "constant" and x.dtype.is_complex and constant_value is not None:
        inside = pad(structure.ones_like(x), paddings)
        return pad(x, paddings) + (1 - inside) * constant_value      # torch's kernel adds real numbers only
    if mode == "constant":
        return pad(x, paddings, value=constant_value)
    return pad(x, paddings, "replicate" if mode == "edge" else mode)


def mirror_pad(input_x: Any, paddings: Any, mode: str) -> Any:
    """The tensor mirrored beyond its borders by `paddings[i]` = (before, after) elements.

    Args:
        input_x: A tensor.
        paddings: A pair of ints per dimension.
        mode: "REFLECT" without the border element, "SYMMETRIC" with it.

    Returns:
        A tensor.

    Raises:
        ValueError: If `mode` is another one, or the paddings exceed the tensor.

    Examples:
        >>> ops.mirror_pad(Tensor([[1, 2, 3]]), ((0, 0), (1, 1)), "REFLECT").tolist()
        [[2, 1, 2, 3, 2]]
    """
    return operators.mirror_pad(input_x, paddings=plain(paddings), mode=mode)


@composed("Padding(pad_dim_size=8)(x)")
def _padding(x: Any, *, pad_dim_size: int = 8) -> Any:
    """The last dimension, of extent 1, filled up with zeros to `pad_dim_size`."""
    check.positive_int("Padding", "pad_dim_size", pad_dim_size)
    if tensor("Padding", "x", x).ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"For 'Padding', the input must have two dimensions at least and the extent "
                         f"1 in the last, but got {show(x)}.")
    return pad(x, (0, pad_dim_size - 1))


def padding(x: Any, pad_dim_size: int = 8) -> Any:
    """The last dimension, of extent 1, filled up with zeros to `pad_dim_size`.

    Args:
        x: A tensor (*, 1) with two dimensions at least.
        pad_dim_size: A positive int.

    Returns:
        A tensor (*, pad_dim_size).

    Raises:
        ValueError: If the last extent is not 1.

    Examples:
        >>> ops.padding(Tensor([[1.0], [2.0]]), 3).tolist()
        [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    """
    return _padding(x, pad_dim_size=pad_dim_size)


# ---------------------------------------------------------------------- blocks

def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """Channels moved into blocks of the plane: (*, C*r*r, H, W) to (*, C, H*r, W*r).

    Args:
        input: A tensor (*, C*r*r, H, W).
        upscale_factor: r, a positive int.

    Returns:
        A tensor (*, C, H*r, W*r).

    Raises:
        ValueError: If r * r does not divide the number of channels.

    Examples:
        >>> ops.pixel_shuffle(Tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).tolist()
        [[[[1, 2], [3, 4]]]]
    """
    r = check.positive_int("pixel_shuffle", "upscale_factor", upscale_factor)
    *lead, c, h, w = _plane("pixel_shuffle", input)
    if c % (r * r):
        raise ValueError(f"For 'pixel_shuffle', the square of 'upscale_factor' must divide the "
                         f"channels, but got {r} and {c}.")
    n = len(lead)
    apart = reshape(input, (*lead, c // r // r, r, r, h, w))
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return reshape(structure.transpose(apart, perm=order), (*lead, c // r // r, h * r, w * r))


def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """Blocks of the plane moved into channels: (*, C, H*r, W*r) to (*, C*r*r, H, W).

    Args:
        input: A tensor (*, C, H*r, W*r).
        downscale_factor: r, a positive int.

    Returns:
        A tensor (*, C*r*r, H, W).

    Raises:
        ValueError: If r does not divide height and width.

    Examples:
        >>> ops.pixel_unshuffle(Tensor([[[[1, 2], [3, 4]]]]), 2).tolist()
        [[[[1]], [[2]], [[3]], [[4]]]]
    """
    r = check.positive_int("pixel_unshuffle", "downscale_factor", downscale_factor)
    *lead, c, h, w = _plane("pixel_unshuffle", input)
    if h % r or w % r:
        raise ValueError(f"For 'pixel_unshuffle', the 'downscale_factor' must divide height and "
                         f"width, but got {r} for {show(input)}.")
    n = len(lead)
    apart = reshape(input, (*lead, c, h // r, r, w // r, r))
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return reshape(structure.transpose(apart, perm=order), (*lead, c * r * r, h // r, w // r))


def _plane(owner: str, x: Any) -> tuple[int, ...]:
    if tensor(owner, "input", x).ndim < 3:
        raise ValueError(f"For '{owner}', the input must have three dimensions at least, but got "
                         f"{show(x)}.")
    return x.shape


@composed("ChannelShuffle(group)(x)")
def _channel_shuffle(x: Any, *, group: int) -> Any:
    """The channels of `group` groups interleaved."""
    n, c, *rest = _plane("ChannelShuffle", x)
    check.positive_int("ChannelShuffle", "group", group)
    if c % group:
        raise ValueError(f"For 'ChannelShuffle', the 'group' must divide the {c} channels, but got "
                         f"{group}.")
    apart = structure.transpose(reshape(x, (n, group, c // group, -1)), perm=(0, 2, 1, 3))
    return reshape(apart, (n, c, *rest))


def channel_shuffle(x: Any, groups: int) -> Any:
    """The channels of `groups` groups interleaved.

    Args:
        x: A tensor (*, C, H, W).
        groups: The number of groups, which divides C.

    Returns:
        A tensor of the shape of `x`.

    Examples:
        >>> ops.channel_shuffle(Tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).tolist()
        [[[[1]], [[3]], [[2]], [[4]]]]
    """
    return _channel_shuffle(x, group=groups)


@composed("SpaceToBatchND(block_shape, paddings)(x)")
def _space_to_batch(x: Any, *, block_shape: Any, paddings: Any) -> Any:
    """The last dimensions, padded, cut into blocks whose elements become the batch."""
    block, pads = _blocks("SpaceToBatchND", x, block_shape, paddings)
    lead = x.ndim - len(block)
    for n, b, (before, after) in zip(x.shape[lead:], block, pads, strict=True):
        if (n + before + after) % b:
            raise ValueError(f"For 'SpaceToBatchND', the block extents must divide the padded ones, "
                             f"but got {block} for {show(x)} with paddings {pads}.")
    return operators.space_to_batch(x, block, pads)


@composed("BatchToSpaceND(block_shape, crops)(x)")
def batch_to_space(x: Any, *, block_shape: Any, crops: Any) -> Any:
    """The batch moved back into blocks of the last dimensions, with `crops` cut off."""
    block, cut = _blocks("BatchToSpaceND", x, block_shape, crops)
    count = 1
    for b in block:
        count *= b
    if x.shape[0] % count:
        raise ValueError(f"For 'BatchToSpaceND', the product of the block extents must divide the "
                         f"batch, but got {block} for {show(x)}.")
    return operators.batch_to_space(x, block, cut)


def _blocks(owner: str, x: Any, block: Any, pads: Any) -> tuple[Any, Any]:
    if not isinstance(pads, (tuple, list)):
        raise TypeError(f"For '{owner}', a pair of ints is needed for each dimension of a block, but got {pads!r}.")
    block = (block,) * len(pads) if isinstance(block, int) else block
    for b in block:
        check.positive_int(owner, "block_shape", b)
    if len(pads) != len(block) or tensor(owner, "x", x).ndim <= len(block):
        raise ValueError(f"For '{owner}', a pair is needed for each of the {len(block)} dimensions of "
                         f"a block, but got {pads} for {show(x)}.")
    return block, pads


def space_to_batch_nd(input_x: Any, block_size: Any, paddings: Any) -> Any:
    """The last dimensions, padded, cut into blocks whose elements become the batch.

    Args:
        input_x: A tensor (N, *) whose last dimensions are cut.
        block_size: The extents of the blocks, ints, one per dimension.
        paddings: A pair of ints per dimension; the sums are multiples of the blocks' extents.

    Returns:
        A tensor (N * the product of the blocks' extents, *).

    Examples:
        >>> ops.space_to_batch_nd(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), (2, 2), ((0, 0), (0, 0))).tolist()
        [[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]
    """
    return _space_to_batch(input_x, block_shape=plain(block_size), paddings=plain(paddings))


def batch_to_space_nd(input_x: Any, block_shape: Any, crops: Any) -> Any:
    """The batch moved back into blocks of the last dimensions, with `crops` cut off.

    Args:
        input_x: A tensor (N * the product of the blocks' extents, *).
        block_shape: The extents of the blocks, ints, one per dimension.
        crops: A pair of ints per dimension.

    Returns:
        A tensor (N, *).

    Examples:
        >>> x = Tensor([[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]])
        >>> ops.batch_to_space_nd(x, (2, 2), ((0, 0), (0, 0))).tolist()
        [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    return batch_to_space(input_x, block_shape=plain(block_shape), crops=plain(crops))


@composed("SpaceToBatch(block_size, paddings)(x)")
def _space_to_batch_2d(x: Any, *, block_size: int, paddings: Any) -> Any:
    """The plane, padded, cut into blocks whose elements become the batch."""
    return _space_to_batch(x, block_shape=(block_size,) * 2, paddings=paddings)


@composed("BatchToSpace(block_size, crops)(x)")
def _batch_to_space_2d(x: Any, *, block_size: int, crops: Any) -> Any:
    """The batch moved back into blocks of the plane, with `crops` cut off."""
    return batch_to_space(x, block_shape=(block_size,) * 2, crops=crops)


def _resize(self: Any, *new_shape: Any) -> Any:
    """The first elements in another shape; zeros fill up where there are too few.

    Args:
        new_shape: The extents, or one tuple of them.

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If an extent is no int.
        ValueError: If an extent is negative.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).resize(2, 2).tolist()
        [[1.0, 2.0], [3.0, 0.0]]
    """
    shape = extents("Tensor.resize", spread(new_shape))
    if any([type(n) is int and n < 0 for n in shape]):
        raise ValueError(f"For 'Tensor.resize', the extents must not be negative, but got {tuple(shape)}.")
    count, flat = math.prod(shape), ravel(self)
    if count > self.size:
        flat = pad(flat, (0, count - self.size))
    return structure.reshape(joining.slice_axis(flat, axis=0, start=0, stop=count), shape=shape)


METHODS = {"resize": _resize}

__all__ = ["batch_to_space_nd", "channel_shuffle", "mirror_pad", "pad", "padding", "pixel_shuffle",
           "pixel_unshuffle", "space_to_batch_nd"]
