from __future__ import annotations

import multiprocessing
import os
import random

import numpy as np
import pytest

import mindspore.dataset as ds


@pytest.fixture(autouse=True)
def _no_process_is_left():
    yield
    assert [p for p in multiprocessing.active_children() if p.name == "dataset-process"] == []


def numbers(count, function, **options):
    data = ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=False)
    return data.map(function, "x", num_parallel_workers=2, python_multiprocessing=True, **options)


def test_functions_run_in_other_processes_and_keep_the_order(rows):
    found = rows(numbers(700, lambda x: (x * 2, os.getpid()), output_columns=["x", "process"]))
    assert [x for x, _ in found] == list(range(0, 1400, 2))
    processes = {process for _, process in found}
    assert os.getpid() not in processes
    assert len(processes) == 2


def test_an_error_brings_its_traceback_along(rows):
    def broken(x):
        if x == 300:
            raise KeyError("three hundred")
        return x

    with pytest.raises(
        RuntimeError, match="broken' failed at row 300: KeyError: 'three hundred'"
    ) as caught:
        rows(numbers(700, broken))
    assert "in a worker process" in str(caught.value.__cause__)
    assert "in broken" in str(caught.value.__cause__)


def test_a_process_that_dies_is_noticed(rows):
    with pytest.raises(RuntimeError, match="ended with exit code 3"):
        rows(numbers(50, lambda x: os._exit(3)))


def test_random_numbers_differ_between_workers_and_repeat_with_the_seed(rows):
    def draw(x):
        return np.float64(random.random()), np.float64(np.random.rand())

    data = numbers(600, draw, output_columns=["a", "b"])
    first, again = rows(data), rows(data)
    assert first == again
    assert len({a for a, _ in first}) == len({b for _, b in first}) == 600


def test_functions_of_batches_can_run_in_processes(rows):
    data = ds.NumpySlicesDataset({"x": np.arange(6)}, shuffle=False).batch(
        2,
        num_parallel_workers=2,
        per_batch_map=lambda x, _: ([np.int64(os.getpid())] * len(x),),
        input_columns="x",
        python_multiprocessing=True,
    )
    assert os.getpid() not in {process for (batch,) in rows(data) for process in batch}


def test_an_iterator_that_is_dropped_halfway_leaves_no_process():
    iterator = numbers(5000, lambda x: x).create_tuple_iterator(output_numpy=True)
    next(iterator)
    iterator.stop()


def noisy(x):
    return x + np.random.randint(1000) + 1000 * random.randrange(1000)


PIPELINES = {
    "map": lambda data, w: data.map(noisy, num_parallel_workers=w, python_multiprocessing=True),
    "batch": lambda data, w: data.batch(
        3,
        per_batch_map=lambda rows, info: ([noisy(row) for row in rows],),
        input_columns="x",
        num_parallel_workers=w,
        python_multiprocessing=True,
    ),
}


@pytest.mark.parametrize("kind", PIPELINES)
def test_random_numbers_of_functions_depend_on_the_row_only(kind):
    def read(workers, start=0):
        data = PIPELINES[kind](ds.NumpySlicesDataset({"x": np.arange(90)}), workers)
        data.set_init_step(start)
        iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        return [row[0].tolist() for _ in range(2) for row in iterator]

    whole = read(1)
    size = len(whole) // 2
    assert whole[:size] != whole[size:]
    assert read(3) == whole
    for start in (7, size - 1, size + 5):
        assert read(2, start)[: len(whole) - start] == whole[start:]


def test_a_function_of_batches_is_told_the_pass():
    def told(rows, info):
        return ([np.array(info.get_epoch_num())] * len(rows),)

    data = ds.NumpySlicesDataset({"x": np.arange(4)}).batch(
        2,
        per_batch_map=told,
        input_columns="x",
        num_parallel_workers=2,
        python_multiprocessing=True,
    )
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    assert [[row[0].tolist() for row in iterator] for _ in range(3)] == [
        [[i, i], [i, i]] for i in range(3)
    ]
