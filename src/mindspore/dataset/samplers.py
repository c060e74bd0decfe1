"""Samplers: which rows of a source are read, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.sampler_base import INT64_MAX, BuiltinSampler
from mindspore.dataset.sampler_python import IterSampler, Sampler, drawn
from mindspore.dataset.sampler_random import RandomSampler, WeightedRandomSampler

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "IterSampler",
    "PKSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
    "check_shards",
    "drawn",
    "select_sampler",
]


class SequentialSampler(BuiltinSampler):
    """Rows in their order, from `start_index` on.

    Args:
        start_index: Number of the first row; None: 0.
        num_samples: Most rows to give; None or 0: all.

    Raises:
        TypeError: If an argument is no int.
        PipelineError: If `num_samples` is negative; while rows are read: there is no row `start_index`.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12, 13], sampler=dataset.SequentialSampler(1, 2))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [11, 12]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None):
        self.start_index = (
            0 if start_index is None else check.integer(self, "start_index", start_index)
        )
        super().__init__(num_samples)

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        if not 0 <= self.start_index < max(rows, 1):
            raise PipelineError(
                f"For 'SequentialSampler', the 'start_index' must be in [0, {rows - 1}], "
                f"but got {self.start_index}."
            )
        return np.arange(self.start_index, rows)


class DistributedSampler(BuiltinSampler):
    """The rows of one shard: every `num_shards`-th one; all shards are equally long, rows repeat for that.

    Args:
        num_shards: Number of shards.
        shard_id: Number of this one.
        shuffle: Share out a random order, the same in all shards of one seed.
        num_samples: Most rows to give; None or 0: all.
        offset: Which shard gets the first row; rows before are as if dealt to shards before. -1: shard 0, and rows
            repeat at the end.

    Raises:
        TypeError: If an argument has another type.
        PipelineError: If there is no shard `shard_id`, or `offset` is not less than `num_shards`.

    Examples:
        >>> def shard(number):
        ...     return dataset.NumpySlicesDataset([0, 1, 2, 3, 4], sampler=dataset.DistributedSampler(2, number, False))
        >>> [[x.item() for (x,) in shard(i).create_tuple_iterator(output_numpy=True)] for i in range(2)]
        [[0, 2, 4], [1, 3, 0]]
    """

    def __init__(
        self,
        num_shards: int,
        shard_id: int,
        shuffle: bool = True,
        num_samples: int | None = None,
        offset: int = -1,
    ):
        check.integer(self, "num_shards", num_shards)
        check.integer(self, "shard_id", shard_id)
        check.boolean(self, "shuffle", shuffle)
        check.integer(self, "offset", offset)
        if num_shards < 1 or not 0 <= shard_id < num_shards:
            raise PipelineError(
                f"For 'DistributedSampler', the 'shard_id' must be in [0, num_shards), but got "
                f"{shard_id} of {num_shards} shards."
            )
        if offset >= num_shards:
            raise PipelineError(
                f"For 'DistributedSampler', the 'offset' must be less than 'num_shards', {num_shards}, "
                f"but got {offset}."
            )
        super().__init__(num_samples)
        self.num_shards, self.shard_id, self.shuffle, self.offset = (
            num_shards,
            shard_id,
            shuffle,
            offset,
        )

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        order = rng.permutation(rows) if self.shuffle else np.arange(rows)
        if self.offset < 0:
            places = np.arange(
                self.shard_id, -(-rows // self.num_shards) * self.num_shards, self.num_shards
            )
            return order[places % rows] if rows else order
        places = np.arange(self.shard_id, rows + self.offset, self.num_shards) - self.offset
        return order[places[places >= 0]]

    def stream(self, run: Run) -> np.random.Generator:
        return run.common_order()

    def is_shuffled(self) -> bool:
        return self.shuffle or super().is_shuffled()

    def is_sharded(self) -> bool:
        return self.num_shards > 1 or super().is_sharded()


class PKSampler(BuiltinSampler):
    """`num_val` rows of each class, for sources with classes.

    Args:
        num_val: Rows of each class.
        num_class: Not supported: all classes.
        shuffle: Choose the rows and order the classes at random.
        class_column: Name of the column of classes, for MindDataset.
        num_samples: Most rows to give; None or 0: all.

    Raises:
        TypeError, ValueError: If an argument has another type, or `num_val` is not positive.
        PipelineError: While rows are read: the source has no classes, or there is a child sampler.

    Examples:
        >>> from mindspore.mindrecord import FileWriter
        >>> file = tempfile.mkdtemp() + "/rows.mindrecord"
        >>> writer = FileWriter(file)
        >>> _ = writer.add_schema({"label": {"type": "int32"}, "x": {"type": "int32"}})
        >>> _ = writer.write_raw_data([{"label": i % 2, "x": i} for i in range(7)]), writer.commit()
        >>> data = dataset.MindDataset(file, ["x"], sampler=dataset.PKSampler(2))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [0, 2, 1, 3]
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ):
        self.num_val = check.integer(self, "num_val", num_val, 1)
        check.unsupported(self, "num_class", num_class, "All classes are used.")
        self.shuffle = check.boolean(self, "shuffle", shuffle)
        self.class_column = check.string(self, "class_column", class_column)
        super().__init__(num_samples)

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        classes = None if labels is None else labels()
        if classes is None or self.child_sampler is not None:
            raise PipelineError(
                "For 'PKSampler', the source must have classes, and there must be no child sampler."
            )
        numbers, classes = _flat(classes)
        chosen = []
        for label in np.unique(classes):
            members = numbers[classes == label]
            if self.shuffle:
                members = rng.permutation(members)
            chosen.append(
                np.resize(members, self.num_val)
                if len(members) < self.num_val
                else members[: self.num_val]
            )
        if self.shuffle:
            chosen = [chosen[i] for i in rng.permutation(len(chosen))]
        return np.concatenate(chosen)

    def is_shuffled(self) -> bool:
        return self.shuffle or super().is_shuffled()


def _flat(classes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Row number and class of every label; a row may have several."""
    if isinstance(classes, np.ndarray):
        return np.arange(len(classes)), classes
    rows = [np.atleast_1d(labels) for labels in classes]
    return np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows)


