"""Networks whose layers are replaced by quantised ones, and checkpoints of the networks before."""
from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.core.quant_dtype import QuantDtype
from mindspore.nn.activation import HSigmoid, HSwish
from mindspore.nn.cell import Cell
from mindspore.nn.combined import Conv2dBnAct, DenseBnAct
from mindspore.nn.linear import Identity
from mindspore.ops import Primitive

from .folded import Conv2dBnFoldQuant, Conv2dBnFoldQuantOneConv, Conv2dBnWithoutFoldQuant
from .layers import ActQuant, Conv2dQuant, DenseQuant, QuantisedResult, learns
from .observers import UniformQuantObserver, create_quant_config

_PRIMITIVES = ("Add", "TensorAdd", "Sub", "Mul", "RealDiv", "ReduceMean")


class OptimizeOption(enum.Enum):
    """How the ranges of quantised numbers are found: observed, or trained."""

    QAT = "QAT"
    LEARNED_SCALE = "LEARNED_SCALE"


class Quantizer:
    """The interface of what quantises a network.

    Args:
        optimize_option: One option or a list of them.
    """

    def __init__(self, optimize_option: Any = OptimizeOption.QAT):
        given = optimize_option if isinstance(optimize_option, (list, tuple)) else [optimize_option]
        for option in given:
            check.instance(self, "optimize_option", option, OptimizeOption)
        self.optimize_option = list(given)

    def quantize(self, network: Cell) -> Cell:
        """The quantised network.

        Args:
            network: The network.
        """
        raise NotImplementedError(f"'{type(self).__name__}' must override 'quantize'.")


class QuantizationAwareTraining(Quantizer):
    """Replaces the layers of a network by quantised ones, with which it is trained further.

    `nn.Conv2dBnAct` and `nn.DenseBnAct` become quantised layers, each with its activation; sums, differences,
    products, quotients and means that cells hold as primitives get quantised results.

    Args:
        bn_fold: Whether batch normalisation is folded into weights.
        freeze_bn: From which step on the moving statistics stay as they are, with `one_conv_fold=False`.
        quant_delay: After how many steps rounding begins, for weights and for activations.
        quant_dtype: The numbers of bits, for weights and for activations.
        per_channel: Whether each channel of the weights has a range; the second must be False.
        symmetric: Whether ranges are as wide below 0 as above.
        narrow_range: Whether the least whole number is left out.
        optimize_option: `OptimizeOption.QAT`: ranges are observed; `OptimizeOption.LEARNED_SCALE`: they are trained,
            which needs `symmetric` and `narrow_range`.
        one_conv_fold: Whether folding takes one convolution; else two.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the options do not go together.

    Examples:
        >>> from mindspore.compression.quant import QuantizationAwareTraining
        >>> net = nn.SequentialCell(nn.Conv2dBnAct(1, 4, 3, has_bn=True, activation="relu"), nn.Flatten(),
        ...                         nn.DenseBnAct(4 * 5 * 5, 2))
        >>> net = QuantizationAwareTraining(per_channel=(True, False)).quantize(net)
        >>> type(net[0].conv).__name__, net(ops.ones((3, 1, 5, 5))).shape
        ('Conv2dBnFoldQuantOneConv', (3, 2))
    """

    def __init__(self, bn_fold: bool = True, freeze_bn: int = 10000000, quant_delay: Any = (0, 0),
                 quant_dtype: Any = (QuantDtype.INT8, QuantDtype.INT8), per_channel: Any = (False, False),
                 symmetric: Any = (False, False), narrow_range: Any = (False, False),
                 optimize_option: Any = OptimizeOption.QAT, one_conv_fold: bool = True):
        super().__init__(optimize_option)
        self.bn_fold = check.boolean(self, "bn_fold", bn_fold)
        self.freeze_bn = check.non_negative_int(self, "freeze_bn", freeze_bn)
        self.one_conv_fold = check.boolean(self, "one_conv_fold", one_conv_fold)
        several = isinstance(quant_dtype, (list, tuple))
        self.weight_dtype, self.act_dtype = quant_dtype if several else (quant_dtype, quant_dtype)
        self.mode = "LEARNED_SCALE" if OptimizeOption.LEARNED_SCALE in self.optimize_option else "DEFAULT"
        self.quant_config = create_quant_config(quant_delay=quant_delay, quant_dtype=quant_dtype,
                                                per_channel=per_channel, symmetric=symmetric,
                                                narrow_range=narrow_range, mode=self.mode)
        self.quant_config.weight(num_channels=1)           # raises where the options do not go together
        self.quant_config.activation()

    def quantize(self, network: Cell) -> Cell:
        """The network, with its layers replaced.

        Args:
            network: The network; it is changed.

        Returns:
            The network.

        Raises:
            TypeError: If it is no cell.
        """
        check.instance(self, "network", network, Cell)
        for cell in [c for _, c in network.cells_and_names()]:
            if isinstance(cell, Conv2dBnAct):
                self._convert_convolution(cell)
            elif isinstance(cell, DenseBnAct):
                self._convert_dense(cell)
            else:
                self._convert_primitives(cell)
        network.update_parameters_name("")
        return network

    def _convert_convolution(self, cell: Any) -> None:
        if not cell.has_bn:
            cell.conv = Conv2dQuant.from_float(cell.conv, self.quant_config, self.weight_dtype)
        else:
            cell.conv = self._folded(cell)
            cell.batchnorm, cell.has_bn = None, False
        self._convert_activation(cell)

    def _folded(self, cell: Conv2dBnAct) -> Cell:
        if not self.bn_fold:
            return Conv2dBnWithoutFoldQuant.from_float(cell, self.quant_config, self.weight_dtype)
        if self.one_conv_fold:
            return Conv2dBnFoldQuantOneConv.from_float(cell, self.quant_config, self.weight_dtype)
        return Conv2dBnFoldQuant.from_float(cell, self.quant_config, {"quant_dtype": self.weight_dtype,
                                                                     "freeze_bn": self.freeze_bn})

    def _convert_dense(self, cell: Any) -> None:
        cell.dense = DenseQuant.from_float(cell.dense, self.quant_config, self.weight_dtype)
        self._convert_activation(cell)

    def _convert_activation(self, cell: Any) -> None:
        act = cell.activation
        if act is None and not cell.after_fake:
            return
        before = isinstance(act, (HSigmoid, HSwish))
        cell.activation = ActQuant(Identity() if act is None else act, not learns(self.quant_config), 0.9, before,
                                   self.quant_config, self.act_dtype)

    def _convert_primitives(self, cell: Cell) -> None:
        for name, value in list(vars(cell).items()):
            if isinstance(value, Primitive) and value.name in _PRIMITIVES:
                setattr(cell, name, QuantisedResult(value, self.quant_config, self.act_dtype))


