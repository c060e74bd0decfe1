"""Reading MindRecord files row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.formats.mindrecord.errors import ParamTypeError, ParamValueError
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.mindrecord.config import reading_mode, settings

__all__ = ["FileReader"]

ROWS_AT_ONCE = 256


class FileReader:
    """Rows of MindRecord files as dicts from field name to int, float, str, bytes or array.

    Args:
        file_name: A data file, which represents its whole set, or a list of just the files to read.
        num_consumer: Accepted, at least 1: rows are found a page at a time, which needs no threads.
        columns: Names of the fields to read; None or an empty list: all.
        operator: Not supported; samplers belong to `mindspore.dataset.MindDataset`.

    Raises:
        ParamValueError: `file_name` or `num_consumer` has a wrong value.
        ParamTypeError: `columns` is no list of names.
        MindRecordFileError: A file is missing or damaged, or has no field of that name.
    """

    def __init__(
        self, file_name: Any, num_consumer: int = 4, columns: Any = None, operator: Any = None
    ):
        check_consumers("FileReader", num_consumer)
        if columns is not None and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        if not all(isinstance(name, str) for name in columns or ()):
            raise ParamTypeError("columns", "list of str")
        if operator is not None:
            raise NotImplementedError(
                "For 'FileReader', the 'operator' is not supported. Use 'mindspore.dataset.MindDataset' with a "
                "sampler instead."
            )
        self._records: RecordSet | None = open_records("FileReader", file_name)
        self._columns = list(dict.fromkeys(columns)) if columns else None
        self._fields = self._records.fields(self._columns)
        self._schema = self._records.header.schema.as_json()
        self._rows = rows_of(self._records, self._columns)

    def get_next(self) -> Iterator[dict[str, Any]]:
        """The rows one after the other; each row is given once."""
        yield from self._rows

    def schema(self) -> dict[str, dict[str, Any]]:
        """The fields: {"type": ...} and, for arrays, "shape", by name."""
        return self._schema

    def len(self) -> int:
        """Number of rows."""
        return 0 if self._records is None else self._records.rows

    def close(self) -> None:
        """Let go of the files; no more rows are given."""
        self._rows = iter(())
        self._records = None

    def finish(self) -> None:
        """The name of `close` in 1.0."""
        self.close()

    def __enter__(self) -> FileReader:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def check_consumers(owner: str, value: Any) -> None:
    """Refuse a number of readers that is no positive int."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ParamValueError(
            f"For '{owner}', the 'num_consumer' must be a positive int, but got {value!r}."
        )


def check_path(owner: str, value: Any) -> str:
    """A path that is a str and not empty."""
    if not isinstance(value, str) or not value:
        raise ParamValueError(
            f"For '{owner}', the 'file_name' must be a str, not empty, but got {value!r}."
        )
    return value


def open_records(owner: str, source: Any) -> RecordSet:
    """The rows of a data file and its set, or of a list of files, with the key that is set."""
    if isinstance(source, list):
        if not source:
            raise ParamValueError(f"For '{owner}', the 'file_name' must not be an empty list.")
        source = [check_path(owner, path) for path in source]
    else:
        check_path(owner, source)
    return RecordSet(source, settings.key, reading_mode() if settings.key else "AES-GCM")


def rows_of(
    records: RecordSet, names: list[str] | None, numbers: np.ndarray | None = None
) -> Iterator[dict[str, Any]]:
    """Rows as dicts of Python values: raw fields first, then blobs, each in name order."""
    fields = sorted(records.fields(names), key=lambda field: (field.is_blob, field.name))
    if numbers is None:
        numbers = np.arange(records.rows)
    for begin in range(0, len(numbers), ROWS_AT_ONCE):
        part = numbers[begin : begin + ROWS_AT_ONCE]
        columns = [
            records.contents(field, part) if field.type == "bytes" else _values(records.column(field, part))
            for field in fields
        ]
        for row in zip(*columns, strict=True):
            yield {field.name: value for field, value in zip(fields, row, strict=True)}


def _values(column: Any) -> list[Any]:
    """A column as Python values, and arrays that may be written to."""
    if isinstance(column, np.ndarray):
        return column.tolist() if column.ndim == 1 else list(column)
    return column
