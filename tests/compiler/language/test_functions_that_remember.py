"""Functions that remember or act outside of the program: each call does what Python does."""

from __future__ import annotations

import functools
import io
import logging
import os
import sys
import time
import warnings

from outside import V, between, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def case_cached_function(jit, make):
    calls = []

    @functools.lru_cache(None)
    def square(n):
        calls.append(n)
        return n * n

    yield from thrice(jit(lambda x: x * square(3)), make, lambda: list(calls), lambda: tuple(square.cache_info()))


def case_cache_is_cleared(jit, make):
    square = functools.lru_cache(None)(lambda n: n * n)

    def f(x):
        square(2)
        square.cache_clear()
        return x * square(3)

    yield from thrice(jit(f), make, lambda: tuple(square.cache_info()))


class Lazy:
    def __init__(self):
        self.made = 0

    @functools.cached_property
    def table(self):
        self.made += 1
        return self.made * 2


def case_cached_property(jit, make):
    lazy = Lazy()
    yield from thrice(jit(lambda x: x * lazy.table), make, lambda: dict(vars(lazy)))






def case_environment_is_read(jit, make):
    os.environ["LANGUAGE_TEST"] = "1"
    f = jit(lambda x: x * int(os.environ["LANGUAGE_TEST"]))
    yield from between(f, make, lambda: os.environ.update(LANGUAGE_TEST="5"))


def case_environment_is_asked(jit, make):
    os.environ["LANGUAGE_TEST"] = "1"
    f = jit(lambda x: x * int(os.getenv("LANGUAGE_TEST")))
    yield from between(f, make, lambda: os.environ.update(LANGUAGE_TEST="5"))


def case_environment_is_changed(jit, make):
    os.environ["LANGUAGE_TEST"] = "0"

    def f(x):
        os.environ["LANGUAGE_TEST"] = str(int(os.environ["LANGUAGE_TEST"]) + 1)
        return x

    yield from thrice(jit(f), make, lambda: os.environ["LANGUAGE_TEST"])


def case_clock(jit, make):
    f = jit(lambda x: (x, time.perf_counter()))
    first, second = f(make(V))[1], f(make(V))[1]
    yield first < second
    yield first == second


def case_messages(jit, make):
    seen = []
    logger = logging.getLogger("language")
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    logger.addHandler(handler)

    def f(x):
        logger.warning("seen")
        return x

    yield from thrice(jit(f), make, lambda: len(seen))
    logger.removeHandler(handler)


def case_warnings(jit, make):
    def f(x):
        warnings.warn("often", stacklevel=1)
        return x

    g = jit(f)
    for _ in range(2):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            g(make(V))
        yield len([w for w in seen if str(w.message) == "often"])


def case_standard_output(jit, make):
    outer, sys.stdout = sys.stdout, io.StringIO()
    try:

        def f(x):
            sys.stdout.write("a")
            return x

        yield from thrice(jit(f), make, sys.stdout.getvalue)
    finally:
        sys.stdout = outer


def test_a_file_is_written_at_every_call(tmp_path):
    import mindspore as ms

    path = tmp_path / "log"

    def f(x):
        with open(path, "a") as file:
            file.write("a")
        return x * 2

    g = ms.jit(f)
    for _ in range(3):
        assert g(ms.Tensor(V)).tolist() == [2, 4]
    assert path.read_text() == "aaa"
