"""Operators inside of cells, under the attributes that programs know: what `shard` says of one holds for the cell."""
from __future__ import annotations

from typing import Any

from mindspore.ops.primitive import Primitive

# By cell: attribute, operator; a strategy for the first one is one for what the cell computes.
INNER = {
    "Dense": "matmul:MatMul bias_add:BiasAdd shape_op:Shape reshape:Reshape",
    "Conv2d": "conv2d:Conv2D bias_add:BiasAdd",
    "LayerNorm": "layer_norm:LayerNorm", "Dropout": "dropout:Dropout", "Embedding": "gather:Gather",
    "ReLU": "relu:ReLU", "ReLU6": "relu6:ReLU6", "Tanh": "tanh:Tanh", "Sigmoid": "sigmoid:Sigmoid",
    "Softmax": "softmax:Softmax", "LogSoftmax": "log_softmax:LogSoftmax", "FastGelu": "fast_gelu:FastGeLU",
    "HSwish": "hswish:HSwish", "HSigmoid": "hsigmoid:HSigmoid", "MaxPool2d": "max_pool:MaxPool",
    "AvgPool2d": "avg_pool:AvgPool", "GELU": "gelu:GeLU", "PReLU": "prelu:PReLU",
    "BatchNorm1d": "bn_train:BatchNorm bn_infer:BatchNorm", "BatchNorm2d": "bn_train:BatchNorm bn_infer:BatchNorm"}
NAMES = frozenset([row.partition(":")[0] for rows in INNER.values() for row in rows.split()])

BESIDE = ("bias_add", "shape_op", "reshape")         # a strategy for one of them says nothing of the cell
# By operator, or attribute: the settings that it has from its cell, so that cells that derive from one can call it.
SETTINGS = {
    "MatMul": lambda cell: {"transpose_b": True},
    "Conv2D": lambda cell: {
        "out_channel": cell.out_channels, "kernel_size": cell.kernel_size, "pad_mode": cell.pad_mode,
        "pad": cell.padding, "stride": cell.stride, "dilation": cell.dilation, "group": cell.group,
        "data_format": cell.format},
    "Softmax": lambda cell: {"axis": cell.axis},
    "LogSoftmax": lambda cell: {"axis": cell.axis},
    "LayerNorm": lambda cell: {"begin_norm_axis": cell.begin_norm_axis, "begin_params_axis": cell.begin_params_axis,
                               "epsilon": cell.epsilon},
    "MaxPool": lambda cell: _window(cell),
    "AvgPool": lambda cell: _window(cell),
    "bn_train": lambda cell: {"is_training": True, "epsilon": cell.eps, "momentum": 1.0 - cell.momentum,
                              "data_format": cell.data_format},
    "bn_infer": lambda cell: {"is_training": False, "epsilon": cell.eps, "data_format": cell.data_format},
}


def _window(cell: Any) -> dict[str, Any]:
    return {"kernel_size": cell.kernel_size, "strides": cell.stride, "pad_mode": cell.pad_mode,
            "data_format": cell.data_format}


class Inner(Primitive):
    """An operator inside of a cell.

    Args:
        name: The operator's name.
        cell: The cell, whose nodes carry what is noted of the operator; None if they do not.
    """

    def __init__(self, name: str, cell: Any = None):
        super().__init__(name)
        self.__dict__["cell"] = cell

    def note(self, **notes: Any) -> None:
        """Note something of the operator, and a strategy of the cell.

        Raises:
            ValueError: It is a strategy of the results, which the cell may compute further.
        """
        if "out_strategy" in notes:
            raise ValueError(f"For '{self.name}', the 'out_strategy' of an operator inside of a cell is not followed. "
                             "Cut the cell: mindspore.shard(cell, in_strategy, out_strategy).")
        super().note(**notes)
        cell = self.__dict__["cell"]
        if cell is not None and "in_strategy" in notes:
            cell.__dict__["_notes"] = {**(cell._notes or {}), "in_strategy": notes["in_strategy"]}
            cell._changed()


def inner(cell: Any, name: str) -> Inner | None:
    """The operator of a cell that an attribute names; None for another name."""
    for kind in type(cell).__mro__ if name in NAMES else ():
        rows = INNER.get(kind.__name__, "") if kind.__module__.startswith("mindspore.") else ""
        for row in rows.split():
            attribute, _, operator = row.partition(":")
            if attribute == name:
                made = Inner(operator, None if attribute in BESIDE else cell)
                for key, value in SETTINGS.get(name, SETTINGS.get(operator, lambda _: {}))(cell).items():
                    made.add_prim_attr(key, value)
                cell.__dict__[name] = made
                return made
    return None
