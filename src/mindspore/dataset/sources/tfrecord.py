"""Rows of TFRecord files: framed `Example` messages."""

from __future__ import annotations

import functools
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, Any, cast

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.schema import Described, Schema
from mindspore.dataset.sources.files import FilesDataset, Part, Row
from mindspore.formats import tfrecord
from mindspore.formats.tfrecord import RecordError, Values


class TFRecordDataset(FilesDataset):
    """Records of TFRecord files, each a `tf.train.Example`; columns are its features.

    Args:
        dataset_files: A file, a pattern, or a list of them.
        schema: Schema, or path of its JSON file, with the types and shapes of the columns. Without it they are vectors
            of int64, float32 or bytes as uint8, named as in the first record.
        columns_list: Only these columns.
        num_samples: Most rows to give; default: the number of rows in the schema, if it has one.
        shard_equal_rows: Share the rows out, shares being equally large; else the files.
        compression_type: None, 'GZIP' or 'ZLIB'.

    Raises:
        TypeError, ValueError: If an argument has another type or value, or a file does not exist.
        PipelineError: While reading: a file is damaged, or a record does not fit the schema.

    Examples:
        >>> from mindspore.formats.tfrecord import frame     # what stands around a record in its file
        >>> example = b"\\n\\r\\n\\x0b\\n\\x01n\\x12\\x06\\x1a\\x04\\n\\x02\\x05\\x07"      # n: integers 5, 7
        >>> file = Path(tempfile.mkdtemp()) / "rows.tfrecord"
        >>> _ = file.write_bytes(frame(example))
        >>> [row["n"].tolist() for row in dataset.TFRecordDataset(str(file)).create_dict_iterator(1, output_numpy=True)]
        [[5, 7]]
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
            Described(name, self._kind(features, name, path), None) for name in names
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
                yield [make(column, self._feature(features, column.name, path)) for column in columns]
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

    def _kind(self, features: dict[str, Values], name: str, path: str) -> np.dtype:
        kind = features[name].kind
        if kind is None:
            raise PipelineError(
                f"For 'TFRecordDataset', the feature '{name}' has no values in '{path}', so that its type is not "
                "known."
            )
        return kind

    def _feature(self, features: dict[str, Values], name: str, path: str) -> Values:
        self._kind(features, name, path)
        return features[name]

    def _records(self, path: str) -> Iterator[bytes]:
        """The records of a file, of which there must be one."""
        empty = True
        with telling(self, lambda: f"the file '{path}'"), _opened(path, self.compression_type) as stream:
            try:
                for record in tfrecord.records(stream):
                    empty = False
                    yield record
            except (RecordError, OSError, EOFError, zlib.error) as error:
                raise PipelineError(
                    f"For 'TFRecordDataset', the file '{path}' must be a TFRecord file, compressed as "
                    f"'compression_type' ({self.compression_type}) says, but is damaged or something else: {error}."
                ) from None
        if empty:
            raise PipelineError(
                f"For 'TFRecordDataset', the file '{path}' must have a record, but is empty."
            )

    def _features(self, record: bytes, path: str, number: int) -> dict[str, Values]:
        try:
            return tfrecord.features(record)
        except RecordError as error:
            raise PipelineError(
                f"For 'TFRecordDataset', record {number} of '{path}' does not fit: {error}."
            ) from None


def _opened(path: str, compression: str | None) -> IO[bytes]:
    stream = open(path, "rb")  # noqa: SIM115 - closed by the caller's `with`
    if compression is None:
        return stream
    if compression == "ZLIB":
        return io.BufferedReader(_Inflated(stream))
    start = stream.read(2)
    stream.seek(0)
    if start != b"\x1f\x8b":
        return stream  # not compressed, which zlib's reader of such files takes, too
    return cast("IO[bytes]", _Unpacked(stream))


class _Unpacked(gzip.GzipFile):
    """A compressed file, which is closed with its reader."""

    def __init__(self, stream: IO[bytes]):
        super().__init__(fileobj=stream, mode="rb")
        self._stream = stream

    def close(self) -> None:
        super().close()
        self._stream.close()


class _Inflated(io.RawIOBase):
    """The content of a file that zlib compressed, unpacked as it is read."""

    def __init__(self, stream: IO[bytes]):
        self._stream, self._unpacker = stream, zlib.decompressobj()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpacker.eof:
            content = self._unpacker.unconsumed_tail or self._stream.read(2**16)
            if not content:
                raise EOFError("it is cut off")
            found = self._unpacker.decompress(content, len(buffer))
            if found:
                buffer[: len(found)] = found
                return len(found)
        return 0

    def close(self) -> None:
        super().close()
        self._stream.close()


def _any_column(column: Described, values: Values) -> np.ndarray:
    """A vector of the values; several byte strings are filled up with blanks to the length of the longest."""
    if values.kind != np.uint8:
        return values.content
    width = max(map(len, values.content), default=0)
    return np.frombuffer(b"".join(value.ljust(width) for value in values.content), np.uint8)


def _column(column: Described, values: Values) -> np.ndarray:
    """The values in the type and shape of the schema."""
    name, dtype, shape = column
    content = values.content
    if values.kind != np.uint8:
        if dtype.kind == "U":
            raise ValueError(f"the column '{name}' must have text, but has numbers")
        array = content.astype(dtype)
    elif dtype.kind == "U":
        array = np.array([value.decode() for value in content])
    elif dtype != np.uint8:
        raise ValueError(
            f"the column '{name}' has bytes, so its type must be uint8 or string, but is {dtype}"
        )
    else:
        if len({len(value) for value in content}) > 1:
            raise ValueError(f"the column '{name}' has several byte strings of different lengths")
        array = np.frombuffer(b"".join(content), np.uint8)
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
