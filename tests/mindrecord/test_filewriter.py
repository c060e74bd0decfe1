"""Files are written whole, equal those of the original, and give the rows back that were written."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from archives import arrays_of
from mindrecord_files import small_writer

from mindspore.core import log
from mindspore.formats.mindrecord.errors import (
    MRMOpenForAppendError,
    MRMSetHeaderError,
    MRMWriteDatasetError,
)
from mindspore.mindrecord import FileReader, FileWriter


def read(path, **options):
    with FileReader(path, **options) as reader:
        return list(reader.get_next())


def equal(got, wanted):
    return got.keys() == wanted.keys() and all(
        np.array_equal(got[name], wanted[name]) for name in wanted
    )


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def small(path, **options):
    """A writer of rows {"a": number} in small pages."""
    return small_writer(path, {"a": {"type": "int32"}}, **options)


def test_rows_are_read_as_they_were_written(written, rows):
    got = read(written(rows(10)))
    assert len(got) == 10
    assert all(equal(a, b) for a, b in zip(got, rows(10), strict=True))


def test_the_smallest_file_has_the_bytes_of_the_format(tmp_path):
    writer = small(tmp_path / "a")
    writer.write_raw_data([{"a": 7}, {"a": -300}])
    writer.commit()
    data = (tmp_path / "a").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert list(header) == [
        "header_size", "index_fields", "page", "page_size", "compression_size", "schema",
        "shard_addresses", "shard_id", "statistics", "version",
    ]  # fmt: skip
    assert header["version"] == "3.0"
    assert header["page"][1]["page_size"] == 26
    assert not any(data[8 + length : 2**14])
    blob = bytes([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert data[2**14 : 2**14 + 24] == blob * 2
    raw = data[2**14 + 2**15 :]
    assert (
        raw == b"\x04" + bytes(7) + b"\x81\xa1a\x07" + b"\x06" + bytes(7) + b"\x81\xa1a\xd1\xfe\xd4"
    )


@pytest.mark.parametrize(
    "name",
    ["appended", "image_label", "multi_blob_page", "multi_raw_page", "numeric", "only_blob", "strings", "empty",
     "single_int_array"],
)  # fmt: skip
def test_files_equal_those_of_the_original_byte_for_byte(name, reference, tmp_path):
    # observed: files that MindSpore 2.10 wrote
    base = f"{reference}/formats/fixtures/mindrecord/{name}.mindrecord"
    with open(base + ".expected.json") as file:
        expected = json.load(file)
    arrays = arrays_of(base + ".expected.npz") if os.path.exists(base + ".expected.npz") else {}
    given = {"npz": lambda x: arrays[x], "bytes_npz": lambda x: arrays[x].tobytes(), "str": str}
    given |= {"float_hex": float.fromhex, "int": int}
    rows = [
        {key: given[kind := next(iter(v))](v[kind]) for key, v in row.items()}
        for row in expected["rows"]
    ]
    path = str(tmp_path / f"{name}.mindrecord")
    writer = FileWriter(path)
    writer.set_header_size(expected["header_size"])
    writer.set_page_size(expected["page_size"])
    writer.add_schema(expected["schema_given"], expected["schema_desc_given"])
    if expected["index_given"]:
        writer.add_index(expected["index_given"])
    begin = 0
    for count in expected["write_chunks"]:
        if count:
            writer.write_raw_data(rows[begin : begin + count])
        begin += count
    writer.commit()
    if expected["appended_rows"]:
        writer = FileWriter.open_for_append(path)
        writer.write_raw_data(rows[begin:])
        writer.commit()
    stats = expected["file_stats"][f"{name}.mindrecord"]
    with open(path, "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() == stats["sha256"]


@pytest.mark.parametrize("count", [2, 12])
def test_rows_are_shared_out_to_shards_in_equal_ranges(count, written, rows, tmp_path):
    numbers = []
    path = written(rows(14), shards=count)
    width = len(str(count - 1))
    for i in range(count):
        part = [row["number"] for row in read([f"{path}{i:0{width}d}"])]
        assert part == list(range(part[0], part[0] + len(part)))
        assert len(part) in (14 // count, 14 // count + 1)
        numbers += part
    assert numbers == list(range(14))
    assert [row["number"] for row in read(f"{path}{0:0{width}d}")] == numbers


def test_rows_of_many_calls_fill_pages_and_are_found_again(tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.set_page_size(2**15)
    writer.add_schema({"n": {"type": "int64"}, "s": {"type": "string"}, "b": {"type": "bytes"}})
    rng = np.random.default_rng(0)
    rows = [
        {"n": i, "s": "x" * int(rng.integers(9000)), "b": bytes(int(rng.integers(9000)))}
        for i in range(60)
    ]
    for begin in range(0, 60, 7):
        writer.write_raw_data(rows[begin : begin + 7])
    writer.commit()
    assert read(str(tmp_path / "a")) == rows


def test_a_row_may_fill_a_page_but_not_more(tmp_path):
    schema = {"b": {"type": "bytes"}}
    for size, fits in ((2**15 - 8, True), (2**15 - 7, False)):
        writer = FileWriter(str(tmp_path / str(size)))
        writer.set_page_size(2**15)
        writer.add_schema(schema)
        if fits:
            writer.write_raw_data([{"b": bytes(size)}])
            writer.commit()
        else:
            with pytest.raises(MRMWriteDatasetError, match="set_page_size"):
                writer.write_raw_data([{"b": bytes(size)}])
    assert names(tmp_path) == ["32760", "32760.db"]


def test_rows_that_do_not_fit_are_left_out_with_a_warning(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", lambda text, *values: said.append(text % values))
    writer = small(tmp_path / "a")
    writer.write_raw_data(
        [{"a": 1}, {"a": "2"}, {"b": 3}, {"a": 2**31}, {"a": np.int32(4)}, {"a": 5, "z": 0}]
    )
    writer.commit()
    assert [row["a"] for row in read(str(tmp_path / "a"))] == [1, 4, 5]
    assert "3 of 6 rows do not fit the schema" in said[0]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ({"type": "int32"}, 1.0),
        ({"type": "int32"}, True),
        ({"type": "int64"}, 2**63),
        ({"type": "float32"}, 1),
        ({"type": "float64"}, np.float32(1)),
        ({"type": "string"}, b"x"),
        ({"type": "string"}, "\udc80"),
        ({"type": "bytes"}, "x"),
        ({"type": "bytes"}, bytearray(b"x")),
        ({"type": "int32", "shape": [2]}, [1, 2]),
        ({"type": "int32", "shape": [2]}, np.zeros(2, np.int64)),
        ({"type": "int32", "shape": [2]}, np.zeros(3, np.int32)),
        ({"type": "int32", "shape": [-1, 2]}, np.zeros(3, np.int32)),
    ],
)
def test_a_list_without_a_fitting_row_is_refused(kind, value, tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.add_schema({"a": kind})
    with pytest.raises(MRMWriteDatasetError, match="'a' must be") as caught:
        writer.write_raw_data([{"a": value}])
    assert isinstance(caught.value, RuntimeError)
    assert names(tmp_path) == []


def test_arrays_may_be_views_and_of_another_byte_order_is_refused(tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.add_schema({"a": {"type": "int32", "shape": [3]}})
    writer.write_raw_data([{"a": np.arange(6, dtype=np.int32)[::2]}])
    with pytest.raises(MRMWriteDatasetError):
        writer.write_raw_data([{"a": np.arange(3, dtype=">i4")}])


def test_numbers_that_are_not_finite_come_back_also_from_the_index(tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.add_schema({"f": {"type": "float64"}})
    values = [np.nan, np.inf, -np.inf, -0.0, 0.1, 1e300]
    writer.write_raw_data([{"f": float(v)} for v in values])
    writer.commit()
    got = [row["f"] for row in read(str(tmp_path / "a"))]
    assert np.array(got).tobytes() == np.array(values).tobytes()


def test_nothing_has_its_name_before_commit_and_old_files_stay(tmp_path):
    writer = small(tmp_path / "a")
    writer.write_raw_data([{"a": 1}])
    assert not (tmp_path / "a").exists()
    writer.commit()
    other = small(tmp_path / "a", overwrite=True)
    other.write_raw_data([{"a": 2}])
    assert read(str(tmp_path / "a")) == [{"a": 1}]
    other.commit()
    assert read(str(tmp_path / "a")) == [{"a": 2}]
    assert names(tmp_path) == ["a", "a.db"]


def test_a_writer_that_is_dropped_leaves_nothing(tmp_path):
    writer = small(tmp_path / "a", shards=3)
    writer.write_raw_data([{"a": 1}])
    assert len(list(tmp_path.rglob("a*"))) == 6
    del writer
    assert names(tmp_path) == []


def test_files_that_exist_are_not_replaced_unless_asked(tmp_path):
    small(tmp_path / "a").commit()
    with pytest.raises(MRMWriteDatasetError, match="overwrite"):
        small(tmp_path / "a").write_raw_data([{"a": 1}])
    assert read(str(tmp_path / "a")) == []


PROGRAM = """
import sys
from mindspore.mindrecord import FileWriter
writer = FileWriter(sys.argv[1], 2, True)
writer.add_schema({"b": {"type": "bytes"}})
for number in range(3):
    writer.write_raw_data([{"b": bytes(1000)}] * 10)
