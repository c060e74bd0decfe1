"""Pooling in regions of uneven extents that are drawn at random: primitives over images with channels last."""
from __future__ import annotations

import math
import random as python_random
from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32, int64
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor
from mindspore.operators import random
from mindspore.operators.reduction import arg_max_with_value
from mindspore.operators.structure import zeros_like

from .arguments import tensor
from .creation import arange
from .cumulative import cumsum
from .indexing import gather, where
from .joining import cat
from .ordering import argsort
from .primitive import composed

_OPTIONS = "pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0"


def _ratios(owner: str, pooling_ratio: Any) -> tuple[float, float]:
    """The ratios of rows and columns."""
    given = check.instance(owner, "pooling_ratio", pooling_ratio, (list, tuple))
    if len(given) != 4:
        raise ValueError(f"For '{owner}', the 'pooling_ratio' must have 4 elements, but got {len(given)}.")
    for ratio in given:
        check.instance(owner, "pooling_ratio", ratio, float)
    if given[0] != 1.0 or given[3] != 1.0:
        raise ValueError(f"For '{owner}', the first and the last 'pooling_ratio' must be 1.0 (batch and channels are "
                         f"not pooled), but got {list(given)}.")
    if min(given) < 1.0 or not math.isfinite(max(given)):
        raise ValueError(f"For '{owner}', the 'pooling_ratio' must be finite and at least 1.0, but got {list(given)}.")
    return given[1], given[2]


def _steps(extent: int, regions: int, draw: Any) -> Any:
    """Where regions begin and the last one ends: steps of two neighbouring lengths in a random order."""
    short, longer = divmod(extent, regions)
    places = argsort(argsort(draw(regions)))
    return cumsum(short + (places < longer).astype(int64), 0)


def _even_steps(extent: int, regions: int, draw: Any) -> Any:
    """The same, with the steps as even as a random start allows: ceil(ratio * (i + u)).  Source: Graham 2014."""
    ratio, short = extent / regions, extent // regions
    bound = min((short + 2) / ratio - 1, (extent + 1 - short) / ratio - (regions - 1))    # no other lengths of steps
    start = draw(1) * bound
    ends = (ratio * (arange(1, regions).astype(float32) + start)).astype(int64) - (ratio * start).astype(int64)
    return cat((ends, Tensor([extent], int64)), 0)


def _edges(extent: int, ratio: float, pseudo_random: bool, draw: Any) -> Any:
    regions = int(extent / ratio)
    ends = (_even_steps if pseudo_random else _steps)(extent, regions, draw)
    return cat((Tensor([0], int64), ends), 0)


