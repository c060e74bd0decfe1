"""Rows made of random numbers, for trying out a program before its data is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.block import Column, RowBlock
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.schema import Schema
from mindspore.dataset.sources.listed import ListedDataset
from mindspore.dataset.sources.mappable import SourceDataset
from mindspore.dataset.sources.signatures import ROWS


class FakeImageDataset(
    ListedDataset,
    takes=f"num_images=1000, image_size=(224, 224, 3), num_classes=10, base_seed=0, {ROWS}",
):
    """Random images with random labels. Columns: `image` uint8 (H, W, C), `label` uint32.

    Args:
        num_images: Number of images.
        image_size: Height, width and channels.
        num_classes: Number of classes.
        base_seed: Image i depends on `base_seed + i` only.

    Examples:
        >>> data = dataset.FakeImageDataset(3, (4, 6, 3), 10)
        >>> [image.shape for image, label in data.create_tuple_iterator(output_numpy=True)]
        [(4, 6, 3), (4, 6, 3), (4, 6, 3)]
    """

    num_images: int
    image_size: Any
    base_seed: int

    def verify(self) -> None:
        check.integer(self, "num_images", self.num_images, 1, check.INT32_MAX)
        check.integer(self, "num_classes", self.arguments["num_classes"], 1, check.INT32_MAX)
        check.integer(self, "base_seed", self.base_seed)
        check.instance(self, "image_size", self.image_size, (list, tuple))
        if len(self.image_size) != 3:
            raise check.fail(ValueError, self, "image_size", "three lengths", self.image_size)
        for length in self.image_size:
            check.integer(self, "image_size", length, 1, check.INT32_MAX)

    def size(self) -> int:
        return self.num_images

    def row_bytes(self) -> int:
        return int(np.prod(self.image_size))

    def num_classes(self) -> int:
        return self.arguments["num_classes"]

    def get_class_indexing(self) -> dict[str, int]:
        return {}

    def labels(self) -> np.ndarray:
        return np.array([self._label(self._stream(i)) for i in range(self.num_images)], np.uint32)

    @property
    def threads_help(self) -> bool:
        return False

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        streams = [self._stream(i) for i in numbers.tolist()]
        labels = np.array([self._label(stream) for stream in streams], np.uint32)
        pictures = [stream.integers(0, 256, tuple(self.image_size), np.uint8) for stream in streams]
        return [np.stack(pictures), labels]

    def _stream(self, number: int) -> np.random.Generator:
        return np.random.default_rng((self.base_seed + number) % 2**64)

    def _label(self, stream: np.random.Generator) -> int:
        return int(stream.integers(self.arguments["num_classes"]))


class RandomDataset(SourceDataset):
    """Rows of random numbers.

    Args:
        total_rows: Number of rows; default: a random one.
        schema: Schema, or path of its JSON file: names, types and shapes of the columns, an unknown length being 1.
            Default: some columns of random types and shapes.
        columns_list: Only these columns.
        num_samples: Most rows to give.
        num_parallel_workers: Accepted; the numbers are drawn by the reader.
        cache: Must be None: random rows cannot be kept.
        shuffle: Accepted in both settings: random rows have no order.
        num_shards, shard_id: Give only one of equally large shares.

    Examples:
        >>> schema = dataset.Schema()
        >>> schema.add_column("x", mindspore.int32, [2])
        >>> data = dataset.RandomDataset(3, schema)
        >>> [x.shape for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [(2,), (2,), (2,)]
    """

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(
            num_parallel_workers, num_samples, shuffle or False, num_shards, shard_id, cache
        )
        check.optional(check.integer, self, "total_rows", total_rows, 0, check.INT32_MAX)
        check.optional(check.boolean, self, "shuffle", shuffle)
        rng = Run(0).generator()
        self.total_rows = total_rows or int(rng.integers(1, 1000))
        schema = _random_schema(rng) if schema is None else Schema.of(self, schema)
        self._columns = schema.selected(self, columns_list)

    def column_names(self) -> list[str]:
        return [name for name, _, _ in self._columns]

    def row_count(self) -> int:
        rows = -(-self.total_rows // (self.num_shards or 1))
        return min(rows, self.num_samples or rows)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        rng, length = run.generator(self.shard_id or 0), run.rows_per_block(2**12)
        for start in range(0, self.row_count(), length):
            count = min(length, self.row_count() - start)
            columns = [_random_column(rng, count, *column) for column in self._columns]
            yield RowBlock(start, count, columns)


def _random_schema(rng: np.random.Generator) -> Schema:
    schema = Schema()
    for number in range(rng.integers(1, 5)):
        shape = [int(length) for length in rng.integers(1, 32, rng.integers(1, 4))]
        schema.add_column(
            f"c{number}", str(rng.choice(["int32", "float32", "uint8", "bool"])), shape
        )
    return schema


def _random_column(
    rng: np.random.Generator, count: int, name: str, dtype: np.dtype, shape: Any
) -> np.ndarray:
    full = (count, *(max(length, 1) for length in shape or ()))
    if dtype.kind == "b":
        return rng.integers(0, 2, full).astype(dtype)
    if dtype.kind == "f":
        return rng.standard_normal(full).astype(dtype)
    if dtype.kind not in "iu":
        raise PipelineError(
            f"For 'RandomDataset', the column '{name}' must be of numbers, but is of {dtype}."
        )
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, full, dtype, endpoint=True)
