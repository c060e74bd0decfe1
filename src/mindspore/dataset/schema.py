"""Names, types and shapes of columns, as a description of files without one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mindspore.core import json_text
from mindspore.core.dtype import DTYPES, DType
from mindspore.core.errors import shortened
from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError, telling


class Described(NamedTuple):
    """A column: its name, its type and its shape; None for any shape, negative lengths for any length."""

    name: str
    dtype: np.dtype
    shape: list[int] | None


class Schema:
    """Columns with type and shape, read from a JSON file or added one by one.

    Args:
        schema_file: Path of the JSON file; None: no columns yet.

    Raises:
        PipelineError: The JSON content does not describe columns.

    Examples:
        >>> schema = dataset.Schema()
        >>> schema.add_column("x", mindspore.int32, [2])
        >>> list(schema.to_json().split('"')[1:2])
        ['columns']
    """

    def __init__(self, schema_file: str | None = None):
        self.columns: list[dict[str, Any]] = []
        self.dataset_type, self.num_rows = "", 0
        if schema_file is not None:
            content = _read(self, schema_file)
            with _of_file(schema_file):
                self.from_json(content)

    @staticmethod
    def of(owner: Any, value: Any) -> Schema:
        """A schema, or that of a JSON file, in which a column without shape has the rank that stands there."""
        if isinstance(value, str):
            content, schema = _read(owner, value), Schema()
            with _of_file(value):
                schema.from_json(content)
                ranks = {e["name"]: e.get("rank", 0) for e in _entries(content["columns"])}
                for column in schema.columns:
                    if column["rank"] != ranks[column["name"]]:
                        del column["shape"]
            return schema
        return check.instance(owner, "schema", value, Schema)

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column of a type, given as a mindspore type or its name; without a shape any shape is taken."""
        if not check.string(self, "name", name):
            raise check.fail(TypeError, self, "name", "a str that is not empty", name)
        column: dict[str, Any] = {"name": name, "type": _type_name(self, de_type), "rank": 1}
        if shape is not None:
            check.instance(self, "shape", shape, list)
            column["shape"] = [_extent(self, length) for length in shape]
            column["rank"] = len(shape)
        self.columns.append(column)

    def parse_columns(self, columns: Any) -> None:
        """Add columns from a list of dicts with name, type and shape (default: a scalar), or a dict of such by name."""
        if not isinstance(columns, (list, dict)):
            raise check.fail(InputError, self, "columns", "a list or dict of columns", columns)
        for entry in _entries(columns):
            for needed in ("name", "type"):
                if not isinstance(entry, dict) or needed not in entry:
                    raise check.fail(
                        InputError, self, "columns", f"made of columns with '{needed}'", entry
                    )
            try:
                self.add_column(entry["name"], entry["type"], entry.get("shape", []))
            except TypeError as error:
                raise PipelineError(f"For 'Schema', a column cannot be read: {error}") from None

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Replace the content by that of a parsed JSON file: `datasetType`, `numRows`, `columns`."""
        if not isinstance(json_obj, dict) or not json_obj.get("columns"):
            raise check.fail(InputError, self, "json_obj", "a dict with 'columns'", json_obj)
        if unknown := set(json_obj) - {"datasetType", "numRows", "columns"}:
            raise check.fail(
                PipelineError,
                self,
                "json_obj",
                "made of 'datasetType', 'numRows' and 'columns'",
                sorted(unknown),
            )
        rows = json_obj.get("numRows", 0)
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
            raise check.fail(PipelineError, self, "numRows", "an int of zero or more", rows)
        self.columns, self.num_rows = [], rows
        self.dataset_type = json_obj.get("datasetType", "")
        self.parse_columns(json_obj["columns"])

    def to_json(self) -> str:
        """The content as JSON text."""
        content: dict[str, Any] = {"columns": self.columns or None}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        return json.dumps(content, indent=2, sort_keys=True)

    def get_num_rows(self) -> int:
        """Number of rows that the description claims."""
        return self.num_rows

    def names(self) -> list[str]:
        """Names of the columns."""
        return [column["name"] for column in self.columns]

    def types(self) -> list[np.dtype]:
        """NumPy types of the columns."""
        return [
            np.dtype(np.str_) if c["type"] == "string" else _by_text(c["type"]).numpy
            for c in self.columns
        ]

    def selected(self, owner: Any, names: list[str] | None) -> list[Described]:
        """The columns with these names, in this order; None: all."""
        shapes = [column.get("shape") for column in self.columns]
        described = list(map(Described, self.names(), self.types(), shapes))
        if not described:
            raise check.fail(PipelineError, owner, "schema", "a schema with columns", self.names())
        by_name = {column.name: column for column in described}
        for name in names or ():
            if name not in by_name:
                raise PipelineError(
                    f"For '{check.name_of(owner)}', the 'columns_list' must be columns of the "
                    f"schema, {self.names()}, but got '{name}'."
                )
        return [by_name[name] for name in names] if names else described

    def __str__(self) -> str:
        return self.to_json()


@contextlib.contextmanager
def _of_file(path: str) -> Iterator[None]:
    """Errors about the content of a schema name its file."""
    try:
        with telling("Schema", lambda: "the content"):
            yield
    except PipelineError as error:
        raise type(error)(f"In the schema file '{path}': {shortened(error)}") from None


def _extent(owner: Any, length: Any) -> int:
    """A length of a shape; too large a one has the class of a wrong type, as in the original."""
    if check.integer(owner, "shape", length) not in range(-(2**31), 2**31):
        raise check.fail(TypeError, owner, "shape", "made of ints of 32 bits", length)
    return length


def _read(owner: Any, path: Any) -> Any:
    given = check.file(owner, "schema_file", path)
    try:
        return json_text.read(given)
    except (ValueError, OSError) as error:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the schema file '{path}' must be JSON: {error}."
        ) from None


def _entries(columns: Any) -> list[Any]:
    """Columns as a list of dicts with `name`; those of a dict are in the order of their names."""
    if isinstance(columns, dict):
        return [{"name": name, **columns[name]} for name in sorted(columns)]
    return columns


def _by_text(text: str) -> DType:
    return DTYPES["bool_" if text == "bool" else text]


def _type_name(owner: Any, value: Any) -> str:
    name = getattr(value, "name", value)
    if name == "bool_":
        return "bool"
    if not isinstance(name, str) or (name not in ("string", "bool") and name not in DTYPES):
        raise check.fail(TypeError, owner, "de_type", "a mindspore type or its name", value)
    return name
