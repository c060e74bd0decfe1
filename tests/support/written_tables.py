"""Writers of small files for tests that kill them: each writes an old and a new content, and reads what is there."""
from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

from mindspore import Parameter, SummaryRecord, Tensor, nn, ops, save_checkpoint
from mindspore.compiler.inspection import dumps
from mindspore.dataset import text, vision
from mindspore.dataset.utils import imshow_det_bbox
from mindspore.formats import strategy
from mindspore.formats.events import EVENTS
from mindspore.formats.strategy import LayoutRow, StrategyFile
from mindspore.nn.optimizers import states
from mindspore.operators import dumping
from mindspore.operators.choices import files as choices
from mindspore.parallel import machines
from mindspore.parallel.costs import Machine
from mindspore.profiler import recorded
from mindspore.profiler import tables as profiled
from mindspore.rewrite import SymbolTree
from mindspore.train import distributed_loading
from mindspore.train.summary import graph, positions
from mindspore.train.summary.options import landscape_options


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


class Database(Table):
    """Tables of a measurement, as a database."""

    def save(self, number):
        profiled.write_database(self.path, {"t": [["a", "b"], *[[i, 2**70] for i in range(number)]]})

    def content(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True)) as base:
            return list(base.execute("SELECT a, b FROM t"))


class Text(Table):
    """A table of a measurement, as a text."""

    def save(self, number):
        profiled.write_table(self.path, [["a", "b"], *[[i, "x" * 99] for i in range(number)]])

    def content(self):
        return self.path.read_text()


class Drawing(Table):
    """Objects that are drawn on an image."""

    name = "a.png"

    def save(self, number):
        image = np.random.default_rng(number).integers(0, 255, (60, 60, 3), np.uint8)
        imshow_det_bbox(image, np.array([[1, 2, 9, 9]]), np.array([[number]]), show=False, out_file=str(self.path))

    def content(self):
        return vision.read_image(str(self.path)).tolist()


class Rewritten(Table):
    """The code of a network that was changed as a tree."""

    name = "a.py"

    def save(self, number):
        tree = SymbolTree.create(nn.SequentialCell([nn.ReLU()]))
        tree.set_saved_file_name(str(self.path))
        tree.get_code = lambda: f"x = {[number] * number}\n"       # as long as the network is large
        tree.save_network_to_file()

    def content(self):
        return self.path.read_text()


class Dumped(Table):
    """A tensor that a program writes; its number goes on, so the file of before stays."""

    def save(self, number):
        dumping._numbers = itertools.count()
        ops.tensordump(str(self.path), Tensor(np.full(3000, number, np.float32)))

    def content(self):
        return np.load(f"{self.path}_float32_0.npy").tolist()


class Unified(Table):
    """What several processes saved, put together: parts of two sets are never read as one."""

    parts, between = 3, {f"w{i}": [1.0 + i] * 999 for i in range(3)}        # as if the old set were read

    def save(self, number):
        source = self.path.parent / "source" / "rank_0"
        if not source.exists():
            source.mkdir(parents=True)
        distributed_loading.LARGEST_PART, before = 4000, distributed_loading.LARGEST_PART
        entries = [{"name": f"w{i}", "data": Tensor(np.full(999, number + i, np.float32))} for i in range(self.parts)]
        try:
            save_checkpoint(entries, str(source / "net"), format="safetensors")
            distributed_loading.unified_safetensors(str(source.parent), None, str(self.path.parent / "out"))
        finally:
            distributed_loading.LARGEST_PART = before

    def content(self):
        try:
            found = distributed_loading._unified(str(self.path.parent / "out"))
        except ValueError as error:                 # told, in the moment between the names of two sets
            if f"{self.path.parent / 'out'} has no {distributed_loading.MAP}" not in str(error):
                raise
            return self.between
        return {name: found.whole(name).tolist() for name in found.stages}


class Listing(Table):
    """What `save_graphs` writes of a program."""

    def save(self, number):
        dump = dumps.Dump(3, str(self.path.parent), "net", 1)
        dump.write("final", ".ir", "a line\n" * number)

    def content(self):
        return (self.path.parent / "rank_0" / "net_0001_00_final.ir").read_text()


class Drawn(Table):
    """The graph of a program beside its checkpoints."""

    def save(self, number):
        before, graph.compiled_graph = graph.compiled_graph, lambda cell: EVENTS.GraphProto(name="g" * number)
        try:
            graph.save_graph(None, self.path)
        finally:
            graph.compiled_graph = before

    def content(self):
        return EVENTS.ModelProto.FromString(self.path.read_bytes()).graph.name


class Points(Table):
    """Which parameters a collector of summaries has kept."""

    def save(self, number):
        options = landscape_options("SummaryCollector", {"intervals": [[number, number + 1, number + 2]]})
        kept = positions.Positions(str(self.path), options)
        kept._files = {k: f"net_{k}.ckpt" for k in range(number)}
        kept.finish(number)

    def content(self):
        found = json.loads((self.path / positions.FOLDER / positions.METADATA).read_text())
        return found["step_per_epoch"], len(found["model_params_file_map"])


class Tensors(Table):
    """A tensor that summaries export as a file of NumPy's."""

    def save(self, number):
        one = SimpleNamespace(tag="a/b", array=np.full(number * 3, number))
        SummaryRecord._save(SimpleNamespace(_export=str(self.path)), one, 7)

    def content(self):
        return np.load(self.path / "a%2Fb_7.npy").tolist()


WRITERS = [Measured, Choices, Strategies, StrategiesInJson, Groups, Server, Measurement, Pieces, Database, Text,
           Drawing, Rewritten, Dumped, Unified, Listing, Drawn, Points, Tensors]
