"""The element types of checkpoints by the names that files give them, as programs of 1.x look them up."""
from __future__ import annotations

from mindspore.core.dtype import DTYPES, DType

_NAMES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
          "bool_")
tensor_to_ms_type: dict[str, DType] = {n.title().removesuffix("_").replace("Ui", "UI"): DTYPES[n] for n in _NAMES}
tensor_to_np_type = {name: dtype.numpy.type for name, dtype in tensor_to_ms_type.items()}
