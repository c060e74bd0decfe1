"""Rows that files give one after the other: lines of text, CSV, TFRecord."""

from __future__ import annotations

import glob
import itertools
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.block import Column, RowBlock, columns_of
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.operations.rows import ShuffleBuffer
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.sources.mappable import SourceDataset

ROWS = 64  # rows of a block
BUFFER = 10_000  # rows among which Shuffle.GLOBAL mixes
READERS = 8  # files that are read in turns where the order is random

Row = list[np.ndarray]
Part = tuple[str, int, int]  # path of a file, and the range of its rows


class FilesDataset(SourceDataset):
    """Rows of files that are read from their beginning. A subclass defines `read` and `count`.

    Without shuffling the rows of as many files as there are workers come in turns, one of each.

    Args:
        dataset_files: A file, a pattern such as 'part-*.txt', or a list of them; read in the order of their names.
        shuffle: False; True or Shuffle.GLOBAL: files and rows; Shuffle.FILES: only the order of the files;
            Shuffle.INFILE: only the rows of each file.
        num_shards, shard_id: Give only one of equally large shares; the last ones begin again at the first row.

    Raises:
        PipelineError: While rows are read: a file is broken, or there is no row in any of them.
    """

    levels = (Shuffle.FILES, Shuffle.INFILE)

    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_parallel_workers, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_files = sorted(self._found(dataset_files))
        self._counts: dict[str, int] = {}

    def _found(self, given: Any) -> list[str]:
        given = [given] if isinstance(given, (str, os.PathLike)) else given
        check.instance(self, "dataset_files", given, (list, tuple))
        paths: list[str] = []
        for path in given:
            check.instance(self, "dataset_files", path, (str, os.PathLike))
            matches = sorted(glob.glob(str(path)))
            paths += [match for match in matches if os.path.isfile(match)] or check.files(
                self, "dataset_files", path
            )
        if not paths:
            raise check.fail(
                ValueError, self, "dataset_files", "a path or a list of paths, not empty", given
            )
        return paths

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'read' is not defined.")

    def count(self, path: str) -> int:
        """Number of rows of a file."""
        return sum(1 for _ in self._rows(path))

    def _rows(self, path: str) -> Iterator[Row]:
        """The rows of a file; whatever damage causes is told by one error."""
        with telling(self, lambda: f"the file '{path}'"):
            yield from self.read(path)

    def _count_of(self, path: str) -> int:
        if path not in self._counts:
            with telling(self, lambda: f"the file '{path}'"):
                self._counts[path] = self.count(path)
        return self._counts[path]

    def _total(self) -> int:
        return sum(map(self._count_of, self.dataset_files))

    def row_count(self) -> int:
        rows = sum(end - begin for _, begin, end in self._parts(self.dataset_files, True))
        return rows if self.num_samples is None else min(rows, self.num_samples)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        files = list(self.dataset_files)
        if self.shuffle_level in (Shuffle.GLOBAL, Shuffle.FILES):
            files = [files[i] for i in run.common_order().permutation(len(files))]
        inside = run.order() if self.shuffle_level is Shuffle.INFILE else None
        rows = self._some(self._turns(self._parts(files, False), inside))
        if self.shuffle_level is Shuffle.GLOBAL:
            rows = _shuffled(rows, run.order(), BUFFER)
        return _blocks(rows, self.num_samples, ROWS if run.block_rows is None else run.block_rows)

    def _parts(self, files: list[str], counted: bool) -> list[Part]:
        """The ranges of rows of the files that are read; `counted`: with their ends even if that is the file's."""
        if self.num_shards is not None:
            return self._share(files)
        return [(path, 0, self._count_of(path) if counted else sys.maxsize) for path in files]

    def _share(self, files: list[str]) -> list[Part]:
        """The rows of this shard: a range of the rows of all files, beginning again after the last."""
        total = self._total()
        size = -(-total // self.num_shards)
        at, end, parts = self.shard_id * size, (self.shard_id + 1) * size, []
        start, number = 0, 0
        while total and at < end:
            path = files[number % len(files)]
            count = self._count_of(path)
            if at < start + count:
                stop = min(end, start + count)
                parts.append((path, at - start, stop - start))
                at = stop
            start, number = start + count, number + 1
        return parts

    def _some(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows, of which there must be one at least."""
        first = next(rows, None)
        if first is None:
            raise PipelineError(
                f"For '{type(self).__name__}', the files must have a row at least, but have none: "
                f"{', '.join(self.dataset_files[:3])}."
            )
        yield first
        yield from rows

    def _turns(self, parts: list[Part], inside: np.random.Generator | None) -> Iterator[Row]:
        """The rows of several files in turns, those of each in the order that `inside` draws."""
        # a seed gives one order for any number of workers; without one it is the workers that take turns
        workers = READERS if self.is_shuffled() else workers_of(self.num_parallel_workers)
        readers = min(workers, len(parts))
        lanes = [self._lane(parts[i::readers], inside) for i in range(readers)]
        while lanes:
            for lane in list(lanes):
                row = next(lane, None)
                if row is None:
                    lanes.remove(lane)
                else:
                    yield row

    def _lane(self, parts: list[Part], inside: np.random.Generator | None) -> Iterator[Row]:
        for path, begin, end in parts:
            rows = itertools.islice(self._rows(path), begin, end)
            yield from rows if inside is None else _shuffled(rows, inside, BUFFER)


def _blocks(rows: Iterator[Row], most: int | None, length: int) -> Iterator[RowBlock]:
    start, pending = 0, []
    for row in rows:
        if most is not None and start + len(pending) >= most:
            break
        pending.append(row)
        if len(pending) == length:
            yield RowBlock(start, length, columns_of(pending))
            start, pending = start + length, []
    if pending:
        yield RowBlock(start, len(pending), columns_of(pending))


def _shuffled(rows: Iterator[Row], rng: np.random.Generator, size: int) -> Iterator[Row]:
    buffer = ShuffleBuffer(size)
    for row in rows:
        block = RowBlock(0, 1, [[array] for array in row])
        for part in buffer.fill(block):
            yield _only(buffer.exchange(part, rng))
    for block in buffer.drain(rng, 1):
        yield _only(block.columns)


def _only(columns: list[Column]) -> Row:
    return [column[0] for column in columns]


def text_lines(owner: Any, path: str) -> Iterator[str]:
    """The lines of a file in UTF-8 without their ends.

    Raises:
        PipelineError: The file is not in UTF-8.
    """
    try:
        with open(path, encoding="utf-8", newline="\n", opener=regular) as stream:
            for line in stream:
                yield line.removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the file '{path}' is not in UTF-8: {error}."
        ) from None


class TextFileDataset(FilesDataset):
    r"""Lines of text files, empty ones left out. Column: `text`.

    Args: As for FilesDataset.

    Args:
        dataset_files: A file, a pattern such as 'part-*.txt', or a list of them; read in the order of their
            names.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "lines.txt"
        >>> _ = file.write_text("one\n\ntwo\n")
        >>> data = dataset.TextFileDataset(str(file), shuffle=False)
        >>> [str(text) for (text,) in data.create_tuple_iterator(output_numpy=True)]
        ['one', 'two']
    """

    def column_names(self) -> list[str]:
        return ["text"]

    def read(self, path: str) -> Iterator[Row]:
        return ([np.array(line)] for line in text_lines(self, path) if line)
