"""What is converted to MindRecord: a set is written as a whole, or not at all."""

from __future__ import annotations

import gzip
import pickle
import shutil
import zlib
from types import SimpleNamespace

import numpy as np

from mindspore.mindrecord import (
    Cifar10ToMR,
    Cifar100ToMR,
    CsvToMR,
    FileReader,
    ImageNetToMR,
    MindRecordException,
    MnistToMR,
    TFRecordToMR,
)
from readers import plain, reader
from readers.formats import _records, _repaired

RANDOM = np.random.default_rng(9)
ERRORS = MindRecordException,


def _converted(folder, convert):
    """The rows of the sets that a converter writes into an empty folder."""
    out = folder / ".out"
    out.mkdir()
    try:
        convert(str(out / "a"))
        found = []
        for file in sorted(out.iterdir()):
            if not file.name.endswith(".db"):
                with FileReader(str(file)) as rows:
                    found.append(plain(list(rows.get_next())))
        return found
    except Exception:  # whatever it is: it is raised again
        left = [file.name for file in out.rglob("*") if "anyspore" in file.name]
        assert not left, f"a set that was not written leaves {left}"
        raise
    finally:
        shutil.rmtree(out)


@reader(lambda folder: (folder / "a.csv").write_text('n,x,s,b\n1,2.5,one,True\n-3,4e2,"two, too",False\n5,,x,True\n'),
        *ERRORS, ValueError)
def csv_to_mindrecord(folder):
    return _converted(folder, lambda to: CsvToMR(str(folder / "a.csv"), to).transform())


def _feature(dtype, *shape):
    return SimpleNamespace(dtype=dtype, shape=shape)


@reader(lambda folder: (folder / "a.tfrecord").write_bytes(_records()), *ERRORS, repaired=_repaired)
def tfrecord_to_mindrecord(folder):
    features = {"a": _feature("int64", 2), "c": _feature("float32")}
    return _converted(folder, lambda to: TFRecordToMR(str(folder / "a.tfrecord"), to, features).transform())


def _texts(folder):
    from tfrecord_files import framed

    (folder / "a.tfrecord").write_bytes(framed(*({"t": [f"text {i}".encode()], "n": [i]} for i in range(5))))


@reader(_texts, *ERRORS, repaired=_repaired)
def texts_to_mindrecord(folder):
    features = {"t": _feature("string"), "n": _feature("int32")}
    return _converted(folder, lambda to: TFRecordToMR(str(folder / "a.tfrecord"), to, features).transform())


def _mnist(folder):
    for part in ("train", "t10k"):
        for name, array in (("images-idx3", RANDOM.integers(0, 255, (3, 28, 28), np.uint8)),
                            ("labels-idx1", np.array([1, 2, 3], np.uint8))):
            header = [0x800 + array.ndim, *array.shape]
            (folder / f"{part}-{name}-ubyte.gz").write_bytes(
                gzip.compress(np.array(header, ">u4").tobytes() + array.tobytes()))


def _packed(content):
    """What was unpacked, packed."""
    try:
        return gzip.compress(zlib.decompressobj(31).decompress(content, 2**20))
    except zlib.error:
        return gzip.compress(content)


@reader(_mnist, *ERRORS, repaired=_packed)
def mnist_to_mindrecord(folder):
    return _converted(folder, lambda to: MnistToMR(str(folder), to).transform())


def _cifar(labels):
    def write(folder):
        parts = ("train", "test") if len(labels) == 2 else ("data_batch_1", "test_batch")
        for part in parts:
            content = {b"data": RANDOM.integers(0, 255, (3, 3072), np.uint8), **{label: [1, 2, 3] for label in labels}}
            (folder / part).write_bytes(pickle.dumps(content, 2))
    return write


@reader(_cifar([b"labels"]), *ERRORS)
def cifar10_to_mindrecord(folder):
    return _converted(folder, lambda to: Cifar10ToMR(str(folder), to).transform())


@reader(_cifar([b"fine_labels", b"coarse_labels"]), *ERRORS)
def cifar100_to_mindrecord(folder):
    return _converted(folder, lambda to: Cifar100ToMR(str(folder), to).transform())


def _imagenet(folder):
    (folder / "map.txt").write_text("n01 0 fish\nn02 1 bird\n")
    for name in ("n01", "n02"):
        (folder / "images" / name).mkdir(parents=True)
        (folder / "images" / name / "a.jpeg").write_bytes(b"picture")


@reader(_imagenet, *ERRORS, ValueError, only="map.txt")
def imagenet_to_mindrecord(folder):
    return _converted(folder, lambda to: ImageNetToMR(str(folder / "map.txt"), str(folder / "images"), to).transform())
