"""MindRecord files go to the original and back, where ANYSPORE_ORACLE names a Python that has MindSpore 2.10."""

from __future__ import annotations

import os
import subprocess

import pytest

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
# Run by both packages with "write" or "read" and a folder; what is read is printed.
PROGRAM = r"""
import os, sys
import numpy as np
import mindspore.dataset as ds
from mindspore.mindrecord import FileReader, FileWriter, MindPage, set_dec_mode, set_enc_key, set_enc_mode

mode, folder = sys.argv[1:]
os.chdir(folder)
ALL = {
    "i32": {"type": "int32"}, "i64": {"type": "int64"}, "f32": {"type": "float32"}, "f64": {"type": "float64"},
    "s": {"type": "string"}, "b": {"type": "bytes"},
    "v32": {"type": "int32", "shape": [-1]}, "v64": {"type": "int64", "shape": [2, -1]},
    "w32": {"type": "float32", "shape": [2, 2]}, "w64": {"type": "float64", "shape": [-1]},
}
EDGES = [0, 1, -1, 127, -128, 128, -129, 32767, -32768, 32768, -32769, 2**31 - 1, -2**31, 2**31,
         -2**31 - 1, 2**63 - 1, -2**63]

def row(i):
    rng = np.random.default_rng(i)
    edge = EDGES[i % len(EDGES)]
    return {
        "i32": edge if abs(edge + .5) < 2**31 else i, "i64": edge, "f32": float(np.float32(i / 7)), "f64": i / 7,
        "s": "tëxt '%d\" \\ ; %s" % (i, "x" * (i * 37 % 400)), "b": rng.bytes(i * 91 % 3000 + 1),
        "v32": rng.integers(-2**31, 2**31, i % 5 + 1, np.int32) >> rng.integers(0, 31, i % 5 + 1, np.int32),
        "v64": np.array(EDGES[: i % 17 + 1] * 2, np.int64).reshape(2, -1), "w32": np.full((2, 2), i, np.float32),
        "w64": rng.standard_normal(i % 3 + 1),
    }

ROWS = [row(i) for i in range(60)]

def write(name, rows, schema=ALL, shards=1, index=None, size=2**15, parts=13, **options):
    writer = FileWriter(name, shards)
    writer.set_header_size(2**14)
    writer.set_page_size(size)
    writer.add_schema(schema, "both ways")
    if index:
        writer.add_index(index)
    for begin in range(0, len(rows), parts):
        writer.write_raw_data([{k: r[k] for k in schema} for r in rows[begin : begin + parts]], **options)
    writer.commit()

def cipher(source, size, target, key):
    target.write(bytes(byte ^ 90 for byte in source.read(size)))

def only(*names):
    return {name: ALL[name] for name in names}

def shown(value):
    if isinstance(value, np.ndarray) and value.dtype.kind == "S":
        return value.tobytes()
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return value.item()  # a text; how wide its array is differs
    return (str(value.dtype), value.shape, value.tolist()) if isinstance(value, np.ndarray) else value

def exact(name, value):  # the original reads 0.0 as 0, and nothing above 9e18, from an index
    return float(value) if name[0] == "f" else shown(value)

def read(name, **options):
    reader = FileReader(name, num_consumer=1, **options)
    print(repr(("reader", name, [{k: exact(k, v) for k, v in r.items()} for r in reader.get_next()])))
    reader.close()
    data = ds.MindDataset(name, shuffle=False, **({"columns_list": options["columns"]} if options else {}))
    print(repr(("dataset", name, data.get_dataset_size(), [{k: shown(v) for k, v in sorted(r.items())}
                for r in data.create_dict_iterator(num_epochs=1, output_numpy=True)])))

def encrypted(action):
    set_enc_key("0123456789012345")
    action("gcm")
    set_enc_mode(cipher)
    set_dec_mode(cipher)
    action("own")
    set_enc_key(None)
    set_enc_mode("AES-GCM")
    set_dec_mode(None)

if mode == "write":
    write("all", ROWS)
    write("shards", ROWS, shards=3, index=["i64", "s"], parts=60)
    write("many", ROWS, only("i32"), shards=11)
    write("one_blob", ROWS, only("b", "i32"), index=["i32"])
    write("ints", ROWS, only("v32"))
    write("raw", ROWS, only("i64", "s", "f64"))
    write("long", [dict(r, s=r["s"] * 40) for r in ROWS], only("s", "b"), parts=60)
    write("default", ROWS, only("b"), size=2**25)
    write("appended", ROWS[:7], index=["i64"])
    writer = FileWriter.open_for_append("appended")
    writer.write_raw_data(ROWS[7:])
    writer.commit()
    write("parallel", ROWS, shards=2, parallel_writer=True)
    encrypted(lambda name: write(name, ROWS[:9], only("i32", "b")))
    FileWriter("empty").add_schema(only("i32"))
    writer = FileWriter("empty")
    writer.add_schema(only("i32"))
    writer.commit()
else:
    for name in ("all", "shards0", "many05", "one_blob", "ints", "raw", "long", "default", "appended"):
        read(name)
    read("parallel0")
    read("parallel1")
    read(["shards2", "shards0"])
    for name in ("i32", "i64", "s", "b", "v64", "w32"):
        read("all", columns=[name])
    encrypted(read)
    print(FileReader("empty").len(), ds.MindDataset("empty").get_dataset_size())
    pages = MindPage("shards0", 1)
    pages.category_field = "i64"
    print(pages.read_category_info(), [r["i64"] for r in pages.read_at_page_by_id(3, 0, 10)])
"""


def run(interpreter, mode, folder, environment):
    done = subprocess.run(
        [interpreter, "-c", PROGRAM, mode, str(folder)],
        env={**os.environ, "GLOG_v": "4", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return [line for line in done.stdout.splitlines() if not line.startswith("[")]


@pytest.mark.parametrize("writer", ["ours", "the original"])
def test_both_packages_read_what_either_has_written(writer, tmp_path):
    import sys

    ours = sys.executable, {}
    original = ORACLE, {"PYTHONPATH": ""}
    interpreter, environment = ours if writer == "ours" else original
    run(interpreter, "write", tmp_path, environment)
    read = [run(which, "read", tmp_path, more) for which, more in (ours, original)]
    for mine, theirs in zip(*read, strict=True):
        assert mine == theirs
    assert len(read[0]) > 40
