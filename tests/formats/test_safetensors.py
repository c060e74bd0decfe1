from __future__ import annotations

import json
import os
import zlib

import numpy as np
import pytest
import safetensors.numpy as safetensors_library

from mindspore.core.errors import CheckpointError
from mindspore.formats import safetensors
from mindspore.formats.array import NUMPY, SAFETENSORS_NAME, StoredArray


@pytest.fixture
def path(tmp_path):
    return tmp_path / "weights.safetensors"


def written(path, header, content=b""):
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
    return path


def test_every_type_comes_back_sorted_by_name(path):
    arrays = {name: StoredArray(name, (3,), bytes(range(3 * NUMPY[name].itemsize))) for name in SAFETENSORS_NAME}
    safetensors.write(path, arrays, {"format": "ms"})
    found, metadata = safetensors.read(path)
    assert list(found) == sorted(arrays)
    assert metadata == {"format": "ms"}
    assert all(bytes(found[n].data) == arrays[n].data and found[n].dtype == n for n in arrays)


def test_the_header_says_where_each_array_lies(path):
    safetensors.write(path, {"a": StoredArray("uint8", (3,), b"xyz"), "b": StoredArray("float64", (), bytes(8))})
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert length % 8 == 0
    start, end = header["a"]["data_offsets"]
    assert data[8 + length :][start:end] == b"xyz"
    assert header["b"] == {"dtype": "F64", "shape": [], "data_offsets": [0, 8]}


def test_arrays_without_elements_come_back(path):
    safetensors.write(path, {"e": StoredArray("float32", (0, 3), b""), "w": StoredArray("int8", (1,), b"\1")})
    assert safetensors.read(path)[0]["e"].shape == (0, 3)


def test_an_unknown_type_is_refused_and_leaves_no_file(path):
    with pytest.raises(ValueError, match="complex128"):
        safetensors.write(path, {"c": StoredArray("complex128", (1,), bytes(16))})
    assert os.listdir(path.parent) == []


def test_the_checksum_takes_zeros_for_integers_without_axes():
    arrays = {"n": StoredArray.of(np.array(3, "int32")), "w": StoredArray.of(np.array([1.0], "float32"))}
    ends = b"w" + np.array([1.0], "<f4").tobytes()
    original, plain = safetensors.checksums(arrays)
    assert original == zlib.crc32(b"n" + bytes(3) + ends)
    assert plain == zlib.crc32(b"n" + np.array(3, "<i4").tobytes() + ends)


def test_every_shortened_file_is_refused(path, tmp_path):
    safetensors.write(path, {"a": StoredArray("uint8", (3,), b"xyz")})
    whole, cut = path.read_bytes(), tmp_path / "cut.safetensors"
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        with pytest.raises(CheckpointError, match=str(cut)):
            safetensors.read(cut)


ENTRY = {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ([], "no JSON object"),
        ({"a": {"dtype": "U8"}}, "'a' is damaged"),
        ({"a": ENTRY | {"dtype": "X9"}}, "unknown type"),
        ({"a": ENTRY | {"shape": [2]}}, "needs 2 bytes, but has 3"),
        ({"a": ENTRY | {"shape": [-3]}}, "damaged"),
        ({"a": ENTRY | {"data_offsets": [0, 9]}, "b": ENTRY}, "ends at byte 9"),
        ({"a": ENTRY, "b": ENTRY}, "starts at byte 0 instead of 3"),
        ({"a": ENTRY | {"shape": [1], "data_offsets": [0, 1]}}, "2 bytes at the end"),
        ({"a": ENTRY, "__metadata__": 3}, "no JSON object"),
        ({"a": ENTRY, "__metadata__": {"x": 1}}, "no texts"),
        ({"a": ENTRY | {"dtype": ["U8"]}}, "'a' is damaged"),
        ({"a": ENTRY | {"shape": [3, True]}}, "'a' is damaged"),
        ({"a": ENTRY | {"shape": [1] * 64 + [3]}}, "'a' has 65 axes"),
        ({"\ud800": ENTRY}, "no text that can be written"),
    ],
)
def test_a_damaged_header_is_refused_with_the_reason(path, header, message):
    with pytest.raises(CheckpointError, match=message):
        safetensors.read(written(path, header, b"xyz"))


def test_a_name_that_stands_there_twice_is_told(path):
    text = json.dumps({"a": ENTRY})[:-1].encode() + b', "a": ' + json.dumps(ENTRY | {"dtype": "I8"}).encode() + b"}"
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"xyz")
    with pytest.raises(CheckpointError, match="the name 'a' stands there twice"):
        safetensors.read(path)


def test_files_are_exchanged_with_the_library_of_the_format(path, tmp_path):
    arrays = {"a": np.arange(6, dtype="int16").reshape(2, 3), "b.c": np.array(0.5), "e": np.zeros((0, 2), "uint8")}
    safetensors.write(path, {name: StoredArray.of(a) for name, a in arrays.items()}, {"format": "ms"})
    found = safetensors_library.load_file(path)
    assert {name: (a.dtype, a.tolist()) for name, a in found.items()} == {
        name: (a.dtype, a.tolist()) for name, a in arrays.items()}
    other = tmp_path / "other.safetensors"
    safetensors_library.save_file(arrays, other, {"by": "library"})
    stored, metadata = safetensors.read(other)
    assert metadata == {"by": "library"}
    assert {name: bytes(a.data) for name, a in stored.items()} == {name: a.tobytes() for name, a in arrays.items()}
