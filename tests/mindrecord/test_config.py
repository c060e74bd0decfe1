from __future__ import annotations

import gc
import os
import tempfile

import pytest

from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.mindrecord import FileReader, FileWriter, set_dec_mode, set_enc_key, set_enc_mode
from mindspore.mindrecord.config import encrypt

KEY = "0123456789012345"


def read(path):
    with FileReader(path) as reader:
        return [row["number"] for row in reader.get_next()]


def flip(source, size, target, key):
    """A cipher for children."""
    target.write(bytes(byte ^ ord(key[0]) for byte in source.read(size)))


@pytest.fixture(autouse=True)
def _libraries():
    pytest.importorskip("cryptography", reason="needs the extra 'crypto'")


@pytest.mark.parametrize("key", [KEY, KEY + KEY[:8], KEY + KEY])
def test_encrypted_files_need_their_key(key, written, rows):
    set_enc_key(key)
    path = written(rows(5))
    with open(path, "rb") as file:
        content = file.read()
    assert content.endswith(bytes(4) + b"AES-GCMENCRYPT")
    assert "näme".encode() not in content
    assert read(path) == list(range(5))
    set_enc_key(KEY[::-1])
    with pytest.raises(MindRecordFileError, match="key is wrong"):
        read(path)
    set_enc_key(None)
    with pytest.raises(MindRecordFileError, match="is encrypted"):
        read(path)


def test_plain_files_are_not_read_with_a_key(written, rows):
    path = written(rows(1))
    set_enc_key(KEY)
    with pytest.raises(MindRecordFileError, match="is not encrypted"):
        read(path)


def test_encrypted_files_have_one_shard_and_can_be_appended_to(written, rows):
    set_enc_key(KEY)
    path = written(rows(2))
    writer = FileWriter.open_for_append(path)
    writer.write_raw_data(rows(2, 4))
    writer.commit()
    assert read(path) == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="one file only"):
        written(rows(2), "other", shards=2)


def test_a_function_may_encrypt_and_another_decrypts(written, rows):
    set_enc_key(KEY)
    set_enc_mode(flip)
    path = written(rows(3))
    with open(path, "rb") as file:
        assert file.read().endswith(bytes(4) + b"UDF-ENCENCRYPT")
    with pytest.raises(RuntimeError, match="set_dec_mode"):
        read(path)
    set_dec_mode(flip)
    assert read(path) == [0, 1, 2]
    set_dec_mode("AES-GCM")
    with pytest.raises(MindRecordFileError, match="by a function"):
        read(path)


def test_decrypted_copies_go_away(written, rows, monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    set_enc_key(KEY)
    path = written(rows(3))
    reader = FileReader(path)
    assert len(os.listdir(folder)) == 1
    del reader
    gc.collect()
    assert os.listdir(folder) == []


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (set_enc_key, "short"),
        (set_enc_key, 1),
        (set_enc_key, b"0123456789012345"),
        (set_enc_mode, "AES-CBC"),
        (set_enc_mode, None),
        (set_dec_mode, "SM4-CBC"),
        (set_dec_mode, 1),
    ],
)
def test_wrong_settings_are_refused(call, value):
    with pytest.raises(ValueError, match=r"must be|must have"):
        call(value)


def test_a_file_is_replaced_by_the_same_file_encrypted(written, rows):
    path = written(rows(3))
    assert encrypt(path, KEY, "AES-GCM") is True
    assert encrypt(path + ".db", KEY, "AES-GCM") is True
    set_enc_key(KEY)
    assert read(path) == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "key", "mode", "error"),
    [
        ("none", KEY, "AES-GCM", RuntimeError),
        ("plain", "short", "AES-GCM", ValueError),
        ("plain", None, "AES-GCM", ValueError),
        ("plain", KEY, "DES", ValueError),
    ],
)
def test_a_file_that_cannot_be_encrypted_stays(tmp_path, name, key, mode, error):
    (tmp_path / "plain").write_bytes(b"abc")
    with pytest.raises(error, match="For 'encrypt'"):
        encrypt(str(tmp_path / name), key, mode)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("plain", b"abc")]


def test_a_cipher_that_fails_leaves_the_file(tmp_path):
    def broken(source, size, target, key):
        target.write(b"half")
        raise OSError("no space")

    (tmp_path / "plain").write_bytes(b"abc")
    with pytest.raises(OSError, match="no space"):
        encrypt(str(tmp_path / "plain"), KEY, broken)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("plain", b"abc")]
