"""A changed bit in what says where rows lie is an error or changes nothing: no row is read as another one."""

from __future__ import annotations

import json
import sqlite3

import numpy as np
import pytest
from mindrecord_files import small_writer

from mindspore.formats.mindrecord.errors import MindRecordException, MindRecordFileError
from mindspore.mindrecord import FileReader

ROWS = [{"n": i, "b": bytes([i]) * 16} for i in range(40)]  # of equal length: each could stand for another
PARTS = 17


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Bytes of data file and index of a set with several groups of rows."""
    path = tmp_path_factory.mktemp("damage") / "a"
    writer = small_writer(path, {"n": {"type": "int64"}, "b": {"type": "bytes"}})
    for begin in range(0, len(ROWS), PARTS):
        writer.write_raw_data(ROWS[begin : begin + PARTS])
    writer.write_raw_data([{"n": 100 + i, "b": bytes([100 + i]) * 32000} for i in range(3)])
    writer.commit()
    return path.read_bytes(), path.with_name("a.db").read_bytes()


@pytest.fixture
def read(whole, tmp_path):
    """`read(data=..., index=...)`: the rows of the set with these bytes in place of its own."""

    def rows(data=whole[0], index=whole[1]):
        (tmp_path / "a").write_bytes(data)
        (tmp_path / "a.db").write_bytes(index)
        with FileReader(str(tmp_path / "a")) as reader:
            return [(row["n"], row["b"]) for row in reader.get_next()]

    return rows


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def outcome(read, wanted, **content):
    try:
        found = read(**content)
    except MindRecordFileError as error:
        return "refused" if "a'" in str(error) or "a.db'" in str(error) else "the file is not named"
    return "equal" if found == wanted else "other rows"


def test_a_bit_of_the_index(read, whole):
    wanted, index = read(), whole[1]
    draw = np.random.default_rng(0)
    used = np.flatnonzero(np.frombuffer(index, np.uint8))  # most others are free space
    bits = draw.choice(used, 300) * 8 + draw.integers(0, 8, 300)
    seen = [outcome(read, wanted, index=flipped(index, bit)) for bit in bits.tolist()]
    assert set(seen) == {"refused", "equal"}
    assert seen.count("refused") > 60


def test_a_bit_of_the_header(read, whole):
    wanted, data = read(), whole[0]
    length = int.from_bytes(data[:8], "little")
    draw = np.random.default_rng(1)
    bits = draw.integers(0, 8 * (8 + length), 400)
    seen = [outcome(read, wanted, data=flipped(data, bit)) for bit in bits.tolist()]
    assert set(seen) == {"refused", "equal"}
    assert seen.count("refused") > 200


def test_a_bit_of_a_length_word(read, whole):
    wanted, data = read(), whole[0]
    first = 2**14
    for bit in range(64):
        assert outcome(read, wanted, data=flipped(data, 8 * first + bit)) == "refused"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE INDEXES SET PAGE_OFFSET_RAW = 0, PAGE_OFFSET_RAW_END = PAGE_OFFSET_RAW_END - PAGE_OFFSET_RAW "
        "WHERE ROW_ID = 6",
        "UPDATE INDEXES SET PAGE_OFFSET_BLOB = 0, PAGE_OFFSET_BLOB_END = 24 WHERE ROW_ID = 6",
        "UPDATE INDEXES SET PAGE_ID_BLOB = PAGE_ID_BLOB + 2 WHERE ROW_ID = 6",
        "UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = 'x' WHERE ROW_ID = 6",
        "ALTER TABLE INDEXES RENAME COLUMN n_0 TO m_0",
        "UPDATE SHARD_NAME SET NAME = 5",
    ],
)
def test_an_index_that_names_the_place_of_another_row(change, read, whole, tmp_path):
    read()
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute(change)
    database.close()
    with pytest.raises(MindRecordFileError):
        read(index=(tmp_path / "a.db").read_bytes())


def header(change):
    def damage(data):
        length = int.from_bytes(data[:8], "little")
        content = json.loads(data[8 : 8 + length])
        content = change(content) or content
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        return len(text).to_bytes(8, "little") + text + data[8 + len(text) :]

    return damage


def page(number, **values):
    return header(lambda h: h["page"][number].update(values))


DAMAGES = {
    "deeply nested": header(lambda h: b"[" * 10_000),
    "no text": header(lambda h: b"\xff" * 100),
    "a list": header(lambda h: [h]),
    "a large number": page(0, end_row_id=10**30),
    "more rows than bytes": page(0, end_row_id=10**12),
    "infinite": page(0, page_size=float("inf")),
    "a float": page(0, start_row_id=0.0),
    "a bool": page(0, start_row_id=False),
    "a text": page(0, page_type_id="x"),
    "no groups": page(1, row_group_ids=[]),
    "groups of another page": page(1, row_group_ids=[{"id": 1, "offset": 0}]),
    "groups in a wrong order": page(1, row_group_ids=[{"id": 0, "offset": 9}]),
    "a group twice": page(1, row_group_ids=[{"id": 0, "offset": 0}] * 2),
    "another folder": header(lambda h: h.update(shard_addresses=["../a"])),
    "no name": header(lambda h: h.update(shard_addresses=[""])),
    "a number of a file": header(lambda h: h.update(shard_id=1)),
    "spared bytes": header(lambda h: h.update(compression_size=0.5)),
    "a description": header(lambda h: h["schema"][0].update(desc=3)),
    "index fields twice": header(lambda h: h.update(index_fields=h["index_fields"] * 2)),
    "index fields of another type": header(lambda h: h.update(index_fields=[{"index_field": []}])),
    "more bytes than pages": lambda data: data + b"\0",
    "header area": header(lambda h: h.update(header_size=h["header_size"] + 24)),
}


def test_an_error_does_not_quote_all_of_a_long_value(read, whole):
    for change in (lambda h: h.update(version="9" * 10_000), lambda h: h.update(shard_addresses=["x" * 10_000])):
        with pytest.raises(MindRecordFileError, match=r"a'.*\.\.\.") as caught:
            read(data=header(change)(whole[0]))
        assert len(str(caught.value)) < 4000


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_header_is_one_documented_error(what, read, whole):
    with pytest.raises(MindRecordFileError, match="a' is damaged"):
        read(data=DAMAGES[what](whole[0]))


def test_cuts_and_repeated_blocks(read, whole):
    wanted, draw = read(), np.random.default_rng(2)
    for trial in range(200):
        content = {"data": whole[0], "index": whole[1]}
        which = ("data", "index")[trial % 2]
        begin, end = sorted(draw.integers(0, len(content[which]), 2).tolist())
        old = content[which]
        content[which] = (old[:begin], old[:end] + old[begin:], old[:begin] + old[end:])[trial % 3]
        try:
            found = read(**content)
        except MindRecordException:
            continue
        assert found == wanted
