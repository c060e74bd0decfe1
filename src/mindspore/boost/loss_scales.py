"""A scale of the loss for every group of layers."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import nn, ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.ops.user import InsertGradientOf


class GroupLossScaleManager(nn.Cell):
    """Multiplies gradients between groups of layers, so that each has its own scale of the loss.

    Args:
        init_loss_scale: The first scale, at least 1.
        loss_scale_groups: What belongs to each group; only its length counts here.

    Inputs:
        x: A tensor between the groups `layer1` and `layer2`.
        layer1: Number of the group that x comes from.
        layer2: Number of the group that x goes to.

    Outputs:
        x, whose gradient is multiplied by the scale of `layer1` over that of `layer2`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the scale is less than 1.

    Examples:
        >>> manager = mindspore.boost.GroupLossScaleManager(4, [])
        >>> manager.set_loss_scale_status(2, 8.0)
        >>> manager.update_loss_scale_status(0, 0.5).item()
        4.0
        >>> ops.grad(lambda x: manager(x, 0, 1) * 3)(Tensor(1.0)).item()
        1.5
    """

    def __init__(self, init_loss_scale: float, loss_scale_groups: Sequence[Any]):
        super().__init__()
        self.init_loss_scale = check.number(self, "init_loss_scale", init_loss_scale, 1.0)
        self.loss_scale_groups = check.instance(self, "loss_scale_groups", loss_scale_groups, (list, tuple))
        self._scales: list[Parameter] = []
        if loss_scale_groups:
            self.set_loss_scale_status(len(loss_scale_groups), init_loss_scale)

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: float) -> None:
        """Make the scales.

        Args:
            loss_scale_number: Number of groups.
            init_loss_scale: Their first scale.
        """
        check.positive_int(self, "loss_scale_number", loss_scale_number)
        first = float(check.number(self, "init_loss_scale", init_loss_scale, 1.0))
        made = [Parameter(Tensor(first, float32), name=f"layer_loss_scale_{i}", requires_grad=False)
                for i in range(loss_scale_number)]
        for i, scale in enumerate(made):
            setattr(self, f"layer_loss_scale_{i}", scale)
        self._scales = made

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.init_loss_scale

    def get_update_cell(self) -> nn.Cell:
        """The cell that changes the scales: this one."""
        return self

    def update_loss_scale_status(self, layer: int, update_ratio: float) -> Any:
        """Multiply the scale of a group, which stays at least 1.

        Args:
            layer: Number of the group.
            update_ratio: The factor.

        Returns:
            The new scale.
        """
        scale = self._scale(layer)
        return assign(scale, ops.clamp(scale * update_ratio, 1.0, None))

    def _scale(self, layer: int) -> Parameter:
        return self._scales[check.integer(self, "layer", layer, 0, len(self._scales) - 1)]

    def construct(self, x, layer1, layer2):
        factor = self._scale(layer1) / self._scale(layer2)
        return InsertGradientOf(lambda dout: dout * factor.astype(dout.dtype))(x)
