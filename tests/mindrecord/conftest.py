"""What the tests of MindRecord files share: small sets, and no key left behind."""

from __future__ import annotations

import numpy as np
import pytest
from mindrecord_files import small_writer

from mindspore.mindrecord import set_dec_mode, set_enc_key, set_enc_mode

SCHEMA = {
    "number": {"type": "int32"},
    "label": {"type": "int64"},
    "weight": {"type": "float64"},
    "name": {"type": "string"},
    "image": {"type": "bytes"},
    "ids": {"type": "int64", "shape": [-1]},
    "box": {"type": "float32", "shape": [2, 2]},
}


def row(number: int) -> dict:
    """A row of SCHEMA."""
    return {
        "number": number,
        "label": number // 3,
        "weight": number / 7,
        "name": f"näme {number % 4}",
        "image": bytes([number]) * (number % 3 + 1),
        "ids": np.arange(number % 4 + 1) * 10**number,
        "box": np.full((2, 2), number, np.float32),
    }


@pytest.fixture
def rows():
    """`rows(3)`: the first rows; `rows(2, 5)`: those from number 2 on."""

    def some(begin, end=None):
        return [row(i) for i in (range(begin) if end is None else range(begin, end))]

    return some


@pytest.fixture
def schema():
    return SCHEMA


@pytest.fixture(autouse=True)
def _plain_files():
    yield
    set_enc_key(None)
    set_enc_mode()
    set_dec_mode(None)


@pytest.fixture
def written(tmp_path):
    """Writes rows of SCHEMA to a set in a new folder; gives its path."""

    def write(rows, name="set.mindrecord", shards=1, index=None, schema=SCHEMA):
        writer = small_writer(tmp_path / name, schema, shards)
        if index:
            writer.add_index(index)
        if rows:
            writer.write_raw_data(rows)
        writer.commit()
        return str(tmp_path / name)

    return write
