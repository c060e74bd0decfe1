"""Damage that keeps a format's outer form, so that readers get further: wrong fields in right messages."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from mutators import EXTREMES, VALUES, json_changed

VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5
SIZES = {EIGHT: 8, FOUR: 4}
NAMES = [b"", b"a", b"w", b"\0", b"\xff", b"../x", b"x" * 300, b"1", b"float32", b"Float32"]
BLOB_AREA = 2**14      # where the header of a MindRecord file ends


# ---------------------------------------------------------------- protocol buffers


def message_changed(rng, content: bytes) -> bytes:
    """One to three fields of a message, at any depth, are missing, doubled, elsewhere, or have other contents."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        content = _changed(rng, content, 0)
    return content


def _changed(rng, content, depth):
    fields = parts(content)
    if not fields:
        return content + _field(rng.randrange(1, 20), rng.choice(SIMPLE), rng)
    at = rng.randrange(len(fields))
    number, kind, value = fields[at]
    inner = parts(value) if kind == BYTES and depth < 12 else None
    if inner and rng.random() < 0.75:
        fields[at] = number, kind, _changed(rng, value, depth + 1)
        return joined(fields)
    return rng.choice(WAYS)(rng, fields, at)


def parts(content: bytes) -> list[tuple[int, int, bytes | int]] | None:
    """The fields of a message; None for what is none."""
    found, at = [], 0
    while at < len(content):
        head, at = _read(content, at)
        kind = head & 7
        if not 0 < head >> 3 < 2**29 or kind not in (VARINT, EIGHT, BYTES, FOUR):
            return None
        if kind == VARINT:
            value, at = _read(content, at)
        else:
            length, at = _read(content, at) if kind == BYTES else (SIZES[kind], at)
            if at + length > len(content):
                return None
            value, at = content[at : at + length], at + length
        if at > len(content):
            return None
        found.append((head >> 3, kind, value))
    return found


def joined(fields) -> bytes:
    """A message of these fields."""
    return b"".join(_written(*field) for field in fields)


def _written(number, kind, value):
    head = _varint(number << 3 | kind)
    if kind == VARINT:
        return head + _varint(value)
    return head + (_varint(len(value)) if kind == BYTES else b"") + value


def _varint(value, longer=0):
    digits = bytearray()
    value &= 2**64 - 1
    while value > 127 or (longer > 0 and len(digits) + 1 < longer):
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])


def _read(content, at):
    value = shift = 0
    while at < len(content) and shift < 70:
        value |= (content[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if content[at - 1] < 128:
            return value, at
    return 0, len(content) + 1


def _field(number, kind, rng):
    value = {VARINT: rng.choice(EXTREMES), EIGHT: rng.randbytes(8), FOUR: rng.randbytes(4),
             BYTES: rng.choice(NAMES)}[kind]
    return _written(number, kind, value)


SIMPLE = [VARINT, EIGHT, BYTES, FOUR]


def _dropped(rng, fields, at):
    return joined(fields[:at] + fields[at + 1 :])


def _doubled(rng, fields, at):
    return joined(fields[: at + 1] + [fields[at]] * rng.choice([1, 1, 30]) + fields[at + 1 :])


def _moved(rng, fields, at):
    rest = fields[:at] + fields[at + 1 :]
    to = rng.randrange(len(rest) + 1)
    return joined([*rest[:to], fields[at], *rest[to:]])


def _reversed(rng, fields, at):
    return joined(fields[::-1])


def _renumbered(rng, fields, at):
    new = rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 14, 15, 16, 20, 2**29 - 1])
    return joined([*fields[:at], (new, *fields[at][1:]), *fields[at + 1 :]])


def _other_kind(rng, fields, at):
    number = fields[at][0]
    return joined(fields[:at]) + _field(number, rng.choice(SIMPLE), rng) + joined(fields[at + 1 :])


def _unknown_kind(rng, fields, at):
    return joined(fields[:at]) + _varint(fields[at][0] << 3 | rng.choice([3, 4, 6, 7])) + joined(fields[at:])


def _wrong_length(rng, fields, at):
    """The length of a field is not that of its content."""
    number, _, value = fields[at]
    value = value if isinstance(value, bytes) else b"abc"
    length = rng.choice([0, len(value) - 1, len(value) + 1, len(value) * 2, 2**31 - 1, 2**32, 2**63, 2**64 - 1])
    return joined(fields[:at]) + _varint(number << 3 | BYTES) + _varint(length) + value + joined(fields[at + 1 :])


def _other_value(rng, fields, at):
    number, kind, value = fields[at]
    if kind == VARINT:
        new = rng.choice([*EXTREMES, value + 1, value - 1, value * 2, -value])
    elif kind == BYTES:
        new = rng.choice([b"", value[:-1], value + b"\0", value * 2, value[::-1], b"\xff" * len(value), *NAMES,
                          *[one[2] for one in fields if one[1] == BYTES]])
    else:
        new = rng.choice([b"\0", b"\xff", b"\x7f"]) * SIZES[kind]
    return joined([*fields[:at], (number, kind, new), *fields[at + 1 :]])


