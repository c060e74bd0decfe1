"""Loaders of datasets that are objects with rows; numbers observed: MindSpore 2.10, and torch's loader."""
from __future__ import annotations

import importlib
import time
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.dataset import dataloader as dl

ROWS = [10, 11, 12, 13, 14, 15, 16]
Point = namedtuple("Point", "x y")
WRONG: Any = 1
pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create")      # more processes than cores


class Squares(dl.Dataset[int]):
    def __init__(self, count: int = 7, failing: int = -1):
        self.count, self.failing = count, failing

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: Any) -> int:
        if index == self.failing:
            raise KeyError("no such row")
        return index * index


class Shares(dl.IterableDataset[int]):
    def __init__(self, count: int = 7):
        self.count = count

    def __iter__(self) -> Iterator[int]:
        worker = dl.get_worker_info()
        first, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        return iter(range(first, self.count, step))


class Drawn(dl.Dataset[Any]):
    """Random numbers of every kind, and who drew them."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: Any) -> Any:
        worker = dl.get_worker_info()
        assert worker is not None
        return worker.id, float(np.random.rand()), ops.rand(1).item(), worker.seed


class Slow(dl.Dataset[int]):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> int:
        time.sleep(2)
        return index


def lists(loader: Any) -> list[Any]:
    return [batch.tolist() for batch in loader]


@pytest.mark.parametrize("workers", [0, 1, 3])
@pytest.mark.parametrize("drop", [False, True])
def test_batches_of_numbered_rows_are_those_of_torch(workers, drop):
    loader = dl.DataLoader(Squares(), 3, num_workers=workers, drop_last=drop)
    plain: Any = [x * x for x in range(7)]
    peer = torch.utils.data.DataLoader(plain, 3, drop_last=drop)
    for _ in range(2):
        assert lists(loader) == [batch.tolist() for batch in peer]
    assert len(loader) == len(peer)


@pytest.mark.parametrize("keep", [False, True])
def test_workers_share_rows_that_come_in_order(keep):
    loader = dl.DataLoader(Shares(), 2, num_workers=2, persistent_workers=keep)
    for _ in range(2):
        assert lists(loader) == [[0, 2], [1, 3], [4, 6], [5]]
    assert lists(dl.DataLoader(Shares(), 2)) == [[0, 1], [2, 3], [4, 5], [6]]
    assert lists(dl.DataLoader(Shares(), 2, drop_last=True)) == [[0, 1], [2, 3], [4, 5]]
    assert list(dl.DataLoader(Shares(3), None)) == [0, 1, 2]
    with pytest.raises(TypeError, match="len"):
        len(dl.DataLoader(Shares(), 2))


def test_orders_are_those_of_numpy():
    def rng() -> np.random.Generator:
        return np.random.default_rng(3)

    again = rng()
    assert list(dl.RandomSampler(ROWS, generator=rng())) == rng().permutation(7).tolist()
    assert list(dl.RandomSampler(ROWS, True, 9, rng())) == rng().integers(0, 7, 9).tolist()
    assert list(dl.RandomSampler(ROWS, False, 10, rng())) == [
        *again.permutation(7).tolist(), *again.permutation(7).tolist()[:3]]
    order = rng().permutation(7)
    assert lists(dl.DataLoader(ROWS, 4, True, generator=rng())) == [
        (order[:4] + 10).tolist(), (order[4:] + 10).tolist()]
    assert list(dl.RandomSampler([])) == []


def test_a_seed_decides_every_pass():
    def passes() -> list[Any]:
        ms.set_seed(5)
        loader = dl.DataLoader(range(50), 50, shuffle=True)
        return [lists(loader), lists(loader), list(dl.RandomSampler(range(50)))]

    first = passes()
    assert passes() == first
    assert first[0] != first[1]
    assert sorted(first[0][0]) == list(range(50))


def test_processes_take_every_third_row():
    def shares(**options: Any) -> list[list[int]]:
        return [list(dl.DistributedSampler(range(10), 3, rank, **options)) for rank in range(3)]

    assert shares(shuffle=False) == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
    assert shares(shuffle=False, drop_last=True) == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    assert shares(seed=2) == [[2, 6, 3, 1], [0, 9, 4, 2], [7, 5, 8, 0]]
    sampler = dl.DistributedSampler(range(10), 3, 0, seed=2)
    sampler.set_epoch(1)
    assert (list(sampler), len(sampler)) == ([9, 2, 7, 8], 4)
    assert [list(dl.DistributedSampler([1], 3, rank)) for rank in range(3)] == [[0], [0], [0]]
    assert list(dl.DistributedSampler(range(3), shuffle=False)) == [0, 1, 2]      # one process


def test_lists_of_numbers_are_batches():
    assert list(dl.BatchSampler([3, 1, 2], 2, False)) == [[3, 1], [2]]
    assert list(dl.BatchSampler([3, 1, 2], 2, True)) == [[3, 1]]
    assert (len(dl.BatchSampler([3, 1, 2], 2, False)), len(dl.BatchSampler([3, 1, 2], 2, True))) == (2, 1)
    for workers in (0, 2):
        loader = dl.DataLoader(ROWS, batch_sampler=[[5, 0, 1], [2]], num_workers=workers)
        assert (len(loader), lists(loader)) == (2, [[15, 10, 11], [12]])


def test_rows_of_tensors():
    data = dl.TensorDataset(Tensor([1, 2, 3]), Tensor([[1.0], [2.0], [3.0]]))
    assert [x.tolist() for x in data[-1]] == [3, [3.0]]
    assert [x.tolist() for x in data[1:]] == [[2, 3], [[2.0], [3.0]]]
    assert (len(data), sum(1 for _ in iter(data))) == (3, 3)
    for workers in (0, 1):
        found = list(dl.DataLoader(data, 2, num_workers=workers))
        assert [[x.tolist() for x in batch] for batch in found] == [[[1, 2], [[1.0], [2.0]]], [[3], [[3.0]]]]
        assert found[0][0].dtype == ms.int64
        assert (found[0][1] + 1).sum() == 5
    assert [x.tolist() for x in list(dl.DataLoader(data, None))[1]] == [2, [2.0]]


@pytest.mark.parametrize(("rows", "dtype", "values"), [
    ([1, 2], ms.int64, [1, 2]), ([1, 2.5], ms.float32, [1, 2.5]), ([1.5, 2], ms.float64, [1.5, 2]),
    ([True, False], ms.bool_, [True, False]), ([np.float16(1), np.float16(3)], ms.float16, [1, 3]),
    ([np.ones((2, 0), np.int8)] * 3, ms.int8, [[[], []]] * 3),
    ([Tensor([1, 2], ms.bfloat16)] * 2, ms.bfloat16, [[1, 2], [1, 2]])])
def test_rows_become_one_tensor(rows, dtype, values):
    found = dl.default_collate(rows)
    assert (found.dtype, found.tolist()) == (dtype, values)


def test_containers_keep_their_form():
    rows = [{"a": Point(1, "s"), "b": (np.ones(2), [3.0])}, {"a": Point(2, "t"), "b": (np.zeros(2), [4.0])}]
    found = dl.default_collate(rows)
    assert (found["a"].x.tolist(), found["a"].y, type(found["a"])) == ([1, 2], ["s", "t"], Point)
    assert (type(found["b"]), found["b"][0].tolist(), found["b"][1][0].tolist()) == (
        list, [[1.0, 1.0], [0.0, 0.0]], [3.0, 4.0])
    assert type(dl.default_collate([OrderedDict(a=1)])) is OrderedDict
    assert dl.default_collate([b"x", b"y"]) == [b"x", b"y"]
    text = np.array(["a"])
    row = dl.default_convert({"x": np.ones(2, np.int16), "y": ("s", Point(np.float32(2), text))})
    assert (row["x"].dtype, row["y"][0], row["y"][1].x.dtype) == (ms.int16, "s", ms.float32)
    assert row["y"][1].y is text


@pytest.mark.parametrize(("rows", "error"), [
    ([], ValueError), ([None, None], TypeError), ([np.ones(2), np.ones(3)], ValueError), ([[1, 2], [3]], RuntimeError),
    ([np.array("a")], TypeError), ([object()], TypeError), ([{"a": 1}, {"b": 2}], ValueError)])
def test_rows_that_do_not_fit_are_told(rows, error):
    with pytest.raises(error, match="default_collate"):
        dl.default_collate(rows)


def test_a_function_puts_rows_together():
    for workers in (0, 2):
        assert list(dl.DataLoader(ROWS, 4, collate_fn=sum, num_workers=workers)) == [46, 45]
        assert list(dl.DataLoader(ROWS, None, collate_fn=str, num_workers=workers)) == list(map(str, ROWS))


def test_workers_draw_numbers_of_their_own():
    def drawn() -> list[Any]:
        return list(dl.DataLoader(Drawn(), 1, num_workers=2, generator=np.random.default_rng(8),
                                  collate_fn=lambda rows: rows[0]))

    first = drawn()
    assert drawn() == first
    assert [row[0] for row in first] == [0, 1, 0, 1]
    for column in (1, 2):
        assert len({row[column] for row in first}) == 4
    assert first[1][3] == first[0][3] + 1
    assert dl.get_worker_info() is None


def test_an_error_names_the_row_of_a_worker():
    with pytest.raises(KeyError, match="no such row"):
        list(dl.DataLoader(Squares(failing=4), 2))
    with pytest.raises(RuntimeError, match=r"(?s)worker process.*KeyError.*no such row"):
        list(dl.DataLoader(Squares(failing=4), 2, num_workers=2))


def test_a_worker_that_gives_nothing_is_told():
    with pytest.raises(RuntimeError, match="timed out"):
        list(dl.DataLoader(Slow(), 1, num_workers=1, timeout=0.3))


def test_workers_are_told_their_number_first():
    def begin(number: int) -> None:
        np.random.seed(number)

    found = list(dl.DataLoader(Drawn(), 1, num_workers=2, worker_init_fn=begin, collate_fn=lambda rows: rows[0][1]))
    assert found == [np.random.RandomState(n).rand(2)[k] for k in range(2) for n in range(2)]


@pytest.mark.parametrize(("options", "error"), [
    ({"batch_size": 0}, ValueError), ({"batch_size": 1.5}, TypeError), ({"num_workers": -1}, ValueError),
    ({"timeout": -1}, ValueError), ({"shuffle": 1}, TypeError), ({"drop_last": None}, TypeError),
    ({"collate_fn": 3}, TypeError), ({"worker_init_fn": 3}, TypeError), ({"generator": 3}, TypeError),
    ({"pin_memory": 1}, TypeError), ({"in_order": 1}, TypeError), ({"prefetch_factor": 2}, ValueError),
    ({"persistent_workers": True}, ValueError), ({"multiprocessing_context": "fork"}, ValueError),
    ({"multiprocessing_context": "x", "num_workers": 1}, ValueError),
    ({"multiprocessing_context": 3, "num_workers": 1}, TypeError),
    ({"num_workers": 1, "prefetch_factor": 0}, ValueError), ({"shuffle": True, "sampler": [0]}, ValueError),
    ({"batch_sampler": [[0]], "batch_size": 2}, ValueError), ({"batch_sampler": [[0]], "shuffle": True}, ValueError),
    ({"batch_sampler": [[0]], "drop_last": True}, ValueError), ({"batch_sampler": [[0]], "sampler": [0]}, ValueError)])
def test_arguments_that_do_not_fit_are_told(options, error):
    with pytest.raises(error, match="DataLoader"):
        dl.DataLoader(ROWS, **options)


@pytest.mark.parametrize("options", [{"shuffle": True}, {"sampler": [0]}, {"batch_sampler": [[0]]}])
def test_rows_in_order_take_no_sampler(options):
    with pytest.raises(ValueError, match="rows in order"):
        dl.DataLoader(Shares(), **options)


@pytest.mark.parametrize(("make", "error"), [
    (lambda: dl.RandomSampler(ROWS, WRONG), TypeError), (lambda: dl.RandomSampler(ROWS, False, 0), ValueError),
    (lambda: dl.RandomSampler(ROWS, False, None, 3), TypeError), (lambda: dl.BatchSampler(ROWS, 0, False), ValueError),
    (lambda: dl.DistributedSampler(ROWS, 3, 3), ValueError), (lambda: dl.DistributedSampler(ROWS, 0, 0), ValueError),
    (lambda: dl.DistributedSampler(ROWS, 3, 0).set_epoch(-1), ValueError),
    (lambda: dl.TensorDataset(), ValueError), (lambda: dl.TensorDataset([1]), TypeError),
    (lambda: dl.TensorDataset(Tensor([1]), Tensor([1, 2])), ValueError),
    (lambda: dl.TensorDataset(Tensor(1)), ValueError), (lambda: dl.TensorDataset(Tensor([1]))[1], IndexError),
    (lambda: dl.Dataset()[0], NotImplementedError), (lambda: iter(dl.IterableDataset()), NotImplementedError),
    (lambda: iter(dl.Sampler()), NotImplementedError)])
def test_what_cannot_be_is_told(make, error):
    with pytest.raises(error):
        make()


def test_a_program_of_the_original_finds_its_paths():
    for path, name in (("dataloader", "DataLoader"), ("dataset", "TensorDataset"),
                       ("distributed", "DistributedSampler"), ("sampler", "RandomSampler")):
        module = importlib.import_module(f"mindspore.dataset.dataloader.{path}")
        assert getattr(module, name) is getattr(dl, name)
