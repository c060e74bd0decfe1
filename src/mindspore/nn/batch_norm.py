"""Cells that normalise over batches, with running statistics."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.distributed import create_group, get_group_size, get_rank
from mindspore.distributed.groups import has_group
from mindspore.eager.parameter import assign
from mindspore.operators.communication import all_reduce
from mindspore.operators.normalisation import (
    batch_norm_infer,
    batch_norm_train,
)
from mindspore.operators.structure import cast, ones_like, stop_gradient

from .cell import Cell


def extents_of(owner: Cell, x: Any) -> tuple[int, ...]:
    """The extents of the input; TypeError if it is no tensor."""
    shape = getattr(x, "shape", None)
    if shape is None:
        raise TypeError(f"For '{owner.cls_name}', the input must be a Tensor, but got "
                        f"{type(x).__name__}.")
    return tuple(shape)


def moving(owner: Cell, count: int, affine: Any, inits: tuple[Any, ...], dtype: DType) -> None:
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


def moving_repr(cell: Any) -> str:
    """What such a layer shows of itself."""
    return (f"num_features={cell.num_features}, eps={cell.eps}, momentum={cell.momentum}, "
            f"gamma={cell.gamma}, beta={cell.beta}, moving_mean={cell.moving_mean}, "
            f"moving_variance={cell.moving_variance}")


def features(owner: Cell, count: Any, momentum: Any) -> None:
    """Take over the number of channels and the momentum, checked."""
    owner.num_features = check.positive_int(owner, "num_features", count)
    owner.momentum = check.number(owner, "momentum", momentum, 0, 1)


def normalised(cell: Any, x: Any) -> Any:
    """`x` normalised by the batch in training, which moves the cell's statistics, else by these."""
    by_batch = cell.use_batch_statistics
    if by_batch or (by_batch is None and cell.training):
        y, _, _, mean, variance = batch_norm_train(x, cell.gamma, cell.beta, cell.moving_mean, cell.moving_variance,
                                                   momentum=cell._rate, epsilon=cell.eps)
        assign(cell.moving_mean, stop_gradient(mean))
        assign(cell.moving_variance, stop_gradient(variance))
        return y
    return batch_norm_infer(x, cell.gamma, cell.beta, cell.moving_mean, cell.moving_variance, epsilon=cell.eps)


