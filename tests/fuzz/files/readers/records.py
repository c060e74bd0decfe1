"""MindRecord files: data files, indexes, shards, encrypted ones, and headers as the JSON that they are."""

from __future__ import annotations

import contextlib

import numpy as np
from mindrecord_files import small_writer
from structures import database_changed, mindrecord_changed

from mindspore import dataset as ds
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.mindrecord import FileReader, MindPage, set_enc_key
from readers import equal, plain, reader, rows

HEADER_AREA = 2**14
SCHEMA = {
    "n": {"type": "int32"},
    "f": {"type": "float64"},
    "s": {"type": "string"},
    "b": {"type": "bytes"},
    "v": {"type": "int64", "shape": [-1]},
    "w": {"type": "float32", "shape": [2, -1]},
}


def _row(i):
    return {"n": i, "f": i / 7, "s": f"text {i}", "b": bytes([i]) * 9, "v": np.arange(i % 3 + 1) * 300,
            "w": np.full((2, 3), i, np.float32)}


def _written(name, shards=1, key=None):
    """Rows in several calls, so that there are several groups of them."""

    def write(folder):
        with _keyed(key):
            writer = small_writer(folder / name, SCHEMA, shards)
            for begin in range(0, 24, 8):
                writer.write_raw_data([_row(i) for i in range(begin, begin + 8)])
            writer.commit()

    return write


@contextlib.contextmanager
def _keyed(key):
    set_enc_key(key)
    try:
        yield
    finally:
        set_enc_key(None)


def _read(path):
    with FileReader(str(path)) as found:
        return plain(list(found.get_next()))


@reader(_written("a"), MindRecordFileError, structure=mindrecord_changed, only="a")
def mindrecord(folder):
    return _read(folder / "a")


@reader(_written("a"), MindRecordFileError, same=equal, only="*.db", structure=database_changed)
def mindrecord_index(folder):
    return _read(folder / "a")


@reader(_written("a", shards=3), MindRecordFileError)
def mindrecord_shards(folder):
    return rows(ds.MindDataset(str(folder / "a1"), shuffle=False))


@reader(_written("a", shards=3), MindRecordFileError, same=equal, only="*.db",
        structure=database_changed)
def mindrecord_list(folder):
    return rows(ds.MindDataset([str(folder / f"a{n}") for n in range(3)], ["v", "s"], shuffle=False))


@reader(_written("a", key="0123456789abcdef"), MindRecordFileError, same=equal)
def mindrecord_encrypted(folder):
    with _keyed("0123456789abcdef"):
        return _read(folder / "a")


@reader(_written("a"), MindRecordFileError)
def mindrecord_categories(folder):
    pages = MindPage(str(folder / "a"))
    pages.category_field = "s"
    return pages.read_category_info(), plain(pages.read_at_page_by_id(0, 0, 3))


def _header(folder):
    _written("a")(folder)
    content = (folder / "a").read_bytes()
    (folder / "header.json").write_bytes(content[8 : 8 + int.from_bytes(content[:8], "little")])


@reader(_header, MindRecordFileError, only="*.json")
def mindrecord_header(folder):
    """The data file with this header in place of its own."""
    whole, text = (folder / "a").read_bytes(), (folder / "header.json").read_bytes()
    head = (len(text).to_bytes(8, "little") + text).ljust(HEADER_AREA, b"\0")
    try:
        (folder / "a").write_bytes(head + whole[HEADER_AREA:])
        return _read(folder / "a")
    finally:
        (folder / "a").write_bytes(whole)
