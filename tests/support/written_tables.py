"""Writers of small files for tests that kill them: each writes an old and a new content, and reads what is there."""
from __future__ import annotations

import os
from contextlib import contextmanager

import numpy as np

from mindspore import Parameter
from mindspore.dataset import text
from mindspore.formats import strategy
from mindspore.formats.strategy import LayoutRow, StrategyFile
from mindspore.nn.optimizers import states
from mindspore.operators.choices import files as choices
from mindspore.parallel import machines
from mindspore.parallel.costs import Machine
from mindspore.profiler import recorded


class Table:
    """A file that is written with a number, 1 or 2000, in it."""

    name = "a"

    def __init__(self, folder):
        self.path = folder / self.name

    def old(self):
        self.save(1)

    def new(self):
        self.save(2000)


class Measured(Table):
    """What `calibrate` finds of a machine."""

    def save(self, number):
        rows = [(float(size), 1.0) for size in range(1, number + 1)]
        machines.write(Machine(tables={"add": rows}), self.path)

    def content(self):
        return machines.read(self.path).tables


@contextmanager
def _tables_in(folder):
    before = os.environ.get("ANYSPORE_CHOICES")
    os.environ["ANYSPORE_CHOICES"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["ANYSPORE_CHOICES"]
        else:
            os.environ["ANYSPORE_CHOICES"] = before


class Choices(Table):
    """What `mindspore.tune` finds."""

    def __init__(self, folder):
        folder.chmod(0o700)
        self.folder, self.names = folder, [f"choice {i}" for i in range(2000)]

    def save(self, number):
        with _tables_in(self.folder):
            choices.write(2, {name: 1.0 for name in self.names[:number]})

    def content(self):
        with _tables_in(self.folder):
            return choices.read(2, self.names)


class Strategies(Table):
    def save(self, number):
        rows = {f"w{i}": LayoutRow((2, 4), (1, -1)) for i in range(number)}
        strategy.write_strategy(str(self.path), StrategyFile(layouts=rows))

    def content(self):
        return sorted(strategy.read_strategy(str(self.path)).layouts)


class StrategiesInJson(Strategies):
    name = "a.json"


class Groups(Table):
    def save(self, number):
        strategy.write_groups(str(self.path), {f"g{i}": [0, 1] for i in range(number)}, [0])

    def content(self):
        return repr(strategy.read_groups(str(self.path)))


class Server(Table):
    """The state of a parameter server."""

    def save(self, number):
        states.written(self.path, {"w": Parameter(np.full(3000, number, np.float32))}, number)

    def content(self):
        held = {"w": Parameter(np.zeros(3000, np.float32))}
        return states.read(self.path, held), held["w"].asnumpy().tolist()


class Measurement(Table):
    """What a profiler has recorded."""

    name = recorded.FILE

    def save(self, number):
        recorded.Recorded(0, host=[(i, 1.0, 2) for i in range(number)]).save(self.path.parent)

    def content(self):
        return recorded.loaded(self.path)


class Pieces(Table):
    """A model of SentencePiece."""

    def save(self, number):
        lines = self.path.parent / "lines"
        if not lines.exists():
            lines.write_text("the cat sat on the mat\nthe dog sat on the log\n" * 20)
        learnt = text.SentencePieceVocab.from_file([str(lines)], 18 if number == 1 else 20, 0.9995,
                                                   text.SentencePieceModel.UNIGRAM, {})
        text.SentencePieceVocab.save_model(learnt, str(self.path.parent), "m.model")

    def content(self):
        return (self.path.parent / "m.model").read_bytes()


WRITERS = [Measured, Choices, Strategies, StrategiesInJson, Groups, Server, Measurement, Pieces]