print("written", flush=True)
sys.stdin.readline()
"""


def test_a_killed_writer_leaves_the_old_files_whole(tmp_path):
    writer = FileWriter(str(tmp_path / "a"), 2)
    writer.add_schema({"b": {"type": "bytes"}})
    writer.write_raw_data([{"b": b"old"}] * 2)
    writer.commit()
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "a")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"written\n"
        process.send_signal(signal.SIGKILL)
    assert read(str(tmp_path / "a0")) == [{"b": b"old"}] * 2
    left = [name for name in names(tmp_path) if not name.startswith(".")]
    assert left == ["a0", "a0.db", "a1", "a1.db"]


FULL = """
import resource, signal, sys
from mindspore.mindrecord import FileWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
writer = FileWriter(sys.argv[1])
writer.set_header_size(2**14)
writer.set_page_size(2**19)
large = sys.argv[2] == "data"  # else the index is larger
writer.add_schema({"b": {"type": "bytes"}} if large else {"n": {"type": "int64"}})
try:
    for number in range(100):
        writer.write_raw_data([{"b": bytes(100_000)}] if large else [{"n": 2**40}] * 1000)
    writer.commit()
except RuntimeError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(("large", "why"), [("data", "File too large"), ("index", "disk")])
def test_a_full_disk_is_an_error_and_leaves_nothing(large, why, tmp_path):
    command = [sys.executable, "-c", FULL, str(tmp_path / "a"), large]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MRMWriteDatasetError [MRMWriteDatasetError]: Failed to write")
    assert f"The file '{tmp_path / 'a'}' cannot be written" in done.stdout
    assert why in done.stdout
    assert names(tmp_path) == []


