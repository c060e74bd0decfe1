"""The element types of checkpoints by the names that files give them, as programs of 1.x look them up."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DTYPES


class Types(dict[str, Any]):
    """A table that may be called, too, as a later release did."""

    def __call__(self, tensor_type_str: str) -> Any:
        return self[tensor_type_str]


_NAMES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
          "bool_")
tensor_to_ms_type = Types({n.title().removesuffix("_").replace("Ui", "UI"): DTYPES[n] for n in _NAMES})
tensor_to_np_type = Types({name: dtype.numpy.type for name, dtype in tensor_to_ms_type.items()})
