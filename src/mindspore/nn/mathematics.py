"""Mathematical functions as cells."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float16, float32, float64
from mindspore.eager.tensor import Tensor, is_tensor

from .cell import Cell


class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) along `axis`.

    Args:
        axis: An int or a tuple of ints within the rank; () for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> round(float(nn.ReduceLogSumExp(0)(Tensor([0.0, 0.0]))), 4)
        0.6931
    """

    def __init__(self, axis: Any, keep_dims: bool = False):
        super().__init__()
        self.axis, self.keep_dims = axis, check.boolean(self, "keep_dims", keep_dims)

    def construct(self, x):
        return ops.logsumexp(x, self.axis, self.keep_dims)


class Range(Cell):
    """start, start + delta, ... below `limit`; `Range(n)()` starts at 0.

    Args:
        start: The first number, or the bound if it is the only one.
        limit: The bound, which is left out.
        delta: The step.

    Examples:
        >>> nn.Range(1, 7, 2)().tolist()
        [1, 3, 5]
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1):
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' can not be zero.")
        low, high = (0, start) if limit is None else (start, limit)
        count = max(math.ceil((high - low) / delta), 0)
        values = [low + i * delta for i in range(check.count(self, "limit", count, 0))]
        whole = all(isinstance(v, int) for v in (low, high, delta))
        self.result_tensor = Tensor(values, "int32") if whole else Tensor([float(v) for v in values], float32)

    def construct(self):
        return self.result_tensor + 0


class LinSpace(Cell):
    """`num` numbers from `start` to `stop` in equal steps; a cell of earlier releases.

    Args:
        start, stop: The first and the last number.
        num: How many numbers.

    Examples:
        >>> nn.LinSpace(1.0, 3.0, 3)().tolist()
        [1.0, 2.0, 3.0]
    """

    def __init__(self, start: float, stop: float, num: int):
        super().__init__()
        self.start = check.number(self, "start", start)
        self.stop = check.number(self, "stop", stop)
        self.num = check.positive_int(self, "num", num)

    def construct(self):
        step = (self.stop - self.start) / max(self.num - 1, 1)
        return Tensor([self.start + i * step for i in range(self.num)], float32)


class _Special(Cell):
    """A function of float16 or float32 tensors."""

    def _check(self, **inputs: Any) -> None:
        for name, x in inputs.items():
            if not is_tensor(x):
                raise TypeError(f"For '{self.cls_name}', the '{name}' must be a Tensor, but got "
                                f"{type(x).__name__}.")
            if x.dtype not in (float16, float32):
                raise TypeError(f"For '{self.cls_name}', the '{name}' must be of type float16 or float32, "
                                f"but got {x.dtype}.")


class LGamma(_Special):
    """log(|Gamma(x)|).

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> nn.LGamma()(Tensor([1.0, 4.0])).asnumpy().round(4)
        array([0.    , 1.7918], dtype=float32)
    """

    def construct(self, x):
        self._check(x=x)
        return ops.lgamma(x)


class DiGamma(_Special):
    """The derivative of log(Gamma(x)).

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> nn.DiGamma()(Tensor([1.0, 2.0])).asnumpy().round(4)
        array([-0.5772,  0.4228], dtype=float32)
    """

    def construct(self, x):
        self._check(x=x)
        return ops.digamma(x)


class IGamma(_Special):
    """The lower regularised incomplete gamma function P(a, x).

    Inputs:
        a, x: Floating-point tensors whose shapes broadcast.

    Examples:
        >>> nn.IGamma()(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4)
        array([0.6321], dtype=float32)
    """

    def construct(self, a, x):
        self._check(a=a, x=x)
        return ops.igamma(a, x)


class LBeta(_Special):
    """log(Beta(x, y)) = lgamma(x) + lgamma(y) - lgamma(x + y).

    Inputs:
        x, y: Floating-point tensors whose shapes broadcast.

    Examples:
        >>> nn.LBeta()(Tensor([2.0]), Tensor([1.0])).asnumpy().round(4)
        array([-0.6931], dtype=float32)
    """

    def construct(self, x, y):
        self._check(x=x, y=y)
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class MatMul(Cell):
    """x1 @ x2 with either operand transposed; batched and broadcasting like `matmul`.

    Args:
        transpose_x1, transpose_x2: Whether the first, and the second, is given transposed.

    Inputs:
        x1, x2: Vectors, matrices or stacks of them.

    Examples:
        >>> nn.MatMul()(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False):
        super().__init__()
        self.transpose_x1 = check.boolean(self, "transpose_x1", transpose_x1)
        self.transpose_x2 = check.boolean(self, "transpose_x2", transpose_x2)

    def construct(self, x1, x2):
        x1 = x1.swapaxes(-1, -2) if self.transpose_x1 and x1.ndim > 1 else x1
        x2 = x2.swapaxes(-1, -2) if self.transpose_x2 and x2.ndim > 1 else x2
        return ops.matmul(x1, x2)


