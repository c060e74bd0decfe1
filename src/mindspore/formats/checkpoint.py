"""Checkpoints (`.ckpt`): a sequence of named arrays and texts, optionally with a checksum or encrypted.

The file is one protocol-buffer message without name of its own:
    file      1: Value, repeated
    Value     1: name; 2: Array, or 3: Table
    Array     1: length of an axis, repeated; 2: element type such as "Float32"; 3: content, C order, little endian
    Table     1: Array, repeated: keys, values, status
An array of more than 512 MiB is cut into several values of the same name, each with the whole shape. A text has the
type "str" and UTF-32 as content, an empty one a NUL. A checksum is a trailer of 17 bytes: "crc_num" and the CRC-32,
big endian.
"""
from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.core.check import LONGEST_NAME
from mindspore.core.errors import CheckpointError, shortened
from mindspore.formats import cipher, files, wire
from mindspore.formats.array import CHECKPOINT_NAME, NUMPY, StoredArray

SLICE_BYTES = 512 * 2**20
CRC_MARK, CRC_BYTES = b"crc_num", 10
UNREADABLE = ("complex64", "complex128")   # the original reader knows no name for them
_DTYPE = {shown: name for name, shown in CHECKPOINT_NAME.items() if name not in UNREADABLE}
_EMPTY_TEXT = "\0"  # an entry without content is not written
_CACHED = re.compile(r"\.__param_key__\d+$")


class StoredTable(NamedTuple):
    """A table from keys to rows, as three arrays of equal first axis."""

    keys: StoredArray
    values: StoredArray
    status: StoredArray


Stored = StoredArray | StoredTable | str


def write(path: str | os.PathLike[str], entries: Iterable[tuple[str, StoredArray | str]], *,
          key: bytes | None = None, mode: str = "AES-GCM", crc: bool = False) -> None:
    """Writes a checkpoint, completely or not at all; the file is read-only afterwards.

    Args:
        path: File to write; its folder exists.
        entries: Names and values; arrays without elements are left out, as the format cannot hold them.
        key: Encrypts the file.
        mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        crc: Adds a checksum; not together with `key`.

    Raises:
        ValueError: A value that the format cannot hold, or a wrong key.
        OSError: The file cannot be written.
    """
    if key and crc:
        raise ValueError("For a checkpoint, 'crc_check' and 'enc_key' can not be combined: a file with both "
                         "could not be read again. Leave out one of them.")
    with files.atomic(path) as file:
        encrypting = cipher.EncryptingFile(file, key, mode) if key else None
        checksum = _write_entries((encrypting or file).write, entries, crc)
        if encrypting:
            encrypting.finish()
        if crc:
            file.write(CRC_MARK + checksum.to_bytes(CRC_BYTES, "big"))


def read(path: str | os.PathLike[str], *, key: bytes | None = None, mode: str = "AES-GCM",
         check_crc: bool = False, wanted: Callable[[str], bool] = lambda name: True) -> dict[str, Stored]:
    """The entries of a checkpoint whose names are `wanted`, in the order of the file. Their data are views of the file.

    A part of a checksum is no entry, so that it is refused; `check_crc` compares a whole one, if there is one.

    Raises:
        CheckpointError: The file is cut off, damaged, encrypted, or the key is wrong; says what and where.
        OSError: The file cannot be read.
    """
    try:
        data = files.view(path)
        if key:
            data = memoryview(cipher.decrypted(data, key, mode))
        elif cipher.is_encrypted(data):
            raise CheckpointError("it is encrypted, please pass the 'dec_key'")
        return _entries(_without_crc(data, check_crc), wanted)
    except (CheckpointError, wire.WireError, UnicodeDecodeError) as error:
        raise CheckpointError(f"Failed to read the checkpoint file {os.fspath(path)}: {shortened(error)}.") from None


def has_checksum(path: str | os.PathLike[str]) -> bool:
    """Whether a file ends with a checksum, as far as its bytes tell: one that lost just these looks like any other."""
    return _crc_at(files.view(path)) is not None


