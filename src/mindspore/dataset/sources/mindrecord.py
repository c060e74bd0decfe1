"""Rows of MindRecord files."""

from __future__ import annotations

import fnmatch
import glob
import os
import threading
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.block import Column, as_array, rows_of
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.sampler_base import BuiltinSampler, Shuffle
from mindspore.dataset.sampler_files import FileOrder
from mindspore.dataset.samplers import (
    DistributedSampler,
    PKSampler,
    RandomSampler,
    check_shards,
)
from mindspore.dataset.sources.mappable import MappableDataset
from mindspore.formats.mindrecord.index import no_index
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.formats.mindrecord.schema import Field
from mindspore.formats.mindrecord.staging import INDEX, exists, waiting, where
from mindspore.mindrecord.config import reading_mode, settings


class MindDataset(MappableDataset):
    """Rows of MindRecord files (versions 2.0 and 3.0), in name order of the fields or as `columns_list` says.

    Fields of type bytes are arrays S<length> of shape (1,), texts arrays of shape ().

    Args:
        dataset_files: A data file, which represents its whole set; a pattern such as 'part-*'; or a list of just the
            files to read.
        columns_list: Names of the fields to read, None for all.
        shuffle: False; True, None or Shuffle.GLOBAL: all rows; Shuffle.FILES: the order of the files;
            Shuffle.INFILE: the rows of each file; Shuffle.PARTIAL: the files, and rows within a million;
            Shuffle.ADAPTIVE: PARTIAL from a hundred million rows on, else GLOBAL.
        num_shards, shard_id: Give only every `num_shards`-th row; all shards are equally long, rows repeat for that.
        sampler: Which rows, in which order; excludes `shuffle`, `num_shards` and `num_samples`.
        padded_sample: Values of additional rows by column name, which stand after all others before any shuffling.
            Needs `columns_list` and `num_padded`.
        num_padded: Number of additional rows; with them the shards must be equally long without repeating.
        dataset_file: Name of `dataset_files` in 1.x.

    Raises:
        ValueError: A file does not exist, or an argument has a wrong value.
        TypeError: An argument has a wrong type.
        MindRecordFileError: While reading: a file is damaged, or files do not belong together.

    Examples:
        >>> from mindspore.mindrecord import FileWriter
        >>> file = tempfile.mkdtemp() + "/rows.mindrecord"
        >>> writer = FileWriter(file)
        >>> _ = writer.add_schema({"x": {"type": "int32"}})
        >>> _ = writer.write_raw_data([{"x": 5}, {"x": 7}]), writer.commit()
        >>> [x.item() for (x,) in dataset.MindDataset(file, shuffle=False).create_tuple_iterator(output_numpy=True)]
        [5, 7]
    """

    anywhere = True

    def __init__(
        self,
        dataset_files: Any = None,
        columns_list: Any = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
        dataset_file: Any = None,
    ):
        dataset_files = _one_of(dataset_files, dataset_file)
        level = _level(shuffle)
        limit = num_samples or None
        super().__init__(
            num_parallel_workers,
            sampler,
            None if level else num_samples,
            None if level else _flag(shuffle),
            None if level else num_shards,
            None if level else shard_id,
            cache,
        )
        self.dataset_files = dataset_files
        self._source = self._found(dataset_files)
        self.columns_list = _columns(self, columns_list)
        if level and sampler is not None:
            raise PipelineError(
                "The 'shuffle' and the 'sampler' must not both be given: the sampler decides."
            )
        if level:
            check_shards(num_shards, shard_id)
            check.optional(check.integer, self, "num_samples", num_samples, 0, check.INT32_MAX)
            self.sampler = self._levelled(level, num_shards, shard_id, limit)
        else:
            self.sampler = self._random(self.sampler)
        self.num_padded = self._padding(padded_sample, num_padded)
        self.padded_sample = padded_sample
        self._opened: RecordSet | None = None
        self._opening = threading.Lock()
        self._key = settings.key, reading_mode() if settings.key else "AES-GCM"
        self._padded: list[np.ndarray] = []

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_opening"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._opening = threading.Lock()

    def _found(self, files: Any) -> str | list[str]:
        """One file that represents its set, or the files of a list or a pattern."""
        return _found(files)

    def _local(self) -> str | list[str]:
        """The files to open."""
        return self._source

    def _levelled(
        self,
        level: Shuffle,
        num_shards: int | None,
        shard_id: int | None,
        num_samples: int | None,
        child: BuiltinSampler | None = None,
    ) -> BuiltinSampler:
        """A sampler for a shuffle that knows the files."""
        sharded = num_shards is not None and shard_id is not None
        order = FileOrder(level, self._row_counts, None if sharded else num_samples, sharded)
        order.add_child(child)
        if num_shards is None or shard_id is None:
            return order
        shard = DistributedSampler(num_shards, shard_id, False, num_samples)
        shard.add_child(order)
        return shard

    def use_sampler(self, new_sampler: Any) -> None:
        """Read through another sampler; a RandomSampler mixes as its `shuffle` says."""
        super().use_sampler(new_sampler)
        self.sampler = self._random(new_sampler)

    def _random(self, given: BuiltinSampler) -> BuiltinSampler:
        """A sampler that knows the files, for a RandomSampler that needs it; any other one unchanged."""
        if type(given) is not RandomSampler or not _level(given.shuffle):
            return given
        if not given.replacement:
            return self._levelled(
                given.shuffle, None, None, given.num_samples, given.child_sampler
            )
        if given.shuffle in (Shuffle.FILES, Shuffle.INFILE):
            raise PipelineError(
                f"For 'RandomSampler', {given.shuffle} keeps every row in its file and excludes 'replacement'."
            )
        drawn = RandomSampler(True, given.num_samples)  # rows drawn anew keep no order
        drawn.add_child(given.child_sampler)
        return drawn

    def _padding(self, sample: Any, number: Any) -> int:
        """Number of additional rows, after checking what goes with it."""
        check.optional(check.instance, self, "padded_sample", sample, dict)
        check.optional(check.integer, self, "num_padded", number, 0, check.INT32_MAX)
        if (sample is None) != (number is None):
            raise PipelineError(
                "For 'MindDataset', the 'padded_sample' and the 'num_padded' must be given together."
            )
        if sample is None:
            return 0
        if self.columns_list is None:
            raise PipelineError("For 'MindDataset', the 'padded_sample' needs 'columns_list'.")
        missing = [name for name in self.columns_list if name not in sample]
        if missing:
            raise check.fail(
                ValueError,
                self,
                "padded_sample",
                f"a dict with all columns, also {missing}",
                sample,
            )
        return number

    # ---- what there is

    @property
    def records(self) -> RecordSet:
        """The files, opened when they are first needed."""
        if self._opened is None:
            with self._opening:
                if self._opened is None:
                    self._opened = RecordSet(self._local(), *self._key)
        return self._opened

    def fields(self) -> list[Field]:
        """The fields that are read."""
        return self.records.fields(self.columns_list)

    def column_names(self) -> list[str]:
        return [field.name for field in self.fields()]

    def size(self) -> int:
        return self.records.rows + self.num_padded

    def _row_counts(self) -> list[int]:
        padded = [self.num_padded] if self.num_padded else []
        return [*self.records.row_counts(), *padded]

    def row_bytes(self) -> int:
        pages = [page.used for shard in self.records.shards for page in shard.header.pages]
        return sum(pages) // max(self.records.rows, 1)

    def row_count(self) -> int | None:
        self._check_shards()
        return super().row_count()

    def numbers(self, run: Run) -> np.ndarray:
        self._check_shards()
        return super().numbers(run)

    def _check_shards(self) -> None:
        sampler: Any = self.sampler
        if (
            self.num_padded
            and isinstance(sampler, DistributedSampler)
            and self.size() % sampler.num_shards
        ):
            raise PipelineError(
                f"For 'MindDataset', the rows together with 'num_padded', {self.size()}, must be a multiple of "
                f"'num_shards', {sampler.num_shards}."
            )

    def labels(self) -> np.ndarray | None:
        """Values of the field that a PKSampler takes as classes."""
        sampler: Any = self.sampler
        while sampler is not None and not isinstance(sampler, PKSampler):
            sampler = sampler.child_sampler
        if sampler is None:
            return None
        field = self.records.fields([sampler.class_column])[0]
        if field.is_blob:
            raise PipelineError(
                f"For 'PKSampler', the 'class_column' must not be an array or bytes, but '{field.name}' is."
            )
        return np.asarray(self.records.column(field, np.arange(self.records.rows)))

    # ---- rows

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        if not self.num_padded:
            return [_typed(field, self.records.column(field, numbers)) for field in self.fields()]
        return self._fetch_padded(numbers)

    def _fetch_padded(self, numbers: np.ndarray) -> list[Column]:
        rows = self.records.rows
        there = numbers < rows
        columns: list[Column] = []
        for field, padded in zip(self.fields(), self._padded_row(), strict=True):
            read = _typed(field, self.records.column(field, numbers[there])) if there.any() else []
            values = iter(rows_of(read))
            columns.append([next(values) if is_there else padded for is_there in there.tolist()])
        return columns

    def _padded_row(self) -> list[np.ndarray]:
        """Values of an additional row, with the types of the fields."""
        if not self._padded:
            sample = self.padded_sample or {}
            self._padded = [_padded_value(field, sample[field.name]) for field in self.fields()]
        return self._padded


