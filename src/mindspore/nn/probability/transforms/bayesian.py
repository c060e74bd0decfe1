"""Layers of a network replaced by Bayesian ones."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check

from ...cell import Cell
from ...convolution import Conv2d
from ...linear import Dense
from ...wrap.step import TrainOneStepCell
from ..bnn_layers import ConvReparam, DenseReparam, WithBNNLossCell

_DENSE = ("in_channels", "has_bias", "out_channels", "activation")
_CONV = ("in_channels", "out_channels", "pad_mode", "kernel_size", "stride", "has_bias", "padding", "dilation",
         "group")


def _taken(names: tuple[str, ...]) -> Callable[[Any], dict[str, Any]]:
    return lambda layer: {name: getattr(layer, name) for name in names}


_OF_DENSE, _OF_CONV = _taken(_DENSE), _taken(_CONV)


class TransformToBNN:
    """Makes the network of a training step Bayesian.

    Args:
        trainable_dnn: A `TrainOneStepCell` around a `WithLossCell`.
        dnn_factor: Weight of the loss in the loss of the Bayesian network, at least zero.
        bnn_factor: Weight of the divergences of the Bayesian layers, at least zero.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a factor is negative.

    Examples:
        >>> from mindspore.nn.probability.transforms import TransformToBNN
        >>> net = nn.SequentialCell(nn.Dense(3, 4, activation="relu"), nn.Dense(4, 1))
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
        >>> bayesian = TransformToBNN(step, 60000, 0.1).transform_to_bnn_model()
        >>> [type(cell).__name__ for cell in bayesian.network.backbone_network]
        ['DenseReparam', 'DenseReparam']
        >>> bayesian(ops.ones((2, 3)), ops.ones((2, 1))).shape
        ()
    """

    def __init__(self, trainable_dnn: Cell, dnn_factor: float = 1, bnn_factor: float = 1):
        check.instance("TransformToBNN", "trainable_dnn", trainable_dnn, Cell)
        self.dnn_factor = check.number("TransformToBNN", "dnn_factor", dnn_factor, 0)
        self.bnn_factor = check.number("TransformToBNN", "bnn_factor", bnn_factor, 0)
        inner: Any = getattr(trainable_dnn, "network", None)
        if not hasattr(inner, "backbone_network") or not hasattr(trainable_dnn, "optimizer"):
            raise TypeError("For 'TransformToBNN', the 'trainable_dnn' must be a TrainOneStepCell around a "
                            f"WithLossCell, but got {type(trainable_dnn).__name__}.")
        self.optimizer = trainable_dnn.optimizer
        self.backbone: Cell = inner.backbone_network
        self.loss_fn = inner._loss_fn

    def transform_to_bnn_model(self, get_dense_args: Any = _OF_DENSE, get_conv_args: Any = _OF_CONV,
                               add_dense_args: dict[str, Any] | None = None,
                               add_conv_args: dict[str, Any] | None = None) -> TrainOneStepCell:
        """Replace all `Dense` by `DenseReparam` and all `Conv2d` by `ConvReparam`.

        Args:
            get_dense_args: From a `Dense` to the arguments of its `DenseReparam`.
            get_conv_args: From a `Conv2d` to the arguments of its `ConvReparam`.
            add_dense_args: More arguments of every `DenseReparam`.
            add_conv_args: More arguments of every `ConvReparam`.

        Returns:
            A training step of the Bayesian network, with an optimizer like the given one.
        """
        self._replace(Dense, DenseReparam, get_dense_args, add_dense_args)
        self._replace(Conv2d, ConvReparam, get_conv_args, add_conv_args)
        return self._trained()

    def transform_to_bnn_layer(self, dnn_layer_type: type, bnn_layer_type: type, get_args: Any = None,
                               add_args: dict[str, Any] | None = None) -> TrainOneStepCell:
        """Replace all layers of one class.

        Args:
            dnn_layer_type: `nn.Dense` or `nn.Conv2d`.
            bnn_layer_type: The Bayesian class.
            get_args: From a layer to the arguments of its Bayesian one. Default: those that both have.
            add_args: More arguments of every Bayesian layer.

        Returns:
            A training step of the Bayesian network, with an optimizer like the given one.

        Raises:
            ValueError: If `dnn_layer_type` is another class.
        """
        usual = {Dense: _DENSE, Conv2d: _CONV}
        check.option("transform_to_bnn_layer", "dnn_layer_type", dnn_layer_type, usual)
        check.instance("transform_to_bnn_layer", "bnn_layer_type", bnn_layer_type, type)
        self._replace(dnn_layer_type, bnn_layer_type, get_args or _taken(usual[dnn_layer_type]), add_args)
        return self._trained()

    def _replace(self, old: type, new: type, get_args: Any, more: dict[str, Any] | None) -> None:
        added: dict[str, Any] = check.instance("TransformToBNN", "add_args", more or {}, dict)
        check.callable_("TransformToBNN", "get_args", get_args)
        if type(self.backbone) is old:
            self.backbone = new(**get_args(self.backbone), **added)
        for _, cell in list(self.backbone.cells_and_names()):
            for name, layer in list(cell.name_cells().items()):
                if type(layer) is old:
                    made = new(**get_args(layer), **added)
                    _put(cell, name, made)

    def _trained(self) -> TrainOneStepCell:
        loss = WithBNNLossCell(self.backbone, self.loss_fn, self.dnn_factor, self.bnn_factor)
        return TrainOneStepCell(loss, self.optimizer.remade(self.backbone.trainable_params()))


def _put(cell: Any, name: str, layer: Cell) -> None:
    """Set a sub-cell by its name in the cell; those of containers are numbers."""
    if name.isdigit():
        cell[int(name)] = layer
    else:
        setattr(cell, name, layer)