def _write_entries(write: Callable[[Any], Any], entries: Iterable[tuple[str, StoredArray | str]], crc: bool) -> int:
    checksum = 0
    for name, value in entries:
        for part in _messages(name, value):
            write(part)
            if crc:
                checksum = zlib.crc32(part, checksum)
    return checksum


def _messages(name: str, value: StoredArray | str) -> Iterable[Any]:
    """Pieces of bytes that together are the entries of one name."""
    if isinstance(value, str):
        kind, dims, data = "str", (0,), memoryview((value or _EMPTY_TEXT).encode("utf-32-le"))
    else:
        if value.dtype in UNREADABLE:
            raise ValueError(f"For 'save_checkpoint', '{name}' is {value.dtype}, which a .ckpt file can not hold. "
                             f"Save it with format='safetensors' (complex64) or as two real tensors.")
        kind, dims, data = CHECKPOINT_NAME[value.dtype], value.shape, memoryview(value.data).cast("B")
    tag = wire.bytes_field(1, name.encode())
    about = b"".join(wire.varint_field(1, n) for n in dims) + wire.bytes_field(2, kind.encode())
    for start in range(0, len(data), SLICE_BYTES):
        content = data[start : start + SLICE_BYTES]
        array = about + wire.bytes_head(3, len(content))
        entry = tag + wire.bytes_head(2, len(array) + len(content)) + array
        yield wire.bytes_head(1, len(entry) + len(content)) + entry
        yield content


def _without_crc(data: memoryview, check: bool) -> memoryview:
    end = _crc_at(data)
    if end is None:
        return data
    if check:
        stored, found = int.from_bytes(data[end + len(CRC_MARK) :], "big"), zlib.crc32(data[:end])
        files.forget(data)
        if stored != found:
            raise CheckpointError(f"its checksum is {found}, but {stored} was stored: the content was changed")
    return data[:end]


def _crc_at(data: memoryview) -> int | None:
    at = len(data) - len(CRC_MARK) - CRC_BYTES
    return at if at >= 0 and data[at : at + len(CRC_MARK)] == CRC_MARK else None


class _Parts:
    """The slices of one array, gathered until they are as long as its shape says."""

    def __init__(self, name: str):
        self.name, self.dtype, self.dims, self.slices = name, "", (), []

    def add(self, message: memoryview) -> None:
        dims, kind, content = [], None, None
        for number, _, value in wire.fields(message):
            if number == 1:
                dims += _axis_lengths(value)
            elif number == 2:
                kind = _text(value, self.name)
            elif number == 3:
                content = _bytes(value, self.name)
        if kind is None or content is None:
            raise CheckpointError(f"the entry '{self.name}' has no type or no content")
        self.dtype, self.dims = kind, tuple(dims)
        self.slices.append(content)

    @property
    def length(self) -> int:
        return sum(map(len, self.slices))

    @property
    def complete(self) -> bool:
        """Whether an entry of the same name that follows is a new value, not the next slice of this one."""
        return self.dtype == "str" or self._scalar_of_1x() or self.length >= self._array(b"").nbytes

    def value(self) -> StoredArray | str:
        data = self.slices[0] if len(self.slices) == 1 else _one(self.slices)
        if self.dtype == "str":
            text = bytes(data).decode("utf-32-le")
            return "" if text == _EMPTY_TEXT else text
        array = self._array(data, len(self.slices) > 1)
        if len(data) != array.nbytes:
            raise CheckpointError(f"the entry '{self.name}' of shape {array.shape} and type {self.dtype} needs "
                                  f"{array.nbytes} bytes, but has {len(data)}")
        return array

    def _array(self, data: Any, own: bool = False) -> StoredArray:
        name = _DTYPE.get(self.dtype)
        if name is None:
            raise CheckpointError(f"the entry '{self.name}' has the unknown type '{self.dtype}'")
        return StoredArray(name, () if self._scalar_of_1x() else self.dims, data, own)

    def _scalar_of_1x(self) -> bool:
        """Generation 1.x writes a scalar as shape (0,) with one element."""
        name = _DTYPE.get(self.dtype)
        return self.dims == (0,) and name is not None and self.length == NUMPY[name].itemsize


