"""Damage of every kind gives an error that names the file."""

from __future__ import annotations

import json
import shutil
import sqlite3

import numpy as np
import pytest

from mindspore.formats.mindrecord.errors import MindRecordException, MindRecordFileError
from mindspore.formats.mindrecord.header import read_header
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.formats.mindrecord.row import encode_row
from mindspore.formats.mindrecord.schema import parse_schema
from mindspore.formats.mindrecord.writer import new_set, shard_paths

CONTENT = {
    "n": {"type": "int32"},
    "s": {"type": "string"},
    "b": {"type": "bytes"},
    "v": {"type": "int32", "shape": [-1]},
}


def row(i):
    return {"n": i, "s": f"t{i}", "b": bytes(i), "v": np.arange(i, dtype=np.int32)}


def write(path, rows=8, shards=1, content=CONTENT, pages=2**15):
    schema = parse_schema(content)
    paths = shard_paths(str(path), shards)
    writer = new_set(paths, schema, [f.name for f in schema.raws], "", 2**14, pages)
    writer.write([encode_row(schema, row(i)) for i in range(rows)])
    writer.commit()
    return paths


def read(source):
    records = RecordSet(source)
    numbers = np.arange(records.rows)
    return {field.name: list(records.column(field, numbers)) for field in records.fields()}


def change_header(path, change):
    with open(path, "r+b") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        change(header)
        text = json.dumps(header).encode()
        file.seek(0)
        file.write(len(text).to_bytes(8, "little") + text)


def overwrite(path, at, content):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(content)


def sql(path, *statements):
    with sqlite3.connect(path + ".db") as database:
        for statement in statements:
            database.execute(statement)
    database.close()


def first(kind):
    """Changes the first entry of a list in the header."""
    return lambda name, value: lambda header: header[kind][0].__setitem__(name, value)


HEADERS = {
    "version": lambda h: h.update(version="4.0"),
    "size of the header area": lambda h: h.update(header_size=10),
    "size of pages": lambda h: h.update(page_size="big"),
    "no schema": lambda h: h.update(schema=[]),
    "no schema key": lambda h: h.pop("schema"),
    "type": lambda h: h["schema"][0]["schema"]["n"].update(type="int16"),
    "blob fields": lambda h: h["schema"][0].update(blob_fields=["b"]),
    "index field": lambda h: h["index_fields"][0].update(index_field="b"),
    "kind of a page": first("page")("page_type", "OTHER"),
    "number of a page": first("page")("page_id", 7),
    "used bytes": first("page")("page_size", 2**20),
    "first row": first("page")("start_row_id", 3),
    "last row": first("page")("end_row_id", 5),
    "pages": lambda h: h.update(page=3),
    "a name": lambda h: h.update(shard_addresses=["other"]),
    "no object": lambda h: h.clear(),
}


@pytest.mark.parametrize("what", HEADERS)
def test_a_damaged_header_is_refused(what, tmp_path):
    (path,) = write(tmp_path / "a")
    read(path)
    change_header(path, HEADERS[what])
    with pytest.raises(MindRecordFileError, match=r"a'|a\.db'"):
        read(path)


RAW = 2**14 + 2**15
BYTES = {
    "length of the header": (0, b"\xff" * 8),
    "text of the header": (8, b"x"),
    "length of a blob row": (2**14, b"\x01"),
    "length of a blob": (2**14 + 8, b"\xff"),
    "number of integers": (2**14 + 8 + 8 + 8, b"\x00\x00\x00\x09"),
    "length of a raw row": (RAW, b"\x63"),
    "head of a raw row": (RAW + 8, b"\x00"),
    "key of a raw row": (RAW + 10, b"z"),
    "value of a raw row": (RAW + 11, b"\xc0"),
    "text of a raw row": (RAW + 15, b"\xff"),
}


@pytest.mark.parametrize("what", BYTES)
def test_damaged_bytes_are_refused(what, tmp_path):
    (path,) = write(tmp_path / "a")
    overwrite(path, *BYTES[what])
    with pytest.raises(MindRecordFileError, match="a'"):
        read(path)


INDEXES = {
    "no rows": ["DELETE FROM INDEXES"],
    "a row less": ["DELETE FROM INDEXES WHERE ROW_ID = 3"],
    "a row more": ["UPDATE INDEXES SET ROW_ID = 9 WHERE ROW_ID = 7"],
    "no table": ["DROP TABLE INDEXES"],
    "no name": ["DROP TABLE SHARD_NAME"],
    "another name": ["UPDATE SHARD_NAME SET NAME = 'b'"],
    "a page": ["UPDATE INDEXES SET PAGE_ID_RAW = 99"],
    "a page of the other kind": ["UPDATE INDEXES SET PAGE_ID_BLOB = 1, PAGE_ID_RAW = 0"],
    "a negative place": ["UPDATE INDEXES SET PAGE_OFFSET_BLOB = -8 WHERE ROW_ID = 0"],
    "a place": ["UPDATE INDEXES SET PAGE_OFFSET_RAW = PAGE_OFFSET_RAW + 1"],
    "an end": ["UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = 30000"],
    "a text": ["UPDATE INDEXES SET PAGE_OFFSET_RAW = 'x'"],
}


