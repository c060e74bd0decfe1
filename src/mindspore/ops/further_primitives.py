"""Primitives of `mindspore.ops.operations` that few programs use: solutions, resizing, norms, regions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, int32, int64
from mindspore.eager.parameter import assign
from mindspore.operators import structure
from mindspore.operators.creation import arange
from mindspore.operators.indexing import gather
from mindspore.operators.registry import REGISTRY
from mindspore.operators.solvers import lu_factor, symmetric_eigen

from .nn_resize import interpolate, resampled
from .primitive import composed
from .sparse_matrices import sizes


@composed("AddV2()(x, y)")
def _add(x: Any, y: Any) -> Any:
    """x + y, of tensors of one shape."""
    if x.shape != y.shape:
        raise ValueError(f"For 'AddV2', the shapes must be equal, but got {x.shape} and {y.shape}.")
    return x + y


@composed("TridiagonalSolve(partial_pivoting=True)(diagonals, rhs)")
def _tridiagonal(diagonals: Any, rhs: Any, *, partial_pivoting: bool = True) -> Any:
    """The solutions of systems whose matrices have three diagonals."""
    owner = "TridiagonalSolve"
    check.boolean(owner, "partial_pivoting", partial_pivoting)
    n = diagonals.shape[-1]
    if diagonals.shape[-2] != 3 or rhs.shape[-2] != n or diagonals.shape[:-2] != rhs.shape[:-2]:
        raise ValueError(f"For '{owner}', the 'diagonals' must be (..., 3, n) and the 'rhs' (..., n, k), but got "
                         f"{diagonals.shape} and {rhs.shape}.")
    above, middle, below = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    columns = structure.expand_dims(arange(start=0, stop=n, step=1, dtype=int64), axis=0)
    rows = structure.transpose(columns, perm=(1, 0))
    matrix = 0
    for diagonal, shift in ((above, 1), (middle, 0), (below, -1)):
        marks = structure.cast(columns - rows == shift, dtype=diagonals.dtype)
        matrix = matrix + structure.expand_dims(diagonal, axis=-1) * marks
    return REGISTRY["MatrixSolve"](matrix, rhs)


@composed("SelfAdjointEig(compute_v=True)(x)")
def _eigen(x: Any, *, compute_v: bool = True) -> tuple[Any, Any]:
    """The eigenvalues of symmetric matrices, rising, and the eigenvectors as columns."""
    check.boolean("SelfAdjointEig", "compute_v", compute_v)
    return symmetric_eigen(x)


@composed("Lu(output_idx_type)(input)")
def _lu(input: Any, *, output_idx_type: Any) -> tuple[Any, Any]:
    """Both triangles of the LU decomposition of a square matrix, and the rows in their new order."""
    made = as_dtype(output_idx_type)
    if made not in (int32, int64):
        raise check.fail(TypeError, "Lu", "output_idx_type", "int32 or int64", output_idx_type)
    if input.ndim < 2 or input.shape[-1] != input.shape[-2]:
        raise ValueError(f"For 'Lu', the matrices must be square, but got {input.shape}.")
    packed, pivots = lu_factor(input)
    swapped = REGISTRY["LuUnpack"](packed, pivots, unpack_data=True, unpack_pivots=True)[0]
    return packed, structure.cast(swapped.argmax(-2), dtype=made)


@composed("ResizeV2(coordinate_transformation_mode='half_pixel', mode='nearest')(x, roi, scales, sizes)")
def _resize(x: Any, roi: Any, scales: Any, sizes: Any, *, coordinate_transformation_mode: str = "half_pixel",
            mode: str = "nearest") -> Any:
    """Images (1, C, H, W) in another size: (1, C, 1, n) of one row, or any of "cubic"."""
    owner = "ResizeV2"
    place = check.option(owner, "coordinate_transformation_mode", coordinate_transformation_mode, _PLACES)
    if check.option(owner, "mode", mode, _MODES) == "nearest" and place != "half_pixel":
        raise ValueError(f"For '{owner}', the 'coordinate_transformation_mode' must be 'half_pixel' for the mode "
                         f"'nearest', but got {place!r}.")
    wanted = _sizes(sizes)
    if len(wanted) != 4:
        raise ValueError(f"For '{owner}', the 'sizes' must be 4 numbers, but got {wanted}.")
    if mode == "cubic":
        return resampled(x, wanted[2:], None, "bicubic", place == "align_corners", None, -0.75)
    if wanted[2] != 1 or x.shape[2] != 1:
        raise ValueError(f"For '{owner}', images of one row are wanted for the mode {mode!r}, but got {x.shape} and "
                         f"the sizes {wanted}.")
    if mode == "linear":
        line = interpolate(x[:, :, 0], size=(wanted[3],), mode="linear", align_corners=place == "align_corners")
        return structure.expand_dims(line, axis=2)
    numbers = arange(start=0, stop=wanted[3], step=1, dtype=int64)
    ratio = x.shape[3] / wanted[3]
    return gather(x, structure.cast(REGISTRY["Floor"](numbers * ratio), dtype=int64), axis=3)


_PLACES, _MODES, _sizes = ("align_corners", "half_pixel"), ("nearest", "linear", "cubic"), sizes


@composed("InstanceNorm(epsilon=1e-05, momentum=0.1)(x, gamma, beta, mean, variance)")
def _instance_norm(x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, epsilon: float = 1e-5,
                   momentum: float = 0.1) -> tuple[Any, Any, Any]:
    """Each channel of each sample normalised: the result, and the mean and variance of each; those that run are
    updated."""
    check.number("InstanceNorm", "epsilon", epsilon, 0, 1, open_low=True)
    check.number("InstanceNorm", "momentum", momentum, 0, 1)
    axes = tuple(range(2, x.ndim))
    middle, spread = x.mean(axes, keep_dims=True), x.var(axes, keepdims=True)
    by_channel = (1, -1) + (1,) * len(axes)
    normal = (x - middle) / REGISTRY["Sqrt"](spread + epsilon)
    found = normal * gamma.reshape(by_channel) + beta.reshape(by_channel)
    for running, fresh in ((mean, middle), (variance, spread)):
        assign(running, running * (1 - momentum) + fresh.reshape(x.shape[:2]).mean(0) * momentum)
    return found, middle.reshape(-1), spread.reshape(-1)


@composed("PSROIPooling(spatial_scale, group_size, output_dim)(features, rois)")
def _regions(features: Any, rois: Any, *, spatial_scale: float, group_size: int, output_dim: int) -> Any:
    """For each bin of each region the mean of a group of channels of its own.  Dai et al. 2016 (R-FCN)."""
    owner = "PSROIPooling"
    check.positive_float(owner, "spatial_scale", spatial_scale)
    groups = check.positive_int(owner, "group_size", group_size)
    count = check.positive_int(owner, "output_dim", output_dim)
    height, width = features.shape[2:]
    if features.shape[1] != count * groups * groups or rois.ndim != 3 or rois.shape[1] != 5:
        raise ValueError(f"For '{owner}', the 'features' must have {count * groups * groups} channels and the 'rois' "
                         f"be (batch, 5, n), but got {features.shape} and {rois.shape}.")
    rows = structure.transpose(rois, perm=(0, 2, 1)).reshape(-1, 5)
    ends = REGISTRY["Floor"](rows[:, 1:] * spatial_scale + 0.5)
    down = _bins(ends[:, 1], ends[:, 3], groups, height, features.dtype)
    across = _bins(ends[:, 0], ends[:, 2], groups, width, features.dtype)
    taken = gather(features, structure.cast(rows[:, 0], dtype=int32), axis=0)
    taken = taken.reshape(-1, count, groups, groups, height, width)
    masks = down[:, None, :, None, :, None] * across[:, None, None, :, None, :]
    return (taken * masks).sum((4, 5)) / masks.sum((4, 5)).clip(1, None)


def _bins(start: Any, end: Any, groups: int, extent: int, dtype: Any) -> Any:
    """Which places each bin has (n, groups, extent); the last place is never one."""
    size = (end - start).clip(0.1, None) / groups
    number = structure.cast(arange(start=0, stop=groups, step=1, dtype=int64), dtype=size.dtype)
    edges = [structure.expand_dims(start, axis=1) + structure.expand_dims(size, axis=1) * n
             for n in (number, number + 1)]
    low = REGISTRY["Floor"](edges[0]).clip(0, extent - 1)
    high = REGISTRY["Ceil"](edges[1]).clip(0, extent - 1)
    place = structure.cast(arange(start=0, stop=extent, step=1, dtype=int64), dtype=size.dtype)
    inside = REGISTRY["LogicalAnd"](place >= structure.expand_dims(low, axis=2),
                                    place < structure.expand_dims(high, axis=2))
    return structure.cast(inside, dtype=dtype)