def _longer_number(rng, fields, at):
    """A number in more digits than it needs."""
    number, kind, value = fields[at]
    if kind != VARINT:
        return joined(fields[:at]) + _varint(number << 3 | kind, 6) + joined(fields[at:])[len(_varint(number << 3)):]
    return (joined(fields[:at]) + _varint(number << 3, rng.choice([1, 5])) + _varint(value, rng.choice([9, 10, 11]))
            + joined(fields[at + 1 :]))


def _within_itself(rng, fields, at):
    """A message within itself, again and again."""
    number, kind, value = fields[at]
    value = value if kind == BYTES else joined(fields)
    for _ in range(rng.choice([1, 3, 80, 120, 2000])):
        value += _written(number, BYTES, value[: 2**16])
        if len(value) > 2**20:
            break
    return joined([*fields[:at], (number, BYTES, value), *fields[at + 1 :]])


def _chained(rng, fields, at):
    """Messages in messages, each with nothing but the next."""
    number, value = fields[at][0], b""
    for _ in range(rng.choice([50, 99, 101, 500, 5000])):
        value = _written(number, BYTES, value)
    return joined([*fields[:at], (number, BYTES, value), *fields[at + 1 :]])


WAYS = [_dropped, _dropped, _doubled, _doubled, _moved, _reversed, _renumbered, _renumbered, _other_kind, _other_kind,
        _unknown_kind, _wrong_length, _wrong_length, _other_value, _other_value, _other_value, _longer_number,
        _within_itself, _chained]


def framed(changed, frame):
    """What changes one record of a file of records with checksums, which are made right."""

    def change(rng, content):
        records, at = [], 0
        while at + 16 <= len(content):
            length = int.from_bytes(content[at : at + 8], "little")
            records.append(content[at + 12 : at + 12 + length])
            at += 16 + length
        if not records:
            return content
        one = rng.randrange(len(records))
        records[one] = changed(rng, records[one])
        return b"".join(map(frame, records))

    return change


# ---------------------------------------------------------------- safetensors


