"""Losses of the overlap of regions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.eager.tensor import Tensor

from ..activation import get_activation
from .base import LossBase, need_tensors


class DiceLoss(LossBase):
    """1 - 2 * |A and B| / (|A| + |B| + smooth) of soft regions, Milletari et al. 2016.

    The squares of the elements count as the sizes.

    Args:
        smooth: What is added to the divisor, a positive float.

    Inputs:
        logits, labels: Tensors of one shape.

    Examples:
        >>> round(float(nn.DiceLoss()(Tensor([1.0, 0.0]), Tensor([1.0, 0.0]))), 4)
        0.0
    """

    def __init__(self, smooth: float = 1e-5):
        super().__init__()
        self.smooth = check.positive_float(self, "smooth", smooth)

    def construct(self, logits, label):
        need_tensors(self, logits=logits, label=label)
        if tuple(logits.shape) != tuple(label.shape):
            raise ValueError("For 'DiceLoss', the shape of 'logits' and 'label' must be equal, but got "
                             f"{logits.shape} and {label.shape}.")
        common = (logits.reshape((-1,)) * label.reshape((-1,))).sum()
        total = (logits * logits).sum() + (label * label).sum()
        return 1.0 - 2.0 * common / (total + self.smooth)


_ACTIVATIONS = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")


class MultiClassDiceLoss(LossBase):
    """The mean of the `DiceLoss` of every class.

    Args:
        weights: Weights (classes, columns); the weighted losses are summed by column.
        ignore_indiex: Class that counts nothing.
        activation: Applied to the logits: a name, a cell or None.

    Inputs:
        logits, label: (N, C, *), one shape.

    Examples:
        >>> loss = nn.MultiClassDiceLoss(activation=None)
        >>> labels = Tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> round(float(loss(labels, labels)), 3), round(float(loss(1.0 - labels, labels)), 3)
        (0.0, 1.0)
    """

    def __init__(self, weights: Tensor | None = None, ignore_indiex: int | None = None,
                 activation: Any = "softmax"):
        super().__init__()
        if weights is not None:
            check.instance(self, "weights", weights, Tensor)
            if weights.ndim != 2:
                raise ValueError("For 'MultiClassDiceLoss', the dimension of 'weights' must be 2, but "
                                 f"got {weights.ndim}.")
        if ignore_indiex is not None:
            check.integer(self, "ignore_indiex", ignore_indiex)
        if isinstance(activation, str) and activation not in _ACTIVATIONS:
            raise ValueError(f"For 'MultiClassDiceLoss', the 'activation' must be in "
                             f"{list(_ACTIVATIONS)}, but got {activation}.")
        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits, label):
        need_tensors(self, logits=logits, label=label)
        if tuple(logits.shape) != tuple(label.shape):
            raise ValueError("For 'MultiClassDiceLoss', the shape of 'logits' and 'label' must be equal, "
                             f"but got {logits.shape} and {label.shape}.")
        if self.activation is not None:
            logits = self.activation(logits)
        classes = label.shape[1]
        if self.weights is not None and self.weights.shape[0] != classes:
            raise ValueError("For 'MultiClassDiceLoss', the 'weights' must have a row for each of the "
                             f"{classes} classes, but got {self.weights.shape}.")
        total: Any = 0
        for i in range(classes):
            if i != self.ignore_indiex:
                loss = self.binarydiceloss(logits[:, i], label[:, i])
                total = total + (loss if self.weights is None else loss * self.weights[i])
        return total / classes
