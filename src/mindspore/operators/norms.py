"""Vector norms and singular values."""
from __future__ import annotations

from torch import Tensor

from mindspore.core.dtype import DType, complex64, complex128, float32, float64
from mindspore.ir import Aval

from .arithmetic import div_no_nan, mul
from .labels import whole_axes
from .reduction import with_axes
from .registry import operator
from .rules import lifted, reduced
from .torch_private import linalg
from .traits import WIDEN_HALF
from .values import Ints, Value


def _real(dtype: DType) -> DType:
    """The type of norms: that of the parts of complex numbers."""
    return {complex64: float32, complex128: float64}.get(dtype, dtype)


@operator(hidden=True, samples=[((3, 4),), ((2, 3, 4), {"axis": 1}),
                                ((2, 3, 4), {"axis": (0, 2), "keep_dims": True})], dims=whole_axes)
def euclidean(x: Tensor, *, axis: Ints = (), keep_dims: bool = False):
    """sqrt(sum(x * x)) over `axis`."""
    x = x if x.is_floating_point() or x.is_complex() else x.float()
    return linalg.vector_norm(x, 2, None if axis in (None, ()) else axis, keep_dims)


@euclidean.shape
def _(x: Aval, *, axis: Ints = (), keep_dims: bool = False) -> Aval:
    return Aval(reduced(x, axis, keep_dims, "norm"), _real(lifted(x).dtype))


@euclidean.grad(needs="x out")
def _(x: Value, out: Value, dout: Value, *, axis: Ints = (), keep_dims: bool = False):
    """The direction of x; 0 at the origin."""
    scale = with_axes(div_no_nan(dout, out), x, axis, keep_dims)
    return mul(x, scale),


@operator(hidden=True, grad="torch", samples=[((3, 4),), ((2, 3, 3),)], dims="... m! n! -> ... k!",
          traits={WIDEN_HALF})
def singular_values(x: Tensor):
    """The singular values of the matrices in the last two dimensions, largest first."""
    return linalg.svdvals(x)


@singular_values.shape
def _(x: Aval) -> Aval:
    if len(x.shape) < 2:
        raise ValueError(f"For 'norm', a matrix needs 2 dimensions, but got {x.shape}.")
    return Aval((*x.shape[:-2], min(x.shape[-2:])), _real(x.dtype))
