"""Normalisation over trailing axes, over groups of channels, over images, over neighbours."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.core.errors import ArgumentError
from mindspore.eager.parameter import assign
from mindspore.eager.tensor import is_tensor
from mindspore.operators.normalisation import (
    channel_sum,
    group_norm,
    layer_norm,
)
from mindspore.operators.structure import stop_gradient

from .batch_norm import extents_of, features, moving, moving_repr
from .cell import Cell


def _fitting(x: Any, *parameters: Any) -> list[Any]:
    """Scale and shift in the dtype of the input; in float32, they also fit one of 16 bits."""
    if not is_tensor(x) or not x.dtype.is_floating:
        return [*parameters]
    return [p if p.dtype is x.dtype or (p.dtype is float32 and x.dtype.itemsize == 2) else p.astype(x.dtype)
            for p in parameters]


class LayerNorm(Cell):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta over the last axes, Ba et al. 2016.

    Mean and variance (with divisor n) are those of the axes from `begin_norm_axis` on, for each example.

    Args:
        normalized_shape: Extents of the axes that `gamma` and `beta` have.
        begin_norm_axis: First axis to normalise over.
        begin_params_axis: Axis where those of `gamma` and `beta` begin.
        gamma_init: Initial scale.
        beta_init: Initial shift.
        epsilon: Added to the variance.
        dtype: Element type of the parameters.

    Inputs:
        x: (*, normalized_shape), floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.LayerNorm([2])(Tensor([[1.0, 3.0]])).asnumpy().round(3).tolist()
        [[-1.0, 1.0]]
    """

    def __init__(self, normalized_shape: Any, begin_norm_axis: int = -1, begin_params_axis: int = -1,
                 gamma_init: Any = "ones", beta_init: Any = "zeros", epsilon: float = 1e-7,
                 dtype: DType = float32):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError("For 'LayerNorm', the type of 'normalized_shape' must be tuple[int] or "
                            f"list[int], but got {normalized_shape} and the type is "
                            f"{type(normalized_shape)}.")
        if not normalized_shape:
            raise ValueError("Expected normalized_shape to be at least 1-dimensional, i.e., containing "
                             f"at least one element, but got normalized_shape = {normalized_shape}")
        self.normalized_shape = normalized_shape
        self.begin_norm_axis, self.begin_params_axis = begin_norm_axis, begin_params_axis
        self.epsilon = epsilon
        self.gamma = self.parameter("gamma", normalized_shape, gamma_init, dtype)
        self.beta = self.parameter("beta", normalized_shape, beta_init, dtype)

    def construct(self, input_x):
        shape = extents_of(self, input_x)
        rank = len(shape)
        for name in ("begin_norm_axis", "begin_params_axis"):
            if not -rank <= getattr(self, name) < rank:
                raise ArgumentError(f"For 'LayerNorm', the '{name}' must be in [{-rank}, {rank}), but got "
                                    f"{getattr(self, name)}.")
        norm, params = self.begin_norm_axis % rank, self.begin_params_axis % rank
        if shape[params:] != tuple(self.normalized_shape):
            raise ValueError(f"For 'LayerNorm', the extents of the input from axis {params} on must be "
                             f"{tuple(self.normalized_shape)}, but got the shape {shape}.")
        if norm == params:
            return layer_norm(input_x, *_fitting(input_x, self.gamma, self.beta), epsilon=self.epsilon)[0]
        axes = tuple(range(norm, rank))
        centred = input_x - input_x.mean(axes, keep_dims=True)
        variance = (centred * centred).mean(axes, keep_dims=True)
        return centred * (variance + self.epsilon) ** -0.5 * self.gamma + self.beta

    def extend_repr(self) -> str:
        return (f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
                f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma}, beta={self.beta}")