def safetensors_changed(rng, content: bytes) -> bytes:
    """The header, a JSON text, says something else; its length is right."""
    length = int.from_bytes(content[:8], "little")
    text, data = content[8 : 8 + length], content[8 + length :]
    try:
        header = json.loads(text)
    except ValueError:
        return content
    names = [name for name in header if name != "__metadata__"]
    if not names or rng.random() < 0.2:
        text = json_changed(rng, text)
    else:
        text = rng.choice(HEADER_WAYS)(rng, header, names, len(data)) or json_changed(rng, text)
    text += b" " * rng.choice([0, 0, 0, 1, -len(text) % 8])
    return len(text).to_bytes(8, "little") + text + data[: rng.choice([len(data)] * 5 + [0, len(data) // 2])]


def _shape(rng, header, names, size):
    header[rng.choice(names)]["shape"] = rng.choice([
        [], [0], [0, 2**63], [2**32, 2**32], [-1], [-2, -3], [2, 3, 1], [1] * 65, [1] * 5000, [6], [3, 2], [True, 6],
        [2.0, 3.0], ["2", "3"], [2**64 // 4 + 1, 4], None, 6, {"0": 6}])
    return json.dumps(header).encode()


def _dtype(rng, header, names, size):
    header[rng.choice(names)]["dtype"] = rng.choice([
        "I32", "U32", "F64", "BOOL", "BF16", "F16", "F8_E4M3", "f32", "", None, 1, ["F32"], "C64", "U64", "I4", "U8"])
    return json.dumps(header).encode()


def _offsets(rng, header, names, size):
    one = rng.choice(names)
    start, end = header[one]["data_offsets"]
    header[one]["data_offsets"] = rng.choice([
        [end, start], [start, start], [0, size], [0, end - start], [size, size + end - start], [-end, -start],
        [start, 2**64], [start, 2**63 + end], [start], [start, end, end], [float(start), end], [True, end],
        header[rng.choice(names)]["data_offsets"]])
    return json.dumps(header).encode()


def _twice(rng, header, names, size):
    """A name stands there twice."""
    one, other = rng.choice(names), rng.choice(names)
    text = json.dumps(header)[:-1] + f", {json.dumps(one)}: {json.dumps(header[other])}}}"
    return text.encode()


def _renamed(rng, header, names, size):
    one = rng.choice(names)
    new = rng.choice(["", "__metadata__", "\ud800", "\0", "x" * 10**5, "a/../b", one + " ", rng.choice(names)])
    return json.dumps({new if name == one else name: value for name, value in header.items()}).encode()


def _noted(rng, header, names, size):
    header["__metadata__"] = rng.choice([*VALUES, {"format": "pt"}, {"crc_num": "1"}, {"crc_num": ""}, {"format": 1},
                                         {"format": "ms", "crc_num": "9" * 5000}, {"format": ["ms"]}])
    return json.dumps(header, allow_nan=True).encode()


def _bytes(rng, header, names, size):
    """What is no plain JSON text in UTF-8."""
    text = json.dumps(header)
    return rng.choice([text.encode("utf-16"), text.encode("utf-8-sig"), text.encode() + b"{}", text.encode()[:-1],
                       b"", b"[]", b"null", b"{}", text.replace(":", "::").encode(), text.encode() + b"\0\0"])


HEADER_WAYS = [_shape, _shape, _dtype, _dtype, _offsets, _offsets, _offsets, _twice, _renamed, _noted, _bytes]


# ---------------------------------------------------------------- ZIP, SQLite, MindRecord


def zip_changed(rng, content: bytes) -> bytes:
    """A member has another name, another content, is there twice, or its entries differ; checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old:
            members = [(one.filename, old.read(one)) for one in old.infolist()]
    except (OSError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        return content
    at = rng.randrange(len(members))
    name, body = members[at]
    way = rng.randrange(8)
    if way == 0:
        del members[at]
    elif way == 1:
        members.append((name, rng.choice(members)[1]))
    elif way == 2:
        members[at] = (rng.choice(["", "/x", "../x", name + "\0", name.removesuffix(".npy"), "x" * 60000, "other.npy"]),
                       body)
    elif way == 3:
        members[at] = name, rng.choice([b"", body[:-1], body + b"\0", body[: len(body) // 2], b"\x93NUMPY", body * 3])
    elif way == 4:
        kinds = [b"'<f4'", b"'|O8'", b"'|b1'", b"'<U1'", b"[('a','u1')]"]
        members[at] = name, body.replace(b"'|u1'", rng.choice(kinds))
    elif way == 5:
        members[at] = name, body.replace(b"(", rng.choice([b"(-", b"((", b"(9999999999999,", b"(0,", b"(2,"]), 1)
    elif way == 6:
        place = rng.randrange(min(len(body), 128))
        members[at] = name, body[:place] + bytes([rng.randrange(256)]) + body[place + 1 :]
    else:
        members[at], members[0] = members[0], members[at]
    found = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if rng.random() < 0.1 else zipfile.ZIP_STORED
    with zipfile.ZipFile(found, "w", method) as new:
        for member, text in members:
            new.writestr(zipfile.ZipInfo(member or "a"), text, method)
    return found.getvalue()


def database_changed(rng, content: bytes) -> bytes:
    """A value, a row, a column or a table of a database of SQLite is another one, or missing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a"
        file.write_bytes(content)
        with contextlib.suppress(sqlite3.Error, OverflowError), contextlib.closing(sqlite3.connect(file)) as base:
            tables = [name for name, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            table = rng.choice(tables)
            columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
            column = rng.choice(columns)
            value = rng.choice([None, -1, 0, 1, 2**31, 2**63 - 1, 0.5, "", "x", b"\xff", "../x", "\0", float("inf")])
            some = rng.choice(["", " WHERE ROWID = 1", " WHERE ROWID % 2"])
            statement = rng.choice([
                f'UPDATE OR IGNORE "{table}" SET "{column}" = ?{some}', f'DELETE FROM "{table}"{some}',
                f'DROP TABLE "{table}"', f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"',
                f'ALTER TABLE "{table}" RENAME TO "other"', f'ALTER TABLE "{table}" ADD COLUMN "other"',
                f'UPDATE OR IGNORE "{table}" SET "{column}" = "{rng.choice(columns)}"',
                f'UPDATE OR IGNORE "{table}" SET "{column}" = "{column}" + 1{some}',
                f'CREATE VIEW "v" AS SELECT * FROM "{table}"'])
            base.execute(statement, (value,) if "?" in statement else ())
            base.commit()
        return file.read_bytes()


def mindrecord_changed(rng, content: bytes) -> bytes:
    """The header, whose length is made right, or a length in a page."""
    length = int.from_bytes(content[:8], "little")
    if rng.random() < 0.6 and length < BLOB_AREA:
        text = json_changed(rng, content[8 : 8 + length])
        return (len(text).to_bytes(8, "little") + text).ljust(BLOB_AREA, b"\0") + content[BLOB_AREA:]
    pages = content[BLOB_AREA:]
    filled = [at for at in range(0, len(pages) - 8, 4) if 0 < int.from_bytes(pages[at : at + 8], "little") < 2**20]
    if not filled:
        return content
    at = BLOB_AREA + rng.choice(filled)
    old = int.from_bytes(content[at : at + 8], "little")
    new = rng.choice([*EXTREMES, old + 1, old - 1, old * 2, 2**64 - old])
    return content[:at] + (new % 2**64).to_bytes(8, "little") + content[at + 8 :]
