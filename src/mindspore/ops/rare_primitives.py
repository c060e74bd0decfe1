"""Primitives that few programs use, composed of operators."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32, int64
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter, assign
from mindspore.operators import comparison, dynamic_results, random, reduction, structure
from mindspore.operators.indexing import gather
from mindspore.operators.joining import concat
from mindspore.operators.masking import select
from mindspore.operators.powers import sqrt
from mindspore.operators.sampling import affine_grid, image_to_columns
from mindspore.operators.scatter import scatter_nd
from mindspore.operators.segments import segment_mean, segment_sum, unsorted_segment_sum

from ._holding import become
from .arguments import extents, tensor
from .nn_convolution import per_axis
from .nn_softmax import log_softmax
from .padding import batch_to_space, pad
from .primitive import composed
from .signatures import plain


@composed("AffineGrid(align_corners=False)(theta, output_size)")
def _affine_grid(theta: Any, output_size: Any, *, align_corners: bool = False) -> Any:
    """The grid at which `theta` (N, axes, axes + 1) places the elements of a tensor of that size."""
    return affine_grid(tensor("AffineGrid", "theta", theta), size=extents("AffineGrid", output_size),
                       align_corners=align_corners)


@composed("CountNonZero(dims=None)(x)")
def _count_non_zero(x: Any, *, dims: Any = None) -> Any:
    """How many elements are not 0, over `dims` or all dimensions: int64."""
    marks = structure.cast(comparison.not_equal(tensor("CountNonZero", "x", x), 0), dtype=int64)
    return reduction.reduce_sum(marks, axis=() if dims is None else plain(dims), keep_dims=False)


@composed("ConfusionMatrix(num_classes, dtype='int32')(labels, predictions, weights=None)")
def _confusion(labels: Any, predictions: Any, weights: Any = None, *, num_classes: int, dtype: Any = "int32") -> Any:
    """How often, or with which weight, each class (row) was predicted as each class (column)."""
    check.positive_int("ConfusionMatrix", "num_classes", num_classes)
    made = as_dtype(dtype)
    pairs = concat(structure.expand_dims(labels, axis=1), structure.expand_dims(predictions, axis=1), axis=1)
    counted = structure.ones_like(labels) if weights is None else weights
    return scatter_nd(pairs, structure.cast(counted, dtype=made), shape=(num_classes, num_classes))


@composed("LogSoftmaxExt()(input, dim=None, dtype=None)")
def _log_softmax(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """log(softmax(input)) along `dim`: by default 0 for up to one or for three dimensions, else 1."""
    x = tensor("LogSoftmaxExt", "input", input)
    place = (0 if x.ndim in (0, 1, 3) else 1) if dim is None else dim
    return log_softmax(x if dtype is None else structure.cast(x, dtype=as_dtype(dtype)), place)


@composed("CopyWithSlice()(x, y)")
def _copy_with_slice(x: Any, y: Any) -> Any:
    """`x`, which holds the elements of `y` now."""
    return assign(x, y) if isinstance(x, Parameter) else become(x, y)


@composed("Reusing()(x)")
def _reusing(x: Any) -> Any:
    """`x`."""
    return x


@composed("BatchToSpaceNDV2()(input_x, block_shape, crops)")
def _batch_to_space_v2(input_x: Any, block_shape: Any, crops: Any) -> Any:
    """The batch moved back into blocks of the last dimensions, with `crops` cut off."""
    return batch_to_space(input_x, block_shape=plain(block_shape), crops=plain(crops))


@composed("RaggedRange(Tsplits)(starts, limits, deltas)")
def _ragged_range(starts: Any, limits: Any, deltas: Any, *, Tsplits: Any) -> Any:
    """Where each range begins among all elements, and the elements of the ranges."""
    return dynamic_results.ragged_range(starts, limits, deltas, splits=as_dtype(Tsplits))


# ---------------------------------------------------------------------- random numbers

@composed("NonDeterministicInts(dtype=int64)(shape)")
def _any_ints(shape: Any, *, dtype: Any = int64) -> Any:
    """Integers of the whole range of the dtype, which no seed repeats."""
    made = as_dtype(dtype)
    if made not in (int32, int64):
        raise check.fail(TypeError, "NonDeterministicInts", "dtype", "int32 or int64", dtype)
    sizes = extents("NonDeterministicInts", plain(shape))
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    halves = [structure.cast(random.uniform_int(0, 2**16, shape=sizes, seed=seed + i + 1, seed2=1), dtype=made)
              for i in range(made.itemsize // 2)]
    found = halves[0]
    for half in halves[1:]:
        found = found * 2**16 + half              # overflows into the sign
    return found


@composed("ParameterizedTruncatedNormal(seed=0, seed2=0)(shape, mean, stdevs, min, max)")
def _truncated(shape: Any, mean: Any, stdevs: Any, min: Any, max: Any, *, seed: int = 0, seed2: int = 0) -> Any:
    """Normal numbers within [min, max), a row for each of the parameters, by the inverse distribution function."""
    sizes = extents("ParameterizedTruncatedNormal", plain(shape))
    rows = [structure.reshape(p, shape=(-1,) + (1,) * (len(sizes) - 1)) for p in (mean, stdevs, min, max)]
    middle, spread, low, high = rows
    unit = random.uniform_real(shape=sizes, seed=seed, seed2=seed2, dtype=float32)
    root = 2.0**0.5
    ends = [((end - middle) / (spread * root)).erf() for end in (low, high)]
    drawn = middle + spread * root * (ends[0] + unit * (ends[1] - ends[0])).erfinv()
    return structure.cast(drawn.clamp(low, high), dtype=mean.dtype)


# ---------------------------------------------------------------------- patches

def _patches(owner: str, x: Any, window: Any, stride: Any, rate: Any, mode: str, fill: float) -> tuple[Any, Any]:
    """The windows of images as columns (N, C * kh * kw, places), and how many places there are on each axis."""
    spans = [r * (k - 1) + 1 for k, r in zip(window, rate, strict=True)]
    if check.option(owner, "padding", mode.upper(), ("SAME", "VALID")) == "SAME":
        missing = [max((-(-n // s) - 1) * s + span - n, 0)
                   for n, s, span in zip(x.shape[2:], stride, spans, strict=True)]
        x = pad(x, [missing[1] // 2, missing[1] - missing[1] // 2, missing[0] // 2, missing[0] - missing[0] // 2],
                value=fill)
    places = tuple([(n - span) // s + 1 for n, span, s in zip(x.shape[2:], spans, stride, strict=True)])
    return image_to_columns(x, window=tuple(window), dilation=tuple(rate), stride=tuple(stride)), places


@composed("ExtractImagePatches(ksizes, strides, rates, padding='VALID')(input_x)")
def _image_patches(input_x: Any, *, ksizes: Any, strides: Any, rates: Any, padding: str = "VALID") -> Any:
    """The windows of images (N, C, H, W) as channels (N, kh * kw * C, h, w), the image's channels last."""
    owner = "ExtractImagePatches"
    window, stride, rate = [per_axis(owner, n, tuple(v)[2:], 2) for n, v in
                            (("ksizes", ksizes), ("strides", strides), ("rates", rates))]
    n, c = tensor(owner, "input_x", input_x).shape[:2]
    columns, places = _patches(owner, input_x, window, stride, rate, padding, 0.0)
    area = window[0] * window[1]
    sorted_ = structure.transpose(structure.reshape(columns, shape=(n, c, area, -1)), perm=(0, 2, 1, 3))
    return structure.reshape(sorted_, shape=(n, area * c, *places))


