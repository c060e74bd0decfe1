"""Arrays as files hold them: name of the element type, shape, raw bytes in C order, little endian."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import files

# name in programs | NumPy type of the same bits | name in checkpoints | name in .safetensors
_TABLE = """
bool_      ?   Bool       BOOL
int8       <i1 Int8       I8
int16      <i2 Int16      I16
int32      <i4 Int32      I32
int64      <i8 Int64      I64
uint8      <u1 UInt8      U8
uint16     <u2 UInt16     U16
uint32     <u4 UInt32     U32
uint64     <u8 UInt64     U64
float16    <f2 Float16    F16
float32    <f4 Float32    F32
float64    <f8 Float64    F64
bfloat16   <u2 BFloat16   BF16
complex64  <c8 Complex64  C64
complex128 <c16 Complex128 -
qint4x2    <i1 Int4       -
"""
_ROWS = [row.split() for row in _TABLE.strip().splitlines()]
NUMPY = {name: np.dtype(code) for name, code, _, _ in _ROWS}
CHECKPOINT_NAME = {name: shown for name, _, shown, _ in _ROWS}
SAFETENSORS_NAME = {name: short for name, _, _, short in _ROWS if short != "-"}


@dataclass(frozen=True)
class StoredArray:
    """An array that was read from a file or is to be written; bfloat16 has the bits of NumPy's uint16."""

    dtype: str
    shape: tuple[int, ...]
    data: Any  # bytes, bytearray or memoryview of bytes
    own: bool = False  # whether nobody else has the data

    @property
    def nbytes(self) -> int:
        """Number of bytes that dtype and shape ask for."""
        return NUMPY[self.dtype].itemsize * math.prod(self.shape)

    def numpy(self) -> np.ndarray:
        """The array, read-only if the data are; bfloat16 as uint16 bit patterns."""
        return np.frombuffer(self.data, NUMPY[self.dtype]).reshape(self.shape)

    def own_data(self) -> Any:
        """The data, or a copy in memory that can be written to."""
        if self.own:
            return self.data
        copied = np.empty(self.nbytes, np.uint8)
        files.copy(self.data, copied.data)
        return copied

    @staticmethod
    def of(array: np.ndarray) -> StoredArray:
        """An array of NumPy, without bfloat16."""
        name = "bool_" if array.dtype == np.bool_ else array.dtype.name
        if name not in NUMPY:
            raise TypeError(f"For a file, the dtype of an array must be one of {list(NUMPY)}, but got {array.dtype}.")
        flat = np.ascontiguousarray(array, NUMPY[name])
        return StoredArray(name, array.shape, memoryview(flat.reshape(-1).view(np.uint8).data))