class _BatchNorm(Cell):
    """What the batch normalisations share.  The moving statistics stay in their own precision."""

    ranks: tuple[int, ...] = ()
    formats: tuple[str, ...] = ("NCHW",)
    _keeps_precision = True

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None, data_format: str = "NCHW",
                 dtype: DType = float32):
        super().__init__()
        self.data_format = check.option(self, "data_format", data_format, self.formats)
        features(self, num_features, momentum)
        self.eps = check.number(self, "eps", eps, 0.0, 1.0, open_low=True)
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise ValueError(f"For '{self.cls_name}', the 'use_batch_statistics' must be a boolean value "
                             f"or None, but got {use_batch_statistics}.")
        self.use_batch_statistics = use_batch_statistics
        moving(self, num_features, affine, (gamma_init, beta_init, moving_mean_init, moving_var_init), dtype)
        self._rate = 1.0 - momentum

    def _check_shape(self, x: Any, channels: int = 1) -> None:
        shape = extents_of(self, x)
        if len(shape) not in self.ranks:
            wanted = " or ".join(map(str, self.ranks))
            raise ValueError(f"For '{self.cls_name}', the in_shape must have {wanted} dims, but got "
                             f"{len(shape)}.")
        if shape[channels] != self.num_features:
            raise ValueError(f"For '{self.cls_name}', the input must have {self.num_features} channels, "
                             f"but got the shape {shape}.")

    def _normalise(self, x: Any) -> Any:
        return normalised(self, x)

    def construct(self, x):
        self._check_shape(x)
        return self._normalise(x)

    def extend_repr(self) -> str:
        return moving_repr(self)


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

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.BatchNorm1d(2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """`BatchNorm1d` for images.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the old moving statistics.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift.
        moving_mean_init, moving_var_init: Initial moving mean and variance.
        use_batch_statistics: True or False fixes what else depends on training.
        dtype: Element type of the parameters.
        data_format: "NCHW", or "NHWC" for channels last.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.BatchNorm2d(3)(ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
    """

    ranks = (4,)
    formats = ("NCHW", "NHWC")

    def construct(self, x):
        if self.data_format == "NHWC":
            self._check_shape(x, 3)
            return self._normalise(x.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)
        self._check_shape(x)
        return self._normalise(x)


class BatchNorm3d(Cell):
    """`BatchNorm1d` for volumes.  The parameters belong to the cell `bn2d`.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the old moving statistics.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift.
        moving_mean_init, moving_var_init: Initial moving mean and variance.
        use_batch_statistics: True or False fixes what else depends on training.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, D, H, W).

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> net = nn.BatchNorm3d(3)
        >>> net(ops.ones((2, 3, 4, 4, 4))).shape, [p.name for p in net.trainable_params()]
        ((2, 3, 4, 4, 4), ['bn2d.gamma', 'bn2d.beta'])
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None, dtype: DType = float32):
        super().__init__()
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, gamma_init, beta_init,
                                moving_mean_init, moving_var_init, use_batch_statistics, dtype=dtype)

    def construct(self, x):
        shape = extents_of(self, x)
        if len(shape) != 5:
            raise ValueError(f"For '{self.cls_name}', the in_shape must have 5 dims, but got "
                             f"{len(shape)}.")
        return self.bn2d(x.reshape((*shape[:2], shape[2] * shape[3], shape[4]))).reshape(shape)


class SyncBatchNorm(_BatchNorm):
    """`BatchNorm1d` whose statistics are those of all processes of a group together.

    Every process may have another number of samples.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the old moving statistics.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift.
        moving_mean_init, moving_var_init: Initial moving mean and variance.
        use_batch_statistics: True or False fixes what else depends on training.
        dtype: Element type of the parameters.
        process_groups: Lists of ranks that normalise together, each process in one of them. Default: all processes.

    Inputs:
        x: (N, C) or (N, C, *).

    Outputs:
        Shape and dtype of `x`.

    Raises:
        ValueError: If `process_groups` do not name the running processes, each once.

    Examples:
        >>> nn.SyncBatchNorm(2)(Tensor([[1.0, 2.0]])).shape       # a process alone
        (1, 2)
    """

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9,
                 affine: bool = True, gamma_init: Any = "ones", beta_init: Any = "zeros",
                 moving_mean_init: Any = "zeros", moving_var_init: Any = "ones",
                 use_batch_statistics: bool | None = None,
                 process_groups: list[list[int]] | None = None, dtype: DType = float32):
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init,
                         moving_var_init, use_batch_statistics, dtype=dtype)
        self.process_groups = process_groups
        self.group = self._group_of(process_groups)
        self.together = get_group_size(self.group)

    def _group_of(self, groups: Any) -> str:
        """The name of the group that this process normalises with."""
        world = "hccl_world_group"
        if groups is None:
            return world
        check.instance(self, "process_groups", groups, list)
        for group in groups:
            check.instance(self, "elements of process_groups", group, list)
        if sorted([rank for group in groups for rank in group]) not in ([], list(range(get_group_size()))):
            raise ValueError("For 'SyncBatchNorm', the 'process_groups' must name the ranks of the "
                             f"running processes, 0 to {get_group_size() - 1}, each once, but got {groups}.")
        own = next((sorted(g) for g in groups if get_rank() in g), None)
        if own is None or len(own) == get_group_size():
            return world
        name = f"sync_batch_norm_{'_'.join(map(str, own))}"
        if not has_group(name):
            create_group(name, own)
        return name

    def _normalise(self, x: Any) -> Any:
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if self.together == 1 or not by_batch:
            return super()._normalise(x)
        channels = (self.num_features,) + (1,) * (x.ndim - 2)
        axes = (0, *range(2, x.ndim))
        wide = cast(x, dtype=self.moving_mean.dtype)
        # all_reduce adds up what the processes have; counts are tensors, as another process may have more samples
        count = all_reduce(ones_like(self.moving_mean) * float(x.size // self.num_features), group=self.group)
        mean = all_reduce(wide.sum(axes), group=self.group) / count
        apart = wide - mean.reshape(channels)
        variance = all_reduce((apart * apart).sum(axes), group=self.group) / count
        scale = self.gamma / (variance + self.eps).sqrt()
        unbiased = stop_gradient(variance * (count / (count - 1)))
        assign(self.moving_mean, self.moving_mean + self._rate * (stop_gradient(mean) - self.moving_mean))
        assign(self.moving_variance, self.moving_variance + self._rate * (unbiased - self.moving_variance))
        return cast(apart * scale.reshape(channels) + self.beta.reshape(channels), dtype=x.dtype)