def _one_of(files: Any, former: Any) -> Any:
    """The files, by either name of the argument."""
    if files is not None and former is not None:
        raise TypeError(
            "For 'MindDataset', the 'dataset_files' is given twice, also as 'dataset_file', its name in 1.x."
        )
    return files if former is None else former


def _flag(shuffle: Any) -> Any:
    """The two levels that are a yes and a no as such."""
    return shuffle is Shuffle.GLOBAL if isinstance(shuffle, Shuffle) else shuffle


def _level(shuffle: Any) -> Shuffle | None:
    """A mode of shuffling that other sources do not have."""
    levels = (Shuffle.FILES, Shuffle.INFILE, Shuffle.PARTIAL, Shuffle.ADAPTIVE)
    return shuffle if isinstance(shuffle, Shuffle) and shuffle in levels else None


def _columns(owner: Any, names: Any) -> list[str] | None:
    """The columns to read; an empty list means all."""
    check.optional(check.instance, owner, "columns_list", names, list)
    if not names:
        return None
    for name in names:
        if not isinstance(name, str):
            raise check.fail(TypeError, owner, "columns_list", "a list of str", names)
    if "" in names or len(set(names)) < len(names):
        raise PipelineError(
            f"For 'MindDataset', the 'columns_list' must have different names, not empty, but got {names}."
        )
    return list(names)


