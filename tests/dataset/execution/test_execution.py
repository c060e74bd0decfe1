from __future__ import annotations

import threading
import time

import pytest

from mindspore.dataset.execution.channel import Channel
from mindspore.dataset.execution.pool import ordered
from mindspore.dataset.execution.run import Run


def test_results_leave_in_the_order_of_the_items():
    def slow_first(x):
        time.sleep(0.02 if x == 0 else 0)
        return x

    assert list(ordered(slow_first, range(20), 4)) == list(range(20))


def test_work_is_done_by_several_threads_at_once():
    barrier = threading.Barrier(3, timeout=5)
    assert list(ordered(lambda x: barrier.wait() >= 0, range(3), 3)) == [True] * 3


def test_few_items_are_taken_ahead():
    taken = []
    results = ordered(lambda x: x, (taken.append(i) or i for i in range(1000)), 2)
    next(results)
    assert len(taken) <= 5
    results.close()


def test_an_error_comes_in_its_place_and_the_threads_end():
    def fail_at_three(x):
        if x == 3:
            raise KeyError(x)
        return x

    results = ordered(fail_at_three, range(100), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError):
        next(results)


def test_a_full_channel_holds_its_writer_up_and_a_closed_one_lets_go():
    channel, answers = Channel(2), []
    writer = threading.Thread(target=lambda: answers.extend(channel.put(i) for i in range(3)))
    writer.start()
    time.sleep(0.05)
    assert answers == [True, True]  # the third waits
    assert channel.get() == 0
    writer.join(5)
    assert answers == [True] * 3
    channel.close()
    assert channel.put(9) is False


def test_a_channel_gives_what_came_before_an_error():
    channel = Channel(5)
    channel.put("first")
    channel.fail(OSError("gone"))
    assert channel.get() == "first"
    with pytest.raises(OSError, match="gone"):
        channel.get()
    with pytest.raises(StopIteration):
        channel.get()


def test_random_streams_differ_by_place_pass_and_key():
    run = Run(1)
    streams = [run, run.child(), run.child(1), run.child().child(), run.during(1), Run(2)]
    draws = {float(stream.generator().random()) for stream in streams}
    draws.add(float(run.generator(1).random()))
    assert len(draws) == len(streams) + 1
    assert run.generator(3).random() == run.generator(3).random()
