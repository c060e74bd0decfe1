from __future__ import annotations

import os
import stat
import zlib
from importlib.util import find_spec

import numpy as np
import pytest

from mindspore.core.errors import CheckpointError
from mindspore.formats import checkpoint, cipher, files
from mindspore.formats.array import NUMPY, StoredArray

KEY = b"0123456789abcdef"
needs_cryptography = pytest.mark.skipif(not find_spec("cryptography"), reason="needs cryptography")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "weights.ckpt"


def flip_a_bit(path, place):
    """Change a byte of a file that may only be read."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.chmod(0o600)
    path.write_bytes(data)


def array(*shape, dtype="float32"):
    count = int(np.prod(shape))
    return StoredArray.of((np.arange(count) % 2 + 1).astype(dtype).reshape(shape))


def same(got, want):
    return got.dtype == want.dtype and got.shape == want.shape and bytes(got.data) == bytes(want.data)


def test_bytes_are_those_of_the_format_description(path):
    checkpoint.write(path, [("w", StoredArray.of(np.array([[1.0], [2.0]], "float32")))])
    content = np.array([1.0, 2.0], "<f4").tobytes()
    inner = b"\x08\x02\x08\x01" + b"\x12\x07Float32" + b"\x1a\x08" + content
    entry = b"\x0a\x01w" + b"\x12" + bytes([len(inner)]) + inner
    assert path.read_bytes() == b"\x0a" + bytes([len(entry)]) + entry


def test_every_type_comes_back_as_it_was(path):
    names = [name for name in NUMPY if name not in checkpoint.UNREADABLE]
    entries = {name: StoredArray(name, (2, 3), bytes(range(6 * NUMPY[name].itemsize))) for name in names}
    checkpoint.write(path, entries.items())
    found = checkpoint.read(path)
    assert list(found) == names
    assert all(same(found[name], entries[name]) for name in names)


def test_scalars_texts_and_order_come_back(path):
    entries = {"z": array(), "text": "häl lo 中", "a": array(2)}
    checkpoint.write(path, entries.items())
    found = checkpoint.read(path)
    assert list(found) == ["z", "text", "a"]
    assert found["z"].shape == ()
    assert found["text"] == "häl lo 中"


def test_an_array_without_elements_is_not_stored(path):
    checkpoint.write(path, [("empty", array(0, 3)), ("w", array(2))])
    assert list(checkpoint.read(path)) == ["w"]


def test_a_large_array_is_cut_into_entries_that_repeat_its_shape(path, monkeypatch):
    monkeypatch.setattr(checkpoint, "SLICE_BYTES", 100)
    big = array(5, 17)
    checkpoint.write(path, [("first", array(2)), ("big", big), ("last", array(3))])
    assert path.read_bytes().count(b"\x08\x05\x08\x11") == 4  # 340 bytes in pieces of 100
    found = checkpoint.read(path)
    assert list(found) == ["first", "big", "last"]
    assert same(found["big"], big)


def test_a_later_entry_of_the_same_name_replaces_the_first_and_keeps_its_place(path):
    checkpoint.write(path, [("w", array(2)), ("b", array(1)), ("b", array(3)), ("w", array())])
    found = checkpoint.read(path)
    assert [(name, value.shape) for name, value in found.items()] == [("w", ()), ("b", (3,))]


def test_only_wanted_names_are_read(path):
    checkpoint.write(path, [("net.w", array(2)), ("moments.w", array(2))])
    assert list(checkpoint.read(path, wanted=lambda name: name.startswith("net."))) == ["net.w"]


def test_the_suffix_of_cached_parameters_is_dropped(path):
    checkpoint.write(path, [("table.__param_key__3", array(2))])
    assert list(checkpoint.read(path)) == ["table"]


def test_an_older_scalar_has_one_element_under_the_shape_zero(path):
    checkpoint.write(path, [("s", StoredArray("float32", (0,), np.float32(2.5).tobytes()))])
    value = checkpoint.read(path)["s"]
    assert value.shape == ()
    assert value.numpy() == 2.5


@pytest.mark.parametrize("dtype", checkpoint.UNREADABLE)
def test_complex_numbers_of_other_writers_are_refused(path, dtype, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "UNREADABLE", ())
        checkpoint.write(path, [("w", array(2, dtype=dtype))])
    with pytest.raises(CheckpointError):
        checkpoint.read(path)


@pytest.mark.parametrize("dtype", checkpoint.UNREADABLE)
def test_complex_numbers_are_refused_and_leave_no_file(path, dtype):
    with pytest.raises(ValueError, match="safetensors"):
        checkpoint.write(path, [("w", array(2)), ("c", array(2, dtype=dtype))])
    assert os.listdir(path.parent) == []


def test_a_failed_write_keeps_the_older_file(path):
    checkpoint.write(path, [("w", array(2))])
    before = path.read_bytes()

    def entries():
        yield "w", array(3)
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        checkpoint.write(path, entries())
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_the_file_is_read_only_and_can_be_written_again(path):
    checkpoint.write(path, [("w", array(2))])
    assert stat.S_IMODE(path.stat().st_mode) == 0o400
    checkpoint.write(path, [("w", array(3))])
    assert checkpoint.read(path)["w"].shape == (3,)


def test_every_shortened_file_is_refused_with_the_path_and_the_place(path, tmp_path):
    checkpoint.write(path, [("w", array(2, 3)), ("text", "abc")])
    whole, cut = path.read_bytes(), tmp_path / "cut.ckpt"
    border = 2 + whole[1]  # where the first entry ends
    for length in range(1, len(whole)):
        cut.write_bytes(whole[:length])
        if length == border:
            assert list(checkpoint.read(cut)) == ["w"]  # a shorter sound file cannot be told from a cut one
        else:
            with pytest.raises(CheckpointError, match=rf"{cut}.*byte"):
                checkpoint.read(cut)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (StoredArray("float32", (3,), bytes(8)), "needs 12 bytes, but has 8"),
        (StoredArray("float32", (2,), bytes(12)), "needs 8 bytes, but has 12"),
    ],
)
def test_content_that_does_not_fit_the_shape_is_refused(path, entry, message):
    checkpoint.write(path, [("w", entry)])
    with pytest.raises(CheckpointError, match=message):
        checkpoint.read(path)


@pytest.mark.parametrize("content", [b"hello world", b"\x0a\x03\x0a\x01w", b"\x08\x01", b"\x12\x01a"])
def test_other_bytes_are_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="Failed to read the checkpoint file"):
        checkpoint.read(path)


def test_the_checksum_covers_all_bytes_before_it(path):
    checkpoint.write(path, [("w", array(2)), ("t", "x")], crc=True)
    data = path.read_bytes()
    assert data[-17:] == b"crc_num" + zlib.crc32(data[:-17]).to_bytes(10, "big")
    assert list(checkpoint.read(path, check_crc=True)) == list(checkpoint.read(path)) == ["w", "t"]


def test_a_changed_bit_is_found_by_the_checksum(path):
    checkpoint.write(path, [("w", array(2))], crc=True)
    flip_a_bit(path, -18)
    assert "w" in checkpoint.read(path)
    with pytest.raises(CheckpointError, match="checksum"):
        checkpoint.read(path, check_crc=True)


@needs_cryptography
@pytest.mark.parametrize("mode", list(cipher.MAGIC))
def test_an_encrypted_file_opens_with_its_key_only(path, mode, monkeypatch):
    monkeypatch.setattr(cipher, "PIECE", 64)  # several blocks
    entries = {"w": array(10, 5), "b": array(5)}
    checkpoint.write(path, entries.items(), key=KEY, mode=mode)
    found = checkpoint.read(path, key=KEY, mode=mode)
    assert all(same(found[name], entries[name]) for name in entries)
    with pytest.raises(CheckpointError):
        checkpoint.read(path, key=KEY[::-1], mode=mode)
    with pytest.raises(CheckpointError, match="encrypted"):
        checkpoint.read(path)


@needs_cryptography
def test_a_changed_byte_of_an_encrypted_file_is_found(path):
    checkpoint.write(path, [("w", array(3))], key=KEY)
    flip_a_bit(path, -3)
    with pytest.raises(CheckpointError, match="changed"):
        checkpoint.read(path, key=KEY)


@pytest.mark.parametrize(("key", "mode"), [(b"short", "AES-GCM"), (KEY, "ROT13"), (b"x" * 24, "SM4-CBC")])
def test_a_wrong_kind_of_key_is_refused_before_anything_is_written(path, key, mode):
    with pytest.raises(ValueError, match="must"):
        checkpoint.write(path, [("w", array(1))], key=key, mode=mode)
    assert os.listdir(path.parent) == []


def test_a_missing_folder_is_the_machine_s_error(tmp_path):
    with pytest.raises(FileNotFoundError), files.atomic(tmp_path / "no" / "file"):
        pass
