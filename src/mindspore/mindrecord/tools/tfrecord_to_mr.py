"""TFRecord to MindRecord."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.formats import tfrecord
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.tfrecord import RecordError, Values
from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import Converter, check_path, telling, write

__all__ = ["TFRecordToMR"]

_TYPES = ("int32", "int64", "float32", "float64", "string")


class TFRecordToMR(Converter):
    """Writes the records of a TFRecord file of tf.train.Example messages.

    A sign in the name of a feature that a field may not have becomes _.

    Args:
        source: TFRecord file.
        destination: Path to write.
        feature_dict: For each feature an object with `shape` and `dtype`, such as
            `tf.io.FixedLenFeature([], tf.int64)`; an empty shape means one value.
        bytes_fields: Features of type string that are written as bytes.

    Raises:
        ParamValueError: A path is no str or empty.
        ValueError: A feature is none of those, or `bytes_fields` does not name features of type string.
    """

    def __init__(
        self,
        source: str,
        destination: str,
        feature_dict: dict[str, Any],
        bytes_fields: list[str] | None = None,
    ):
        self.source = check_path("TFRecordToMR", source)
        self.destination = check_path("TFRecordToMR", destination)
        if not isinstance(feature_dict, dict) or not feature_dict:
            raise ValueError(
                f"For 'TFRecordToMR', the 'feature_dict' must be a dict, not empty, but got {feature_dict!r}."
            )
        self.feature_dict = feature_dict
        self._features = {name: _feature(name, value) for name, value in feature_dict.items()}
        self.bytes_fields = self._checked(bytes_fields)
        self._names = {name: re.sub(r"[^0-9A-Za-z_]", "_", name) for name in feature_dict}

    def _checked(self, names: Any) -> list[str]:
        if names is not None and not isinstance(names, list):
            raise ValueError(
                f"For 'TFRecordToMR', the 'bytes_fields' must be a list, but got {names!r}."
            )
        for name in names or ():
            if self._features.get(name, ("", ()))[0] != "string":
                raise ValueError(
                    f"For 'TFRecordToMR', the 'bytes_fields' must name features of type string, but got {name!r}."
                )
        return names or []

    def _schema(self) -> dict[str, dict]:
        schema = {}
        for name, (kind, shape) in self._features.items():
            kind = "bytes" if name in self.bytes_fields else kind
            schema[self._names[name]] = {"type": kind, **({"shape": list(shape)} if shape else {})}
        return schema

    def tfrecord_iterator(self) -> Iterator[dict[str, Any]]:
        """The records as rows.

        Returns:
            An iterator of dicts from field to value.

        Raises:
            ValueError: The file does not exist.
            MindRecordFileError: A record lacks a feature, or a feature has another number of values.
        """
        if not os.path.isfile(self.source):
            raise ValueError(f"For 'TFRecordToMR', the file '{self.source}' does not exist.")
        with telling(self.source), open(self.source, "rb", opener=regular) as stream:
            try:
                for number, record in enumerate(tfrecord.records(stream)):
                    found = tfrecord.features(record)
                    yield {
                        field: self._value(name, found.get(name), number)
                        for name, field in self._names.items()
                    }
            except RecordError as error:
                raise MindRecordFileError(f"Failed to read '{self.source}': {error}.") from None

    tfrecord_iterator_oldversion = tfrecord_iterator

    def _value(self, name: str, values: Values | None, number: int) -> Any:
        if values is None or values.kind is None:
            raise MindRecordFileError(f"Record {number} of '{self.source}' has no values of '{name}'.")
        kind, shape = self._features[name]
        if (kind == "string") != (values.kind == np.uint8):
            raise MindRecordFileError(
                f"Record {number} of '{self.source}' has values of '{name}' that are no {kind}."
            )
        if len(values.content) != math.prod(shape):
            raise MindRecordFileError(
                f"Record {number} of '{self.source}' has {len(values.content)} values of '{name}', not the shape "
                f"{list(shape)}."
            )
        if kind == "string":
            (content,) = values.content
            return content if name in self.bytes_fields else content.decode()
        array = values.content.astype(kind).reshape(shape)
        if array.dtype.kind == "i" and (array.ravel() != values.content).any():
            raise MindRecordFileError(
                f"Record {number} of '{self.source}' has a value of '{name}' that {kind} cannot hold."
            )
        return array if shape else array.item()

    def transform(self) -> MSRStatus:
        """Convert all records.

        Raises:
            ValueError: The file does not exist.
            RuntimeError: It is damaged, or a record lacks a feature.
        """
        return write(
            self.destination, self._schema(), "tfrecord_schema", None, self.tfrecord_iterator()
        )


def _feature(name: Any, feature: Any) -> tuple[str, tuple[int, ...]]:
    """Type and shape of a feature."""
    dtype, shape = getattr(feature, "dtype", None), getattr(feature, "shape", None)
    kind = getattr(dtype, "name", dtype)
    if not isinstance(name, str) or kind not in _TYPES or shape is None:
        raise ValueError(
            f"For 'TFRecordToMR', the 'feature_dict' must have objects with a 'shape' and a 'dtype' of {list(_TYPES)}, "
            f"but got {feature!r} for {name!r}."
        )
    lengths = tuple(int(length) for length in shape)
    if kind == "string" and lengths not in ((), (1,)):
        raise ValueError(
            f"For 'TFRecordToMR', a feature of type string must have one value, but '{name}' has the shape {lengths}."
        )
    return kind, () if kind == "string" else lengths
