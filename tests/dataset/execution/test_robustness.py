"""However a pipeline ends, nothing is left: no thread, process, shared memory; and the error says what happened."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

IMAGES = np.random.default_rng(0).integers(0, 256, (600, 16, 16, 3), np.uint8)


@pytest.fixture(autouse=True)
def _nothing_is_left():
    files, shared = set(os.listdir("/proc/self/fd")), set(os.listdir("/dev/shm"))
    yield
    gc.collect()
    end = time.monotonic() + 5
    while time.monotonic() < end and (_workers() or len(set(os.listdir("/proc/self/fd")) - files) > 1):
        time.sleep(0.02)
    assert _workers() == []
    assert [t for t in threading.enumerate() if t.name.startswith("dataset")] == []
    assert set(os.listdir("/dev/shm")) <= shared
    assert len(set(os.listdir("/proc/self/fd")) - files) <= 1


def _workers():
    return [p for p in multiprocessing.active_children() if p.name == "dataset-process"]


def images(processes=False, function=None):
    data = ds.NumpySlicesDataset({"image": IMAGES, "label": np.arange(600)}, shuffle=False)
    function = function or (lambda image: image)
    data = data.map(function, "image", num_parallel_workers=2, python_multiprocessing=processes)
    return data.map(vision.Rescale(0.5, 0.0), "image", num_parallel_workers=2).batch(10)


@pytest.mark.parametrize("processes", [False, True])
def test_an_iterator_that_is_dropped_ends_its_workers(processes):
    iterator = images(processes).create_tuple_iterator(output_numpy=True)
    next(iterator)
    del iterator
    gc.collect()
    assert _workers() == []


def test_a_worker_that_is_killed_is_reported_and_the_others_end():
    def slow(image):
        time.sleep(0.01)
        return image

    iterator = images(True, slow).create_tuple_iterator(num_epochs=1, output_numpy=True)
    next(iterator)
    for worker in _workers():  # one of them has work left
        os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="ended with exit code -9"):
        list(iterator)


def test_a_worker_without_end_does_not_keep_the_reader_from_stopping():
    iterator = images(True, lambda image: time.sleep(3600)).create_tuple_iterator(num_epochs=1)
    threading.Timer(0.3, iterator.stop).start()
    begin = time.monotonic()
    with pytest.raises(StopIteration):
        next(iterator)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("processes", [False, True])
def test_an_error_names_the_row_and_brings_its_traceback(processes):
    def broken(image):
        if image[0, 0, 0] == IMAGES[437, 0, 0, 0] and (image == IMAGES[437]).all():
            raise OSError("cannot be read")
        return image

    with pytest.raises(RuntimeError, match="broken' failed at row 437: OSError: cannot") as caught:
        list(images(processes, broken).create_tuple_iterator(num_epochs=1))
    assert "in broken" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("raised", [SystemExit, KeyboardInterrupt])
def test_what_ends_a_program_comes_from_a_worker_with_its_traceback(raised):
    def ending(image):
        raise raised

    with pytest.raises(raised) as caught:
        list(images(True, ending).create_tuple_iterator(num_epochs=1))
    assert "in ending" in "".join(traceback.format_exception(caught.value))


def test_an_image_that_is_damaged_is_named(tmp_path):
    (tmp_path / "a").mkdir()
    for i in range(40):
        vision.write_jpeg(str(tmp_path / "a" / f"{i:02}.jpg"), IMAGES[i])
    (tmp_path / "a" / "23.jpg").write_bytes(b"no image")
    data = ds.ImageFolderDataset(str(tmp_path), shuffle=False)
    data = data.map([vision.RandomCropDecodeResize(8), vision.RandomHorizontalFlip()], "image")
    data = data.batch(8)
    with pytest.raises(RuntimeError, match="RandomCropDecodeResize' failed at row 23"):
        list(data.create_tuple_iterator(num_epochs=1))
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    iterator = data.create_tuple_iterator(num_epochs=1)
    assert len(list(iterator)) == 5
    assert iterator.get_error_samples() == 1


PROGRAM = """
import os, sys, time
import numpy as np
import mindspore.dataset as ds