def test_appended_rows_come_after_the_others(written, rows):
    path = written(rows(5), shards=2, index=["label"])
    writer = FileWriter.open_for_append(path + "1")
    writer.write_raw_data(rows(5, 9))
    assert len(read(path + "0")) == 5
    writer.commit()
    got = read(path + "0")
    assert sorted(row["number"] for row in got) == list(range(9))
    assert all(equal(row, rows(9)[row["number"]]) for row in got)


def test_appending_to_version_2_is_refused(reference):
    path = f"{reference}/data/mindrecord/testOldVersion/aclImdb.mindrecord0"
    with pytest.raises(MRMOpenForAppendError, match=r"version 2\.0"):
        FileWriter.open_for_append(path)


def test_nothing_can_be_done_after_commit(tmp_path):
    writer = small(tmp_path / "a")
    writer.commit()
    with pytest.raises(RuntimeError, match="open_for_append"):
        writer.write_raw_data([{"a": 1}])
    with pytest.raises(RuntimeError, match="open_for_append"):
        writer.commit()


def test_a_header_that_outgrows_its_area_is_refused(tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.set_header_size(2**14)
    fields = {f"field_{i}_{'x' * 40}": {"type": "int32"} for i in range(200)}
    writer.add_schema(fields)
    writer.write_raw_data([dict.fromkeys(fields, 1)])
    with pytest.raises(MRMSetHeaderError, match="set_header_size"):
        writer.commit()
    assert names(tmp_path) == []