class MatInverse(Cell):
    """The inverse of positive definite matrices.

    Inputs:
        x: Symmetric positive definite matrices (..., n, n).

    Examples:
        >>> nn.MatInverse()(Tensor([[4.0]])).tolist()
        [[0.25]]
    """

    def construct(self, a):
        return ops.inverse(a)


class MatDet(Cell):
    """The determinant of positive definite matrices.

    Inputs:
        x: Symmetric positive definite matrices (..., n, n).

    Examples:
        >>> round(float(nn.MatDet()(Tensor([[4.0]]))), 4)
        4.0
    """

    def construct(self, a):
        return ops.det(a)


class MatrixDiag(Cell):
    """The vectors along the last axis as diagonals of matrices.

    Inputs:
        input_x: (*, N).

    Examples:
        >>> nn.MatrixDiag()(Tensor([1.0, 2.0])).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
    """

    def construct(self, input_x):
        return ops.diag_embed(input_x)


class MatrixDiagPart(Cell):
    """The main diagonals of matrices.

    Inputs:
        input_x: (*, M, N).

    Examples:
        >>> nn.MatrixDiagPart()(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [1.0, 4.0]
    """

    def construct(self, input_x):
        return ops.diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(Cell):
    """Matrices with their main diagonals replaced.

    Inputs:
        input_x: (*, M, N).
        diagonal: (*, min(M, N)).

    Examples:
        >>> nn.MatrixSetDiag()(ops.zeros((2, 2)), Tensor([1.0, 2.0])).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
    """

    def construct(self, input_x, diagonal):
        rows, columns = input_x.shape[-2:]
        if tuple(diagonal.shape) != (*input_x.shape[:-2], min(rows, columns)):
            raise ValueError(f"For 'MatrixSetDiag', the 'diagonal' must have the shape "
                             f"{(*input_x.shape[:-2], min(rows, columns))}, but got {diagonal.shape}.")
        eye = ops.eye(rows, columns, input_x.dtype)
        spread = diagonal.expand_dims(-2 if rows > columns else -1)
        return input_x * (1 - eye) + spread * eye


class Moments(Cell):
    """Mean and variance of a floating-point tensor along `axis`.

    Args:
        axis: One axis, several, or None for all.
        keep_dims: Whether the axes stay, with extent 1.

    Examples:
        >>> mean, variance = nn.Moments(axis=0)(Tensor([1.0, 3.0]))
        >>> float(mean), float(variance)
        (2.0, 1.0)
    """

    def __init__(self, axis: Any = None, keep_dims: bool | None = None):
        super().__init__()
        axis = () if axis is None else axis
        self.axis = tuple(axis) if isinstance(axis, (tuple, list)) else check.integer(self, "axis", axis)
        self.keep_dims = False if keep_dims is None else check.boolean(self, "keep_dims", keep_dims)

    def construct(self, x):
        wide = x.astype(float32) if x.dtype is float16 else x
        axis = self.axis if self.axis != () else tuple(range(x.ndim))
        mean = wide.mean(axis, True)
        centred = wide - mean
        variance = (centred * centred).mean(axis, self.keep_dims)
        mean = mean if self.keep_dims else wide.mean(axis, False)
        if x.dtype is float16:
            return mean.astype(float16), variance.astype(float16)
        return mean, variance


