"""Networks whose last layer compares directions."""
from __future__ import annotations

from typing import Any

from mindspore import nn, ops
from mindspore.core import check
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor


class NormalizedHead(nn.Cell):
    """A dense layer of the directions of features and weights: `multiplier * x / |x| @ (w / |w|).T + bias`.

    Args:
        dense: The layer whose weight and bias are taken over.

    Inputs:
        x: (batch, in_channels).

    Outputs:
        (batch, out_channels).

    Examples:
        >>> from mindspore.boost.heads import NormalizedHead
        >>> NormalizedHead(nn.Dense(3, 2))(ops.ones((4, 3))).shape
        (4, 2)
    """

    def __init__(self, dense: nn.Dense):
        super().__init__()
        self.weight, self.bias = dense.weight, dense.bias
        self.multiplier = Parameter(Tensor([float(dense.in_channels) ** 0.5]), name="multiplier")

    def construct(self, x):
        y = self.multiplier * ops.matmul(_directions(x), _directions(self.weight).T)
        return y if self.bias is None else y + self.bias


def _directions(x: Any) -> Any:
    return x * ops.rsqrt((x * x).sum(-1, keepdims=True) + 1e-12)


class LessBN(nn.Cell):
    """A network whose last dense layer sees directions alone, so that fewer normalisations are needed before it.

    The normalisations that the network has stay; the original takes some out of networks that it knows.

    Args:
        network: The network.
        fn_flag: Whether the last `Dense` becomes a `NormalizedHead`.

    Inputs:
        inputs: Those of the network.

    Outputs:
        That of the network.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If there is no `Dense` to replace.

    Examples:
        >>> net = mindspore.boost.LessBN(nn.SequentialCell(nn.Dense(3, 4), nn.Dense(4, 2)), fn_flag=True)
        >>> [type(cell).__name__ for cell in net.network]
        ['Dense', 'NormalizedHead']
    """

    def __init__(self, network: nn.Cell, fn_flag: bool = False):
        super().__init__()
        self.network = check.instance(self, "network", network, nn.Cell)
        if check.boolean(self, "fn_flag", fn_flag):
            self._replace_head()

    def _replace_head(self) -> None:
        found: list[tuple[Any, str, Any]] = [
            (cell, name, layer) for _, cell in self.network.cells_and_names()
            for name, layer in cell.name_cells().items() if type(layer) is nn.Dense]
        if not found:
            raise ValueError("For 'LessBN', the 'network' must have a Dense layer with fn_flag=True.")
        cell, name, layer = found[-1]
        if name.isdigit():
            cell[int(name)] = NormalizedHead(layer)
        else:
            setattr(cell, name, NormalizedHead(layer))

    def construct(self, *inputs):
        return self.network(*inputs)
