"""Data sets whose rows are graphs, made once from raw files and kept on disk."""

from __future__ import annotations

import os
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.graphs import stored
from mindspore.dataset.graphs.graph import Graph
from mindspore.dataset.sources.generator import GeneratorDataset


class InMemoryGraphDataset(GeneratorDataset):
    """Base of such data sets: a subclass defines `process`, which reads `data_dir` and fills the list `graphs`.

    The first time the graphs are made and written to `save_dir`; later they are read from there. The file holds data
    only, no code: graphs, arrays, containers, texts and numbers.

    Args:
        data_dir: Folder of the raw files.
        save_dir: Folder for the graphs, below `data_dir` if it is relative.
        column_names: Names of the columns: of each element of `graphs`, if it is a dict, its entries; if it is a Graph,
            its features or 'edges'; otherwise it is the row itself, an array or a tuple of them.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, python_multiprocessing, max_rowsize: As for
            GeneratorDataset.

    Examples:
        >>> class Pair(dataset.InMemoryGraphDataset):
        ...     def process(self):
        ...         self.graphs = [dataset.Graph(np.array([[0, 1], [1, 0]], np.int32), {"x": np.array([[3.0], [4.0]])})]
        >>> data = Pair(tempfile.mkdtemp(), column_names=["edges", "x"])
        >>> [(edges.shape, x.shape) for edges, x in data.create_tuple_iterator(output_numpy=True)]
        [((2, 2), (2, 1))]
    """

    def __init__(
        self,
        data_dir: str,
        save_dir: str = "./processed",
        column_names: Any = "graph",
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int = 6,
    ):
        self.data_dir = check.folder(self, "data_dir", data_dir)
        self.save_dir = os.path.join(self.data_dir, check.string(self, "save_dir", save_dir))
        self.graphs: list[Any] = []
        if not os.path.isfile(self._path()):
            self.process()
            self.save()
        self.load()
        names = [column_names] if isinstance(column_names, str) else column_names
        super().__init__(
            [self._values(graph, names) for graph in self.graphs],
            column_names,
            None,
            None,
            num_samples,
            num_parallel_workers,
            shuffle,
            None,
            num_shards,
            shard_id,
            python_multiprocessing,
            max_rowsize,
        )

    def _values(self, graph: Any, names: Any) -> Any:
        """The row that a graph gives."""
        if isinstance(graph, Graph):
            values = [graph.array(name) for name in names]
        elif isinstance(graph, dict):
            values = [graph.get(name) for name in names]
        else:
            return graph
        missing = [name for name, value in zip(names, values, strict=True) if value is None]
        if missing:
            raise PipelineError(
                f"For '{type(self).__name__}', the 'column_names' must be what the graphs have, but one has no "
                f"'{missing[0]}'."
            )
        return tuple(values)

    def _path(self) -> str:
        return os.path.join(self.save_dir, "graphs.safetensors")

    def process(self) -> None:
        """Fill `graphs`."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', 'process' must be defined; it fills the list 'graphs'."
        )

    def save(self) -> None:
        """Write `graphs`, completely or not at all."""
        os.makedirs(self.save_dir, exist_ok=True)
        try:
            stored.write(self._path(), self.graphs)
        except TypeError as error:
            raise PipelineError(
                f"For '{type(self).__name__}', the file '{self._path()}' cannot be written: {error}. Define 'save' and "
                "'load' for other things."
            ) from None

    def load(self) -> None:
        """Read `graphs`, which `save` wrote."""
        try:
            with telling(self, lambda: f"the file '{self._path()}'"):
                self.graphs = stored.read(self._path())
        except PipelineError as error:
            raise PipelineError(f"{error} Remove it to make the graphs again.") from None
