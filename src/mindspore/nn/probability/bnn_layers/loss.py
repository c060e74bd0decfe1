"""The loss of a network with Bayesian layers."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.ops.linearised import invoke

from ...cell import Cell
from .layers import Variational


class WithBNNLossCell(Cell):
    """dnn_factor * loss_fn(backbone(x), label) + bnn_factor * (divergences of all Bayesian layers).

    Args:
        backbone: The network, of one input.
        loss_fn: The loss, of the network's output and the label.
        dnn_factor: Weight of the loss, at least zero.
        bnn_factor: Weight of the divergences, at least zero.

    Inputs:
        x: Input of the network.
        label: What the loss compares with.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a factor is negative.

    Examples:
        >>> from mindspore.nn.probability import bnn_layers
        >>> net = nn.SequentialCell(bnn_layers.DenseReparam(3, 4), nn.ReLU(), bnn_layers.DenseReparam(4, 1))
        >>> loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 60000, 0.1)
        >>> loss(ops.ones((2, 3)), ops.ones((2, 1))).shape
        ()
    """

    def __init__(self, backbone: Cell, loss_fn: Any, dnn_factor: float = 1, bnn_factor: float = 1):
        super().__init__(auto_prefix=False)
        check.instance(self, "backbone", backbone, Cell)
        self.dnn_factor = check.number(self, "dnn_factor", dnn_factor, 0)
        self.bnn_factor = check.number(self, "bnn_factor", bnn_factor, 0)
        self._backbone = backbone
        self._loss_fn = check.callable_(self, "loss_fn", loss_fn)
        self._layers = [c for _, c in backbone.cells_and_names() if isinstance(c, Variational)]

    @property
    def backbone_network(self) -> Cell:
        """The network without the loss."""
        return self._backbone

    def construct(self, x, label):
        loss = self.dnn_factor * invoke(self._loss_fn, (invoke(self._backbone, (x,)), label))
        for layer in self._layers:
            loss = loss + self.bnn_factor * layer.compute_kl_loss()
        return loss
