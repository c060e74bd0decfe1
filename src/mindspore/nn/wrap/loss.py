"""A network together with its loss, for training and for evaluation."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bfloat16, float16, float32
from mindspore.eager.tensor import is_tensor
from mindspore.ir import tree
from mindspore.ops.linearised import invoke

from ..cell import Cell


class WithLossCell(Cell):
    """loss_fn(backbone(data), label).

    Args:
        backbone: The network, of one input.
        loss_fn: The loss, of the network's output and the label.

    Inputs:
        data: The network's input.
        label: What the loss compares its output with.

    Examples:
        >>> net = nn.WithLossCell(nn.ReLU(), nn.MSELoss())
        >>> net(Tensor([-1.0, 2.0]), Tensor([0.0, 4.0])).tolist()
        2.0
    """

    def __init__(self, backbone: Cell, loss_fn: Any):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return invoke(self._loss_fn, (invoke(self._backbone, (data,)), label))

    @property
    def backbone_network(self) -> Cell:
        """The network without the loss."""
        return self._backbone


class WithEvalCell(Cell):
    """(loss, output, label) of a network, which is what metrics take.

    Args:
        network: The network, of one input.
        loss_fn: The loss, of the network's output and the label.
        add_cast_fp32: Whether output and label are cast to float32 before the loss.

    Inputs:
        data: The network's input.
        label: What the loss compares its output with.

    Examples:
        >>> net = nn.WithEvalCell(nn.ReLU(), nn.MSELoss())
        >>> [each.tolist() for each in net(Tensor([-1.0, 2.0]), Tensor([0.0, 4.0]))]
        [2.0, [0.0, 2.0], [0.0, 4.0]]
    """

    takes_batches = True

    def __init__(self, network: Cell, loss_fn: Any, add_cast_fp32: bool = False):
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = check.boolean(self, "add_cast_fp32", add_cast_fp32)

    def construct(self, data: Any, label: Any) -> tuple[Any, Any, Any]:
        outputs = invoke(self._network, (data,))
        if self.add_cast_fp32:
            label, outputs = to_float32(label), to_float32(outputs)
        return invoke(self._loss_fn, (outputs, label)), outputs, label


def to_float32(value: Any) -> Any:
    """float16 and bfloat16 tensors as float32, also inside containers; the rest unchanged."""
    return tree.mapped(value, lambda v: is_tensor(v) and v.dtype in (float16, bfloat16), lambda v: v.astype(float32))
