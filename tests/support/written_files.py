"""Writers of all kinds of files, for tests that kill them, or let the disk be full: an old and a new content."""
from __future__ import annotations

import json
import os

import numpy as np
import pytest
import written_tables
from mindrecord_files import small_writer

from mindspore import (
    Tensor,
    dataset,
    export,
    load,
    load_checkpoint,
    load_mindir,
    nn,
    save_checkpoint,
    save_mindir,
)
from mindspore.compiler.disk import storage
from mindspore.dataset.graphs.memory import InMemoryGraphDataset
from mindspore.dataset.vision import write_png
from mindspore.formats import air, mindir
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.mindrecord.rebuilding import rebuild
from mindspore.mindrecord import FileReader, FileWriter
from mindspore.mindrecord.config import encrypt
from mindspore.train._background import finish_saving

SCHEMA = {"n": {"type": "int32"}, "b": {"type": "bytes"}}


def rows(begin, end):
    return [{"n": i, "b": bytes([i % 256]) * (i % 200)} for i in range(begin, end)]


def written(path, begin, end, shards=1, **options):
    writer = small_writer(path, SCHEMA, shards, overwrite=True)
    writer.write_raw_data(rows(begin, end), **options)
    writer.write_raw_data(rows(end, end + 5), **options)
    writer.commit()


def read(*paths):
    """Numbers of the rows, sorted, as the order of shards is drawn; () without a set."""
    try:
        found = []
        for path in paths:
            with FileReader(str(path)) as reader:
                for row in reader.get_next():
                    assert row["b"] == rows(row["n"], row["n"] + 1)[0]["b"]
                    found.append(row["n"])
        return tuple(sorted(found))
    except MindRecordFileError:
        if any(os.path.lexists(path) for path in paths):
            raise
        return ()


class Overwritten:
    """A set that is written over another one."""

    files, shards, parallel, first = ("a",), 1, False, True

    def __init__(self, folder):
        self.path = folder / "a"

    def old(self):
        if self.first:
            written(self.path, 0, 300, self.shards, parallel_writer=self.parallel)

    def new(self):
        written(self.path, 1000, 1400, self.shards, parallel_writer=self.parallel)

    def content(self):
        return read(*(self.path.with_name(name) for name in self.files[: None if self.parallel else 1]))


class First(Overwritten):
    first = False


class Shards(Overwritten):
    files, shards = ("a0", "a1", "a2", "a3"), 4


class Parallel(Overwritten):
    files, shards, parallel = ("a0", "a1"), 2, True


class Appended(Overwritten):
    files, shards = ("a0", "a1"), 2

    def new(self):
        if len(self.content()) > 500:  # the rows are there: a writer was killed when it had only to move its files
            rebuild(f"{self.path}0")
        else:
            writer = FileWriter.open_for_append(f"{self.path}0")
            writer.write_raw_data(rows(2000, 2300))
            writer.commit()


class Encrypted(Overwritten):
    """A data file alone: `encrypt` takes one file after the other."""

    key = "0123456789012345"

    def new(self):
        if not self.path.read_bytes().endswith(b"ENCRYPT"):
            encrypt(str(self.path), self.key, "AES-GCM")

    def content(self):
        return self.path.read_bytes().endswith(b"ENCRYPT") or read(self.path)


class Checkpoint:
    files, end, options, keys = (), "ckpt", {}, {}

    def __init__(self, folder):
        self.path = folder / f"net.{self.end}"
        self.values = [Tensor(np.full(3000, i, np.float32)) for i in range(2)]

    def save(self, number):
        save_checkpoint([{"name": "w", "data": self.values[number]}], str(self.path), format=self.end, **self.options)

    def old(self):
        self.save(0)

    def new(self):
        self.save(1)

    def content(self):
        return load_checkpoint(str(self.path), format=self.end, **self.keys)["w"].asnumpy().tolist()


class Safetensors(Checkpoint):
    end = "safetensors"