@pytest.mark.parametrize("what", INDEXES)
def test_a_damaged_index_is_refused(what, tmp_path):
    (path,) = write(tmp_path / "a")
    sql(path, *INDEXES[what])
    with pytest.raises(MindRecordFileError):
        read(path)


def test_an_index_that_is_none_or_missing_is_refused(tmp_path):
    (path,) = write(tmp_path / "a")
    (tmp_path / "a.db").write_bytes(b"no database" * 100)
    with pytest.raises(MindRecordFileError, match="no index"):
        read(path)
    (tmp_path / "a.db").unlink()
    with pytest.raises(MindRecordFileError, match="has no index"):
        read(path)


@pytest.mark.parametrize("size", [0, 3, 8, 100, 2**14, 2**14 + 5, RAW + 10])
def test_a_truncated_file_is_refused(size, tmp_path):
    (path,) = write(tmp_path / "a")
    with open(path, "r+b") as file:
        file.truncate(size)
    with pytest.raises(MindRecordFileError):
        read(path)


def test_a_file_that_is_cut_off_behind_the_wanted_field_is_refused(tmp_path):
    (path,) = write(tmp_path / "a")
    with open(path, "r+b") as file:
        file.truncate(RAW + 10)
    with pytest.raises(MindRecordFileError, match="cut off"):
        RecordSet(path)


def test_random_damage_is_an_error_or_changes_values_but_nothing_else(tmp_path):
    (path,) = write(tmp_path / "a")
    rng = np.random.default_rng(3)
    header = read_header(path)
    used = [(header.position(n), page.used) for n, page in enumerate(header.pages)]
    for trial in range(60):
        start, length = used[trial % 2]
        copy = tmp_path / f"t{trial}"
        copy.mkdir()
        shutil.copy(path, copy / "a")
        shutil.copy(path + ".db", copy / "a.db")
        overwrite(copy / "a", start + int(rng.integers(length)), rng.bytes(2))
        try:
            got = read(str(copy / "a"))
        except MindRecordException:
            continue
        assert {len(column) for column in got.values()} == {8}


def test_a_file_with_another_name_is_refused(tmp_path):
    (path,) = write(tmp_path / "a")
    for end in ("", ".db"):
        shutil.move(path + end, str(tmp_path / "b") + end)
    with pytest.raises(MindRecordFileError, match="names that they were written with"):
        read(str(tmp_path / "b"))


def test_one_file_stands_for_its_set_and_a_list_for_itself(tmp_path):
    paths = write(tmp_path / "a", rows=9, shards=3)
    assert read(paths[1])["n"] == list(range(9))
    assert read(paths[::-1])["n"] == [6, 7, 8, 3, 4, 5, 0, 1, 2]
    shutil.move(paths[0], tmp_path / "away")
    with pytest.raises(MindRecordFileError, match="is missing"):
        read(paths[1])
    assert read(paths[1:])["n"] == [3, 4, 5, 6, 7, 8]


def test_files_of_different_sets_do_not_go_together(tmp_path):
    (one,) = write(tmp_path / "a")
    (other,) = write(tmp_path / "b", pages=2**16)
    with pytest.raises(MindRecordFileError, match="differs"):
        read([one, other])


def test_rows_in_any_order_over_shards(tmp_path):
    paths = write(tmp_path / "a", rows=20, shards=3)
    records = RecordSet(paths)
    numbers = np.random.default_rng(0).permutation(20)
    for field in records.fields():
        got = records.column(field, numbers)
        for value, number in zip(got, numbers, strict=True):
            wanted = row(number)[field.name]
            value = value.tobytes() if field.name == "b" and number else value
            assert np.array_equal(value, wanted) or (field.name == "b" and not number)


def test_columns_of_one_shape_are_one_array(tmp_path):
    content = {
        "a": {"type": "float32", "shape": [2, 3]},
        "b": {"type": "bytes"},
        "c": {"type": "int64", "shape": [2]},
    }
    schema = parse_schema(content)
    writer = new_set([str(tmp_path / "a")], schema, [])
    rows = [
        {"a": np.full((2, 3), i, np.float32), "b": bytes([i, 0]), "c": np.array([i, 10**i])}
        for i in range(5)
    ]
    writer.write([encode_row(schema, r) for r in rows])
    writer.commit()
    records = RecordSet(str(tmp_path / "a"))
    a, b, c = (records.column(field, np.array([4, 0, 2])) for field in records.fields())
    assert (a.shape, a.dtype, a[:, 0, 0].tolist()) == ((3, 2, 3), np.float32, [4, 0, 2])
    assert (b.shape, b.dtype) == ((3, 1), np.dtype("S2"))
    assert b.tobytes() == bytes([4, 0, 0, 0, 2, 0])
    assert c.tolist() == [[4, 10**4], [0, 1], [2, 100]]
