# ruff: noqa  # programs as users write them
"""Generators, in every position."""

from __future__ import annotations

from mindspore import Tensor, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def rows(x, n):
    for i in range(n):
        yield x * i


def program_generator_loop(x=V):
    y = x
    for r in rows(x, 3):
        y = y + r
    return y


def program_generator_to_list(x=V):
    items = list(rows(x, 3))
    return items[2] + len(items) + sum(rows(x, 2))


def program_generator_unpacked(x=V):
    a, b = rows(x, 2)
    return a + b + max(len(list(rows(x, k))) for k in range(3))


def program_generator_next(x=V):
    g = rows(x, 3)
    next(g)
    return next(g) + next(g) * 2


def program_generator_default(x=V):
    g = rows(x, 0)
    return next(g, x * 7)


def program_generator_exhausted(x=V):
    g = rows(x, 1)
    next(g)
    return next(g)


def program_generator_infinite(x=V):
    def naturals():
        n = 0
        while True:
            yield n
            n += 1
    y = x
    for n in naturals():
        if n > 3:
            break
        y = y + n
    return y


def program_generator_interleaved(x=V):
    log = []

    def g():
        log.append(1)
        yield x
        log.append(2)
        yield x * 2
    y = x
    for v in g():
        y = y * len(log) + v
    return y


def program_generator_yield_from(x=V):
    def g():
        yield x
        yield from rows(x, 3)
        yield from [x * 5]
    return sum(g())


def program_generator_send(x=V):
    def g():
        total = x
        while True:
            got = yield total
            total = total + got
    it = g()
    next(it)
    it.send(1)
    return it.send(x)


def program_generator_return_value(x=V):
    def g():
        yield x
        return 5

    def outer():
        n = yield from g()
        yield n
    a, b = outer()
    return a * b


def program_generator_with_condition_inside(x=V):
    def g():
        y = x
        if x.sum() > 0:
            y = y * 2
        yield y
        yield y + 1
    return sum(g())


def program_generator_in_branch(x=V):
    y = x
    if x.sum() > 0:
        for r in rows(x, 3):
            y = y + r
    return y


def program_generator_method(x=V):
    class_ = Walker(x)
    return sum(class_.walk()) + sum(class_)


class Walker:
    def __init__(self, x):
        self.x = x

    def walk(self):
        yield self.x
        yield self.x * 2

    def __iter__(self):
        yield from self.walk()


def program_generator_pipeline(x=V):
    def doubled(it):
        for v in it:
            yield v * 2
    return list(doubled(doubled(rows(x, 3))))[2]


def program_generator_zip_enumerate(x=V):
    y = x
    for i, (a, b) in enumerate(zip(rows(x, 3), rows(x, 5))):
        y = y + a * b * i
    return y


def program_generator_try_finally(x=V):
    log = []

    def g():
        try:
            yield x
            yield x * 2
        finally:
            log.append(1)
    y = sum(g())
    return y + len(log)
