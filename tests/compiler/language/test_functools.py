# ruff: noqa  # programs as users write them
"""`functools` inside compiled functions."""

from __future__ import annotations

import functools
import operator

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program, fullgraph=program.__name__ not in IN_PYTHON)


# what it reads or changes besides its arguments no graph can follow
IN_PYTHON = ("program_lru_cache",)


def program_partial_of_partial(x=V):
    f = functools.partial(functools.partial(lambda a, b, c: a + b * c, 1), c=x)
    return f(2)


def program_partial_attributes(x=V):
    f = functools.partial(ops.add, x)
    return f(1) * len(f.args)


def program_reduce_with_start(x=V):
    return functools.reduce(lambda a, b: a * 0.5 + b, [x, x + 1, 3.0], x * 2)


def program_reduce_operator(x=V):
    return functools.reduce(operator.mul, (x, x, x))


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def program_lru_cache(x=V):
    return x * fib(10)


def traced(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs) + 1
    return inner


@traced
@traced
def scaled(x, factor=2):
    """Doc."""
    return x * factor


def program_wraps(x=V):
    return scaled(x, factor=3) * len(scaled.__name__)


def repeat(times):
    def decorator(fn):
        @functools.wraps(fn)
        def inner(x):
            for _ in range(times):
                x = fn(x)
            return x
        return inner
    return decorator


@repeat(times=3)
def halved(x):
    return x / 2


def program_decorator_with_arguments(x=V):
    return halved(x)


def program_cmp_to_key(x=V):
    order = sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a))
    return x * order[0] + order[2]


@functools.singledispatch
def kind_of(value):
    return 1


@kind_of.register
def _(value: str):
    return 2


def program_singledispatch(x=V):
    return x * kind_of("a") + kind_of(3)


class Lazy:
    def __init__(self):
        self.calls = 0

    @functools.cached_property
    def factor(self):
        self.calls += 1
        return 3


def program_cached_property(x=V):
    lazy = Lazy()
    return x * lazy.factor * lazy.factor + lazy.calls
