"""Rows of CSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core import csv_text
from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.sources.files import FilesDataset, Row

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def csv_lines(owner: Any, path: str, delimiter: str) -> Iterator[list[str]]:
    """The fields of each line of a CSV file, empty lines left out.

    Raises:
        PipelineError: The file is broken.
    """
    with open(path, encoding="utf-8", newline="", opener=regular) as stream:
        reader = csv_text.reader(stream, delimiter=delimiter, strict=True)
        try:
            for line in reader:
                if line:
                    yield line
        except (csv.Error, UnicodeDecodeError) as error:
            raise PipelineError(
                f"For '{check.name_of(owner)}', the file '{path}' cannot be read at line {reader.line_num}: {error}."
            ) from None


class CSVDataset(FilesDataset):
    r"""Lines of CSV files (RFC 4180).

    Args:
        dataset_files: A file, a pattern, or a list of them.
        field_delim: The character between fields.
        column_defaults: For each column a value of its type, which replaces empty numbers: int for int32, float for
            float32, str. Default: all are text.
        column_names: Names of the columns; default: the first line of each file names them.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "table.csv"
        >>> _ = file.write_text("name,size\na,1\nb,\n")
        >>> data = dataset.CSVDataset(str(file), column_defaults=["", 7], shuffle=False)
        >>> [(str(name), size.item()) for name, size in data.create_tuple_iterator(output_numpy=True)]
        [('a', 1), ('b', 7)]
    """

    def __init__(
        self,
        dataset_files: Any,
        field_delim: str = ",",
        column_defaults: list | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(
            dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache
        )
        check.string(self, "field_delim", field_delim)
        if len(field_delim) != 1 or field_delim in '"\r\n':
            raise check.fail(
                ValueError,
                self,
                "field_delim",
                "one character, no quote or end of line",
                field_delim,
            )
        self.field_delim = field_delim
        self._given_names = check.optional(check.names, self, "column_names", column_names)
        self.column_defaults = check.optional(
            check.instance, self, "column_defaults", column_defaults, list
        )
        for value in column_defaults or []:
            check.instance(self, "column_defaults", value, (int, float, str))

    def column_names(self) -> list[str]:
        if self._given_names is not None:
            return self._given_names
        return next(csv_lines(self, self.dataset_files[0], self.field_delim), [])

    def read(self, path: str) -> Iterator[Row]:
        names, lines = self.column_names(), csv_lines(self, path, self.field_delim)
        if self._given_names is None:
            next(lines, None)
        defaults = self.column_defaults or [""] * len(names)
        if len(defaults) != len(names):
            raise PipelineError(
                f"For 'CSVDataset', the 'column_defaults' must be one for each of the columns of '{path}', "
                f"{shortened(names)}, but got {shortened(self.column_defaults)}."
            )
        for number, line in enumerate(lines):
            if len(line) != len(names):
                raise PipelineError(
                    f"For 'CSVDataset', row {number} of '{path}' must have {len(names)} fields, one for each of "
                    f"{shortened(names)}, but has {len(line)}."
                )
            try:
                yield [_value(text, default) for text, default in zip(line, defaults, strict=True)]
            except ValueError as error:
                raise PipelineError(
                    f"For 'CSVDataset', row {number} of '{path}': {shortened(error)}."
                ) from None


def _value(text: str, default: Any) -> np.ndarray:
    """A field in the type of its default."""
    if isinstance(default, str):
        return np.array(text)
    if text == "":
        number = default
    elif found := _NUMBER.match(text):
        number = float(found.group())
    else:
        raise ValueError(f"a number is expected, but got '{text}'")
    return (
        np.array(int(number), np.int32)
        if isinstance(default, int)
        else np.array(number, np.float32)
    )
