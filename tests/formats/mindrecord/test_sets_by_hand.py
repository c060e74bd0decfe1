"""Sets of rows of all lengths in small pages: what is read, in any order, and what stands in pages and indexes."""
from __future__ import annotations

import itertools
import json
import math
import pickle
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from mindspore.formats.mindrecord.errors import MindRecordFileError, MRMWriteDatasetError
from mindspore.formats.mindrecord.header import BLOB, read_header
from mindspore.formats.mindrecord.packing import pack, unpack
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.formats.mindrecord.row import encode_row
from mindspore.formats.mindrecord.schema import parse_schema
from mindspore.formats.mindrecord.shard import Shard
from mindspore.formats.mindrecord.writer import going_on, new_set, shard_paths
from mindspore.mindrecord import FileReader, FileWriter, MindPage

CONTENT = {
    "n": {"type": "int32"}, "big": {"type": "int64"}, "f": {"type": "float32"}, "d": {"type": "float64"},
    "s": {"type": "string"}, "b": {"type": "bytes"}, "v": {"type": "int64", "shape": [-1]},
    "m": {"type": "float32", "shape": [2, -1]}, "w": {"type": "int32", "shape": [3]}}
HEADER, PAGE = 2**14, 2**15
EDGES = [0, 1, -1, 31, 32, 127, 128, -128, -129, 2**15 - 1, 2**15, -(2**15), -(2**15) - 1, 2**31 - 1, -(2**31)]
WIDE = [*EDGES, 2**31, -(2**31) - 1, 2**63 - 1, -(2**63)]


def row(i, large=False):
    """A row whose values differ in each field, in width, and some in shape."""
    draw = np.random.default_rng(i)
    return {"n": EDGES[i % len(EDGES)], "big": WIDE[i % len(WIDE)], "f": float(np.float32(i / 7)), "d": -i / 3,
            "s": "é" * (i % 40) + str(i), "b": bytes([i % 256]) * (i * 37 % 300 + 5000 * large),
            "v": np.array(draw.choice(WIDE, i % 9)), "m": draw.standard_normal((2, i % 4 + 1)).astype(np.float32),
            "w": np.array([i, -i, i * 70_000], np.int32)}


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert type(found[name]) is type(value)
        if isinstance(value, np.ndarray):
            assert (found[name].dtype, found[name].shape) == (value.dtype, value.shape)
        assert np.array_equal(found[name], value)


def written(folder, calls, shards=1, index=("n", "s", "f"), more=()):
    """Write rows in some calls, and then others in calls of writers that go on."""
    schema, paths = parse_schema(CONTENT), shard_paths(str(folder / "set"), shards)
    writer = new_set(paths, schema, list(index), "", HEADER, PAGE)
    for rows in calls:
        writer.write([encode_row(schema, r) for r in rows])
    writer.commit()
    for rows in more:
        writer = going_on(RecordSet(paths[0]))
        writer.write([encode_row(schema, r) for r in rows])
        writer.commit()
    return paths


def lines(counts, large=False):
    """Rows for calls of so many."""
    ends = list(itertools.accumulate(counts))
    return [[row(i, large) for i in range(end - n, end)] for n, end in zip(counts, ends, strict=True)]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(("first", "more"), [((7,), ()), ((1, 1, 1), ()), ((90, 3, 200), ()), ((90,), (1, 150, 2)),
                                             ((1,), (300,))])
def test_rows_of_all_lengths_come_back_in_any_order(tmp_path, first, more, large):
    every = lines([*first, *more], large)
    (path,) = written(tmp_path, every[: len(first)], more=every[len(first):])
    rows = [r for call in every for r in call]
    found = list(FileReader(path).get_next())
    assert len(found) == len(rows)
    for got, wanted in zip(found, rows, strict=True):
        same(got, wanted)
    records = RecordSet(path)
    for numbers in ([len(rows) - 1], [0, len(rows) - 1, 0], np.random.default_rng(0).permutation(len(rows))[:50]):
        for field in records.fields():
            column = records.column(field, np.array(numbers))
            assert len(column) == len(numbers)
            if field.type == "bytes":
                assert records.contents(field, np.array(numbers)) == [rows[k]["b"] for k in numbers]
                continue
            for got, k in zip(column, numbers, strict=True):
                assert np.array_equal(got, rows[k][field.name])
    check_places(path, len(rows), [len(call) for call in every])


