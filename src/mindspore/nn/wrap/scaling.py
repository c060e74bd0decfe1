"""Loss scaling: small gradients are kept from vanishing in float16, and steps that overflow dropped."""
from __future__ import annotations

from functools import cached_property
from typing import Any

from mindspore import ops
from mindspore.compiler.frontend import cond
from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.communication import all_reduce
from mindspore.operators.training import all_finite

from ..cell import Cell
from .gradient import loss_and_gradients
from .step import TrainOneStepCell


class DynamicLossScaleUpdateCell(Cell):
    """Brings a loss scale forward: divided after an overflow, multiplied after a window without one.

    Args:
        loss_scale_value: The first scale.
        scale_factor: The factor.
        scale_window: Steps without overflow after which the scale grows.

    Inputs:
        loss_scale: The scale, a Parameter, which is assigned.
        overflow: Whether the step overflowed, a bool tensor.

    Outputs:
        `overflow`.

    Examples:
        >>> update = nn.DynamicLossScaleUpdateCell(1024, scale_factor=2, scale_window=1000)
        >>> scale = Parameter(Tensor(1024.0))
        >>> update(scale, Tensor(True)), float(scale)
        (Tensor(shape=[], dtype=Bool, value= True), 512.0)
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int):
        super().__init__(auto_prefix=False)
        self.loss_scale_value = loss_scale_value
        self.scale_factor, self.scale_window = float(scale_factor), scale_window
        self.minimum_loss_scale = 1.0
        self.cur_iter = Parameter(Tensor(1, int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, int32), name="last_overflow_iterator_step")

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Any, overflow: Any) -> Any:
        grows = self.cur_iter - self.last_overflow_iter >= self.scale_window
        less = ops.maximum(loss_scale * (1.0 / self.scale_factor), self.minimum_loss_scale)
        scale = ops.select(overflow, less, ops.select(grows, loss_scale * self.scale_factor,
                                                      loss_scale * 1.0))
        restarts = ops.logical_or(overflow, grows)
        last = ops.select(restarts, self.cur_iter * 1, self.last_overflow_iter * 1)
        assign(self.last_overflow_iter, last)
        assign(self.cur_iter, self.cur_iter + 1)
        assign(loss_scale, scale)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Keeps the loss scale constant.

    Args:
        loss_scale_value: The scale.

    Inputs:
        _: The scale, a Parameter.
        overflow: Whether the step overflowed, a bool tensor.

    Outputs:
        `overflow`.

    Examples:
        >>> scale = nn.FixedLossScaleUpdateCell(1024.0)
        >>> net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
        >>> step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)
        >>> _, overflow, used = step(ops.ones((4, 2)), ops.zeros((4, 1)))
        >>> bool(overflow), float(used)
        (False, 1024.0)
    """

    def __init__(self, loss_scale_value: float):
        super().__init__(auto_prefix=False)
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Any) -> Any:
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss, dropped if a gradient is not finite.

    Args:
        network: The network; its output is the loss.
        optimizer: The optimizer.
        scale_sense: The scale: a cell that updates it (`DynamicLossScaleUpdateCell`,
            `FixedLossScaleUpdateCell`, or one with `get_loss_scale`), or a Tensor with one element.
        scale_update_cell: The name of `scale_sense` in the first releases.

    Outputs:
        (network's output, whether the step overflowed, the scale that it used).

    Raises:
        TypeError: If the scale is neither a Cell nor a Tensor.
        ValueError: If the Tensor has more than one element.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "zeros", "zeros"), nn.MSELoss())
        >>> step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), Tensor(8.0))
        >>> loss, overflow, scale = step(ops.ones((1, 2)), ops.ones((1, 1)))
        >>> float(loss), bool(overflow), float(scale)
        (1.0, False, 8.0)
    """

    def __init__(self, network: Cell, optimizer: Any, scale_sense: Any = None,
                 scale_update_cell: Any = None):
        super().__init__(network, optimizer)
        scale_sense = scale_update_cell if scale_sense is None else scale_sense
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            first = Tensor(float(scale_sense.get_loss_scale()), float32)
        elif isinstance(scale_sense, Tensor):
            if tuple(scale_sense.shape) not in ((), (1,)):
                raise ValueError(f"For '{type(self).__name__}', the shape of 'scale_sense' must be (1,) "
                                 f"or (), but got {tuple(scale_sense.shape)}.")
            first = scale_sense
        else:
            raise check.fail(TypeError, self, "scale_sense", "a Cell or a Tensor", scale_sense)
        self.scale_sense = Parameter(first, name="scale_sense")

    @property
    def is_distributed(self) -> bool:
        """Whether gradients are summed over processes."""
        return self.reducer_flag

    @cached_property
    def hyper_map(self) -> Any:
        """`ops.HyperMap()`, with which older steps scale their gradients."""
        return ops.HyperMap()

    def construct(self, *inputs: Any) -> tuple[Any, Any, Any]:
        scale = self.scale_sense * 1.0
        loss, grads = loss_and_gradients(self.network, inputs, self.weights, scale)
        grads = self.grad_reducer(tuple([_unscaled(scale, g) for g in grads]))
        overflowed = self.get_overflow_status(None, grads)
        dropped = self.process_loss_scale(overflowed)
        optimizer = self.optimizer
        cond(dropped, lambda: True, lambda: _updated(optimizer, grads))
        return loss, overflowed, scale

    def set_sense_scale(self, sens: Tensor) -> None:
        """Set the scale.

        Raises:
            TypeError: If it is no Tensor.
        """
        if not isinstance(sens, Tensor):
            raise check.fail(TypeError, self, "sens", "a Tensor", sens)
        self.scale_sense.set_data(sens, slice_shape=True)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Any, Any]:
        """(False, compute_input): overflow is read off the gradients; there is no state to clear."""
        return False, compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Any:
        """Whether a gradient is infinite or no number, a bool tensor; in any process, where gradients are summed."""
        found = ops.logical_not(all_finite(*_tensors(compute_output)))
        if self.reducer_flag and get_group_size() > 1:     # some gradients may not be summed (`layerwise_parallel`)
            found = all_reduce(found.astype(int32), op="max") > 0
        return found

    def process_loss_scale(self, overflow: Any) -> Any:
        """Bring the scale forward; returns whether the step is to be dropped."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow


def _unscaled(scale: Any, grad: Any) -> Any:
    """A gradient without the loss scale, in the gradient's dtype."""
    factor = 1.0 / scale
    if is_tensor(factor):
        factor = factor.reshape(()).astype(grad.dtype)
    return grad * factor


grad_scale = ops.MultitypeFuncGraph("grad_scale")     # for steps of users: over (scale, gradient)
grad_scale.register("Tensor", "Tensor")(_unscaled)
grad_scale.register("Number", "Tensor")(_unscaled)


grad_overflow = ops.MultitypeFuncGraph("grad_overflow")     # for steps of users: [1.0] for a gradient that overflowed
grad_overflow.register("Tensor")(ops.FloatStatus())


def _updated(optimizer: Any, grads: Any) -> bool:
    optimizer(grads)
    return True


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _tensors(v)]
    return [value]
