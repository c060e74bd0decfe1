"""Code that several threads ask for is made once."""
import threading
import time

import pytest

from mindspore.compiler.kernels.once import Once


def in_threads(run, count=6):
    found, start = [], threading.Barrier(count)

    def one():
        start.wait()
        try:
            found.append(run())
        except ValueError as error:
            found.append(error)
    threads = [threading.Thread(target=one) for _ in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return found


def test_all_threads_get_what_one_of_them_made():
    made = []

    def make(width):
        time.sleep(0.02)
        made.append(width)
        return object()
    code = Once(make)
    code.expect()
    found = in_threads(code)
    code.expect()
    assert made == [0]
    assert len(found) == 6
    assert len(set(map(id, found))) == 1
    assert code(8) is not found[0]
    assert code(8) is code(8)
    assert made == [0, 8]


def test_a_fault_is_everybodys_and_the_next_one_tries_again():
    attempts = []

    def make(width):
        attempts.append(width)
        time.sleep(0.05)
        if len(attempts) == 1:
            raise ValueError("no memory")
        return "code"
    code = Once(make)
    assert {str(e) for e in in_threads(code, 3)} <= {"no memory", "code"}
    assert code() == "code"
    assert len(attempts) == 2


def test_what_fails_in_every_attempt_says_so_each_time():
    def make(width):
        raise ValueError(f"width {width}")
    for _ in range(2):
        with pytest.raises(ValueError, match="width 4"):
            Once(make)(4)