def _windows(edges: Any, extent: int, overlapping: bool) -> tuple[Any, Any]:
    """The places of each region (regions, longest), and which of them belong to it."""
    regions = edges.shape[0] - 1
    longest = -(-extent // regions) + 1 + int(overlapping)
    places = edges[:-1].reshape(-1, 1) + arange(longest).astype(int64).reshape(1, -1)
    ends = (edges[1:] + int(overlapping)).clamp(None, extent).reshape(-1, 1)
    return places.clamp(None, extent - 1), places < ends


def _regions(owner: str, x: Any, options: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """The elements of every region on the last axis, which of them belong to it, and the edges of rows and columns."""
    ratios = _ratios(owner, options["pooling_ratio"])
    for name in ("pseudo_random", "overlapping", "deterministic"):
        check.boolean(owner, name, options[name])
    seed, seed2 = [check.non_negative_int(owner, name, options[name]) for name in ("seed", "seed2")]
    if tensor(owner, "x", x).ndim != 4 or min(x.shape) < 1:
        raise ValueError(f"For '{owner}', the 'x' must be (N, H, W, C) without an empty axis, but got {show(x)}.")
    if min(extent / ratio for extent, ratio in zip(x.shape[1:3], ratios, strict=True)) < 1:
        raise ValueError(f"For '{owner}', the 'pooling_ratio' {options['pooling_ratio']} leaves no region of "
                         f"{show(x)}.")
    fixed = python_random.Random(f"{seed} {seed2}")

    def draw(n: int) -> Any:
        if options["deterministic"]:
            return Tensor([fixed.random() for _ in range(n)], float32)
        return random.uniform_real(shape=(n,), seed=seed, seed2=seed2, dtype=float32)

    edges = [_edges(extent, ratio, options["pseudo_random"], draw)
             for extent, ratio in zip(x.shape[1:3], ratios, strict=True)]
    (rows, in_rows), (columns, in_columns) = [_windows(e, n, options["overlapping"])
                                              for e, n in zip(edges, x.shape[1:3], strict=True)]
    found = gather(gather(x, columns, 2), rows, 1)                   # (N, regions, rows, regions, columns, C)
    found = found.transpose((0, 1, 3, 5, 2, 4))
    found = found.reshape((*found.shape[:4], -1))
    member = in_rows.reshape(rows.shape[0], 1, -1, 1).logical_and(in_columns.reshape(1, columns.shape[0], 1, -1))
    return found, member.reshape(1, rows.shape[0], columns.shape[0], 1, -1), edges[0], edges[1]


@composed(f"FractionalMaxPool({_OPTIONS})(x)")
def _fractional_max(x: Any, *, pooling_ratio: Sequence[float], pseudo_random: bool = False, overlapping: bool = False,
                    deterministic: bool = False, seed: int = 0, seed2: int = 0) -> Any:
    """The maximum in regions of images whose extents are drawn at random; Graham, Fractional max-pooling, 2014.

    Args:
        pooling_ratio: Four floats, [1.0, rows, columns, 1.0]: the extents of the images over those of the result, at
            least 1.0.
        pseudo_random: Whether the regions are as even as a random start allows, else their extents, which differ by
            one at most, come in a random order.
        overlapping: Whether a region holds the first row and column of the next one, too.
        deterministic: Whether all calls have the regions that the seeds and the extents give, else new ones are drawn.
        seed: A non-negative int.
        seed2: A non-negative int.

    Inputs:
        x: Images (N, H, W, C), real numbers.

    Outputs:
        (N, H / rows, W / columns, C) with the extents rounded down, dtype of `x`; and the places where the regions of
        rows and of columns begin, the last one where they end, int64.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `pooling_ratio` or the shape of `x` is none of these.

    Examples:
        >>> pool = ops.FractionalMaxPool([1.0, 1.0, 2.0, 1.0], deterministic=True)
        >>> y, rows, columns = pool(Tensor([[[[1.0], [2.0], [4.0], [4.0]]]]))
        >>> y.flatten().tolist(), rows.tolist(), columns.tolist()
        ([2.0, 4.0], [0, 1], [0, 2, 4])
    """
    owner = "FractionalMaxPool"
    found, member, rows, columns = _regions(owner, x, {
        "pooling_ratio": pooling_ratio, "pseudo_random": pseudo_random, "overlapping": overlapping,
        "deterministic": deterministic, "seed": seed, "seed2": seed2})
    # In a region of fewer places its first element fills the others: the gradient goes to the first maximum.
    return arg_max_with_value(where(member, found, found[..., :1]), axis=-1)[1], rows, columns


@composed(f"FractionalAvgPool({_OPTIONS})(x)")
def _fractional_mean(x: Any, *, pooling_ratio: Sequence[float], pseudo_random: bool = False, overlapping: bool = False,
                     deterministic: bool = False, seed: int = 0, seed2: int = 0) -> Any:
    """The mean in regions of images whose extents are drawn at random; of integers, cut off towards zero.

    Args:
        pooling_ratio: Four floats, [1.0, rows, columns, 1.0]: the extents of the images over those of the result, at
            least 1.0.
        pseudo_random: Whether the regions are as even as a random start allows, else their extents, which differ by
            one at most, come in a random order.
        overlapping: Whether a region holds the first row and column of the next one, too.
        deterministic: Whether all calls have the regions that the seeds and the extents give, else new ones are drawn.
        seed: A non-negative int.
        seed2: A non-negative int.

    Inputs:
        x: Images (N, H, W, C), real numbers.

    Outputs:
        (N, H / rows, W / columns, C) with the extents rounded down, dtype of `x`; and the places where the regions of
        rows and of columns begin, the last one where they end, int64.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `pooling_ratio` or the shape of `x` is none of these.

    Examples:
        >>> pool = ops.FractionalAvgPool([1.0, 1.0, 2.0, 1.0], deterministic=True)
        >>> y, rows, columns = pool(Tensor([[[[1.0], [2.0], [4.0], [4.0]]]]))
        >>> y.flatten().tolist(), rows.tolist(), columns.tolist()
        ([1.5, 4.0], [0, 1], [0, 2, 4])
    """
    owner = "FractionalAvgPool"
    found, member, rows, columns = _regions(owner, x, {
        "pooling_ratio": pooling_ratio, "pseudo_random": pseudo_random, "overlapping": overlapping,
        "deterministic": deterministic, "seed": seed, "seed2": seed2})
    total, count = where(member, found, zeros_like(found)).sum(-1), member.astype(int64).sum(-1)
    if x.dtype.is_floating:
        return total / count.astype(x.dtype), rows, columns
    return total.div(count, rounding_mode="trunc").astype(x.dtype), rows, columns