def check_places(path, count, calls):
    """The pages and the index say where each row is, rows follow one another, and pages hold no more than they can."""
    header, data = read_header(path), Path(path).read_bytes()
    with sqlite3.connect(path + ".db") as base:
        rows = base.execute("SELECT ROW_ID, PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, ROW_GROUP_ID, "
                            "PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END, INC_0, INC_1, INC_2, n_0 "
                            "FROM INDEXES ORDER BY ROW_ID").fetchall()
    base.close()
    assert [r[0] for r in rows] == list(range(count))
    assert {r[8:11] for r in rows} == {(0, 0, 0)}
    assert [r[11] for r in rows] == [EDGES[i % len(EDGES)] for k, n in enumerate(calls) for i in range(
        sum(calls[:k]), sum(calls[:k]) + n)]
    ends: dict[int, int] = {}
    for r in rows:
        for page, begin, end in ((r[1], r[2], r[3]), (r[5], r[6], r[7])):
            assert begin == ends.get(page, 0)
            ends[page] = end
            at = HEADER + page * PAGE + begin
            assert int.from_bytes(data[at : at + 8], "little") == end - begin - 8
    assert {k: page.used for k, page in enumerate(header.pages)} == ends
    assert max(ends.values()) <= PAGE
    assert len(data) == header.end
    groups = [r[4] for r in rows]
    assert groups == sorted(groups)
    for begin, end in itertools.pairwise([0, *[p.end for p in header.pages if p.kind == BLOB]]):
        assert len(set(groups[begin:end])) == 1
    by_group = {g: [r for r in rows if r[4] == g] for g in set(groups)}
    assert all(len({r[5] for r in held}) == len({r[1] for r in held}) == 1 for held in by_group.values())
    assert len({held[0][5] for held in by_group.values()}) == len(by_group)      # a blob page of its own for each


@pytest.mark.parametrize("sizes", [(300, 300), (40, 90, 290), (PAGE - 100, 50, PAGE - 100)])
def test_pages_are_filled_to_the_last_byte_and_no_further(tmp_path, sizes):
    schema = parse_schema({"b": {"type": "bytes"}})
    (path,) = shard_paths(str(tmp_path / "set"), 1)
    room = PAGE - 8 - sum(8 + n for n in sizes)
    for extra, pages in ((0, 1), (1, 2)):
        writer = new_set([path], schema, [], "", HEADER, PAGE)
        rows = [bytes(n) for n in sizes] + [b"x" * (room + extra)] if room > 0 else [bytes(n) for n in sizes]
        writer.write([encode_row(schema, {"b": r}) for r in rows])
        writer.commit()
        blobs = [p for p in read_header(path).pages if p.kind == BLOB]
        if room > 0:
            assert len(blobs) == pages
            assert (blobs[0].used == PAGE) is (extra == 0)
        records = RecordSet(path)
        assert records.contents(records.fields()[0], np.arange(len(rows))) == rows


def test_a_row_that_is_one_byte_too_long_is_refused_whichever_its_page(tmp_path):
    schema = parse_schema({"b": {"type": "bytes"}, "s": {"type": "string"}})
    head = len(encode_row(schema, {"b": b"", "s": "x" * 300}).raw) - 308
    for name, longest in (("b", PAGE - 8), ("s", PAGE - 8 - head)):
        for extra in (0, 1):
            path = str(tmp_path / f"{name}{extra}")
            writer = new_set([path], schema, [], "", HEADER, PAGE)
            value = {"b": b"", "s": ""} | {name: (b"x" if name == "b" else "x") * (longest + extra)}
            if extra:
                with pytest.raises(MRMWriteDatasetError, match="a page has 32768"):
                    writer.write([encode_row(schema, value)])
                writer.abort()
            else:
                writer.write([encode_row(schema, value)])
                writer.commit()
                assert RecordSet(path).rows == 1


