"""How programs are split, and what is kept of compiled ones."""

from __future__ import annotations

import contextlib

from structures import message_changed

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler.kernels import objects
from mindspore.formats import strategy
from mindspore.formats.strategy import LayoutRow, StrategyFile
from readers import equal, plain, reader

CONTENT = StrategyFile(1, {"Net/conv-MatMul": (1, [[2, 1], [1, 4]]), "Net/Add": (0, [[8]])}, {
    "conv.weight": LayoutRow((2, 4), (1, -1), 0, 1, 2), "conv.bias": LayoutRow((8,), (0,), 4, splits=(3, 5)),
    "step": LayoutRow((2, 2, 2), ())})


def _strategy(name):
    return lambda folder: strategy.write_strategy(str(folder / name), CONTENT)


def _said(path):
    found = strategy.read_strategy(str(path))
    return repr(found), sorted(found.strategies), sorted(found.layouts)


@reader(_strategy("a.ckpt"), TypeError, structure=message_changed)
def strategy_file(folder):
    return _said(folder / "a.ckpt")


@reader(_strategy("a.json"), TypeError)
def strategy_file_in_json(folder):
    return _said(folder / "a.json")


@reader(lambda folder: strategy.write_groups(str(folder / "a"), {"2-5": [0, 1, 2, 3], "x": [7]}, [0, 4]), TypeError,
        structure=message_changed)
def groups_of_processes(folder):
    return strategy.read_groups(str(folder / "a"))


class Net(nn.Cell):
    """A parameter, a branch and a loop."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([3.0, 4.0]), name="w")
        self.shift = Tensor([0.5, 0.25])

    def construct(self, x):
        y = ops.relu(x * self.w) + self.shift
        if y.sum() > 3:
            y = y * 2
        while y.max() > 1:
            y = y / 2
        return y, (y.sum(), 7)


@contextlib.contextmanager
def _cache(folder):
    """What is compiled is kept in a folder."""
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE, enable_compile_cache=True, compile_cache_path=str(folder))
    try:
        yield
    finally:
        ms.set_context(mode=mode, enable_compile_cache=False, compile_cache_path="")


def _compiled(folder):
    """What a program gives whose graph is looked for in a folder; one that is refused is compiled."""
    with _cache(folder):
        y, (total, seven) = Net()(Tensor([1.0, 2.0]))
        return plain([y.asnumpy(), total.asnumpy(), seven])


@reader(_compiled, same=equal, only="*.graph")
def compiled_graph(folder):
    return _compiled(folder)


def _code(folder):
    with _cache(folder):
        objects.keep("a", bytes(range(256)) * 20)


@reader(_code, only="*.o", same=lambda found, whole: found in (None, whole))
def machine_code(folder):
    with _cache(folder):
        return objects.find("a")
