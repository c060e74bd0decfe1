"""Layers whose operators can be split: an affine map, a normalisation, dropout."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float16, float32

from ..activation import activation_of
from ..cell import Cell
from ..dropout import Dropout

_Dropout = Dropout


class _Linear(Cell):
    """An affine map of the last axis in a type of its own: `activation(x @ weight + bias)`.

    Args:
        in_channels: Length of the last axis of the input.
        out_channels: Length of the last axis of the output.
        weight_init, bias_init: Initial parameters.
        has_bias: Whether there is a bias.
        activation: Applied to the result: a name, a cell class, or None.
        transpose_b: Whether the weight is (out_channels, in_channels), not (in_channels, out_channels).
        expert_num: Number of experts. With more than one, the weight has a first axis for them, and the input is
            (outer_batch, experts, tokens, in_channels) in any shape of as many elements.
        outer_batch: Number of groups of tokens, with experts.
        expert_group_size: Number of tokens of a group, with experts; it follows from the input.
        param_init_type: Element type of the parameters.
        compute_dtype: Element type of the product.

    Inputs:
        x: (*, in_channels).

    Outputs:
        (*, out_channels) in `compute_dtype`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive.

    Examples:
        >>> from mindspore.nn.transformer.layers import _Linear
        >>> y = _Linear(3, 4)(ops.ones((2, 3)))
        >>> y.shape, y.dtype
        ((2, 4), mindspore.float16)
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
                 has_bias: bool = True, activation: Any = None, transpose_b: bool = True, expert_num: int = 1,
                 outer_batch: int = 1, expert_group_size: int | None = None, param_init_type: DType = float32,
                 compute_dtype: DType = float16):
        super().__init__()
        self.in_channels = check.positive_int(self, "in_channels", in_channels)
        self.out_channels = check.positive_int(self, "out_channels", out_channels)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        self.transpose_b = check.boolean(self, "transpose_b", transpose_b)
        self.expert_num = check.positive_int(self, "expert_num", expert_num)
        self.outer_batch = check.positive_int(self, "outer_batch", outer_batch)
        self.expert_group_size = check.optional(check.positive_int, self, "expert_group_size", expert_group_size)
        self.dtype = check.instance(self, "compute_dtype", compute_dtype, DType)
        check.instance(self, "param_init_type", param_init_type, DType)
        shape = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        many = expert_num > 1
        self.weight = self.parameter("weight", (expert_num, *shape) if many else shape, weight_init, param_init_type)
        self.bias = None
        if has_bias:
            length = (1, expert_num, 1, out_channels) if many else (out_channels,)
            self.bias = self.parameter("bias", length, bias_init, param_init_type)
        self.matmul = ops.BatchMatMul(transpose_b=transpose_b) if many else ops.MatMul(transpose_b=transpose_b)
        self.bias_add = ops.Add()
        self.activation = activation() if isinstance(activation, type) else activation_of(self, activation)

    def construct(self, x):
        shape = (*x.shape[:-1], self.out_channels)
        rows = (self.outer_batch, self.expert_num, -1) if self.expert_num > 1 else (-1,)
        y = self.matmul(x.reshape((*rows, self.in_channels)).astype(self.dtype), self.weight.astype(self.dtype))
        if self.bias is not None:
            y = self.bias_add(y, self.bias.astype(self.dtype))
        y = y if self.activation is None else self.activation(y)
        return y.reshape(shape)

    def shard(self, strategy_matmul: Any, strategy_bias: Any = None, strategy_activation: Any = None) -> _Linear:
        """Say how the product, the sum with the bias and the activation are split.

        Args:
            strategy_matmul, strategy_bias, strategy_activation: A strategy as `Primitive.shard` takes it, or None.

        Returns:
            The cell.
        """
        self.matmul.shard(strategy_matmul)
        if strategy_bias is not None and self.has_bias:
            self.bias_add.shard(strategy_bias)
        if strategy_activation is not None and self.activation is not None:
            self.activation.shard(strategy_activation)
        return self


class _LayerNorm(Cell):
    """Normalisation along the last axis: `(x - mean) / sqrt(var + eps) * gamma + beta`.

    Args:
        normalized_shape: The length of the last axis, in a tuple.
        eps: Added to the variance.
        param_init_type: Element type of the parameters.
        is_self_defined: Whether it is composed of elementary operators, not one operator.

    Inputs:
        x: (*, n).

    Outputs:
        The same shape and type.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> from mindspore.nn.transformer.layers import _LayerNorm
        >>> _LayerNorm((2,))(Tensor([[1.0, 3.0]])).tolist()[0][1] > 0.99
        True
    """

    def __init__(self, normalized_shape: tuple[int, ...], eps: float = 1e-5, param_init_type: DType = float32,
                 is_self_defined: bool = False):
        super().__init__()
        shape = check.instance(self, "normalized_shape", normalized_shape, (tuple, list))
        check.instance(self, "param_init_type", param_init_type, DType)
        self.eps = check.positive_float(self, "eps", eps)
        self.is_self_defined = check.boolean(self, "is_self_defined", is_self_defined)
        self.gamma = self.parameter("gamma", tuple(shape), "ones", param_init_type)
        self.beta = self.parameter("beta", tuple(shape), "zeros", param_init_type)
        self.layer_norm = ops.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1, epsilon=eps)

    def construct(self, x):
        gamma, beta = self.gamma.astype(x.dtype), self.beta.astype(x.dtype)
        if not self.is_self_defined:
            return self.layer_norm(x, gamma, beta)[0]
        apart = x - x.mean(-1, keep_dims=True)
        return apart * ops.rsqrt((apart * apart).mean(-1, keep_dims=True) + self.eps) * gamma + beta

    def shard(self, strategy: Any) -> _LayerNorm:
        """Say how the input is split.

        Args:
            strategy: ((parts of each axis),).

        Returns:
            The cell.
        """
        first = check.instance(self, "strategy", strategy, (tuple, list))[0]
        self.layer_norm.shard((tuple(first), (1,), (1,)))
        return self


def normalised(norm: Cell, x: Any, dtype: DType) -> Any:
    """A normalisation computed in a type, in the type of the input."""
    return norm(x.astype(dtype)).astype(x.dtype)
