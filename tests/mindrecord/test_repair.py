"""Indexes that are made again are those that were written, bit for bit."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mindrecord_files import small_writer

from mindspore.formats.mindrecord.errors import MindRecordFileError, MRMWriteDatasetError
from mindspore.formats.mindrecord.rebuilding import rebuild
from mindspore.mindrecord import FileReader, FileWriter, set_enc_key
from mindspore.mindrecord.repair import main

SCHEMA = {
    "i": {"type": "int32"},
    "l": {"type": "int64"},
    "f": {"type": "float32"},
    "d": {"type": "float64"},
    "s": {"type": "string"},
    "b": {"type": "bytes"},
    "v": {"type": "int64", "shape": [-1]},
}
FLOATS = [0.0, -0.0, 0.1, 1.5, float("nan"), float("inf"), -1e300, 1e-310]


def row(i):
    return {
        "i": i - 7,
        "l": (-1) ** i * 11**i % 2**63,
        "f": FLOATS[i % 4],
        "d": FLOATS[i % 8],
        "s": "tëxt '\" " * (i % 9),
        "b": bytes(i * 37 % 900),
        "v": np.arange(i % 5 + 1) * 300,
    }


def written(path, shards=1, schema=SCHEMA, index=None, parallel=False, parts=(3, 120, 1, 200)):
    writer = small_writer(path, schema, shards)
    if index:
        writer.add_index(index)
    for count in parts:
        rows = [{name: row(i)[name] for name in schema} for i in range(count)]
        writer.write_raw_data(rows, parallel)
    writer.commit()
    return [str(path)] if shards == 1 else [f"{path}{number}" for number in range(shards)]


def contents(paths):
    return [Path(path + ".db").read_bytes() for path in paths]


SETS = {
    "one file": {},
    "shards": {"shards": 3},
    "parallel": {"shards": 2, "parallel": True},
    "some fields": {"index": ["s", "d"]},
    "no index field": {"schema": {"b": {"type": "bytes"}, "v": SCHEMA["v"]}},
    "no blob": {"schema": {"l": {"type": "int64"}}},
    "empty": {"parts": ()},
}


@pytest.mark.parametrize("what", SETS)
def test_a_deleted_index_comes_back_bit_for_bit(what, tmp_path):
    paths = written(tmp_path / "a", **SETS[what])
    wanted = contents(paths)
    for path in paths:
        os.unlink(path + ".db")
    with pytest.raises(MindRecordFileError, match=r"mindspore\.mindrecord\.repair"):
        FileReader(paths[0])
    for path in paths:
        rebuild(path)
    assert contents(paths) == wanted


def test_the_index_of_appended_rows_comes_back_bit_for_bit(tmp_path):
    paths = written(tmp_path / "a", shards=2)
    for count in (1, 40, 40):
        writer = FileWriter.open_for_append(paths[1])
        writer.write_raw_data([row(i) for i in range(count)])
        writer.commit()
    wanted = contents(paths)
    os.unlink(paths[0] + ".db")
    assert rebuild(paths[0]) == {paths[0]: True, paths[1]: False}
    assert contents(paths) == wanted
    rebuild(paths[0], sound=True)
    assert contents(paths) == wanted


@pytest.mark.parametrize("name", ["multi_blob_page", "multi_raw_page", "numeric", "strings", "appended"])
def test_the_index_of_a_set_of_the_original_has_the_same_rows(name, reference, tmp_path):
    # observed: files that MindSpore 2.10 wrote
    source = f"{reference}/formats/fixtures/mindrecord/{name}.mindrecord"
    if not os.path.exists(source):
        pytest.skip("this file is not among the reference material, only what it contains")
    path = shutil.copy(source, tmp_path)
    rebuild(path)
    assert rows_of(path) == rows_of(source)


def rows_of(path):
    with sqlite3.connect(f"file:{path}.db?mode=ro&immutable=1", uri=True) as database:
        found = [database.execute(f"SELECT * FROM {table}").fetchall() for table in ("INDEXES", "SHARD_NAME")]
        layout = database.execute("SELECT sql FROM sqlite_master").fetchall()
    database.close()
    return found, [" ".join(text.replace(",", " ").split()) if text else text for (text,) in layout]


DAMAGES = {
    "no database": lambda path: Path(path + ".db").write_bytes(b"none"),
    "cut off": lambda path: os.truncate(path + ".db", 5000),
    "empty": lambda path: os.truncate(path + ".db", 0),
    "of another set": lambda path: shutil.copy(written(path + "_other")[0] + ".db", path + ".db"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_index_is_made_again(what, tmp_path):
    paths = written(tmp_path / "a")
    wanted = contents(paths)
    DAMAGES[what](paths[0])
    with pytest.raises(MindRecordFileError):
        list(FileReader(paths[0]).get_next())
    assert rebuild(paths[0]) == {paths[0]: True}
    assert contents(paths) == wanted


def test_a_damaged_data_file_is_refused_and_stays(tmp_path):
    (path,) = written(tmp_path / "a")
    index = contents([path])
    os.truncate(path, os.path.getsize(path) - 1)
    with pytest.raises(MindRecordFileError, match="cut off"):
        rebuild(path)
    assert contents([path]) == index
    assert sorted(os.listdir(tmp_path)) == ["a", "a.db"]


def test_a_set_that_is_being_written_is_refused(tmp_path):
    (path,) = written(tmp_path / "a")
    writer = small_writer(path, SCHEMA, overwrite=True)
    writer.write_raw_data([row(1)])
    with pytest.raises(MRMWriteDatasetError, match="another writer"):
        rebuild(path)


def test_an_encrypted_set_is_refused(tmp_path):
    set_enc_key("0123456789012345")
    (path,) = written(tmp_path / "a")
    with pytest.raises(MindRecordFileError, match="encrypted"):
        rebuild(path)


def test_the_command_tells_what_it_did(tmp_path, capsys):
    paths = written(tmp_path / "a", shards=2)
    wanted = contents(paths)
    os.unlink(paths[1] + ".db")
    command = [sys.executable, "-m", "mindspore.mindrecord.repair", paths[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{paths[0]}.db: sound", f"{paths[1]}.db: made again"]
    assert contents(paths) == wanted
    assert main(["--all", str(tmp_path / "none"), paths[0]]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [f"{path}.db: made again" for path in paths]
    assert "none' does not exist" in shown.err