def _found(files: Any) -> str | list[str]:
    """One file that represents its set, or the files of a list or a pattern."""
    if isinstance(files, list):
        paths = [path for item in files for path in _matches(item)]
        if not paths:
            raise PipelineError("For 'MindDataset', the 'dataset_files' must not be an empty list.")
        source: str | list[str] = paths
    else:
        paths = _matches(files)
        source = paths[0] if not glob.has_magic(os.fspath(files)) else paths
    for path in paths:
        if not exists(path, INDEX):
            raise no_index(path)
    return source


def _matches(path: Any) -> list[str]:
    check.instance("MindDataset", "dataset_files", path, (str, os.PathLike))
    path = os.fspath(path)
    if glob.has_magic(path):
        found = {*glob.glob(path), *fnmatch.filter(waiting(os.path.dirname(path)), path)}
        if data := sorted(match for match in found if not match.endswith(INDEX)):
            return data
    if where(path) == path:
        check.file("MindDataset", "dataset_files", path)
    return [path]


def _typed(field: Field, column: Column) -> Column:
    """A column with the type of its field."""
    if field.type == "string":
        return np.array(column) if column else []
    if field.is_blob:
        return column
    with np.errstate(over="ignore"):  # a number too large for float32 is infinity there
        return column.astype(field.dtype.newbyteorder("="))


def _padded_value(field: Field, value: Any) -> np.ndarray:
    """A value that the user gave for a field.

    Raises:
        PipelineError: It does not fit the type of the field.
    """
    if field.type == "bytes" and isinstance(value, (bytes, np.ndarray)):
        content = value if isinstance(value, bytes) else value.tobytes()
        return np.array([content], f"S{max(len(content), 1)}")
    array = as_array(value)
    if array.dtype.kind not in ("U" if field.type == "string" else "biuf") or field.type == "bytes":
        raise PipelineError(
            f"For 'MindDataset', the 'padded_sample' must have a value of type {field.type} for '{field.name}', "
            f"but got {type(value).__name__}."
        )
    return array if field.type == "string" else array.astype(field.dtype.newbyteorder("="))