@pytest.mark.parametrize("counts", [(10,), (11, 3), (1,), (2, 2, 2), (100,)])
@pytest.mark.parametrize("shards", [1, 3, 10, 11])
def test_shards_get_equal_shares_in_order_and_are_read_as_one(tmp_path, counts, shards):
    calls = lines(counts)
    paths = written(tmp_path, calls, shards)
    assert [path[len(str(tmp_path / "set")):] for path in paths] == (
        [""] if shards == 1 else [f"{k:0{len(str(shards - 1))}d}" for k in range(shards)])
    records = RecordSet(paths[0])
    shares = records.row_counts()
    assert sum(shares) == records.rows == sum(counts)
    for k in range(shards):
        assert sum(n // shards for n in counts) <= shares[k] <= sum(-(-n // shards) for n in counts)
        assert read_header(paths[k]).shard_id == k
    column = {f.name: f for f in records.fields()}
    held = [records.column(column["w"], np.arange(records.rows))[:, 0].tolist()]
    assert sorted(held[0]) == list(range(sum(counts)))
    parts = [[int(r["w"][0]) for r in FileReader([path]).get_next()] for path in paths]
    assert [v for part in parts for v in part] == held[0]
    assert all(part == sorted(part) for part in parts)
    chosen = np.random.default_rng(1).integers(0, records.rows, 40)
    for name in ("w", "v", "s", "d", "m"):
        found = records.column(column[name], chosen)
        for got, k in zip(found, chosen, strict=True):
            assert np.array_equal(got, row(held[0][k])[name])
    assert records.contents(column["b"], chosen) == [row(held[0][k])["b"] for k in chosen]


def test_columns_of_shards_with_other_lengths_are_put_in_their_places(tmp_path):
    schema = parse_schema({"b": {"type": "bytes"}, "v": {"type": "float32", "shape": [-1]}})
    paths = shard_paths(str(tmp_path / "set"), 3)
    writer = new_set(paths, schema, [], "", HEADER, PAGE)
    rows = [{"b": bytes([k + 65]) * (1 + k // 2), "v": np.full(1 + k // 2, k, np.float32)} for k in range(6)]
    writer.write([encode_row(schema, r) for r in rows])
    writer.commit()
    records = RecordSet(paths[1])
    b, v = records.fields()
    for numbers in ([0, 1], [1, 0], [0, 2, 4, 1], [5, 0, 3, 3, 2], range(6)):
        for field, name in ((b, "b"), (v, "v")):
            found = [np.asarray(x).tolist() for x in records.column(field, np.array(numbers))]
            wanted = [[rows[k]["b"]] if name == "b" else rows[k]["v"].tolist() for k in numbers]
            assert found == wanted


def test_a_set_goes_on_in_another_process_as_it_was_opened(tmp_path):
    paths = written(tmp_path, lines((20,)), 2)
    records = RecordSet(paths[0])
    shard = pickle.loads(pickle.dumps(records.shards[1]))
    field = records.fields(["w"])[0]
    assert shard.column(field, np.arange(10)).tolist() == records.shards[1].column(field, np.arange(10)).tolist()
    assert (shard.path, shard.known) == (paths[1], records.shards[1].known)
    assert shard.__getstate__() == records.shards[1].__getstate__()


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_integers_are_packed_in_as_few_bytes_as_hold_them(kind):
    limits = np.iinfo(kind)
    values = [v for v in WIDE if limits.min <= v <= limits.max]
    draw = np.random.default_rng(0)
    arrays = [np.array(v, kind) for n in range(3) for v in itertools.product(values, repeat=n)]
    arrays += [draw.choice(np.array(values, kind), n) for n in range(40)] + [np.array(values * 3, kind)]
    packed = [pack(a) for a in arrays]
    for array, content in zip(arrays, packed, strict=True):
        widths = [next(w for w in (1, 2, 4, 8) if -(2 ** (8 * w - 1)) <= v < 2 ** (8 * w - 1)) for v in array.tolist()]
        assert len(content) == 4 + math.ceil(len(array) / 4) + sum(widths)
        codes = "".join([f"{(1, 2, 4, 8).index(w):02b}" for w in widths]).ljust(8 * math.ceil(len(array) / 4), "0")
        assert content[:4] == len(array).to_bytes(4, "big")
        assert content[4 : 4 + len(codes) // 8] == int(codes or "0", 2).to_bytes(len(codes) // 8, "big")
        assert content[4 + len(codes) // 8:] == b"".join([v.to_bytes(w, "little", signed=True) for v, w in zip(
            array.tolist(), widths, strict=True)])
    data = np.frombuffer(b"__".join(packed), np.uint8)
    starts = np.cumsum([0, *[len(p) + 2 for p in packed[:-1]]])
    lengths = np.array([len(p) for p in packed])
    found, counts = unpack(data, starts, lengths, np.dtype(kind))
    assert counts.tolist() == [len(a) for a in arrays]
    np.testing.assert_array_equal(found, np.concatenate(arrays))
    for k in (0, 1, len(arrays) - 1):
        for wrong in (-1, 1):
            bad = lengths.copy()
            bad[k] += wrong
            assert unpack(data, starts, bad, np.dtype(kind)) is None


@pytest.mark.parametrize("index", [["n"], ["d", "n"], ["s", "f", "big"]])
def test_categories_of_any_index_have_their_rows_in_order(tmp_path, index):
    writer = FileWriter(str(tmp_path / "set"))
    writer.add_schema({k: v for k, v in CONTENT.items() if k in ("n", "d", "s", "f", "big")})
    for name in index:
        writer.add_index([name])
    rows = [{"n": k % 3 - 1, "big": 2**40 * (k % 2), "f": k % 4 / 3, "d": float("nan") if k == 5 else k % 5 / 10,
             "s": "ab"[k % 2]} for k in range(13)]
    writer.write_raw_data(rows)
    writer.commit()
    pages = MindPage(str(tmp_path / "set"))
    assert pages.candidate_fields == sorted(index)
    for name in (*index, *index[::-1]):
        pages.category_field = name
        info = json.loads(pages.read_category_info())
        assert info["key"] == f"{name}_0"
        names = [c["name"] for c in info["categories"]]
        assert names == sorted(names)
        for c in info["categories"]:
            mine = [k for k, r in enumerate(rows) if shown(r[name]) == c["name"]]
            assert c["count"] == len(mine)
            for size in (1, 2, 5):
                got = [r for at in range(-(-len(mine) // size)) for r in pages.read_at_page_by_id(c["id"], at, size)]
                assert [(r["n"], r["s"]) for r in got] == [(rows[k]["n"], rows[k]["s"]) for k in mine]
                assert repr(pages.read_at_page_by_name(c["name"], 0, size)) == repr(got[:size])


def shown(value):
    """A value of a field as the index shows it: with 15 digits."""
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.15g}"
    return text if any(sign in text for sign in ".en") else text + ".0"


def test_rows_that_do_not_fit_are_told_by_their_own_numbers(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr("mindspore.core.log.warning", lambda text, *values: said.append(text % values))
    writer = FileWriter(str(tmp_path / "set"))
    writer.add_schema({"n": {"type": "int32"}})
    writer.write_raw_data([{"n": 1}, {"n": "x"}, {"n": 2}, {"n": 2**31}, {"n": -(2**31)}, {"m": 1}])
    writer.commit()
    assert [r["n"] for r in FileReader(str(tmp_path / "set")).get_next()] == [1, 2, -(2**31)]
    (text,) = said
    assert text.startswith("3 of 6 rows do not fit")
    assert [f"row {k}: The field 'n'" in text for k in range(6)] == [False, True, False, True, False, True]


def test_after_an_error_a_writer_is_done_and_leaves_nothing(tmp_path):
    writer = FileWriter(str(tmp_path / "set"))
    writer.set_header_size(HEADER)
    writer.set_page_size(PAGE)
    writer.add_schema({"b": {"type": "bytes"}})
    writer.write_raw_data([{"b": b"x"}])
    with pytest.raises(MRMWriteDatasetError):
        writer.write_raw_data([{"b": bytes(PAGE)}])
    for call in (lambda: writer.write_raw_data([{"b": b"y"}]), writer.commit):
        with pytest.raises(RuntimeError, match="must not be committed yet"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_an_index_of_another_file_is_refused(tmp_path):
    for name in "ab":
        (folder := tmp_path / name).mkdir()
        written(folder, lines((5,)))
    (tmp_path / "a" / "set").rename(tmp_path / "a" / "other")
    (tmp_path / "a" / "set.db").rename(tmp_path / "a" / "other.db")
    with pytest.raises(MindRecordFileError, match="must keep the names"):
        RecordSet([str(tmp_path / "a" / "other")])
    with sqlite3.connect(tmp_path / "b" / "set.db") as base:
        base.execute("UPDATE SHARD_NAME SET NAME = 'elsewhere'")
    base.close()
    with pytest.raises(MindRecordFileError, match=r"belongs to \['elsewhere'\]"):
        RecordSet([str(tmp_path / "b" / "set")])


def test_the_bytes_of_an_index_do_not_tell_in_how_many_calls_rows_came(tmp_path):
    found = set()
    for k, counts in enumerate(((6,), (1, 2, 3), (1,) * 6)):
        (folder := tmp_path / str(k)).mkdir()
        (path,) = written(folder, lines(counts))
        found.add((Path(path).read_bytes(), Path(path + ".db").read_bytes()))
    assert len(found) == 1


def test_what_is_no_number_stands_in_an_index_as_a_text(tmp_path):
    values = [1.5, math.nan, math.inf, -math.inf, 0.0]
    (path,) = written(tmp_path, [[row(k) | {"f": v, "d": v} for k, v in enumerate(values)]], index=("d", "f"))
    with sqlite3.connect(path + ".db") as base:
        held = base.execute("SELECT d_0, f_0 FROM INDEXES ORDER BY ROW_ID").fetchall()
    base.close()
    assert held == [(v, v) if v == v else ("nan", "nan") for v in values]
    pages = MindPage(path)
    pages.category_field = "d"
    assert {c["name"] for c in json.loads(pages.read_category_info())["categories"]} == {
        "1.5", "nan", "inf", "-inf", "0.0"}


def test_a_file_without_an_index_goes_on_in_another_process_without_one(tmp_path):
    (path,) = written(tmp_path, lines((5,)))
    Path(path + ".db").unlink()
    shard = pickle.loads(pickle.dumps(Shard(path, indexed=False, pinned=False)))
    assert shard.column(shard.header.schema.fields["w"], np.arange(5))[:, 0].tolist() == list(range(5))
    with pytest.raises(MindRecordFileError, match="no index"):
        Shard(path)


def test_pages_may_be_listed_in_any_order(tmp_path):
    (path,) = written(tmp_path, lines((90, 120), large=True))
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert len(header["page"]) > 3
    header["page"] = header["page"][1::2] + header["page"][::2]
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    assert len(text) == length
    Path(path).write_bytes(data[:8] + text + data[8 + length:])
    found = list(FileReader(path).get_next())
    for k, got in enumerate(found):
        same(got, row(k, True))