@composed("Dilation2D(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter)")
def _dilation(x: Any, filter: Any, *, stride: Any, dilation: Any, pad_mode: str = "SAME",
              data_format: str = "NCHW") -> Any:
    """The greatest of element plus filter in each window: morphological dilation of images (N, C, H, W)."""
    owner = "Dilation2D"
    check.option(owner, "data_format", data_format, ("NCHW",))
    if filter.ndim != 3 or x.ndim != 4 or filter.shape[0] != x.shape[1]:
        raise ValueError(f"For '{owner}', the input must be (N, C, H, W) and the filter (C, kh, kw), but got "
                         f"{show(x)} and {show(filter)}.")
    step, rate = [per_axis(owner, n, tuple(v)[-2:] if isinstance(v, (tuple, list)) else v, 2)
                  for n, v in (("stride", stride), ("dilation", dilation))]
    n, c = x.shape[:2]
    lowest = -3.4e38 if x.dtype is float32 else -6e4
    columns, places = _patches(owner, x, tuple(filter.shape[1:]), step, rate, pad_mode, lowest)
    windows = structure.reshape(columns, shape=(n, c, filter.shape[1] * filter.shape[2], -1))
    best = reduction.reduce_max(windows + structure.reshape(filter, shape=(1, c, -1, 1)), axis=2, keep_dims=False)
    return structure.reshape(best, shape=(n, c, *places))


# ---------------------------------------------------------------------- segments of chosen rows

