"""What all samplers have in common."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._given import Recorded
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run

INT64_MAX = 2**63 - 1


class Shuffle(str, Enum):  # noqa: UP042 - a program may rely on str(member) of either base
    """How rows of files are shuffled: not, over all, within parts, the files only, the rows of each file only.

    Examples:
        >>> [member.name for member in dataset.Shuffle]
        ['FALSE', 'ADAPTIVE', 'GLOBAL', 'PARTIAL', 'FILES', 'INFILE']
    """

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


class BuiltinSampler(Recorded):
    """Numbers of the rows to read, from the number of rows there are.

    A child sampler goes first: the rows that it gives are numbered from 0, and this sampler chooses among them.

    Args:
        num_samples: Most rows to give, None for all.

    Examples:
        >>> issubclass(dataset.RandomSampler, dataset.BuiltinSampler)
        True
    """

    _stated: int | None = None  # the number of samples that was given, 0 for all
    num_samples: int | None = None  # here, too, for samplers of users that do not call `__init__`
    child_sampler: BuiltinSampler | None = None

    def __init__(self, num_samples: int | None = None):
        if num_samples is not None:
            check.integer(self, "num_samples", num_samples, None, INT64_MAX)
            if num_samples < 0:
                raise PipelineError(
                    f"For '{type(self).__name__}', the 'num_samples' must not be negative, "
                    f"but got {num_samples}."
                )
        self._stated, self.num_samples = num_samples, num_samples or None

    def indices(self, rows: int, run: Run, labels: Any = None) -> np.ndarray:
        """Numbers of the rows to read, of `rows` rows; `labels()` gives the class of each."""
        below = None
        if self.child_sampler is not None:
            below = self.child_sampler.indices(rows, run.child(), labels)
            rows = len(below)
        chosen = self.choose(rows, self.stream(run), labels)
        if self.num_samples is not None:
            chosen = chosen[: self.num_samples]
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= rows):
            raise PipelineError(
                f"For '{type(self).__name__}', the indices must be in [0, {rows - 1}], but got "
                f"{int(chosen.max() if chosen.max() >= rows else chosen.min())}."
            )
        return chosen if below is None else below[chosen]

    def stream(self, run: Run) -> np.random.Generator:
        """The random stream to choose from."""
        return run.order()

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        """Numbers of the chosen ones of `rows` rows."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'choose' is not defined.")

    def count(self, rows: int, labels: Any = None) -> int:
        """How many rows this sampler gives of `rows` rows."""
        return len(self.indices(rows, Run(0), labels))

    def parse(self) -> BuiltinSampler:
        """What a source reads through: the sampler itself."""
        return self

    def add_child(self, sampler: BuiltinSampler | None) -> None:
        """Let `sampler` choose first."""
        if sampler is None:
            return
        if self.child_sampler is not None:
            raise PipelineError(
                "For 'add_child', a sampler can have one child only; add to the child instead."
            )
        self.child_sampler = check.instance("add_child", "sampler", sampler, BuiltinSampler)

    def get_child(self) -> BuiltinSampler | None:
        """The sampler that chooses first."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """Most rows that are given, the fewest of this sampler and its child; None: all."""
        below = self.child_sampler.get_num_samples() if self.child_sampler is not None else None
        given = [n for n in (self.own_samples(), below) if n is not None]
        return min(given) if given else None

    def own_samples(self) -> int | None:
        """Most rows that this sampler gives, as far as its arguments tell; 0 if that was given."""
        return self._stated

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return self.child_sampler is not None and self.child_sampler.is_shuffled()

    def is_sharded(self) -> bool:
        """Whether only a share of the rows is given."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()