def slow(x):
    time.sleep(0.02)
    return x

data = ds.NumpySlicesDataset(np.arange(10_000), shuffle=False).map(
    slow, num_parallel_workers=2, python_multiprocessing={processes})
try:
    for i, row in enumerate(data.create_tuple_iterator(num_epochs=1, output_numpy=True)):
        if i == 0:
            print("begun", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(3)
"""


# a shell that runs the tests in the background lets every process below it ignore the interrupt key
HEARS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
"""


SLOW = 1.0  # seconds that ending the interpreter may take beside, on a busy machine


def interrupted(code, *arguments, begin=None):
    """Run a program, interrupt it as soon as it has begun; what it wrote then, its errors and its exit code.

    `begin` takes up the time of the interrupt.
    """
    program = subprocess.Popen(
        [sys.executable, "-c", HEARS + code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout.readline() == "begun\n"
    os.killpg(program.pid, signal.SIGINT)
    if begin is not None:
        begin.append(time.monotonic())
    output, errors = program.communicate(timeout=20)
    with pytest.raises(ProcessLookupError):
        os.killpg(program.pid, 0)
    return output, errors, program.returncode


@pytest.mark.parametrize("processes", [False, True])
def test_the_interrupt_key_ends_everything(processes):
    assert interrupted(PROGRAM.format(processes=processes)) == ("interrupted\n", "", 3)


STANDING = """
import time
import numpy as np
import mindspore.dataset as ds

def stands(x):
    if x == 0:
        print("begun", flush=True)
    time.sleep(30)
    return x

data = ds.NumpySlicesDataset(np.arange(100), shuffle=False).map(stands, num_parallel_workers={workers})
{choose}
for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
    pass
"""
THREADS_AT_ONCE = """
from mindspore.dataset.execution import pool
pool.Choice.__init__.__defaults__ = (True, "", None)
"""


@pytest.mark.parametrize(("workers", "choose"), [(1, ""), (4, ""), (4, THREADS_AT_ONCE)])
def test_the_interrupt_key_ends_threads_whose_function_stands(workers, choose):
    begin = []
    _, errors, _ = interrupted(STANDING.format(workers=workers, choose=choose), begin=begin)
    assert time.monotonic() - begin[0] < 0.5 + SLOW
    assert errors.rstrip().endswith("KeyboardInterrupt")


WRITING = """
import sys
from mindspore.mindrecord import FileWriter
writer = FileWriter(sys.argv[1], shard_num=2)
writer.add_schema({{"x": {{"type": "bytes"}}}})
for number in range(10**9):
    writer.write_raw_data([{{"x": bytes(10_000)}}] * 10{parallel})
    if number == 3:
        print("begun", flush=True)
"""


@pytest.mark.parametrize("parallel", ["", ", True"])
def test_the_interrupt_key_leaves_no_part_of_a_record_file(parallel, tmp_path):
    _, errors, _ = interrupted(WRITING.format(parallel=parallel), str(tmp_path / "rows"))
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert list(tmp_path.iterdir()) == []


def test_workers_end_with_a_reader_that_is_killed():
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(processes=True)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout.readline() == "begun\n"
    program.kill()
    program.wait()
    program.stdout.close()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.killpg(program.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("worker processes live on")


def test_arrays_of_results_live_on_after_the_pipeline():
    def batches():
        data = images(True).map(transforms.TypeCast(np.float64), "image")
        return [x for x, _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    first, again = batches(), batches()
    for i, (a, b) in enumerate(zip(first, again, strict=True)):
        np.testing.assert_array_equal(a, IMAGES[10 * i : 10 * i + 10] * 0.5)
        np.testing.assert_array_equal(a, b)