def _sparse_segments(kind: str) -> Any:
    owner = f"SparseSegment{kind}"

    def body(x: Any, indices: Any, segment_ids: Any) -> Any:
        rows = gather(tensor(owner, "x", x), indices, axis=0)
        if kind == "Mean":
            return segment_mean(rows, segment_ids)
        total = segment_sum(rows, segment_ids)
        if kind == "Sum":
            return total
        counts = segment_sum(structure.cast(structure.ones_like(segment_ids), dtype=total.dtype), segment_ids)
        return total / sqrt(_column(select(comparison.equal(counts, 0), 1.0, counts), total))

    def with_count(x: Any, indices: Any, segment_ids: Any, num_segments: Any) -> Any:
        rows = gather(tensor(owner, "x", x), indices, axis=0)
        count = int(np.ravel(plain(num_segments))[0])
        total = unsorted_segment_sum(rows, segment_ids, num_segments=count)
        if kind == "Sum":
            return total
        ones = structure.cast(structure.ones_like(segment_ids), dtype=total.dtype)
        counts = unsorted_segment_sum(ones, segment_ids, num_segments=count)
        counts = select(comparison.equal(counts, 0), 1.0, counts)
        return total / _column(counts if kind == "Mean" else sqrt(counts), total)

    what = {"Sum": "sum", "Mean": "mean", "SqrtN": "sum divided by the root of the count"}[kind]
    body.__doc__ = f"The {what} of the rows at `indices` of each segment; 0 for one without rows."
    with_count.__doc__ = f"{body.__doc__[:-1]}, in so many segments."
    composed(f"{owner}()(x, indices, segment_ids)")(body)
    composed(f"{owner}WithNumSegments()(x, indices, segment_ids, num_segments)")(with_count)
    return body


def _column(numbers: Any, like: Any) -> Any:
    return structure.reshape(numbers, shape=(-1,) + (1,) * (like.ndim - 1))


_MEAN = _sparse_segments("Mean")
_sparse_segments("Sum")
_sparse_segments("SqrtN")


def sparse_segment_mean(x: Any, indices: Any, segment_ids: Any) -> Any:
    """The means of rows by segments.

    Args:
        x: (N, ...).
        indices: The rows that count (M,).
        segment_ids: The segment of each of them (M,), rising.

    Returns:
        (last segment + 1, ...): the mean of the rows of each segment; 0 for one without rows.

    Raises:
        TypeError: If an input is no tensor.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> ops.sparse_segment_mean(x, Tensor([0, 2, 1]), Tensor([0, 0, 1])).tolist()
        [[3.0, 4.0], [3.0, 4.0]]
    """
    return _MEAN(x, indices, segment_ids)


def rotary_position_embedding(x: Any, cos: Any, sin: Any, mode: int = 0) -> Any:
    """`x * cos + rotated(x) * sin` over the last axis, Su et al. 2021.

    Args:
        x: (..., size), with an even size.
        cos, sin: Cosines and sines of the angles, broadcast to `x`.
        mode: 0 if the second half is rotated against the first one, 1 if neighbours are against each other.

    Raises:
        ValueError: If `mode` is neither, or the last extent is odd.

    Examples:
        >>> x = Tensor([[1.0, 2.0]])
        >>> ops.rotary_position_embedding(x, Tensor([[0.0, 0.0]]), Tensor([[1.0, 1.0]])).tolist()
        [[-2.0, 1.0]]
    """
    owner = "rotary_position_embedding"
    check.option(owner, "mode", mode, (0, 1))
    size = tensor(owner, "x", x).shape[-1]
    if size % 2:
        raise ValueError(f"For '{owner}', the last extent must be even, but got {show(x)}.")
    if mode == 0:
        turned = concat(-x[..., size // 2:], x[..., :size // 2], axis=-1)
    else:
        pairs = structure.reshape(x, shape=(*x.shape[:-1], size // 2, 2))
        turned = structure.reshape(concat(-pairs[..., 1:], pairs[..., :1], axis=-1), shape=tuple(x.shape))
    return x * cos + turned * sin


def multinomial_with_replacement(x: Any, seed: Any, offset: Any, numsamples: int, replacement: bool = False) -> Any:
    """Indices drawn with the probabilities that the rows are proportional to.

    Args:
        x: Weights (N,) or (rows, N), float.
        seed, offset: The seed, and a second one.
        numsamples: How many are drawn for each row.
        replacement: Whether one may be drawn again.

    Returns:
        int64 (rows, numsamples), or (numsamples,) for a vector.

    Examples:
        >>> ops.multinomial_with_replacement(Tensor([[0.0, 1.0]]), 2, 5, 3, True).tolist()
        [[1, 1, 1]]
    """
    rows = x if x.ndim == 2 else structure.expand_dims(x, axis=0)
    found = random.multinomial(rows, num_samples=plain(numsamples), dtype=int64, seed=plain(seed), seed2=plain(offset),
                               replacement=check.boolean("multinomial_with_replacement", "replacement", replacement))
    return found if x.ndim == 2 else structure.reshape(found, shape=(-1,))


__all__ = ["multinomial_with_replacement", "rotary_position_embedding", "sparse_segment_mean"]
