"""Rows of TFRecord files: framed `Example` messages."""

from __future__ import annotations

import functools
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.schema import Described, Schema
from mindspore.dataset.sources.files import FilesDataset, Part, Row
from mindspore.formats.wire import BYTES, WireError, fields, read_varint, signed

_KINDS = {1: np.uint8, 2: np.float32, 3: np.int64}  # field of a Feature: bytes, floats, ints


class TFRecordDataset(FilesDataset):
    """Records of TFRecord files, each a `tf.train.Example`; columns are its features.

    Args:
        dataset_files: A file, a pattern, or a list of them.
        schema: Schema, or path of its JSON file, with the types and shapes of the columns. Without it they are vectors
            of int64, float32 or bytes as uint8, named as in the first record.
        columns_list: Only these columns.
        num_samples: Most rows to give; default: the number of rows in the schema, if it has one.
        num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
        shard_equal_rows: Share the rows out, shares being equally large; else the files.
        compression_type: None, 'GZIP' or 'ZLIB'.
    """

    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ):
        super().__init__(
            dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache
        )
        self.schema = None if schema is None else Schema.of(self, schema)
        if self.schema is not None and self.num_samples is None:
            self.num_samples = self.schema.num_rows or None
        self.columns_list = self._listed(columns_list)
        self.shard_equal_rows = check.boolean(self, "shard_equal_rows", shard_equal_rows)
        if compression_type not in (None, "", "GZIP", "ZLIB"):
            raise check.fail(
                ValueError, self, "compression_type", "None, 'GZIP' or 'ZLIB'", compression_type
            )
        self.compression_type = compression_type or None

    def _listed(self, names: Any) -> list[str] | None:
        for name in (
            check.optional(check.instance, self, "columns_list", names, (list, tuple)) or ()
        ):
            check.string(self, "columns_list", name)
        if names and len(set(names)) < len(names):
            raise check.fail(PipelineError, self, "columns_list", "different names", names)
        return list(names) if names else None

    @functools.cached_property
    def columns(self) -> list[Described]:
        """The columns that are read; without a schema those of the first record, in the order of their names."""
        if self.schema is not None:
            return self.schema.selected(self, self.columns_list)
        path = self.dataset_files[0]
        features = self._features(next(self._records(path)), path, 0)
        names = sorted(features) if self.columns_list is None else self.columns_list
        self._require(features, names, path, 0)
        return [
            Described(name, np.dtype(_KINDS[self._feature(features, name)[0]]), None)
            for name in names
        ]

    def column_names(self) -> list[str]:
        return [column.name for column in self.columns]

    def count(self, path: str) -> int:
        return sum(1 for _ in self._records(path))

    def read(self, path: str) -> Iterator[Row]:
        columns, names = self.columns, self.column_names()
        make = _any_column if self.schema is None else _column
        for number, record in enumerate(self._records(path)):
            features = self._features(record, path, number)
            self._require(features, names, path, number)
            try:
                yield [make(column, *self._feature(features, column.name)) for column in columns]
            except ValueError as error:
                raise PipelineError(
                    f"For 'TFRecordDataset', record {number} of '{path}' does not fit: {error}."
                ) from None

    def _share(self, files: list[str]) -> list[Part]:
        if self.shard_equal_rows:
            return super()._share(files)
        if len(files) < self.num_shards:
            raise PipelineError(
                "For 'TFRecordDataset', the files are shared out without 'shard_equal_rows', so there must be as "
                f"many as 'num_shards', {self.num_shards}, but there are {len(files)}."
            )
        own = self.dataset_files[self.shard_id :: self.num_shards]
        return [(path, 0, self._count_of(path)) for path in files if path in own]

    def _require(self, features: Any, names: list[str], path: str, number: int) -> None:
        missing = [name for name in names if name not in features]
        if missing:
            raise PipelineError(
                f"For 'TFRecordDataset', record {number} of '{path}' has no feature '{missing[0]}'; it has "
                f"{sorted(features)}."
            )

    def _feature(self, features: dict[str, tuple[int, Any]], name: str) -> tuple[int, Any]:
        if features[name][0] not in _KINDS:
            raise PipelineError(
                f"For 'TFRecordDataset', the feature '{name}' has no values, so that its type is not known."
            )
        return features[name]

    def _records(self, path: str) -> Iterator[bytes]:
        """Payloads of the frames: length and its checksum, payload and its checksum."""
        with _opened(path, self.compression_type) as stream:
            number = 0
            for head in iter(lambda: stream.read(12), b""):
                length = int.from_bytes(head[:8], "little")
                if len(head) < 12 or masked_crc(head[:8]) != int.from_bytes(head[8:], "little"):
                    raise PipelineError(
                        f"For 'TFRecordDataset', the file '{path}' must be a TFRecord file; frame {number} is none: "
                        "it is damaged, compressed (see 'compression_type') or of another format."
                    )
                payload = stream.read(length + 4)
                if len(payload) < length + 4:
                    raise PipelineError(
                        f"For 'TFRecordDataset', the file '{path}' is cut off in record {number}."
                    )
                yield payload[:length]
                number += 1
        if not number:
            raise PipelineError(
                f"For 'TFRecordDataset', the file '{path}' must have a record, but is empty."
            )

    def _features(self, record: bytes, path: str, number: int) -> dict[str, tuple[int, Any]]:
        try:
            return _parsed(record)
        except (WireError, UnicodeDecodeError) as error:
            raise PipelineError(
                f"For 'TFRecordDataset', record {number} of '{path}' must be a tf.train.Example: {error}."
            ) from None


