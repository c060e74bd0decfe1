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
    items = [x * 1, w * 2]
    alias = items
    k = 0
    while x.sum() < 1 and k < 3:
        k += 1
        if w.sum() > 1:
            alias = list(items)
    alias[0] = w * 1
    return items[0] + alias[0], k
