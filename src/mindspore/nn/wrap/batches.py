"""Networks that run on parts of a batch, one after the other."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.eager.tensor import is_tensor
from mindspore.ir.build import noted

from ..cell import Cell


class _InParts(Cell):
    """The sum of a network's outputs over equal parts of its inputs, cut along the first axis."""

    def __init__(self, network: Cell, parts: int, name: str):
        super().__init__(auto_prefix=False)
        self.network = check.instance(self, "network", network, Cell)
        self.parts = check.positive_int(self, name, parts)

    def construct(self, *inputs: Any) -> Any:
        total = None
        for i in range(self.parts):
            out = self.network(*[_part(self, x, i, self.parts) for x in inputs])
            total = out if total is None else total + out
        return total


def _part(owner: Cell, x: Any, i: int, parts: int) -> Any:
    """Part `i` of a tensor along the first axis; what has none stays."""
    if not is_tensor(x) or not x.shape:
        return x
    size, rest = divmod(x.shape[0], parts)
    if rest:
        raise ValueError(f"For '{type(owner).__name__}', the first axis of every input must be a "
                         f"multiple of {parts}, but got the shape {tuple(x.shape)}.")
    return x[i * size:(i + 1) * size]


class _MicroBatch(Cell):
    """Part `i` of each input, of `micro_size` parts along the first axis."""

    def __init__(self, micro_size: int):
        super().__init__(auto_prefix=False)
        self.micro_size = check.positive_int(self, "micro_size", micro_size)

    def construct(self, i: int, *inputs: Any) -> tuple[Any, ...]:
        return tuple([_part(self, x, i, self.micro_size) for x in inputs])


class MicroBatchInterleaved(_InParts):
    """Runs a network on `interleave_num` parts of its inputs and adds the outputs.

    Args:
        network: The network.
        interleave_num: The number of parts.

    Inputs:
        *inputs: Those of `network`; the first axis of each is a multiple of `interleave_num`.

    Examples:
        >>> net = nn.MicroBatchInterleaved(nn.Flatten(), 2)
        >>> net(Tensor([[1.0], [2.0], [3.0], [4.0]])).tolist()
        [[4.0], [6.0]]
    """

    def __init__(self, network: Cell, interleave_num: int = 2):
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num


class GradAccumulationCell(_InParts):
    """Runs a network on `micro_size` parts of its inputs and adds the outputs: a step sees them all.

    Args:
        network: The network.
        micro_size: The number of parts.

    Inputs:
        *inputs: Those of `network`; the first axis of each is a multiple of `micro_size`.

    Examples:
        >>> net = nn.GradAccumulationCell(nn.WithLossCell(nn.Identity(), nn.MAELoss()), 2)
        >>> net(Tensor([1.0, 2.0, 3.0, 4.0]), ops.zeros(4)).tolist()
        5.0
    """

    def __init__(self, network: Cell, micro_size: int):
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


class PipelineCell(_InParts):
    """Runs a network on `micro_size` parts of its inputs and adds the outputs.

    Args:
        network: The network.
        micro_size: The number of parts.
        stage_config: The stage of each cell inside of `network`, by its name; for `pipeline_stages` of the context.
            Default: as the cells' `pipeline_stage` says.
        segment_config: The segment of its stage, by name, where stages have several.

    Inputs:
        *inputs: Those of `network`; the first axis of each is a multiple of `micro_size`.

    Raises:
        TypeError: If `network` is no cell, or a configuration no dict.
        KeyError: If a name is none of a cell.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
        >>> nn.PipelineCell(net, 2)(ops.ones((4, 2))).shape
        (2, 3)
    """

    def __init__(self, network: Cell, micro_size: int, stage_config: Any = None,
                 segment_config: Any = None):
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size
        cells = dict(network.cells_and_names())
        for name, value in (("stage", stage_config), ("segment", segment_config)):
            for key, number in check.instance(self, f"{name}_config", value or {}, dict).items():
                if key not in cells:
                    raise KeyError(f"For 'PipelineCell', the '{name}_config' names '{key}', but the cells are "
                                     f"{sorted(filter(None, cells))}.")
                setattr(cells[key], f"pipeline_{name}", number)

    def construct(self, *inputs: Any) -> Any:
        total = None
        for i in reversed(range(self.parts)):          # so that gradients come in order
            out = noted({"micro": i}, lambda i=i: self.network(*[_part(self, x, i, self.parts) for x in inputs]))
            total = out if total is None else total + out
        return total


class _VirtualDatasetCell(Cell):
    """Marks where the data of a network enter; in one process every input is whole.

    Args:
        backbone: The network.
    """

    def __init__(self, backbone: Cell):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """`_VirtualDatasetCell` for networks of three inputs."""

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        return self._backbone(a, b, c)


def sync_pipeline_shared_parameters(net: Cell) -> None:
    """Give every stage of a pipeline the parameters that it shares with others: nothing to do here.

    A parameter that several stages use lies in the first of them, which sends it to the others in every step.

    Args:
        net: The network.

    Raises:
        TypeError: If it is no cell.

    Examples:
        >>> mindspore.sync_pipeline_shared_parameters(nn.Dense(3, 2))
    """
    check.instance("sync_pipeline_shared_parameters", "net", net, Cell)
