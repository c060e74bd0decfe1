"""Rows that Python objects give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mindspore.core.dtype import as_dtype, string
from mindspore.dataset import checked as check
from mindspore.dataset.block import Column, RowBlock, as_value, columns_of
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.chain import without
from mindspore.dataset.execution.memory import rowsize
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.user import user_error
from mindspore.dataset.sources.mappable import MappableDataset

ROWS = 16  # rows of a block: few, since Python code makes them one by one


class GeneratorDataset(MappableDataset):
    """Rows of a Python source: an object with `__getitem__` and `__len__`, an iterable, or a generator function.

    A row is a tuple or list of values, one for each column, or a single value.

    Args:
        source: Where rows come from. Of a generator function or iterable a new iterator is made for each pass.
        column_names: Names of the columns.
        column_types: Types that the columns must have; not checked where not given.
        schema: Schema that gives names and types instead.
        num_parallel_workers: Threads that call `__getitem__`; they gain where it waits for files or frees the
            interpreter.
        sampler, shuffle, num_samples, num_shards, shard_id: Which rows, in which order, for sources with `__getitem__`;
            default: all, shuffled. Other sources take `num_samples` only.
        python_multiprocessing: Accepted in both settings: rows are made by threads of this process.
        max_rowsize: Size of shared memory, which is not needed here.
        batch_sampler: Gives lists of row numbers; each list becomes a batch.
        collate_fn: Makes a batch of the list of its rows, with `batch_sampler`.

    Raises:
        PipelineError: While rows are read: the source failed (with the row's number, from the source's own error), or a
            row does not fit the columns.

    Examples:
        >>> import mindspore.dataset as ds
        >>> data = ds.GeneratorDataset(lambda: ((i, i * i) for i in range(3)), ["n", "square"])
        >>> [int(square) for n, square in data.create_tuple_iterator(output_numpy=True)]
        [0, 1, 4]
    """

    rows_at_once = ROWS
    calls_program = True

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Callable[[list], Any] | None = None,
    ):
        self._random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not self._random_access:
            _check_stream(source, shuffle, sampler, num_shards, shard_id, batch_sampler)
        if batch_sampler is not None:
            _check_alone(
                "batch_sampler",
                shuffle=shuffle,
                sampler=sampler,
                num_samples=num_samples,
                num_shards=num_shards,
                shard_id=shard_id,
            )
        elif collate_fn is not None:
            raise check.fail(
                ValueError, self, "collate_fn", "None without 'batch_sampler'", collate_fn
            )
        if isinstance(sampler, (list, tuple)) and num_samples:
            sampler, num_samples = sampler[:num_samples], None
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id)
        self.source: Any = source
        rowsize("GeneratorDataset", max_rowsize)
        self._names, self._types = _columns(column_names, column_types, schema)
        self._most = num_samples or None
        check.boolean(self, "python_multiprocessing", python_multiprocessing)
        self.batch_sampler: Any = batch_sampler
        self.collate_fn = check.optional(check.callable_, self, "collate_fn", collate_fn)
        self.threads_help = (self.num_parallel_workers or 1) > 1
        if self._random_access and not len(source):
            raise PipelineError(
                "For 'GeneratorDataset', the 'source' must have rows, but its length is 0."
            )

    def column_names(self) -> list[str]:
        return self._names

    def size(self) -> int:
        return len(self.source)

    def row_count(self) -> int | None:
        if self.batch_sampler is not None:
            return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else None
        if self._random_access:
            return super().row_count()
        length = len(self.source) if hasattr(self.source, "__len__") else None
        return length if length is None or self._most is None else min(length, self._most)

    def is_shuffled(self) -> bool:
        return self.is_by_number() and super().is_shuffled()

    def is_by_number(self) -> bool:
        return self._random_access and self.batch_sampler is None

    def use_sampler(self, new_sampler: Any) -> None:
        if not self.is_by_number():
            raise PipelineError(
                "For 'use_sampler', the source must have '__getitem__' and '__len__', and no batch sampler."
            )
        super().use_sampler(new_sampler)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        if self.batch_sampler is not None:
            return self._collated()
        return super().blocks(run) if self._random_access else self._streamed(run)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        if self.is_by_number():
            return super().blocks_after(run, skip)
        return without(self.blocks(run), skip)

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        return columns_of([self._row(i) for i in numbers.tolist()])

    def _row(self, number: int) -> list[np.ndarray]:
        return self._arrays(self._item(number), number)

    def _item(self, number: int) -> Any:
        try:
            return self.source[number]
        except Exception as error:  # of the user's source: raised again with its place
            raise user_error("GeneratorDataset", self.source, f"row {number}", error) from error

    def _streamed(self, run: Run) -> Iterator[RowBlock]:
        rows: list[list[np.ndarray]] = []
        start, length = 0, run.rows_per_block(0, ROWS)
        for number, row in enumerate(self._stream()):
            rows.append(self._arrays(row, number))
            if len(rows) == length:
                yield RowBlock(start, length, columns_of(rows))
                start, rows = start + length, []
        if rows:
            yield RowBlock(start, len(rows), columns_of(rows))

    def _stream(self) -> Iterator[Any]:
        """Rows as the source gives them, at most `num_samples`; its errors with the row's number."""
        number = 0
        try:
            made: Any = self.source() if callable(self.source) else self.source
            source = iter(made)
            while self._most is None or number < self._most:
                row = next(source, source)
                if row is source:
                    return
                yield row
                number += 1
        except PipelineError:
            raise
        except Exception as error:  # of the user's source: raised again with its place
            raise user_error("GeneratorDataset", self.source, f"row {number}", error) from error

    def _collated(self) -> Iterator[RowBlock]:
        for number, indices in enumerate(self.batch_sampler):
            rows = [self._item(int(i)) for i in indices]
            if self.collate_fn is not None:
                try:
                    batch = self._arrays(self.collate_fn(rows), number)
                except Exception as error:  # of the user's function: raised again with its place
                    raise user_error(
                        "GeneratorDataset", self.collate_fn, f"batch {number}", error
                    ) from error
            else:
                batch = columns_of([self._arrays(row, number) for row in rows])
                if not all(isinstance(column, np.ndarray) for column in batch):
                    raise PipelineError(
                        "For 'GeneratorDataset', the rows of a batch must have equal shapes and dtypes. "
                        "Give a 'collate_fn' that makes them so."
                    )
            yield RowBlock(number, 1, [array[None] for array in batch])

    def _arrays(self, row: Any, number: int) -> list[np.ndarray]:
        """The values of a row as arrays, checked against the columns."""
        values = row if isinstance(row, (tuple, list)) else (row,)
        if len(values) != len(self._names):
            raise PipelineError(
                f"For 'GeneratorDataset', a row must have {len(self._names)} values, for the columns "
                f"{self._names}, but row {number} has {len(values)}."
            )
        try:
            arrays = [as_value(value) for value in values]
        except TypeError as error:
            raise PipelineError(
                f"For 'GeneratorDataset', row {number} cannot be read: {error}"
            ) from None
        for name, array, wanted in zip(
            self._names, arrays, self._types or (), strict=bool(self._types)
        ):
            if wanted is not None and not (
                array.dtype == wanted or wanted.kind == array.dtype.kind == "U"
            ):
                raise PipelineError(
                    f"For 'GeneratorDataset', the column '{name}' must have the type {wanted} that "
                    f"'column_types' says, but row {number} has {array.dtype}."
                )
        return arrays


