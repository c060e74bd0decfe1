"""Normalisation over the batch, over trailing axes, over groups of channels, over neighbours."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.core.errors import ArgumentError
from mindspore.core.parameter import assign
from mindspore.operators.normalisation import (
    batch_norm_infer,
    batch_norm_train,
    channel_sum,
    group_norm,
    layer_norm,
)
from mindspore.operators.structure import stop_gradient

from .cell import Cell


def _extents_of(owner: Cell, x: Any) -> tuple[int, ...]:
    shape = getattr(x, "shape", None)
    if shape is None:
        raise TypeError(f"For '{owner.cls_name}', the input must be a Tensor, but got "
                        f"{type(x).__name__}.")
    return tuple(shape)


def _moving(owner: Cell, count: int, affine: Any, inits: tuple[Any, ...], dtype: DType) -> None:
    """The parameters of a layer with moving statistics, in the order of checkpoints."""
    if not isinstance(affine, bool):
        raise TypeError(f"For '{owner.cls_name}', the 'affine' must be a bool, but got "
                        f"{type(affine).__name__}.")
    shape = (count,)
    gamma, beta, mean, variance = inits
    owner.moving_mean = owner.parameter("mean", shape, mean, dtype, requires_grad=False)
    owner.moving_variance = owner.parameter("variance", shape, variance, dtype, requires_grad=False)
    owner.gamma = owner.parameter("gamma", shape, gamma, dtype, requires_grad=affine)
    owner.beta = owner.parameter("beta", shape, beta, dtype, requires_grad=affine)


def _moving_repr(cell: Any) -> str:
    return (f"num_features={cell.num_features}, eps={cell.eps}, momentum={cell.momentum}, "
            f"gamma={cell.gamma}, beta={cell.beta}, moving_mean={cell.moving_mean}, "
            f"moving_variance={cell.moving_variance}")


def _features(owner: Cell, count: Any, momentum: Any) -> None:
    owner.num_features = check.positive_int(owner, "num_features", count)
    owner.momentum = check.number(owner, "momentum", momentum, 0, 1)


class _BatchNorm(Cell):
    """What the batch normalisations share.  The moving statistics stay in their own precision."""

    ranks: tuple[int, ...] = ()
    _keeps_precision = True

    def _prepare(self, num_features: int, eps: float, momentum: float, affine: bool,
                 inits: tuple[Any, ...], use_batch_statistics: bool | None, dtype: DType) -> None:
        _features(self, num_features, momentum)
        self.eps = check.number(self, "eps", eps)
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise ValueError(f"For '{self.cls_name}', the 'use_batch_statistics' must be a boolean value "
                             f"or None, but got {use_batch_statistics}.")
        self.use_batch_statistics = use_batch_statistics
        _moving(self, num_features, affine, inits, dtype)
        self._rate = 1.0 - momentum

    def _check_shape(self, x: Any, channels: int = 1) -> None:
        shape = _extents_of(self, x)
        if len(shape) not in self.ranks:
            wanted = " or ".join(map(str, self.ranks))
            raise ValueError(f"For '{self.cls_name}', the in_shape must have {wanted} dims, but got "
                             f"{len(shape)}.")
        if shape[channels] != self.num_features:
            raise ValueError(f"For '{self.cls_name}', the input must have {self.num_features} channels, "
                             f"but got the shape {shape}.")

    def _normalise(self, x: Any) -> Any:
        by_batch = self.use_batch_statistics
        if by_batch or (by_batch is None and self.training):
            y, _, _, mean, variance = batch_norm_train(
                x, self.gamma, self.beta, self.moving_mean, self.moving_variance,
                momentum=self._rate, epsilon=self.eps)
            assign(self.moving_mean, stop_gradient(mean))
            assign(self.moving_variance, stop_gradient(variance))
            return y
        return batch_norm_infer(x, self.gamma, self.beta, self.moving_mean, self.moving_variance,
                                epsilon=self.eps)

    def construct(self, x):
        self._check_shape(x)
        return self._normalise(x)

    def extend_repr(self) -> str:
        return _moving_repr(self)


class BatchNorm1d(_BatchNorm):
    """(x - mean) / sqrt(variance + eps) * gamma + beta for each channel, Ioffe and Szegedy 2015.

    In training, mean and variance are those of the batch, and the moving ones become
    `momentum * old + (1 - momentum) * new`; otherwise the moving ones are used.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the old moving statistics.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init: Initial scale.
        beta_init: Initial shift.
        moving_mean_init: Initial moving mean.
        moving_var_init: Initial moving variance.
        use_batch_statistics: True or False fixes what else depends on training.
        data_format: "NCHW": the channels are axis 1.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C) or (N, C, L).
    """

    ranks = (2, 3)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None, data_format: str = "NCHW",
                 dtype: DType = float32):
        super().__init__()
        self.data_format = check.option(self, "data_format", data_format, ("NCHW",))
        self._prepare(num_features, eps, momentum, affine,
                      (gamma_init, beta_init, moving_mean_init, moving_var_init),
                      use_batch_statistics, dtype)


class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` for images.

    Args:
        data_format: "NCHW", or "NHWC" for channels last.

    The other arguments are those of `BatchNorm1d`.

    Inputs:
        x: (N, C, H, W).

    Examples:
        >>> nn.BatchNorm2d(3)(ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
    """

    ranks = (4,)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None, data_format: str = "NCHW",
                 dtype: DType = float32):
        super().__init__()
        self.data_format = check.option(self, "format", data_format, ("NCHW", "NHWC"))
        self._prepare(num_features, eps, momentum, affine,
                      (gamma_init, beta_init, moving_mean_init, moving_var_init),
                      use_batch_statistics, dtype)

    def construct(self, x):
        if self.data_format == "NHWC":
            self._check_shape(x, 3)
            return self._normalise(x.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)
        self._check_shape(x)
        return self._normalise(x)