def query_quant_layers(network: Cell) -> None:
    """Print the quantised layers of a network with the types of their weights.

    Args:
        network: The network.

    Raises:
        TypeError: If it is no cell.
    """
    check.instance("query_quant_layers", "network", network, Cell)
    for path, cell in network.cells_and_names():
        if isinstance(getattr(cell, "fake_quant_weight", None), UniformQuantObserver):
            print(f"{path or type(cell).__name__:60} {cell.fake_quant_weight.quant_dtype}")


_OF_RANGES = ("minq", "maxq", "quant_max", "quant_min", "scale", "step")
_KINDS = ("weight", "bias", "gamma", "beta", "moving_mean", "moving_variance", "mean", "variance", "alpha")


def load_nonquant_param_into_quant_net(quant_model: Cell, params_dict: Mapping[str, Any],
                                       quant_new_params: Any = None) -> None:
    """Load the checkpoint of a network into the quantised one.

    A parameter is taken by its name, else it is the next one of its kind (weight, bias, gamma, ...) and shape in the
    order of the file that no name took. Ranges and counters of steps are not in such files.

    Args:
        quant_model: The quantised network.
        params_dict: What `load_checkpoint` gave.
        quant_new_params: Further names, or ends of names, of parameters that are not in the file.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a parameter has no counterpart.
    """
    owner = "load_nonquant_param_into_quant_net"
    check.instance(owner, "quant_model", quant_model, Cell)
    new = check.optional(check.instance, owner, "quant_new_params", quant_new_params, (list, tuple)) or ()
    wanted = {name: p for name, p in quant_model.parameters_dict().items()
              if name.rpartition(".")[2] not in _OF_RANGES and not name.endswith(tuple(new))}
    same = {name for name, p in wanted.items() if name in params_dict and params_dict[name].shape == p.shape}
    waiting = {name: iter([p for n, p in params_dict.items() if n not in same and n.rpartition(".")[2] == name])
               for name in _KINDS}
    for name, parameter in wanted.items():
        found = params_dict[name] if name in same else _next(waiting, name, parameter)
        if found is None:
            raise ValueError(f"For '{owner}', the file has no parameter for '{name}' ({show(parameter)}). List it in "
                             f"'quant_new_params' if it is a new one.")
        parameter.set_data(found)


def _next(waiting: Mapping[str, Iterator[Any]], name: str, parameter: Any) -> Any:
    for found in waiting.get(name.rpartition(".")[2], ()):
        if found.shape == parameter.shape:
            return found
    return None


def convert_quant_network(network: Cell, quant_delay: Any = (0, 0), bn_fold: bool = False, freeze_bn: int = 0,
                          num_bits: Any = (8, 8), per_channel: Any = (False, False), symmetric: Any = (False, False),
                          narrow_range: Any = (False, False)) -> Cell:
    """The quantised network, as 1.0 asked for it; see `QuantizationAwareTraining`.

    Args:
        network: The network; it is changed.
        num_bits: The numbers of bits, 2 to 8, for weights and for activations.

    The other arguments are those of `QuantizationAwareTraining`.
    """
    pair: Any = num_bits if isinstance(num_bits, (list, tuple)) else (num_bits, num_bits)
    bits = tuple([QuantDtype[f"INT{check.integer('convert_quant_network', 'num_bits', n, 2, 8)}"] for n in pair])
    made = QuantizationAwareTraining(bn_fold, freeze_bn, quant_delay, bits, per_channel, symmetric, narrow_range,
                                     one_conv_fold=False)
    return made.quantize(network)


__all__ = ["OptimizeOption", "QuantizationAwareTraining", "Quantizer", "convert_quant_network",
           "load_nonquant_param_into_quant_net", "query_quant_layers"]