def _columns(names: Any, types: Any, schema: Any) -> tuple[list[str], list[np.dtype] | None]:
    """Names and types of the columns, from the arguments or the schema."""
    owner = "GeneratorDataset"
    if schema is not None:
        from mindspore.dataset.schema import Schema  # used by few programs

        if not isinstance(schema, (Schema, str)):
            raise check.fail(ValueError, owner, "schema", "a Schema or the path of one", schema)
        schema = schema if isinstance(schema, Schema) else Schema(schema)
        return schema.names(), schema.types()
    if names is None:
        raise ValueError(f"For '{owner}', 'column_names' or 'schema' must be given.")
    names = check.names(owner, "column_names", names)
    if types is None:
        return names, None
    check.instance(owner, "column_types", types, (list, tuple))
    if len(types) != len(names):
        raise check.fail(
            PipelineError, owner, "column_types", f"one type for each of the columns {names}", types
        )
    return names, [np.dtype(np.str_) if t is string else as_dtype(t).numpy for t in types]


def _check_alone(reason: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise ValueError(
                f"For 'GeneratorDataset', the '{name}' must not be given with '{reason}'."
            )


def _check_stream(
    source: Any, shuffle: Any, sampler: Any, num_shards: Any, shard_id: Any, batch_sampler: Any
) -> None:
    """Refuse what needs rows by number for sources that only give them in order."""
    if not callable(source) and not isinstance(source, Iterable):
        raise check.fail(
            TypeError,
            "GeneratorDataset",
            "source",
            "a function that gives an iterator, an iterable, or an "
            "object with '__getitem__' and '__len__'",
            source,
        )
    named = {
        "shuffle": shuffle or None,
        "sampler": sampler,
        "num_shards": num_shards,
        "shard_id": shard_id,
        "batch_sampler": batch_sampler,
    }
    for name, value in named.items():
        if value is not None:
            raise ValueError(
                f"For 'GeneratorDataset', the '{name}' needs a source with '__getitem__' and '__len__', but "
                f"the source is a {type(source).__name__}. Use 'dataset.shuffle' to shuffle its rows."
            )