def _opened(path: str, compression: str | None) -> IO[bytes]:
    stream = open(path, "rb")  # noqa: SIM115 - closed by the caller's `with`
    if compression is None:
        return stream
    with stream:
        content = stream.read()
    if compression == "GZIP" and not content.startswith(b"\x1f\x8b"):
        return io.BytesIO(content)  # not compressed, which zlib's reader of such files takes, too
    try:
        return io.BytesIO(
            gzip.decompress(content) if compression == "GZIP" else zlib.decompress(content)
        )
    except (OSError, EOFError, zlib.error) as error:
        raise PipelineError(
            f"For 'TFRecordDataset', the file '{path}' must be compressed with {compression}, but is damaged or "
            f"something else: {error}."
        ) from None


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def masked_crc(data: bytes) -> int:
    """CRC-32C (Castagnoli) of `data`, rotated and shifted as TFRecord frames store it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def parts(content: Any) -> Iterator[tuple[int, int, Any]]:
    """Number, kind and content of the fields of a message."""
    return fields(content)


def _parsed(record: bytes) -> dict[str, tuple[int, Any]]:
    """Features of an Example by name: the kind (bytes, floats, ints) and the values."""
    features: dict[str, tuple[int, Any]] = {}
    for number, kind, content in parts(memoryview(record)):
        if number != 1 or kind != BYTES:
            raise WireError(f"field {number} is not part of an Example")
        for _, _, entry in parts(content):
            key, value = "", memoryview(b"")
            for part, _, data in parts(entry):
                key, value = (bytes(data).decode(), value) if part == 1 else (key, data)
            features[key] = 0, None
            for which, _, values in parts(value):
                features[key] = which, _values(which, values)
    return features


def _values(which: int, content: memoryview) -> Any:
    """Values of a list of bytes, floats or ints, which may be packed."""
    if which == 1:
        return [bytes(data) for _, _, data in parts(content)]
    if which == 2:
        return np.frombuffer(b"".join(bytes(data) for _, _, data in parts(content)), "<f4")
    numbers: list[int] = []
    for _, kind, data in parts(content):
        if kind != BYTES:
            numbers.append(signed(data))
            continue
        at = 0
        while at < len(data):
            value, at = read_varint(data, at)
            numbers.append(signed(value))
    return np.array(numbers, np.int64)


def _any_column(column: Described, which: int, values: Any) -> np.ndarray:
    """A vector of the values; several byte strings are filled up with blanks to the length of the longest."""
    if which != 1:
        return np.asarray(values, _KINDS[which])
    width = max(map(len, values), default=0)
    return np.frombuffer(b"".join(value.ljust(width) for value in values), np.uint8)


def _column(column: Described, which: int, values: Any) -> np.ndarray:
    """The values in the type and shape of the schema."""
    name, dtype, shape = column
    if which != 1:
        if dtype.kind == "U":
            raise ValueError(f"the column '{name}' must have text, but has numbers")
        array = np.asarray(values, _KINDS[which]).astype(dtype)
    elif dtype.kind == "U":
        array = np.array([value.decode() for value in values])
    elif dtype != np.uint8:
        raise ValueError(
            f"the column '{name}' has bytes, so its type must be uint8 or string, but is {dtype}"
        )
    else:
        if len({len(value) for value in values}) > 1:
            raise ValueError(f"the column '{name}' has several byte strings of different lengths")
        array = np.frombuffer(b"".join(values), np.uint8)
    if shape is None or array.shape == tuple(shape):
        return array
    if sum(length < 0 for length in shape) > 1 or (not shape and array.size != 1):
        raise ValueError(
            f"the column '{name}' must have the shape {shape}, but has {array.size} values"
        )
    try:
        return array.reshape([max(length, -1) for length in shape])
    except ValueError:
        raise ValueError(
            f"the column '{name}' must have the shape {shape} of the schema, but has {array.size} values"
        ) from None
