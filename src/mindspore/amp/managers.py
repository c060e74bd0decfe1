"""Loss scale managers: what `Model` is told about scaling the loss."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.nn.wrap import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


class LossScaleManager:
    """The interface; a subclass defines these three methods.

    Examples:
        >>> issubclass(mindspore.amp.FixedLossScaleManager, mindspore.amp.LossScaleManager)
        True
    """

    def get_loss_scale(self) -> Any:
        """The current scale."""

    def update_loss_scale(self, overflow: bool) -> None:
        """Bring the scale forward after a step that overflowed or did not."""

    def get_update_cell(self) -> Any:
        """The cell that brings the scale forward inside a training step; None for none."""


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays.

    Without `drop_overflow_update` the optimizer must divide by it: give it the same `loss_scale`.

    Args:
        loss_scale: The scale, at least 1.
        drop_overflow_update: Whether a step that overflows leaves the parameters alone.

    Raises:
        ValueError: If `loss_scale` is less than 1.

    Examples:
        >>> mindspore.amp.FixedLossScaleManager(1024.0).get_loss_scale()
        1024.0
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True):
        check.number(self, "loss_scale", loss_scale, 1)
        self._loss_scale, self._drop = loss_scale, drop_overflow_update

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether steps that overflow are dropped."""
        return self._drop

    def get_update_cell(self) -> FixedLossScaleUpdateCell | None:
        """The cell for a training step; None if no step is dropped."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that is divided after an overflow and multiplied after a window without one.

    Args:
        init_loss_scale: The first scale, at least 1.
        scale_factor: The factor.
        scale_window: Steps without overflow after which the scale grows.

    Raises:
        ValueError: If `init_loss_scale` is less than 1, or another number is not positive.

    Examples:
        >>> manager = mindspore.amp.DynamicLossScaleManager(1024.0, scale_factor=2)
        >>> manager.update_loss_scale(True)
        >>> manager.get_loss_scale()
        512.0
    """

    def __init__(self, init_loss_scale: float = 2 ** 24, scale_factor: float = 2,
                 scale_window: int = 2000):
        self.loss_scale = check.number(self, "init_loss_scale", init_loss_scale, 1)
        self.scale_window = check.positive_int(self, "scale_window", scale_window)
        self.scale_factor = check.number(self, "scale_factor", scale_factor, 0, open_low=True)
        self.cur_iter, self.last_overflow_iter = 1, 0

    def get_loss_scale(self) -> float:
        """The current scale."""
        return self.loss_scale

    def update_loss_scale(self, overflow: bool) -> None:
        """Divide or multiply the scale as the step asks for."""
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1)
            self.last_overflow_iter = self.cur_iter
        elif (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
            self.loss_scale *= self.scale_factor
        self.cur_iter += 1

    def get_drop_overflow_update(self) -> bool:
        """True: steps that overflow are dropped."""
        return True

    def get_update_cell(self) -> DynamicLossScaleUpdateCell:
        """The cell that does the same inside a training step."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
