"""Layers with the argument conventions of torch (their names end in Ext)."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.normalisation import layer_norm

from .cell import Cell
from .pooling import AvgPool1d, AvgPool2d, AvgPool3d, MaxPool2d


class AvgPool1dExt(AvgPool1d):
    """`AvgPool1d` with a stride that defaults to the window's length.

    Args:
        kernel_size: Length of the window.
        stride: Step of the window. Default: its length.
        padding: Zeros at both ends of each axis.
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.

    Inputs:
        x: (N, C, L) or (C, L), floating point.

    Examples:
        >>> nn.AvgPool1dExt(2)(Tensor([[[1.0, 2.0, 3.0, 6.0]]])).tolist()
        [[[1.5, 4.5]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True):
        super().__init__(kernel_size, kernel_size if stride is None else stride, "pad", padding,
                         ceil_mode, count_include_pad)


class AvgPool2dExt(AvgPool2d):
    """`AvgPool2d` with a stride that defaults to the window's extents.

    Args:
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window, one int or a pair. Default: its extents.
        padding: Zeros at both ends of each axis.
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.
        divisor_override: What the sum is divided by, instead of the number of elements.

    Inputs:
        x: (N, C, H, W) or (C, H, W), floating point.

    Examples:
        >>> nn.AvgPool2dExt(2)(Tensor([[[[1.0, 2.0], [3.0, 6.0]]]])).tolist()
        [[[[3.0]]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None):
        super().__init__(kernel_size, kernel_size if stride is None else stride, "pad", padding,
                         ceil_mode, count_include_pad, divisor_override)


class AvgPool3dExt(AvgPool3d):
    """`AvgPool3d` with a stride that defaults to the window's extents.

    Args:
        kernel_size: Extents of the window, one int or (depth, height, width).
        stride: Steps of the window, one int or three. Default: its extents.
        padding: Zeros at both ends of each axis.
        ceil_mode: Whether a window may reach behind the end.
        count_include_pad: Whether the zeros of the padding count.
        divisor_override: What the sum is divided by, instead of the number of elements.

    Inputs:
        x: (N, C, D, H, W) or (C, D, H, W), floating point.

    Examples:
        >>> nn.AvgPool3dExt(2)(Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))).tolist()
        [[[[[3.5]]]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None):
        super().__init__(kernel_size, kernel_size if stride is None else stride, "pad", padding,
                         ceil_mode, count_include_pad, divisor_override)


class MaxPool2dExt(MaxPool2d):
    """`MaxPool2d` with a stride that defaults to the window's extents.

    Args:
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window, one int or a pair. Default: its extents.
        padding: Elements that never are the maximum, at both ends of each axis.
        dilation: Distance of the window's elements.
        return_indices: Whether to return the places of the maxima, too.
        ceil_mode: Whether a window may reach behind the end.

    Inputs:
        x: (N, C, H, W) or (C, H, W), floating point.

    Examples:
        >>> nn.MaxPool2dExt(2)(Tensor([[[[1.0, 2.0], [3.0, 6.0]]]])).tolist()
        [[[[6.0]]]]
    """

    def __init__(self, kernel_size: Any = 1, stride: Any = None, padding: Any = 0, dilation: Any = 1,
                 return_indices: bool = False, ceil_mode: bool = False):
        super().__init__(kernel_size, kernel_size if stride is None else stride, "pad", padding,
                         dilation, return_indices, ceil_mode)


class DropoutExt(Cell):
    """Zero for every element with probability `p` in training, the others divided by 1 - p.

    Args:
        p: Probability of zero, in [0, 1].
        inplace: Must be False: tensors are not changed in place.

    Inputs:
        input: Any shape, floating point.

    Examples:
        >>> drop = nn.DropoutExt(p=0.5).set_train()
        >>> sorted(set(drop(ops.ones(100)).tolist()))
        [0.0, 2.0]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        self.p = check.number(self, "p", p, 0, 1)
        _not_inplace(self, inplace)

    def construct(self, input):
        if not self.training or not self.p:
            return input
        return ops.zeros_like(input) if self.p == 1 else ops.dropout(input, float(self.p), True)


class Dropout2dExt(DropoutExt):
    """Zero for every channel with probability `p` in training, the others divided by 1 - p.

    Args:
        p: Probability of zero, in [0, 1].
        inplace: Must be False: tensors are not changed in place.

    Inputs:
        input: (N, C, H, W) or (N, C, L), floating point.

    Examples:
        >>> drop = nn.Dropout2dExt(p=0.5)
        >>> drop.set_train(False)(ops.ones((1, 2, 1, 1))).tolist()
        [[[[1.0]], [[1.0]]]]
    """

    def construct(self, input):
        return ops.dropout2d(input, float(self.p), True) if self.training and self.p else input


def _not_inplace(owner: Cell, inplace: bool) -> None:
    if check.boolean(owner, "inplace", inplace):
        raise ValueError(f"For '{owner.cls_name}', the 'inplace' must be False: use the returned tensor.")


class EmbeddingExt(Cell):
    """The rows of the trained table `weight` at the given indices.

    Args:
        num_embeddings: Number of rows.
        embedding_dim: Length of a row.
        padding_idx: Row that starts as zeros and gets no gradient.
        max_norm: Rows that are looked up are scaled down to at most this norm.
        norm_type: The norm's exponent.
        scale_grad_by_freq: Must be False.
        sparse: Must be False: gradients are dense.
        _weight: Initial table.
        _freeze: Whether the table is not trained.
        dtype: Element type of the table.

    Inputs:
        input: Integers in [0, num_embeddings), any shape.

    Examples:
        >>> table = nn.EmbeddingExt(3, 2, _weight=Tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
        >>> table(Tensor([2, 0], mindspore.int32)).tolist()
        [[4.0, 5.0], [0.0, 1.0]]
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None,
                 max_norm: float | None = None, norm_type: float = 2.0,
                 scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Any = None,
                 _freeze: bool = False, dtype: DType | None = None):
        super().__init__()
        if sparse or scale_grad_by_freq:
            raise ValueError("For 'EmbeddingExt', 'sparse' and 'scale_grad_by_freq' must be False: "
                             "gradients are dense and not scaled.")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None:
            check.integer(self, "padding_idx", padding_idx, -num_embeddings, num_embeddings - 1)
            padding_idx %= num_embeddings
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.dtype = scale_grad_by_freq, dtype or float32
        self.weight = self.parameter("weight", (num_embeddings, embedding_dim),
                                     "normal" if _weight is None else _weight, self.dtype,
                                     requires_grad=not _freeze)
        if padding_idx is not None and _weight is None:
            values = self.weight.asnumpy().copy()
            values[padding_idx] = 0
            self.weight.set_data(Tensor(values, self.dtype))

    def construct(self, input):
        rows = ops.gather(self.weight, input, 0)
        if self.max_norm is not None:
            norm = (rows.abs() ** self.norm_type).sum(-1, keepdims=True) ** (1.0 / self.norm_type)
            limit = ops.maximum(norm, Tensor(self.max_norm, rows.dtype))
            rows = rows * self.max_norm / limit
        if self.padding_idx is not None:
            trained = (input != self.padding_idx).expand_dims(-1)
            rows = ops.where(trained, rows, ops.stop_gradient(rows))
        return rows

    def extend_repr(self) -> str:
        return (f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
                f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, norm_type={self.norm_type}, "
                f"scale_grad_by_freq={self.scale_grad_by_freq}, dtype={self.dtype}")


class LayerNormExt(Cell):
    """`LayerNorm` with parameters `weight` and `bias`, or without.

    Args:
        normalized_shape: Extents of the last axes to normalise over, or of the last axis.
        eps: Added to the variance.
        elementwise_affine: Whether there is a weight.
        bias: Whether there is a bias beside the weight.
        dtype: Element type of the parameters.

    Inputs:
        input: (*, normalized_shape), floating point.

    Examples:
        >>> nn.LayerNormExt(2, eps=0.0)(Tensor([[1.0, 3.0]])).tolist()
        [[-1.0, 1.0]]
    """

    def __init__(self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True,
                 bias: bool = True, dtype: DType | None = None):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = self.parameter("weight", shape, "ones", dtype or float32)
            if bias:
                self.bias = self.parameter("bias", shape, "zeros", dtype or float32)

    def construct(self, input):
        shape = self.normalized_shape
        weight = ops.ones(shape, input.dtype) if self.weight is None else self.weight
        bias = ops.zeros(shape, input.dtype) if self.bias is None else self.bias
        return layer_norm(input, weight, bias, epsilon=self.eps)[0]

    def extend_repr(self) -> str:
        return (f"normalized_shape={self.normalized_shape}, eps={self.eps}, "
                f"elementwise_affine={self.elementwise_affine}")


class L1LossExt(Cell):
    """|input - target|, reduced; the operands may broadcast.

    Args:
        reduction: "mean", "sum", or "none" for the single losses.

    Inputs:
        input, target: Shapes that broadcast.

    Examples:
        >>> nn.L1LossExt()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])).tolist()
        1.5
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = check.option(self, "reduction", reduction, ("mean", "sum", "none"))

    def construct(self, input, target):
        d = (input - target).abs()
        if self.reduction == "none":
            return d
        return d.mean() if self.reduction == "mean" else d.sum()


class LogSoftmaxExt(Cell):
    """log(softmax(input)) along `dim`; by default the first axis of 0, 1 or 3 axes, else the second.

    Args:
        dim: The axis.

    Inputs:
        input: Any shape, floating point.

    Examples:
        >>> round(float(nn.LogSoftmaxExt(dim=-1)(Tensor([[0.0, 0.0]]))[0, 0]), 4)
        -0.6931
    """

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        dim = self.dim
        if dim is None:
            dim = 0 if input.ndim in (0, 1, 3) else 1
        return ops.log_softmax(input, dim)


class PReLUExt(Cell):
    """The input where positive, else `weight` times it, with a trained slope per channel or one.

    Args:
        num_parameters: How many slopes: one for each channel (axis 1), or 1.
        init: The slope at the beginning.
        dtype: Element type of the slope. Default: float32.

    Inputs:
        input: Any shape, floating point.

    Examples:
        >>> nn.PReLUExt()(Tensor([-2.0, 2.0])).tolist()
        [-0.5, 2.0]
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: DType | None = None):
        super().__init__()
        self.num_parameters = check.positive_int(self, "num_parameters", num_parameters)
        self.weight: Parameter = self.parameter("weight", (num_parameters,), init, dtype or float32)

    def construct(self, input):
        return ops.prelu(input, self.weight)
