# ruff: noqa  # a program as drawn, shortened
from mindspore import ops


class Box:
    def __init__(self, v):
        self.v = v
        self.parts = [v]

    @property
    def twice(self):
        return self.v * 2

    def add(self, amount):
        self.v = self.v + amount
        return self

    def __enter__(self):
        self.v = self.v * 0.5
        return self

    def __exit__(self, kind, error, trace):
        self.v = self.v + 1
        return kind is KeyError


def rows(v, count):
    for k in range(count):
        yield v * k


def program(x, w):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        next(it)
    return next(it), 1
