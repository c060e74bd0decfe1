"""Cells of graphs: read from a file, or fused in earlier releases."""
from __future__ import annotations

from typing import Any

from mindspore.eager.tensor import Tensor

from .cell import Cell


class GraphCell(Cell):
    """The cell of a graph that `load` read from a MINDIR file.

    Args:
        graph: What `mindspore.load` returned.
        params_init: New initial values of parameters, by name.
        obf_random_seed: Only None is taken: graphs are not obfuscated here.

    Inputs:
        *inputs: Those of the graph.

    Examples:
        >>> file = str(Path(tempfile.mkdtemp()) / "relu.mindir")
        >>> mindspore.export(nn.ReLU(), Tensor([1.0, 2.0]), file_name=file, file_format="MINDIR")
        >>> nn.GraphCell(mindspore.load(file))(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def __init__(self, graph: Any, params_init: dict[str, Tensor] | None = None,
                 obf_random_seed: int | None = None):
        super().__init__(auto_prefix=True)
        if obf_random_seed is not None:
            raise ValueError("For 'GraphCell', the 'obf_random_seed' must be None: obfuscated graphs "
                             "are not read here.")
        if params_init is not None and not isinstance(params_init, dict):
            raise TypeError(f"For 'GraphCell', the 'params_init' must be a dict, but got "
                            f"{params_init!r}.")
        if not callable(graph):
            raise TypeError(f"For 'GraphCell', the 'graph' must be what 'mindspore.load' returns, but "
                            f"got {type(graph).__name__}.")
        self.graph = graph
        for name, parameter in getattr(graph, "parameters", {}).items():
            if params_init and name in params_init:
                parameter.set_data(params_init[name])
            self.insert_param_to_cell(name, parameter, False)

    def construct(self, *inputs: Any) -> Any:
        return self.graph(*inputs)


class GraphKernel(Cell):
    """A cell of earlier releases whose operators were to be fused; graphs fuse them without it.

    Examples:
        >>> class Twice(nn.GraphKernel):
        ...     def construct(self, x):
        ...         return x + x
        >>> Twice()(Tensor([2.0])).tolist()
        [4.0]
    """
