"""Threads that hold nobody up, and what is said of those that do not return."""

from __future__ import annotations

import threading
import time

import pytest

import mindspore.dataset as ds
from mindspore.core import log
from mindspore.dataset.execution.threads import EXIT, Threads, places


def test_results_and_errors_come_by_their_futures():
    threads = Threads(3)
    futures = [threads.submit(divmod, 7, k) for k in (2, 0, 3)]
    assert futures[0].result() == (3, 1)
    assert futures[2].result() == (2, 1)
    with pytest.raises(ZeroDivisionError):
        futures[1].result()
    assert len(threads.running) == 3
    threads.stop()
    assert not any(thread.is_alive() for thread in threads.running)


def test_what_waits_is_dropped_and_what_does_not_return_is_left():
    threads, go, done = Threads(2), threading.Event(), []
    for number in range(6):
        threads.submit(lambda number: (go.wait(30), done.append(number)), number)
    while len(places(threads.running)) < 2:
        time.sleep(0.01)
    begin = time.monotonic()
    threads.stop()
    assert EXIT <= time.monotonic() - begin < 2 * EXIT + 0.2
    assert all(thread.daemon for thread in threads.running)
    go.set()
    for thread in threads.running:
        thread.join(10)
    assert sorted(done) == [0, 1]


def test_the_place_of_a_thread_is_the_innermost_line_of_the_program():
    threads, go = Threads(1), threading.Event()
    threads.submit(standing, go)
    while not (found := places(threads.running)):
        time.sleep(0.01)
    go.set()
    threads.stop()
    assert found == [f"'inner' ({__file__}:{inner.__code__.co_firstlineno + 1})"]
    assert places(threads.running) == []


def standing(event):
    inner(event)


def inner(event):
    event.wait(30)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_function_that_hangs_in_a_thread_is_told(workers, monkeypatch):
    go, said = threading.Event(), []

    def hangs(x):
        if x == 40:
            go.wait(25)
        return x

    def warning(text):
        said.append(text)
        go.set()

    monkeypatch.setattr(log, "warning", warning)
    ds.config.set_multiprocessing_timeout_interval(1)
    data = ds.NumpySlicesDataset(list(range(48)), shuffle=False).batch(1)
    data = data.map(hangs, num_parallel_workers=workers)
    assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 48
    assert said
    assert "has waited 1 s for a row. At work in threads: 'test_a_function_that_hangs" in said[0]
    assert f"hangs' ({__file__}:" in said[0]
