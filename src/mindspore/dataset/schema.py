"""Names, types and shapes of columns, as a description of files without one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mindspore.core.dtype import DTYPES, DType
from mindspore.dataset import _check as check


class Schema:
    """Columns with type and shape, read from a JSON file or added one by one."""

    def __init__(self, schema_file: str | None = None):
        self.columns: list[dict[str, Any]] = []
        self.dataset_type, self.num_rows = "", 0
        if schema_file is not None:
            with open(check.file(self, "schema_file", schema_file), encoding="utf-8") as stream:
                self.from_json(json.load(stream))

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column of a type, given as a mindspore type or its name; without a shape any shape is taken."""
        check.string(self, "name", name)
        if not name:
            raise check.fail(ValueError, self, "name", "not empty", name)
        column: dict[str, Any] = {"name": name, "type": _type_name(self, de_type), "rank": 1}
        if shape is not None:
            check.instance(self, "shape", shape, (list, tuple))
            column["shape"] = [check.integer(self, "shape", length, -1) for length in shape]
            column["rank"] = len(shape)
        self.columns.append(column)

    def parse_columns(self, columns: Any) -> None:
        """Add columns from a list of dicts with name, type and shape, or a dict of such by name."""
        check.instance(self, "columns", columns, (list, dict))
        entries = (
            [{"name": name, **columns[name]} for name in sorted(columns)]
            if isinstance(columns, dict)
            else columns
        )
        for entry in entries:
            for needed in ("name", "type"):
                if needed not in entry:
                    raise check.fail(
                        ValueError, self, "columns", f"made of columns with '{needed}'", entry
                    )
            self.add_column(entry["name"], entry["type"], entry.get("shape"))

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Replace the content by that of a parsed JSON file: `datasetType`, `numRows`, `columns`."""
        check.instance(self, "json_obj", json_obj, dict)
        self.columns = []
        self.dataset_type = json_obj.get("datasetType", "")
        self.num_rows = check.integer(self, "numRows", json_obj.get("numRows", 0), 0)
        if "columns" not in json_obj:
            raise check.fail(ValueError, self, "json_obj", "a dict with 'columns'", list(json_obj))
        self.parse_columns(json_obj["columns"])

    def to_json(self) -> str:
        """The content as JSON text."""
        content: dict[str, Any] = {}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        content["columns"] = self.columns
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

    def __str__(self) -> str:
        return self.to_json()


def _by_text(text: str) -> DType:
    return DTYPES["bool_" if text == "bool" else text]


def _type_name(owner: Any, value: Any) -> str:
    if isinstance(value, DType):
        return "bool" if value.name == "bool_" else value.name
    name = getattr(value, "name", value)
    if not isinstance(name, str):
        raise check.fail(TypeError, owner, "de_type", "a mindspore type or its name", value)
    if name not in ("string", "bool") and name not in DTYPES:
        raise check.fail(ValueError, owner, "de_type", "the name of a mindspore type", value)
    return name