class Norm(Cell):
    """The Euclidean norm along `axis`.

    Args:
        axis: An int or a tuple of ints within the rank; () for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> nn.Norm(0)(Tensor([3.0, 4.0])).tolist()
        5.0
    """

    def __init__(self, axis: Any = (), keep_dims: bool = False):
        super().__init__()
        self.axis, self.keep_dims = axis, check.boolean(self, "keep_dims", keep_dims)

    def construct(self, x):
        axis = self.axis if self.axis != () else tuple(range(x.ndim))
        return ((x if x.dtype.is_differentiable else x / 1) ** 2).sum(axis, keepdims=self.keep_dims) ** 0.5

    def extend_repr(self) -> str:
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class ClipByNorm(Cell):
    """x, scaled down to the norm `clip_norm` where its norm along `axis` is larger; float32.

    x * clip_norm / max(norm, clip_norm), with the root of the sum of the squares as norm.

    Args:
        axis: Axis or axes of one norm. Default: all.

    Inputs:
        x: Any shape, real.
        clip_norm: A tensor that broadcasts with the norms.

    Outputs:
        The shape of `x`, float32.

    Raises:
        TypeError: If `axis` is no int, tuple or list, or an input no tensor.

    Examples:
        >>> nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(2.5)).tolist()
        [1.5, 2.0]
    """

    def __init__(self, axis: Any = None):
        super().__init__()
        if axis is not None and (isinstance(axis, bool) or not isinstance(axis, (int, tuple, list))):
            raise TypeError(f"For 'ClipByNorm', the type of 'axis' should be one of '['int', 'tuple', "
                            f"'list']', but got type '{type(axis).__name__}'.")
        self.axis = tuple(axis) if isinstance(axis, list) else axis

    def construct(self, x, clip_norm):
        for name, value in (("x", x), ("clip_norm", clip_norm)):
            if not is_tensor(value):
                raise TypeError(f"For 'ClipByNorm', the '{name}' must be a Tensor, but got "
                                f"{type(value).__name__}.")
        wide, limit = x.astype(float32), clip_norm.astype(float32)
        axis = tuple(range(x.ndim)) if self.axis is None else self.axis
        square = (wide * wide).sum(axis, keepdims=True)
        positive = square > 0
        norm = ops.where(positive, ops.where(positive, square, ops.ones_like(square)) ** 0.5, square)
        return wide * limit / ops.maximum(norm, limit)


class L1Regularizer(Cell):
    """scale * sum(|weights|).

    Args:
        scale: The factor, a positive number.

    Inputs:
        weights: Any shape.

    Examples:
        >>> nn.L1Regularizer(0.5)(Tensor([1.0, -3.0])).tolist()
        2.0
    """

    def __init__(self, scale: float):
        super().__init__()
        if isinstance(scale, bool) or not isinstance(scale, (int, float)):
            raise TypeError("For 'L1Regularizer', the type of 'scale' should be one of '['int', 'float']', but got "
                            f"type '{type(scale).__name__}'.")
        if math.isinf(scale) or math.isnan(scale):
            raise ValueError(f"For 'L1Regularizer', the 'scale' can not be INF or NAN, but got {scale}.")
        check.number(self, "scale", scale, 0, open_low=True)
        self.scale = scale

    def construct(self, weights):
        total = weights.abs().sum()
        return (total if total.dtype is float64 else total.astype(float32)) * self.scale