class BatchNorm3d(Cell):
    """`BatchNorm1d` for volumes; arguments as there.  The parameters belong to the cell `bn2d`.

    Inputs:
        x: (N, C, D, H, W).
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None, dtype: DType = float32):
        super().__init__()
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, gamma_init, beta_init,
                                moving_mean_init, moving_var_init, use_batch_statistics, dtype=dtype)

    def construct(self, x):
        shape = _extents_of(self, x)
        if len(shape) != 5:
            raise ValueError(f"For '{self.cls_name}', the in_shape must have 5 dims, but got "
                             f"{len(shape)}.")
        return self.bn2d(x.reshape((*shape[:2], shape[2] * shape[3], shape[4]))).reshape(shape)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm1d` whose statistics are those of all processes of a group together.

    A program is one process here (`mindspore.communication.init` refuses more), so the group is this
    process.

    Args:
        process_groups: Lists of ranks that normalise together. Default: all processes.

    The other arguments are those of `BatchNorm1d`.

    Inputs:
        x: (N, C) or (N, C, *).
    """

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None,
                 process_groups: list[list[int]] | None = None, dtype: DType = float32):
        super().__init__()
        self.process_groups = process_groups
        self._check_groups(process_groups)
        self._prepare(num_features, eps, momentum, affine,
                      (gamma_init, beta_init, moving_mean_init, moving_var_init),
                      use_batch_statistics, dtype)

    def _check_groups(self, groups: Any) -> None:
        if groups is not None:
            check.instance(self, "process_groups", groups, list)
            for group in groups:
                check.instance(self, "elements of process_groups", group, list)
            if sorted([rank for group in groups for rank in group]) not in ([], [0]):
                raise ValueError("For 'SyncBatchNorm', the 'process_groups' must name the ranks of the "
                                 f"running processes, but got {groups} in one process.")


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
        shape = _extents_of(self, input_x)
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
            return layer_norm(input_x, self.gamma, self.beta, epsilon=self.epsilon)[0]
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
        return group_norm(x, self.gamma, self.beta, groups=self.num_groups, epsilon=self.eps)[0]

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
        _features(self, num_features, momentum)
        self.eps = check.number(self, "eps", eps)
        _moving(self, num_features, affine, (gamma_init, beta_init, "zeros", "ones"), dtype)

    def construct(self, x):
        shape = _extents_of(self, x)
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
        return _moving_repr(self)


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
    """

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    """`InstanceNorm1d` for images (N, C, H, W)."""

    rank = 4


class InstanceNorm3d(_InstanceNorm):
    """`InstanceNorm1d` for volumes (N, C, D, H, W)."""

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