def _one(slices: Sequence[memoryview]) -> memoryview:
    """The bytes of all of them."""
    joined, at = np.empty(sum(map(len, slices)), np.uint8).data, 0
    for each in slices:
        files.copy(each, joined[at : at + len(each)])
        at += len(each)
    return joined


def _entries(data: memoryview, wanted: Callable[[str], bool]) -> dict[str, Stored]:
    found: dict[str, Stored] = {}
    last: _Parts | None = None
    tables: dict[str, list[list[StoredArray]]] = {}
    for number, _, entry in wire.fields(data):
        if number != 1 or isinstance(entry, int):
            raise CheckpointError(f"it has an unknown field {number}: it is no checkpoint")
        name, array, table = _named(entry)
        if not wanted(name):
            continue
        if table is not None:
            tables.setdefault(name, []).append(_table_slice(name, table))
            found[name] = _joined(tables[name])
        elif array is not None:
            if last is None or last.name != name or last.complete:
                _finish(last, found)
                last = _Parts(name)
            last.add(array)
            found.setdefault(name, "")   # the place in the order is that of the first slice
    _finish(last, found)
    return found


def _finish(parts: _Parts | None, found: dict[str, Stored]) -> None:
    if parts is not None:
        found[parts.name] = parts.value()


def _named(entry: memoryview) -> tuple[str, memoryview | None, memoryview | None]:
    name = array = table = None
    for number, _, value in wire.fields(entry):
        if number == 1:
            name = _text(value, "?")
        elif number == 2:
            array = _bytes(value, name or "?")
        elif number == 3:
            table = _bytes(value, name or "?")
    if name is None or (array is None) == (table is None):
        raise CheckpointError(f"the entry '{name or '?'}' has no name or no content")
    if len(name) > LONGEST_NAME:
        raise CheckpointError(f"the name of the entry '{name[:30]}...' has more than {LONGEST_NAME} characters")
    return _CACHED.sub("", name), array, table


def _table_slice(name: str, message: memoryview) -> list[StoredArray]:
    """Keys, values and status; here the types have NumPy's names."""
    arrays = []
    for _, _, value in wire.fields(message):
        parts = _Parts(name)
        parts.add(_bytes(value, name))
        parts.dtype = CHECKPOINT_NAME.get(parts.dtype, parts.dtype)
        array = parts.value()
        assert isinstance(array, StoredArray)
        arrays.append(array)
    if len(arrays) != 3:
        raise CheckpointError(f"the table '{name}' has {len(arrays)} arrays instead of keys, values and status")
    return arrays


def _joined(slices: list[list[StoredArray]]) -> StoredTable:
    columns = []
    for parts in zip(*slices, strict=True):
        rows = sum(part.shape[0] for part in parts)
        content = memoryview(b"".join(part.data for part in parts))
        columns.append(StoredArray(parts[0].dtype, (rows, *parts[0].shape[1:]), content))
    return StoredTable(*columns)


def _axis_lengths(value: int | memoryview) -> list[int]:
    """One length, or several packed into one field."""
    if isinstance(value, int):
        lengths = [value]
    else:
        lengths, at = [], 0
        while at < len(value):
            length, at = wire.read_varint(value, at)
            lengths.append(length)
    if any(wire.signed(n) < 0 for n in lengths):
        raise CheckpointError("an axis has a negative length")
    return lengths


def _bytes(value: int | memoryview, name: str) -> memoryview:
    if isinstance(value, int):
        raise CheckpointError(f"the entry '{name}' has a number in place of bytes")
    return value


def _text(value: int | memoryview, name: str) -> str:
    return bytes(_bytes(value, name)).decode()
