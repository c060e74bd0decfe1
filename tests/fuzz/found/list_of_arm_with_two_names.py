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
    if x.sum() > 0:
        a = b = [x * 1]
    else:
        a = b = [w * 2]
    a[0] = a[0] + 5
    return b[0], 1