class EncryptedCheckpoint(Checkpoint):
    options, keys = {"enc_key": b"0123456789abcdef"}, {"dec_key": b"0123456789abcdef"}


class SavedBeside(Checkpoint):
    """A checkpoint that a thread writes, which is waited for."""

    options = {"async_save": True}

    def save(self, number):
        super().save(number)
        finish_saving()


class Described:
    """A pipeline that is serialised."""

    def __init__(self, folder):
        self.path = folder / "pipeline.json"

    def save(self, count):
        dataset.serialize(dataset.NumpySlicesDataset(list(range(count)), shuffle=False), str(self.path))

    def old(self):
        self.save(3)

    def new(self):
        self.save(4000)

    def content(self):
        return json.loads(self.path.read_text())


class Compiled(Described):
    """An entry of the compile cache."""

    def __init__(self, folder):
        folder.chmod(0o700)
        self.path = folder / "program.graph"

    def save(self, count):
        storage.write(self.path, "x" * count)

    def content(self):
        return storage.read(self.path)


class Graphs(Described):
    class Source(InMemoryGraphDataset):
        def process(self):
            self.graphs = [np.arange(3)]

    def __init__(self, folder):
        self.source = self.Source(str(folder), str(folder))

    def save(self, count):
        self.source.graphs = [np.arange(count)]
        self.source.save()

    def content(self):
        self.source.load()
        return [graph.tolist() for graph in self.source.graphs]


class Image(Described):
    def save(self, count):
        write_png(str(self.path), np.full((count // 3, 3, 3), count % 256, np.uint8))

    def content(self):
        return self.path.read_bytes()


class Offloaded(Described):
    """The elements of a tensor that lie in a file."""

    def save(self, count):
        Tensor(np.arange(count, dtype=np.int32)).offload(str(self.path))

    def content(self):
        return np.fromfile(self.path, np.int32).tolist()


class Exported(Described):
    """A model file."""

    options, keys = {}, {}

    def __init__(self, folder):
        self.path = folder / "net.mindir"
        self.net = nn.Dense(40, 30)

    def save(self, count):
        self.net.weight.set_data(Tensor(np.full((30, 40), count, np.float32)))
        export(self.net, Tensor(np.ones((1, 40), np.float32)), file_name=str(self.path),
               file_format=self.path.suffix[1:].upper(), **self.options)

    def content(self):
        return {name: p.asnumpy().tolist() for name, p in load(str(self.path), **self.keys).parameters.items()}


class ExportedEncrypted(Exported):
    options, keys = {"enc_key": b"0123456789abcdef"}, {"dec_key": b"0123456789abcdef"}


class ExportedOnnx(Exported):
    def __init__(self, folder):
        super().__init__(folder)
        self.path = folder / "net.onnx"

    def content(self):
        onnx = pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
        return [onnx.numpy_helper.to_array(one).tolist() for one in onnx.load(self.path).graph.initializer]


class ExportedAir(Exported):
    def __init__(self, folder):
        super().__init__(folder)
        self.path = folder / "net.air"

    def content(self):
        (graph,) = air.MESSAGES.Model.FromString(self.path.read_bytes()).graph
        return [op.attr["value"].t.data for op in graph.op if "value" in op.attr]


class Messages(Exported):
    """The message of a model, changed and written again."""

    def save(self, count):
        model = mindir.MESSAGES.Model(producer_name="n" * count)
        model.graph.name = "g"
        save_mindir(model, str(self.path))

    def content(self):
        return load_mindir(str(self.path)).producer_name


WRITERS = [First, Overwritten, Shards, Parallel, Appended, Encrypted, Checkpoint, EncryptedCheckpoint, SavedBeside,
           Safetensors, Described, Compiled, Graphs, Image, Offloaded, Exported, ExportedEncrypted, ExportedOnnx,
           ExportedAir, Messages,
           *written_tables.WRITERS]  # fmt: skip
