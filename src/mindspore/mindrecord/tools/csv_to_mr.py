"""CSV to MindRecord."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.core import csv_text
from mindspore.core.errors import show
from mindspore.core.plain_files import regular
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import (
    Converter,
    check_partitions,
    naming,
    telling,
    write,
)

__all__ = ["CsvToMR"]

PAGE = 2**26
_INT = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")  # longer ones are no numbers of any type
_BOOLS = {"True": 1, "TRUE": 1, "true": 1, "False": 0, "FALSE": 0, "false": 0}
_MISSING = {
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
}  # fmt: skip


class CsvToMR(Converter):
    """Writes a CSV file whose first line has the names of the columns.

    A column of whole numbers is int64, of numbers float64 (a missing one is not a number), of True and False int32, of
    anything else string. Rows without a text are left out with a warning.

    Args:
        source: CSV file in UTF-8.
        destination: Path to write.
        columns_list: Columns to write; None or an empty list: all.
        partition_number: Number of files.

    Raises:
        ValueError: An argument has a wrong type.
    """

    def __init__(
        self,
        source: str,
        destination: str,
        columns_list: list[str] | None = None,
        partition_number: int = 1,
    ):
        for name, path in (("source", source), ("destination", destination)):
            if not isinstance(path, str):
                raise ValueError(f"For 'CsvToMR', the '{name}' must be a str, but got {path!r}.")
        listed = columns_list or []
        if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
            raise ValueError(
                f"For 'CsvToMR', the 'columns_list' must be a list of str, but got {columns_list!r}."
            )
        self.source, self.destination = source, destination
        self.columns_list = listed
        self.partition_number = check_partitions(partition_number)

    def transform(self) -> MSRStatus:
        """Convert all rows.

        Raises:
            FileNotFoundError: The file is missing.
            ValueError: The name of a column begins with a digit.
            MindRecordFileError: A row has more values than there are columns, a column of `columns_list` is missing,
                or two have one name.
            MRMInvalidSchemaError: The name of a column has other signs than letters, digits and _.
        """
        if not os.path.isfile(self.source):
            raise FileNotFoundError(f"Csv file {self.source} do not exist.")
        names, rows = self._read()
        chosen = self.columns_list or names
        for name in chosen:
            if name not in names:
                raise MindRecordFileError(
                    f"The file '{self.source}' has no column {name!r}; its columns are {show(names)}."
                )
        columns = {name: [row[names.index(name)] for row in rows] for name in chosen}
        kinds = {name: _kind(values) for name, values in columns.items()}
        schema = {name: {"type": kind} for name, kind in kinds.items()}
        found = _rows(columns, {name: _READERS[kind] for name, kind in kinds.items()})
        with naming(self.source):
            return write(
                self.destination, schema, "csv_schema", chosen, found, self.partition_number, PAGE
            )

    def _read(self) -> tuple[list[str], list[list[str]]]:
        """Names of the columns and the rows, all equally long."""
        with telling(self.source), open(self.source, encoding="utf-8-sig", newline="", opener=regular) as file:
            lines = [line for line in csv_text.reader(file) if line]
        names = lines.pop(0) if lines else []
        for name in names:
            if name.strip()[:1].isdigit():
                raise ValueError(
                    f"The first line of '{self.source}' has the names of the columns, which must not begin with a "
                    f"digit, but got {show(name)}."
                )
        if len(set(names)) < len(names):
            raise MindRecordFileError(f"The file '{self.source}' names columns twice: {show(names)}.")
        for number, line in enumerate(lines, 2):
            if len(line) > len(names):
                raise MindRecordFileError(
                    f"Row {number} of '{self.source}' has {len(line)} values, but there are {len(names)} columns."
                )
            line += [""] * (len(names) - len(line))
        return names, lines


def _kind(values: list[str]) -> str:
    """Type of a column with these values."""
    there = [value for value in values if value not in _MISSING]
    if not values or not there:
        return "float64" if values else "string"
    whole = len(there) == len(values)
    if whole and all(value in _BOOLS for value in values):
        return "int32"
    if all(_INT.fullmatch(value) for value in there):
        if not whole:
            return "float64"
        return "int64" if all(-(2**63) <= int(value) < 2**63 for value in there) else "string"
    return "float64" if all(_is_float(value) for value in there) else "string"


def _is_float(value: str) -> bool:
    if "_" in value:
        return False
    try:
        float(value)
    except ValueError:
        return False
    return True


_READERS: dict[str, Callable[[str], Any]] = {
    "int32": _BOOLS.__getitem__,
    "int64": int,
    "float64": lambda value: float("nan") if value in _MISSING else float(value),
    "string": lambda value: None if value in _MISSING else value,
}


def _rows(
    columns: dict[str, list[str]], readers: dict[str, Callable[[str], Any]]
) -> Iterator[dict[str, Any]]:
    for values in zip(*columns.values(), strict=True):
        yield {name: readers[name](value) for name, value in zip(columns, values, strict=True)}
