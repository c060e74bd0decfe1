"""Functions of the program that draw from `random` and `numpy.random`: equal seeds give equal rows for any workers."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.core import log
from mindspore.dataset import transforms as T
from mindspore.dataset import vision


@pytest.fixture(autouse=True)
def warnings(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", said.append)
    return said


def noisy(x):
    return np.float64(x.sum() + np.random.rand())


def other(x):
    return np.float64(x.sum() + random.random())


class Noise(T.TensorOperation):
    """A transform of the program's own, which may draw as it pleases."""

    def apply(self, value):
        return np.float64(value.sum() + np.random.rand())


class Source:
    def __len__(self):
        return 100

    def __getitem__(self, number):
        return number + np.random.rand()


class PerBatch:
    def __call__(self, column, info):
        return ([x + np.random.rand() for x in column],)


def rows():
    return ds.NumpySlicesDataset(np.arange(300.0), ["x"])


OPERATIONS = {
    "function": [noisy], "functions": [noisy, other], "transform": [Noise()],
    "one of two": [T.RandomChoice([noisy, other])], "perhaps": [T.RandomApply([noisy], 0.5)],
    "inside": [T.RandomChoice([T.RandomApply([noisy]), other])],
    "in any order": [T.RandomOrder([noisy, other])],
    "policy": [vision.RandomSelectSubpolicy([[(noisy, 0.5)], [(other, 0.7)]])],
    "augmented": [vision.UniformAugment([noisy, other], 2)]}
MAPS = {name: lambda ops=ops, **o: rows().map(ops, "x", **o) for name, ops in OPERATIONS.items()}
BATCHES = {"batch": lambda **o: rows().batch(4, per_batch_map=PerBatch(), input_columns="x", **o)}
THREADS = {"rows": lambda **o: ds.GeneratorDataset(Source(), "x", **o),
           "kept": lambda **o: rows().filter(lambda x: np.random.rand() < 0.5, **o)}


def read(data, passes=2):
    ds.config.set_seed(3)
    np.random.seed(3)
    random.seed(3)
    iterator = data.create_tuple_iterator(num_epochs=passes, output_numpy=True)
    return [[np.asarray(x).tolist() for (x,) in iterator] for _ in range(passes)]


@pytest.mark.parametrize("make", [*MAPS.values(), *BATCHES.values()], ids=[*MAPS, *BATCHES])
def test_the_number_of_processes_changes_nothing(make, warnings):
    one, three = (read(make(num_parallel_workers=n, python_multiprocessing=True), 1) for n in (1, 3))
    assert one == three
    assert warnings == []


THREADS |= MAPS | BATCHES


@pytest.mark.parametrize("make", THREADS.values(), ids=THREADS)
def test_the_number_of_threads_changes_nothing_and_is_said(make, warnings):
    one = read(make(num_parallel_workers=1))
    assert warnings == []
    assert one == read(make(num_parallel_workers=4))
    assert len(warnings) == 1
    assert "draws from 'random' or 'numpy.random', which threads share, so it is called by one thread" in warnings[0]


def test_the_seed_of_the_pipelines_is_that_of_drawing_functions():
    found = []
    for workers in (1, 1, 3):
        ds.config.set_seed(3)
        data = rows().map(lambda x: x + np.random.rand() + random.random(), "x", num_parallel_workers=workers)
        found.append([row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])
    assert found[0] == found[1] == found[2]
    ds.config.set_seed(5)                      # as MindSpore 2.10
    assert (np.random.rand(), random.random()) == (0.22199317108973948, 0.6229016948897019)


def test_draws_that_begin_later_are_told(warnings):
    def rarely(x):
        return x + (np.random.rand() if x > 1500 else 0)

    data = ds.NumpySlicesDataset(np.arange(3000.0), shuffle=False).map(rarely, num_parallel_workers=3)
    assert len(read(data)[1]) == 3000
    assert len(warnings) == 1
    assert "while 3 threads worked on 'map column_0'. If its function drew them" in warnings[0]


def test_only_the_step_that_draws_is_told(warnings):
    data = ds.GeneratorDataset(list(range(600)), "x", num_parallel_workers=3)
    data = data.map(noisy, "x", num_parallel_workers=3).filter(lambda x: True, num_parallel_workers=3)
    one = read(data)
    assert len(warnings) == 1
    assert "A function of 'map x' draws" in warnings[0]
    assert one == read(data)


def test_functions_that_do_not_draw_have_their_threads(warnings):
    data = rows().map(lambda x: x * 2, "x", num_parallel_workers=3)
    assert sorted(read(data)[0]) == (2 * np.arange(300.0)).tolist()
    assert warnings == []
