"""Graphs and descriptions of pipelines."""

from __future__ import annotations

import numpy as np

from mindspore import dataset as ds
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.graphs.memory import InMemoryGraphDataset
from readers import reader, rows


class Squares(InMemoryGraphDataset):
    def process(self):
        self.graphs = [{"x": np.arange(i, i + 3), "y": np.eye(2, dtype=np.float32) * i} for i in range(3)]

    def read_again(self):
        return rows(self)


@reader(lambda folder: Squares(str(folder), column_names=["x", "y"]), PipelineError)
def graphs(folder):
    return rows(Squares(str(folder), column_names=["x", "y"], shuffle=False, python_multiprocessing=False))


@reader(lambda folder: (folder / "config.json").write_text('{"seed": 3, "numParallelWorkers": 2}'),
        PipelineError, ValueError, TypeError)
def settings(folder):
    before = ds.config.get_seed(), ds.config.get_num_parallel_workers(), ds.config.get_prefetch_size()
    try:
        ds.config.load(str(folder / "config.json"))
    finally:
        ds.config.set_seed(before[0])
        ds.config.set_num_parallel_workers(before[1])
        ds.config.set_prefetch_size(before[2])
