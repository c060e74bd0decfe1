"""Rows that files give one after the other: lines of text, CSV, TFRecord."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Block, Column
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.rows import ShuffleBuffer
from mindspore.dataset.samplers import Shuffle, check_shards
from mindspore.dataset.sources.arrays import columns_of
from mindspore.dataset.sources.mappable import SourceDataset

ROWS = 64  # rows of a block
BUFFER = 10_000  # rows among which Shuffle.GLOBAL mixes
READERS = 8  # files that are read in turns where no number of workers is given

Row = list[np.ndarray]


class FilesDataset(SourceDataset):
    """Rows of files that are read from their beginning. A subclass defines `read` and `count`.

    Without shuffling the rows of up to `num_parallel_workers` files (default: 8) come in turns, one of each.

    Args:
        dataset_files: A file, a pattern such as 'part-*.txt', or a list of them.
        num_samples: Most rows to give.
        shuffle: False; True or Shuffle.GLOBAL: files and rows; Shuffle.FILES: only the order of the files.
        num_shards, shard_id: Give only one of equally large shares; the last ones begin again at the first row.
    """

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
        super().__init__(None, num_parallel_workers, cache)
        self.dataset_files = self._found(dataset_files)
        self.num_samples = (
            check.optional(check.integer, self, "num_samples", num_samples, 0, check.INT32_MAX)
            or None
        )
        if isinstance(shuffle, bool) or shuffle is None:
            shuffle = Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL
        check.instance(self, "shuffle", shuffle, Shuffle)
        self.shuffle_level = check.option(
            self, "shuffle", shuffle, [Shuffle.FALSE, Shuffle.GLOBAL, Shuffle.FILES]
        )
        check_shards(num_shards, shard_id)
        self.num_shards: Any = num_shards
        self.shard_id: Any = shard_id
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
        return sum(1 for _ in self.read(path))

    def _total(self) -> int:
        if not self._counts:
            self._counts = {path: self.count(path) for path in self.dataset_files}
        return sum(self._counts[path] for path in self.dataset_files)

    def row_count(self) -> int:
        rows = self._total()
        if self.num_shards is not None:
            rows = -(-rows // self.num_shards)
        return rows if self.num_samples is None else min(rows, self.num_samples)

    def is_shuffled(self) -> bool:
        return self.shuffle_level is not Shuffle.FALSE

    def is_sharded(self) -> bool:
        return self.num_shards is not None

    def blocks(self, run: Run) -> Iterator[Block]:
        rng, files = run.order(), list(self.dataset_files)
        if self.shuffle_level is not Shuffle.FALSE:
            files = [files[i] for i in run.common_order().permutation(len(files))]
        rows = self._turns(files) if self.num_shards is None else self._share(files)
        if self.shuffle_level is Shuffle.GLOBAL:
            rows = _shuffled(rows, rng, BUFFER)
        return _blocks(rows, self.num_samples, ROWS if run.block_rows is None else run.block_rows)

    def _turns(self, files: list[str]) -> Iterator[Row]:
        """The rows of several files in turns."""
        readers = min(self.num_parallel_workers or READERS, len(files))
        lanes = [self._lane(files[i::readers]) for i in range(readers)]
        while lanes:
            for lane in list(lanes):
                row = next(lane, None)
                if row is None:
                    lanes.remove(lane)
                else:
                    yield row

    def _lane(self, files: list[str]) -> Iterator[Row]:
        for path in files:
            yield from self.read(path)

    def _share(self, files: list[str]) -> Iterator[Row]:
        """The rows of this shard: a range of the rows of all files, beginning again after the last."""
        total = self._total()
        size = -(-total // self.num_shards)
        begin = self.shard_id * size
        counts = self._counts
        wanted, at = size, 0
        while wanted and total:
            for path in files:
                if at + counts[path] > begin:
                    for row in self.read(path):
                        if at >= begin and wanted:
                            yield row
                            wanted -= 1
                        at += 1
                else:
                    at += counts[path]
                if not wanted:
                    return


def _blocks(rows: Iterator[Row], most: int | None, length: int) -> Iterator[Block]:
    start, pending = 0, []
    for row in rows:
        if most is not None and start + len(pending) >= most:
            break
        pending.append(row)
        if len(pending) == length:
            yield Block(start, length, columns_of(pending))
            start, pending = start + length, []
    if pending:
        yield Block(start, len(pending), columns_of(pending))


def _shuffled(rows: Iterator[Row], rng: np.random.Generator, size: int) -> Iterator[Row]:
    buffer = ShuffleBuffer(size)
    for row in rows:
        block = Block(0, 1, [[array] for array in row])
        for part in buffer.fill(block):
            yield _only(buffer.exchange(part, rng))
    for block in buffer.drain(rng, 1):
        yield _only(block.columns)


def _only(columns: list[Column]) -> Row:
    return [column[0] for column in columns]


class TextFileDataset(FilesDataset):
    """Lines of text files, empty ones left out. Column: `text`.

    Args: As for FilesDataset.
    """

    def column_names(self) -> list[str]:
        return ["text"]

    def read(self, path: str) -> Iterator[Row]:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
            for line in stream:
                if text := line.rstrip("\n").rstrip("\r"):
                    yield [np.array(text)]
