"""Rows of TFRecord files: framed `Example` messages."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import IO, Any, cast

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.samplers import Shuffle
from mindspore.dataset.schema import Schema
from mindspore.dataset.sources.files import FilesDataset, Row
from mindspore.formats.wire import BYTES, WireError, fields, read_varint, signed

_KINDS = {1: np.uint8, 2: np.float32, 3: np.int64}  # field of a Feature: bytes, floats, ints


class TFRecordDataset(FilesDataset):
    """Records of TFRecord files, each a `tf.train.Example`; columns are its features.

    Args:
        dataset_files: A file, a pattern, or a list of them.
        schema: Schema, or path of its JSON file, with the types and shapes of the columns. Without it they are vectors
            of int64, float32 or bytes as uint8, named as in the first record.
        columns_list: Only these columns.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
        shard_equal_rows: Accepted: shards are always equally large.
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
        self.schema = Schema(schema) if isinstance(schema, str) else schema
        check.optional(check.instance, self, "schema", self.schema, Schema)
        self.columns_list = check.optional(check.names, self, "columns_list", columns_list or None)
        check.boolean(self, "shard_equal_rows", shard_equal_rows)
        self.compression_type = compression_type or None
        if compression_type:
            check.option(self, "compression_type", compression_type, ["GZIP", "ZLIB"])
        self._found_names: list[str] | None = None

    def column_names(self) -> list[str]:
        if self.columns_list is not None:
            return self.columns_list
        if self.schema is not None:
            return self.schema.names()
        if self._found_names is None:
            path = self.dataset_files[0]
            record = next(self._records(path), None)
            if record is None:
                raise PipelineError(
                    f"For 'TFRecordDataset', the file '{path}' must have a record, but is empty."
                )
            self._found_names = sorted(self._features(record, path, 0))
        return self._found_names

    def count(self, path: str) -> int:
        return sum(1 for _ in self._records(path))

    def read(self, path: str) -> Iterator[Row]:
        names = self.column_names()
        described = {} if self.schema is None else {c["name"]: c for c in self.schema.columns}
        types = (
            {}
            if self.schema is None
            else dict(zip(self.schema.names(), self.schema.types(), strict=True))
        )
        for number, record in enumerate(self._records(path)):
            features = self._features(record, path, number)
            row = []
            for name in names:
                if name not in features:
                    raise PipelineError(
                        f"For 'TFRecordDataset', record {number} of '{path}' has no feature '{name}'; it has "
                        f"{sorted(features)}."
                    )
                row.append(
                    _column(
                        name, features[name], types.get(name), described.get(name, {}).get("shape")
                    )
                )
            yield row

    def _records(self, path: str) -> Iterator[bytes]:
        """Payloads of the frames: length and its checksum, payload and its checksum."""
        with _opened(path, self.compression_type) as stream:
            number = 0
            while head := stream.read(12):
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

    def _features(self, record: bytes, path: str, number: int) -> dict[str, tuple[int, Any]]:
        try:
            return _parsed(record)
        except (WireError, UnicodeDecodeError) as error:
            raise PipelineError(
                f"For 'TFRecordDataset', record {number} of '{path}' must be a tf.train.Example: {error}."
            ) from None


def _opened(path: str, compression: str | None) -> IO[bytes]:
    if compression == "GZIP":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    stream = open(path, "rb")  # noqa: SIM115 - closed by the caller's `with`
    if compression is None:
        return stream
    import io  # for this rare case

    with stream:
        return io.BytesIO(zlib.decompress(stream.read()))


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


def _column(
    name: str, feature: tuple[int, Any], dtype: np.dtype | None, shape: list[int] | None
) -> np.ndarray:
    which, values = feature
    if which == 1:
        if dtype is not None and dtype.kind == "U":
            array = np.array([value.decode() for value in values])
        else:
            array = np.frombuffer(b"".join(values), np.uint8 if dtype is None else dtype)
    else:
        array = np.asarray(values, _KINDS[which]).astype(dtype or _KINDS[which])
    if shape is None:
        return array
    try:
        return array.reshape(shape)
    except ValueError:
        raise PipelineError(
            f"For 'TFRecordDataset', the column '{name}' must have the shape {shape} of the schema, but has "
            f"{array.size} values."
        ) from None
