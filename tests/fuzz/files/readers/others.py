"""Graphs and descriptions of pipelines."""

from __future__ import annotations

import contextlib

import numpy as np

from mindspore import dataset as ds
from mindspore.dataset import text, vision
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.graphs.memory import InMemoryGraphDataset
from readers import plain, reader, rows


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


def _described(folder):
    with contextlib.chdir(folder):
        data = ds.ImageFolderDataset(".", shuffle=False, num_parallel_workers=1)
        data = data.map([vision.Decode(), vision.Resize((3, 4), vision.Inter.AREA)], "image").batch(2).repeat(2)
        ds.serialize(data, "data.json")


@reader(_described, PipelineError)
def pipeline(folder):
    with contextlib.chdir(folder):
        ds.deserialize(json_filepath=str(folder / "data.json"))


HMM = """-0.3 -3e100 -3e100 -1.5
-3e100 -0.5 -0.9 -3e100
-0.6 -3e100 -3e100 -0.8
-3e100 -0.3 -1.3 -3e100
-0.7 -3e100 -3e100 -0.7
\u4e2d:-5.5,\u56fd:-6.5
\u4e2d:-7.5,\u56fd:-3.5
\u4e2d:-8.5,\u4eba:-9.5
\u4eba:-4.5
"""


def _dictionaries(folder):
    (folder / "hmm").write_text(HMM)
    (folder / "words").write_text("\u4e2d\u56fd 3 ns\n\u4e2d 5 n\n\u4eba 7 n\n")


@reader(_dictionaries, PipelineError)
def jieba(folder):
    cut = text.JiebaTokenizer(str(folder / "hmm"), str(folder / "words"))
    return plain([cut("\u4e2d\u56fd\u4eba a1"), cut("\u56fd\u4e2d\u4eba")])
