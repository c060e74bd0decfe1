# ruff: noqa  # it is prepended to every drawn program, which uses what is imported here
"""What every drawn program finds around it."""

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


def strict(v, limit):
    if v.sum() > limit:
        raise KeyError(limit)
    return v * 0.5


def until(v):
    return v if not v.sum() < 3 else until(abs(v) + 1)


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


# ---------------------------------------------------------------- in MindSpore only
import mindspore
from mindspore import Parameter, Tensor, grad, nn

P = Parameter(Tensor([0.5, -1.0, 2.0], mindspore.float64), name="P")
SEEN = []


class Half(nn.Cell):
    def construct(self, v):
        return v * 0.5


class Kept(nn.Cell):
    def __init__(self):
        super().__init__()
        self.last = Tensor([1.0, 0.0, -1.0], mindspore.float64)
        self.count = 0

    def construct(self, v):
        out = v - self.last
        self.last = v * 0.25
        self.count += 1
        return out


CELLS = nn.CellList([Half(), nn.Tanh(), Half()])
KEPT = Kept()


def reset():
    mindspore.set_seed(7)
    P.set_data(Tensor([0.5, -1.0, 2.0], mindspore.float64))
    KEPT.last, KEPT.count = Tensor([1.0, 0.0, -1.0], mindspore.float64), 0
    SEEN.clear()


def state():
    return [P, KEPT.last, KEPT.count, len(SEEN)]
