"""The fields of a row: their types and shapes, and which of them are blobs."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindspore.formats.mindrecord.errors import MRMBuildSchemaError, MRMInvalidSchemaError

NUMERIC = {"int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64}
TYPES = (*NUMERIC, "string", "bytes")
_NAME = re.compile(r"[0-9A-Za-z_]+")


@dataclass(frozen=True)
class Field:
    """A field: its type and, for arrays, its shape, in which one length may be -1."""

    name: str
    type: str
    shape: tuple[int, ...] | None = None

    @property
    def is_blob(self) -> bool:
        """Whether values lie in blob pages."""
        return self.type == "bytes" or self.shape is not None

    @property
    def is_packed(self) -> bool:
        """Whether version 3.0 packs the integers of this field."""
        return self.shape is not None and self.type in ("int32", "int64")

    @functools.cached_property
    def dtype(self) -> np.dtype:
        """Type of the numbers of this field, little endian."""
        return np.dtype(NUMERIC[self.type]).newbyteorder("<")

    def shape_for(self, count: int) -> tuple[int, ...] | None:
        """The shape of `count` elements, None if there is none."""
        shape = self.shape or ()
        known = math.prod(length for length in shape if length != -1)
        if -1 not in shape:
            return shape if known == count else None
        if count % known:
            return None
        return tuple(count // known if length == -1 else length for length in shape)

    def as_json(self) -> dict[str, Any]:
        """The field as it stands in the header, keys sorted."""
        shape = {} if self.shape is None else {"shape": list(self.shape)}
        return {**shape, "type": self.type}


class Schema:
    """The fields of a row by name, in name order."""

    def __init__(self, fields: list[Field]):
        self.fields = {field.name: field for field in sorted(fields, key=lambda f: f.name)}
        self.blobs = [field for field in self.fields.values() if field.is_blob]
        self.raws = [field for field in self.fields.values() if not field.is_blob]

    def as_json(self) -> dict[str, Any]:
        return {name: field.as_json() for name, field in self.fields.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(tuple(self.fields))


def parse_schema(content: Any) -> Schema:
    """The schema that a dict from field name to {"type": ..., "shape": ...} describes.

    Raises:
        MRMInvalidSchemaError: It is no such dict, or a name, type or key is none of those that there are.
        MRMBuildSchemaError: A shape has the length 0, a negative length, or more than one -1.
    """
    if not isinstance(content, dict):
        raise MRMInvalidSchemaError(
            f"Schema content should be dict, but got {type(content).__name__}."
        )
    if not content:
        raise MRMInvalidSchemaError("Schema content is empty.")
    return Schema([_field(name, described) for name, described in content.items()])


def _field(name: Any, described: Any) -> Field:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise MRMInvalidSchemaError(
            f"Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'."
        )
    if not isinstance(described, dict):
        raise MRMInvalidSchemaError(
            f"Field '{name}' should be dict, but got {type(described).__name__}."
        )
    if not {"type"} <= described.keys() <= {"type", "shape"}:
        raise MRMInvalidSchemaError(
            f"Field '{name}' contains illegal attributes: it must have 'type' and may have 'shape', "
            f"but got {sorted(described, key=str)}."
        )
    kind = described["type"]
    if kind not in TYPES:
        raise MRMInvalidSchemaError(
            f"Field '{name}' contain illegal attribute {kind!r}: the type must be one of {list(TYPES)}."
        )
    if "shape" not in described:
        return Field(name, kind)
    if kind not in NUMERIC:
        raise MRMInvalidSchemaError(
            f"Field '{name}' contain illegal attribute '{kind}': only numbers have a shape."
        )
    return Field(name, kind, _shape(name, described["shape"]))


def _shape(name: str, shape: Any) -> tuple[int, ...]:
    whole = isinstance(shape, list) and all(type(length) is int for length in shape)
    if not whole or not shape:
        raise MRMInvalidSchemaError(
            f"Field '{name}' contain illegal attribute '{shape}': the shape must be a list of ints, not "
            "empty; leave it out for a single number."
        )
    if any(length == 0 or length < -1 for length in shape) or shape.count(-1) > 1:
        raise MRMBuildSchemaError(
            f"The shape of field '{name}' must have positive lengths and at most one -1, but got {shape}."
        )
    return tuple(shape)
