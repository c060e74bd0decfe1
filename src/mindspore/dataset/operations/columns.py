"""Operations on the columns: project, rename."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.run import Run


def positions(owner: str, wanted: list[str], available: list[str]) -> list[int]:
    """Where the wanted columns stand among the available ones."""
    for name in wanted:
        if name not in available:
            raise PipelineError(
                f"For '{owner}', the column '{name}' does not exist; the dataset has the columns "
                f"{available}."
            )
    return [available.index(name) for name in wanted]


@method("project")
class ProjectDataset(Dataset):
    """Only the named columns, in the order of the names.

    Args:
        input_dataset: The dataset before.
        columns: The names: a list, or one.

    Examples:
        >>> dataset.NumpySlicesDataset({"a": [1], "b": [2]}).project(["b"]).get_col_names()
        ['b']
    """

    def __init__(self, input_dataset: Dataset, columns: Any):
        super().__init__(input_dataset)
        self.columns = check.names("project", "columns", columns)

    def column_names(self) -> list[str]:
        positions("project", self.columns, self.children[0].column_names())
        return self.columns

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return chain.blocks(self, run)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        return chain.blocks(self, run, skip)

    def stage(self) -> chain.Stage:
        places = positions("project", self.columns, self.children[0].column_names())
        return chain.Stage("project", chain.ConstantStep(Chosen(places)))


class Chosen:
    """A block with some of its columns."""

    def __init__(self, places: list[int]):
        self.places = places

    def __call__(self, block: RowBlock) -> RowBlock:
        return dataclasses.replace(block, columns=[block.columns[i] for i in self.places])


@method("rename")
class RenameDataset(Dataset):
    """Columns under other names.

    Args:
        input_dataset: The dataset before.
        input_columns, output_columns: The present and the new names: lists of equal length, or one of each.

    Examples:
        >>> dataset.NumpySlicesDataset({"a": [1], "b": [2]}).rename("b", "c").get_col_names()
        ['a', 'c']
    """

    def __init__(self, input_dataset: Dataset, input_columns: Any, output_columns: Any):
        super().__init__(input_dataset)
        self.input_columns = check.names("rename", "input_columns", input_columns)
        self.output_columns = check.names("rename", "output_columns", output_columns)
        if len(self.input_columns) != len(self.output_columns):
            raise check.fail(
                ValueError,
                "rename",
                "output_columns",
                f"as many as the input columns {self.input_columns}",
                self.output_columns,
            )

    def column_names(self) -> list[str]:
        available: list[str] = self.children[0].column_names()
        positions("rename", self.input_columns, available)
        new = dict(zip(self.input_columns, self.output_columns, strict=True))
        renamed = [new.get(name, name) for name in available]
        if len(set(renamed)) < len(renamed):
            raise PipelineError(
                f"For 'rename', the columns must have different names, but would be {renamed}."
            )
        return renamed

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return chain.blocks(self, run)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        return chain.blocks(self, run, skip)

    def stage(self) -> chain.Stage:
        self.column_names()
        return chain.Stage("rename", chain.ConstantStep(_same))


def _same(block: RowBlock) -> RowBlock:
    return block