class GroupNorm(Cell):
    """`LayerNorm` over groups of channels and all positions, Wu and He 2018.

    Args:
        num_groups: Number of groups.
        num_channels: Number of channels C.
        eps: Added to the variance.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init: Initial scale per channel.
        beta_init: Initial shift per channel.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, *).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> x = Tensor([[[1.0, 3.0], [1.0, 3.0], [5.0, 9.0], [5.0, 9.0]]])
        >>> nn.GroupNorm(2, 4)(x).asnumpy().round(3).tolist()
        [[[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]]
    """

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
                 gamma_init: Any = "ones", beta_init: Any = "zeros", dtype: DType = float32):
        super().__init__()
        self.num_groups = check.positive_int(self, "num_groups", num_groups)
        self.num_channels = check.positive_int(self, "num_channels", num_channels)
        if num_channels % num_groups:
            raise ValueError("For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but "
                             f"got 'num_channels': {num_channels}, 'num_groups': {num_groups}.")
        self.eps = check.floating(self, "eps", eps)
        self.affine = check.boolean(self, "affine", affine)
        shape = (num_channels,)
        self.gamma = self.parameter("gamma", shape, gamma_init, dtype, requires_grad=affine)
        self.beta = self.parameter("beta", shape, beta_init, dtype, requires_grad=affine)

    def construct(self, x):
        gamma, beta = _fitting(x, self.gamma, self.beta)
        return group_norm(x, gamma, beta, groups=self.num_groups, epsilon=self.eps)[0]

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """What the instance normalisations share: every channel of every sample is normalised alone.

    The moving statistics become `(1 - momentum) * old + momentum * new`; the result does not depend
    on them.
    """

    rank = 4
    _keeps_precision = True

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 dtype: DType = float32):
        super().__init__()
        features(self, num_features, momentum)
        self.eps = check.number(self, "eps", eps, 0.0, 1.0, open_low=True)
        moving(self, num_features, affine, (gamma_init, beta_init, "zeros", "ones"), dtype)

    def construct(self, x):
        shape = extents_of(self, x)
        if len(shape) != self.rank:
            raise ValueError(f"For '{self.cls_name}', the in_shape must have {self.rank} dims, but got "
                             f"{len(shape)}.")
        y, mean, scale = group_norm(x, self.gamma, self.beta, groups=self.num_features,
                                    epsilon=self.eps)
        if self.training:
            count = prod(shape[2:])
            spread = stop_gradient(scale) ** -2 - self.eps
            self._move(self.moving_mean, stop_gradient(mean).mean(0))
            self._move(self.moving_variance, spread.mean(0) * (count / max(count - 1, 1)))
        return y

    def _move(self, old: Any, new: Any) -> None:
        assign(old, old * (1.0 - self.momentum) + new * self.momentum)

    def extend_repr(self) -> str:
        return moving_repr(self)


class InstanceNorm1d(_InstanceNorm):
    """Normalisation of every channel of every sample, Ulyanov et al. 2017.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the new statistics in the moving ones.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init: Initial scale per channel.
        beta_init: Initial shift per channel.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, L).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.InstanceNorm1d(2)(Tensor([[[1.0, 3.0], [5.0, 9.0]]])).asnumpy().round(3).tolist()
        [[[-1.0, 1.0], [-1.0, 1.0]]]
    """

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    """`InstanceNorm1d` for images (N, C, H, W).

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the new statistics in the moving ones.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift per channel.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.InstanceNorm2d(1)(Tensor([[[[1.0, 3.0], [1.0, 3.0]]]])).asnumpy().round(3).tolist()
        [[[[-1.0, 1.0], [-1.0, 1.0]]]]
    """

    rank = 4


class InstanceNorm3d(_InstanceNorm):
    """`InstanceNorm1d` for volumes (N, C, D, H, W).

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the new statistics in the moving ones.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift per channel.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, D, H, W).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.InstanceNorm3d(2)(ops.ones((1, 2, 3, 4, 5))).shape
        (1, 2, 3, 4, 5)
    """

    rank = 5


class LRN(Cell):
    """x / (bias + alpha * sum of squares over neighbouring channels) ** beta, Krizhevsky et al. 2012.

    Args:
        depth_radius: Number of neighbours on each side.
        bias: Added to the sum.
        alpha: Factor of the sum.
        beta: The exponent.
        norm_region: "ACROSS_CHANNELS".

    Inputs:
        input_x: (N, C, H, W).

    Outputs:
        Shape and dtype of `input_x`.

    Examples:
        >>> x = Tensor([3.0, 4.0]).reshape((1, 2, 1, 1))
        >>> nn.LRN(depth_radius=1, bias=0.0)(x).flatten().asnumpy().round(4)
        array([0.6, 0.8], dtype=float32)
    """

    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0,
                 beta: float = 0.5, norm_region: str = "ACROSS_CHANNELS"):
        super().__init__()
        self.depth_radius = check.non_negative_int(self, "depth_radius", depth_radius)
        self.bias = check.number(self, "bias", bias)
        self.alpha = check.number(self, "alpha", alpha)
        self.beta = check.number(self, "beta", beta)
        check.option(self, "norm_region", norm_region, ("ACROSS_CHANNELS",))

    def construct(self, input_x):
        total = channel_sum(input_x * input_x, radius=self.depth_radius)
        return input_x * (self.bias + self.alpha * total) ** -self.beta
