"""A layer applied to every step of a sequence."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.ops.primitive import Primitive

from .cell import Cell


class TimeDistributed(Cell):
    """The layer applied to every slice along `time_axis`.

    Args:
        layer: A cell or a primitive.
        time_axis: The axis of the steps.
        reshape_with_axis: An axis to join with that of the steps, so that the layer is called once.

    Inputs:
        inputs: A tensor with the axis of the steps.

    Outputs:
        The results of the steps along the same axis.

    Examples:
        >>> nn.TimeDistributed(nn.Dense(3, 4), time_axis=1, reshape_with_axis=0)(ops.ones((2, 5, 3))).shape
        (2, 5, 4)
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        if not isinstance(layer, (Cell, Primitive)):
            raise TypeError(f"For 'TimeDistributed', the 'layer' must be Cell or Primitive instance, but "
                            f"got type: {type(layer).__name__}.")
        for name, value in (("time_axis", time_axis), ("reshape_with_axis", reshape_with_axis)):
            if (value is not None or name == "time_axis") and (
                    isinstance(value, bool) or not isinstance(value, int)):
                raise TypeError(f"For 'TimeDistributed', the type of '{name}' must be 'int', but got "
                                f"'{type(value).__name__}'.")
        self.layer, self.time_axis, self.reshape_with_axis = layer, time_axis, reshape_with_axis

    def construct(self, inputs):
        rank = inputs.ndim
        for name, axis in (("time_axis", self.time_axis), ("reshape_with_axis", self.reshape_with_axis)):
            if axis is not None and not -rank <= axis < rank:
                raise ValueError(f"For 'TimeDistributed', the '{name}' must be in [{-rank}, {rank}), but "
                                 f"got {axis}.")
        time = self.time_axis % rank
        if self.reshape_with_axis is None:
            steps = [self.layer(step) for step in ops.unbind(inputs, time)]
            return ops.stack(steps, time if time <= steps[0].ndim else steps[0].ndim)
        other = self.reshape_with_axis % rank
        if other == time:
            raise ValueError("For 'TimeDistributed', the 'time_axis' and the 'reshape_with_axis' must "
                             f"differ, but got {self.time_axis} and {self.reshape_with_axis}.")
        return self._joined(inputs, time, other)

    def _joined(self, inputs: Any, time: int, other: int) -> Any:
        rank = inputs.ndim
        rest = [i for i in range(rank) if i != time]
        order = list(rest)
        order.insert(rest.index(other) + 1, time)       # the steps right behind the other axis
        moved = inputs.transpose(tuple(order))
        at = order.index(other)
        shape = tuple(moved.shape)
        y = self.layer(moved.reshape((*shape[:at], shape[at] * shape[at + 1], *shape[at + 2:])))
        y = y.reshape((*y.shape[:at], shape[at], shape[at + 1], *y.shape[at + 1:]))
        back = [order.index(i) for i in range(rank)] if y.ndim == rank else None
        return y if back is None else y.transpose(tuple(back))
