"""Checkpoints, safetensors and TFRecord files."""

from __future__ import annotations

import gzip

import numpy as np
from structures import framed, message_changed, safetensors_changed

from mindspore import Tensor, load_checkpoint, nn, save_checkpoint
from mindspore import dataset as ds
from mindspore.core.errors import CheckpointError
from mindspore.dataset.errors import PipelineError
from mindspore.formats.events import EventError, read_events
from mindspore.formats.tfrecord import frame
from readers import beginning, equal, plain, reader, rows

KEY = b"0123456789abcdef"


def _saved(name, **more):
    def write(folder):
        entries = [{"name": "a.weight", "data": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))},
                   {"name": "b", "data": Tensor(np.array(7, np.int64))},
                   {"name": "c", "data": Tensor(np.arange(5, dtype=np.float16))}]
        save_checkpoint(entries, str(folder / name), append_dict={"epoch": 3, **({"note": "text"} if
                        name.endswith("ckpt") else {})}, **more)

    return write


def _loaded(folder, name, **more):
    found = load_checkpoint(str(folder / name), **more)
    return {key: plain(value.asnumpy()) if hasattr(value, "asnumpy") else plain(value) for key, value in found.items()}


@reader(_saved("a.ckpt"), CheckpointError, structure=message_changed)
def checkpoint(folder):
    return _loaded(folder, "a.ckpt")


@reader(_saved("a.ckpt", crc_check=True), CheckpointError, same=equal, structure=message_changed)
def checkpoint_with_checksum(folder):
    return _loaded(folder, "a.ckpt", crc_check=True)


@reader(_saved("a.ckpt", enc_key=KEY), CheckpointError, same=equal)
def checkpoint_encrypted(folder):
    return _loaded(folder, "a.ckpt", dec_key=KEY)


@reader(_saved("a.safetensors", format="safetensors"), CheckpointError, structure=safetensors_changed)
def safetensors(folder):
    return _loaded(folder, "a.safetensors", format="safetensors")


@reader(_saved("a.safetensors", format="safetensors", crc_check=True), CheckpointError, same=equal,
        structure=safetensors_changed)
def safetensors_with_checksum(folder):
    return _loaded(folder, "a.safetensors", crc_check=True, format="safetensors")


def _records():
    from tfrecord_files import framed

    return framed(*({"a": [i, i + 1], "b": [b"text", b"x"], "c": [0.5 * i]} for i in range(5)))


@reader(lambda folder: (folder / "a.tfrecord").write_bytes(_records()), PipelineError, same=beginning)
def tfrecord_with_checksums(folder):
    return rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), shuffle=False))


def _repaired(content):
    """The frames of a file with checksums as their content needs them."""
    found, at = b"", 0
    while at + 16 <= len(content):
        length = int.from_bytes(content[at : at + 8], "little")
        found += frame(content[at + 12 : at + 12 + length])
        at += 16 + length
    return found + content[at:]


@reader(lambda folder: (folder / "a.tfrecord").write_bytes(_records()), PipelineError, repaired=_repaired,
        structure=framed(message_changed, frame))
def tfrecord(folder):
    return rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), shuffle=False))


@reader(lambda folder: (folder / "a.tfrecord").write_bytes(gzip.compress(_records())), PipelineError, same=beginning)
def tfrecord_compressed(folder):
    return rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), shuffle=False, compression_type="GZIP"))


def _described(folder):
    (folder / "a.tfrecord").write_bytes(_records())
    (folder / "schema.json").write_text(
        '{"datasetType": "TF", "numRows": 3, "columns": {"a": {"type": "int64", "rank": 1, "shape": [2]}, '
        '"c": {"type": "float32", "rank": 1, "shape": [1]}}}')


@reader(_described, PipelineError, TypeError)
def tfrecord_with_schema(folder):
    return rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), str(folder / "schema.json"), shuffle=False))


def _summary(folder):
    from mindspore import SummaryRecord

    with SummaryRecord(str(folder)) as record:
        for step in range(3):
            record.add_value("scalar", "loss", Tensor(0.5 * step))
            record.add_value("histogram", "weights", Tensor(np.arange(6, dtype=np.float32)))
            record.add_value("tensor", "out", Tensor(np.arange(4, dtype=np.float32)))
            record.record(step)
    (folder / record.log_dir).rename(folder / "a.events")
    (folder / "a.events").chmod(0o600)


@reader(_summary, EventError, same=beginning)
def event_file_with_checksums(folder):
    return event_file(folder)


@reader(_summary, EventError, repaired=_repaired, structure=framed(message_changed, frame))
def event_file(folder):
    return [event.SerializeToString().hex() for event in read_events(folder / "a.events")]


def _collected(folder):
    from mindspore.train.summary.options import LandscapeOptions
    from mindspore.train.summary.positions import Positions

    net = nn.Dense(2, 1)
    positions = Positions(str(folder), LandscapeOptions(intervals=((1, 2, 3),)))
    for number in (1, 2, 3):
        positions.keep(number, net)[0]()
    positions.finish(3)
    (folder / "ckpt_dir" / "train_metadata.json").chmod(0o600)


@reader(_collected, ValueError, only="ckpt_dir/train_metadata.json")
def positions_of_a_training(folder):
    from mindspore.train.summary.positions import kept

    return [repr(option) for option in kept(str(folder)).options]


def _lineage(folder):
    from mindspore import SummaryRecord
    from mindspore.train.summary.dataset_graph import dataset_graph
    from mindspore.train.summary.lineage import custom_lineage

    with SummaryRecord(str(folder)) as record:
        record.add_value("dataset_graph", "", dataset_graph(ds.NumpySlicesDataset([1, 2, 3]).batch(2)))
        record.add_value("custom_lineage_data", "", custom_lineage({"who": "someone", "n": 3}))
        record.record(1)
    found = next(folder.glob("*_lineage"))
    found.chmod(0o600)
    found.rename(folder / "a_lineage")


@reader(_lineage, EventError, repaired=_repaired, structure=framed(message_changed, frame))
def lineage_file(folder):
    return [event.SerializeToString(deterministic=True).hex() for event in read_events(folder / "a_lineage", True)]