class SubsetSampler(BuiltinSampler):
    """The rows with these numbers, in this order.

    Args:
        indices: Numbers of rows: an int or a sequence of them; a row may come several times.
        num_samples: Most rows to give; None or 0: all.

    Raises:
        TypeError: If `indices` are no ints.
        PipelineError: If `num_samples` is negative; while rows are read: there is no row of a number.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12, 13], sampler=dataset.SubsetSampler([3, 0, 3]))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [13, 10, 13]
    """

    def __init__(self, indices: Any, num_samples: int | None = None):
        if np.isscalar(indices) and not isinstance(indices, (str, bytes, bool)):
            indices = [indices]
        kinds = (list, tuple, range, np.ndarray, Iterator)
        listed: list[Any] = list(check.instance(self, "indices", indices, kinds))
        for index in listed:
            if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
                raise check.fail(TypeError, self, "indices", "a sequence of ints", index)
            check.integer(self, "indices", int(index), -(2**63), 2**63 - 1)
        super().__init__(num_samples)
        self._indices = np.array(listed, np.int64)

    def own_samples(self) -> int | None:
        stated = len(self._indices) if self._stated is None else self._stated
        return min(len(self._indices), stated)

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        return self._indices


class SubsetRandomSampler(SubsetSampler):
    """The rows with these numbers, in random order.

    Args:
        indices: Numbers of rows: an int or a sequence of them; a row may come several times.
        num_samples: Most rows to give; None or 0: all.

    Raises:
        TypeError: If `indices` are no ints.
        PipelineError: If `num_samples` is negative; while rows are read: there is no row of a number.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12, 13], sampler=dataset.SubsetRandomSampler([3, 0]))
        >>> sorted(x.item() for (x,) in data.create_tuple_iterator(output_numpy=True))
        [10, 13]
    """

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        return rng.permutation(self._indices)

    def is_shuffled(self) -> bool:
        return True


def select_sampler(
    num_samples: int | None,
    input_sampler: Any,
    shuffle: Any,
    num_shards: Any,
    shard_id: Any,
) -> BuiltinSampler:
    """The sampler that the arguments of a source describe."""
    check.optional(check.boolean, "sampler", "shuffle", shuffle)
    if input_sampler is not None:
        chosen = _sampler_of(input_sampler)
        for name, value in [
            ("shuffle", shuffle),
            ("num_shards", num_shards),
            ("shard_id", shard_id),
            ("num_samples", num_samples),
        ]:
            if value is not None:
                kind = "num_samples" if name == "num_samples" else name
                words = "sharding" if name in ("num_shards", "shard_id") else name
                raise PipelineError(
                    f"The '{kind}' and the 'sampler' must not both be given: the sampler decides. "
                    f"(sampler and {words} cannot be specified at the same time)"
                )
        return chosen
    check_shards(num_shards, shard_id)
    check.optional(check.integer, "sampler", "num_samples", num_samples, 0, INT64_MAX)
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, shuffle is not False, num_samples)
    return (
        SequentialSampler(0, num_samples) if shuffle is False else RandomSampler(False, num_samples)
    )


def _sampler_of(given: Any) -> BuiltinSampler:
    """A sampler, or the one that a list or another iterable of row numbers represents."""
    if isinstance(given, BuiltinSampler):
        return given
    if isinstance(given, (list, tuple)):
        return SubsetSampler(list(given))
    if isinstance(given, str):
        raise check.fail(TypeError, "sampler", "sampler", "a sampler or an iterable", given)
    return IterSampler(given)


def check_shards(num_shards: Any, shard_id: Any) -> None:
    """Refuse numbers of shards that do not fit together."""
    check.optional(check.integer, "sampler", "num_shards", num_shards)
    check.optional(check.integer, "sampler", "shard_id", shard_id)
    if (num_shards is None) != (shard_id is None):
        only = ("num_shards is specified and currently requires shard_id as well" if shard_id is None else
                "shard_id is specified but num_shards is not")
        raise PipelineError(
            "The 'num_shards' and the 'shard_id' must be given together, "
            f"but got {num_shards} and {shard_id}. ({only}; num_shards and shard_id need to be passed in together)"
        )
    if num_shards is not None:
        check.integer("sampler", "num_shards", num_shards, 1, check.INT32_MAX)
        if not 0 <= shard_id < num_shards:
            raise ValueError(
                f"The 'shard_id' must be in [0, {num_shards - 1}], but got {shard_id}. "
                f"{check.not_within('shard_id', 0, num_shards - 1)}"
            )
