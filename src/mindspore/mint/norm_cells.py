"""Cells that normalise."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.operators.structure import stop_gradient

from .layers import batch_norm


class _BatchNorm(Cell):
    """What the normalisations over batches share."""

    ranks: tuple[int, ...] = ()

    def __init__(self, num_features: int, eps: float = 1e-05, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, dtype: Any = None):
        super().__init__()
        self.num_features = check.positive_int(self, "num_features", num_features)
        self.eps = check.number(self, "eps", eps)
        self.momentum = momentum if momentum is None else check.number(self, "momentum", momentum, 0, 1)
        self.affine = check.boolean(self, "affine", affine)
        self.track_running_stats = check.boolean(self, "track_running_stats", track_running_stats)
        shape, dtype = (num_features,), float32 if dtype is None else dtype
        self.weight = self.parameter("weight", shape, "ones", dtype) if affine else None
        self.bias = self.parameter("bias", shape, "zeros", dtype) if affine else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track_running_stats:
            self.running_mean = self.parameter("running_mean", shape, "zeros", dtype, requires_grad=False)
            self.running_var = self.parameter("running_var", shape, "ones", dtype, requires_grad=False)
            self.num_batches_tracked = Parameter(Tensor(0, int32), name="num_batches_tracked", requires_grad=False)

    def construct(self, input: Any) -> Any:
        if input.ndim not in self.ranks:
            raise ValueError(f"For '{type(self).__name__}', the input must have {self.ranks} dimensions, but has "
                             f"{input.ndim}.")
        rate = self.momentum
        if self.training and self.num_batches_tracked is not None:
            assign(self.num_batches_tracked, self.num_batches_tracked + 1)
        if rate is None and self.training and self.running_mean is not None:
            return self._averaged(input, self.num_batches_tracked)
        by_batch = self.training or self.running_mean is None
        return batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, by_batch,
                          0.0 if rate is None else rate, self.eps)

    def _averaged(self, input: Any, count: Any) -> Any:
        """As a batch; the running statistics are the means of those of all batches."""
        axes = (0, *range(2, input.ndim))
        part = 1.0 / count.astype(input.dtype)
        now = ops.mean(input, axes), ops.var(input, axes, 1)
        for statistic, value in zip((self.running_mean, self.running_var), now, strict=True):
            assign(statistic, stop_gradient(statistic + (value - statistic) * part))
        return batch_norm(input, None, None, self.weight, self.bias, True, 0.0, self.eps)

    def extend_repr(self) -> str:
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"track_running_stats={self.track_running_stats}")


class BatchNorm1d(_BatchNorm):
    """(input - mean) / sqrt(variance + eps) * weight + bias for each channel.  Ioffe and Szegedy 2015.

    In training, mean and variance are those of the batch; otherwise the running ones.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: How far the running statistics move towards those of a batch; None: they are means over all batches.
        affine: Whether there are `weight` and `bias`.
        track_running_stats: Whether there are running statistics.
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, C) or (N, C, L).

    Examples:
        >>> mint.nn.BatchNorm1d(2)(mint.ones((3, 2))).shape
        (3, 2)
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` for images.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: How far the running statistics move towards those of a batch; None: they are means over all batches.
        affine: Whether there are `weight` and `bias`.
        track_running_stats: Whether there are running statistics.
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, C, H, W).

    Examples:
        >>> mint.nn.BatchNorm2d(2)(mint.ones((3, 2, 4, 4))).shape
        (3, 2, 4, 4)
    """

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """`BatchNorm1d` for volumes.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: How far the running statistics move towards those of a batch; None: they are means over all batches.
        affine: Whether there are `weight` and `bias`.
        track_running_stats: Whether there are running statistics.
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, C, D, H, W).

    Examples:
        >>> mint.nn.BatchNorm3d(2)(mint.ones((3, 2, 4, 4, 4))).shape
        (3, 2, 4, 4, 4)
    """

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm1d` whose statistics are those of all processes of a group together.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: How far the running statistics move towards those of a batch; None: they are means over all batches.
        affine: Whether there are `weight` and `bias`.
        track_running_stats: Whether there are running statistics.
        process_group: The name of the group; None: all processes.
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, C) or (N, C, ...), of 2 to 5 dimensions.

    Raises:
        NotImplementedError: If a cell of several processes is called in training.

    Examples:
        >>> mint.nn.SyncBatchNorm(2)(mint.ones((3, 2))).shape       # a process alone
        (3, 2)
    """

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-05, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, process_group: str | None = None, dtype: Any = None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = "hccl_world_group" if process_group is None else process_group
        self.together = get_group_size(self.process_group)

    def construct(self, input: Any) -> Any:
        if self.together > 1 and self.training:
            raise NotImplementedError("For 'mint.nn.SyncBatchNorm', training with several processes is not offered; "
                                      "use 'nn.SyncBatchNorm'.")
        return super().construct(input)


class GroupNorm(Cell):
    """(input - mean) / sqrt(variance + eps) * weight + bias, with statistics of groups of channels.  Wu and He 2018.

    Args:
        num_groups: How many groups there are.
        num_channels: How many channels.
        eps: Added to the variance.
        affine: Whether there are `weight` and `bias`, one of each per channel.
        dtype: Their element type; None: float32.

    Inputs:
        input: (N, num_channels, *).

    Examples:
        >>> mint.nn.GroupNorm(2, 4)(mint.ones((3, 4, 5))).shape
        (3, 4, 5)
    """

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-05, affine: bool = True,
                 dtype: Any = None):
        super().__init__()
        self.num_groups = check.positive_int(self, "num_groups", num_groups)
        self.num_channels = check.positive_int(self, "num_channels", num_channels)
        if num_channels % num_groups:
            raise ValueError(f"For 'GroupNorm', the 'num_channels' must be a multiple of the 'num_groups', but got "
                             f"{num_channels} and {num_groups}.")
        self.eps = check.number(self, "eps", eps)
        dtype = float32 if dtype is None else dtype
        affine = check.boolean(self, "affine", affine)
        self.weight = self.parameter("weight", (num_channels,), "ones", dtype) if affine else None
        self.bias = self.parameter("bias", (num_channels,), "zeros", dtype) if affine else None

    def construct(self, input: Any) -> Any:
        return ops.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class LayerNorm(Cell):
    """(input - mean) / sqrt(variance + eps) * weight + bias, with statistics of the last axes.  Ba et al. 2016.

    Args:
        normalized_shape: The extents of these axes: an int or a tuple.
        eps: Added to the variance.
        elementwise_affine: Whether there is a `weight`.
        bias: Whether there is a `bias`, too.
        dtype: Their element type; None: float32.

    Inputs:
        input: (*, normalized_shape).

    Examples:
        >>> mint.nn.LayerNorm(4)(mint.ones((3, 4))).shape
        (3, 4)
    """

    def __init__(self, normalized_shape: Any, eps: float = 1e-05, elementwise_affine: bool = True, bias: bool = True,
                 dtype: Any = None):
        super().__init__()
        shape = tuple(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
        self.normalized_shape = tuple([check.positive_int(self, "normalized_shape", n) for n in shape])
        self.eps = check.number(self, "eps", eps)
        dtype = float32 if dtype is None else dtype
        affine = check.boolean(self, "elementwise_affine", elementwise_affine)
        shifted = check.boolean(self, "bias", bias) and affine
        self.weight = self.parameter("weight", shape, "ones", dtype) if affine else None
        self.bias = self.parameter("bias", shape, "zeros", dtype) if shifted else None

    def construct(self, input: Any) -> Any:
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "LayerNorm", "SyncBatchNorm"]
