from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import config


def numbers(count=5, **options):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=False, **options)


def test_nothing_is_read_before_the_iterator():
    read = []

    def source():
        read.append("begun")
        yield 1

    data = ds.GeneratorDataset(source, ["x"]).map(lambda x: x).batch(1)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert read == []
    assert len(list(iterator)) == 1
    assert read == ["begun"]


def test_rows_are_tensors_unless_arrays_are_wanted():
    from mindspore.eager.tensor import Tensor

    tensor = next(numbers().create_dict_iterator())["x"]
    array = next(numbers().create_dict_iterator(output_numpy=True))["x"]
    assert isinstance(tensor, Tensor)
    assert isinstance(array, np.ndarray)
    assert int(tensor.asnumpy()) == int(array) == 0


def test_each_loop_over_an_iterator_reads_one_pass():
    iterator = numbers(3).create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [int(x) for (x,) in iterator] == [0, 1, 2]
    assert [int(x) for (x,) in iterator] == [0, 1, 2]


def test_reading_more_passes_than_asked_for_is_an_error():
    iterator = numbers(3).create_tuple_iterator(num_epochs=1, output_numpy=True)
    list(iterator)
    with pytest.raises(RuntimeError, match="created for 1 passes"):
        next(iterator)


def test_without_a_number_passes_have_no_end():
    iterator = numbers(2).create_tuple_iterator(output_numpy=True)
    assert [int(x) for _ in range(5) for (x,) in iterator] == [0, 1] * 5


def test_the_second_pass_is_not_prepared_unless_it_is_asked_for():
    passes = []

    def source():
        passes.append(1)
        yield 1

    iterator = ds.GeneratorDataset(source, ["x"]).create_tuple_iterator(output_numpy=True)
    list(iterator)
    time.sleep(0.05)
    assert len(passes) == 1
    list(iterator)
    time.sleep(0.05)
    assert len(passes) <= 3  # the second, and one ahead
    iterator.stop()


def test_columns_of_a_tuple_iterator_are_chosen_and_ordered(rows):
    data = ds.NumpySlicesDataset({"a": [1], "b": [2], "c": [3]}, shuffle=False)
    assert rows(data, columns=["c", "a"]) == [(3, 1)]


def test_looping_over_a_dataset_reads_one_pass():
    assert len(list(numbers(4))) == 4


def test_copies_share_no_memory():
    first, second = (
        next(numbers(2).batch(2).create_tuple_iterator(output_numpy=True, do_copy=True))[0]
        for _ in range(2)
    )
    first[:] = 7
    assert second.tolist() == [0, 1]
    assert first.base is None


def test_changing_a_row_does_not_change_the_source():
    source = np.arange(3)
    row = next(
        ds.NumpySlicesDataset(source, ["x"], shuffle=False).create_tuple_iterator(output_numpy=True)
    )[0]
    row[...] = 9
    assert source.tolist() == [0, 1, 2]


@pytest.mark.parametrize("number", [0, -2])
def test_a_number_of_passes_is_minus_one_or_positive(number):
    with pytest.raises(ValueError, match="num_epochs"):
        numbers().create_tuple_iterator(num_epochs=number)


def test_a_stopped_iterator_gives_no_more_rows():
    iterator = numbers(100).create_tuple_iterator(output_numpy=True)
    next(iterator)
    iterator.stop()
    assert list(iterator) == []


def test_an_iterator_that_is_dropped_halfway_leaves_no_thread():
    data = numbers(1000).map(lambda x: x, num_parallel_workers=2)
    iterator = data.create_tuple_iterator(output_numpy=True)
    next(iterator)
    assert any(t.name == "dataset-feed" for t in threading.enumerate())
    del iterator
    gc.collect()
    assert not any(t.name.startswith("dataset") for t in threading.enumerate())


def test_prefetching_is_bounded():
    made = []

    def source():
        for i in range(10_000):
            made.append(i)
            yield i

    config.set_prefetch_size(2)
    iterator = ds.GeneratorDataset(source, ["x"]).create_tuple_iterator(output_numpy=True)
    next(iterator)
    time.sleep(0.1)
    assert len(made) < 200
    iterator.stop()


def test_debug_mode_runs_in_the_thread_of_the_reader():
    config.set_debug_mode(True)
    seen = set()

    def note(x):
        seen.add(threading.current_thread())
        return x

    list(
        numbers(3)
        .map(note, num_parallel_workers=4)
        .create_tuple_iterator(num_epochs=1, output_numpy=True)
    )
    assert seen == {threading.current_thread()}


def test_a_first_step_continues_where_the_training_stopped():
    data = numbers(4).batch(1).repeat(2)
    data.set_init_step(3)
    rows = [int(x[0]) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert rows == [3, 0, 1, 2, 3]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3)[:, ::-1],
        np.frombuffer(b"abcd", np.uint8),
        np.arange(3, dtype=">f4"),
        np.float16(1.5),
        np.array(True),
        np.uint32(7),
    ],
)
def test_any_array_becomes_a_tensor_of_its_type(array):
    tensor = next(ds.GeneratorDataset([array], ["x"]).create_dict_iterator())["x"]
    assert tensor.asnumpy().tolist() == array.tolist()
    assert tensor.asnumpy().dtype == array.dtype.newbyteorder("=")


def test_tensors_of_a_program_that_imports_datasets_only_can_compute():
    code = (
        "import mindspore.dataset as ds\n"
        "(x,), = ds.NumpySlicesDataset([[1, 2]]).create_tuple_iterator(num_epochs=1)\n"
        "print(int(x[1] + x.max()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("4\n", "")
