"""Small sets of MindRecord files."""

from __future__ import annotations

import numpy as np

from mindspore.mindrecord import FileWriter

SCHEMA = {
    "id": {"type": "int32"},
    "label": {"type": "int64"},
    "b": {"type": "bytes"},
    "s": {"type": "string"},
    "v": {"type": "float32", "shape": [-1]},
    "f": {"type": "float32"},
}


def row(i):
    """A row of SCHEMA."""
    return {
        "id": i,
        "label": i // 3,
        "b": b"x" * (i % 3 + 1),
        "s": f"n{i % 4}",
        "v": np.full(2, i, np.float32),
        "f": i / 7,
    }


def small_writer(path, schema, shards=1, **options):
    """A writer with the smallest header and pages that there are."""
    writer = FileWriter(str(path), shards, **options)
    writer.set_header_size(2**14)
    writer.set_page_size(2**15)
    writer.add_schema(schema)
    return writer


def write(path, rows, shards=1, schema=SCHEMA):
    """Write a set; its path."""
    writer = small_writer(path, schema, shards)
    if rows:
        writer.write_raw_data(rows)
    writer.commit()
    return str(path)
