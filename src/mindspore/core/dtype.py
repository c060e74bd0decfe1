"""Data types: one object per type, shared by tensors, the compiler and the file formats.

`DType.torch` and `DType.numpy` are looked up at first use, so that importing this table loads neither.
"""
from __future__ import annotations

import functools
from typing import Any


class Type:
    """Root of all types that programs can name, such as `float32`, `string` or `tensor_type`."""

    def __init__(self, name: str, shown: str):
        self.name, self.shown = name, shown

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"mindspore.{self.name.rstrip('_')}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return by_name, (self.name,)


class DType(Type):
    """Element type of a tensor.

    Attributes:
        name: The name in programs, such as "float32".
        kind: "b" boolean, "i" signed, "u" unsigned, "f" floating point, "c" complex.
        itemsize: Bytes per element.
        short: The form that the text of a graph shows, such as "f32".
    """

    def __init__(self, name: str, shown: str, kind: str, itemsize: int, short: str):
        super().__init__(name, shown)
        self.kind, self.itemsize, self.short = kind, itemsize, short
        self.is_floating = kind == "f"
        self.is_complex = kind == "c"
        self.is_differentiable = kind in "fc"

    @functools.cached_property
    def torch(self) -> Any:
        """The torch dtype with the same elements."""
        import torch  # torch is loaded when the first tensor is made, not before

        return getattr(torch, {"bool_": "bool"}.get(self.name, self.name))

    @functools.cached_property
    def numpy(self) -> Any:
        """The NumPy dtype; float32 for bfloat16, which NumPy lacks and float32 represents exactly."""
        import numpy as np  # likewise

        return np.dtype({"bool_": "bool", "bfloat16": "float32"}.get(self.name, self.name))


# name | shown | kind | bytes | in the text of a graph
_TABLE = """
bool_      Bool       b 1  bool
int8       Int8       i 1  i8
int16      Int16      i 2  i16
int32      Int32      i 4  i32
int64      Int64      i 8  i64
uint8      UInt8      u 1  u8
uint16     UInt16     u 2  u16
uint32     UInt32     u 4  u32
uint64     UInt64     u 8  u64
float16    Float16    f 2  f16
float32    Float32    f 4  f32
float64    Float64    f 8  f64
bfloat16   BFloat16   f 2  bf16
complex64  Complex64  c 8  c64
complex128 Complex128 c 16 c128
"""
DTYPES: dict[str, DType] = {}
for _row in _TABLE.split("\n"):
    if _row:
        _name, _shown, _kind, _size, _short = _row.split()
        DTYPES[_name] = DType(_name, _shown, _kind, int(_size), _short)

bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64 = list(DTYPES.values())[:9]
float16, float32, float64, bfloat16, complex64, complex128 = list(DTYPES.values())[9:]
byte, short, int_, long, half, single, float_, double = (
    int8, int16, int64, int64, float16, float32, float64, float64)
cfloat, cdouble = complex64, complex128
intc, intp, ubyte, ushort, uint, uintc, uintp, ulong = (
    int32, int64, uint8, uint16, uint64, uint32, uint64, uint64)



class TensorType(Type):
    """The type of tensors, with elements of a type or of any: `TensorType(float32)`, shown as "Tensor[Float32]".

    Args:
        element: The type of the elements; None for any.

    Raises:
        TypeError: If `element` is no type.

    Examples:
        >>> print(mindspore.TensorType(mindspore.float32))
        Tensor[Float32]
    """

    def __init__(self, element: Type | None = None):
        if element is not None and not isinstance(element, Type):
            raise TypeError(f"For 'TensorType', the element must be a type such as mindspore.float32, but got "
                            f"{element!r}.")
        super().__init__("tensor_type", "Tensor" if element is None else f"Tensor[{element}]")
        self._element = element

    def element_type(self) -> Type | None:
        """The type of the elements; None if it may be any."""
        return self._element

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and self._element == other._element

    def __hash__(self) -> int:
        return hash((TensorType, self._element))

    def __repr__(self) -> str:
        return "mindspore.tensor_type" if self._element is None else f"mindspore.TensorType({self._element!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorType, (self._element,)


class _Integers(type):
    """Integers are instances of the class that makes them."""

    def __instancecheck__(cls, instance: object) -> bool:
        return any([instance is t for t in (*int_type, integer)])

    def __call__(cls, bits: int | None = None) -> Type:
        if bits is None:
            return integer
        found = {t.itemsize * 8: t for t in int_type}.get(bits)
        if found is None:
            raise ValueError(f"For 'Int', the number of bits must be 8, 16, 32 or 64, but got {bits!r}.")
        return found


class Int(metaclass=_Integers):
    """The types of integers with a sign: `Int(32)` is `int32`, `Int()` any of them.

    Args:
        bits: 8, 16, 32 or 64; None for any.

    Raises:
        ValueError: If `bits` is another number.

    Examples:
        >>> mindspore.Int(16), isinstance(mindspore.int64, mindspore.Int)
        (mindspore.int16, True)
    """


class _Of(type):
    """The classes of types whose instances stand in a list."""

    members: tuple[Type, ...]

    def __instancecheck__(cls, instance: object) -> bool:
        return any([instance is t for t in cls.members])


string = Type("string", "String")
integer = Type("integer", "Int")
none_type = type_none = Type("type_none", "None")
tensor_type = TensorType()
number = Type("number", "Number")
list_ = Type("list_", "List")
tuple_ = Type("tuple_", "Tuple")
function = Type("function", "Func")
dtype = Type
_TYPES = {t.name: t for t in (string, integer, none_type, tensor_type, number, list_, tuple_, function)}

number_type = tuple(DTYPES.values())[1:]
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
all_types = tuple(DTYPES.values())


class Float(metaclass=_Of):
    """The floating-point types of IEEE 754."""

    members = float16, float32, float64


class BFloat(metaclass=_Of):
    """The type `bfloat16`."""

    members = (bfloat16,)


class Tuple(metaclass=_Of):
    """The type of tuples."""

    members = (tuple_,)


_PYTHON = {bool: bool_, int: int64, float: float32, complex: complex128, str: string}


def by_name(name: str) -> Type:
    """The type of that name."""
    return DTYPES.get(name) or _TYPES[name]


@functools.cache
def _numpy_names() -> dict[str, DType]:
    return {"bool": bool_} | {n: d for n, d in DTYPES.items() if n != "bool_"}


@functools.cache
def from_numpy(dt: Any) -> DType:
    """The type of a NumPy dtype.  TypeError for object, string and date types."""
    found = _numpy_names().get(getattr(dt, "name", str(dt)))
    if found is None:
        raise TypeError(f"For 'Tensor', the dtype of a numpy array must be a number type or bool, "
                        f"but got {dt}.")
    return found


@functools.cache
def _torch_table() -> dict[Any, DType]:
    return {d.torch: d for d in DTYPES.values()}


def from_torch(dt: Any) -> DType:
    """The type of a torch dtype.

    Raises:
        TypeError: If no element type has that form, such as complex numbers of two halves.
    """
    found = _torch_table().get(dt)
    if found is None:
        raise TypeError(f"There is no element type for '{dt}'.")
    return found


def as_dtype(value: Any) -> DType:
    """The type that `value` names: a DType, its name, a Python number type, a NumPy or torch dtype.

    Raises:
        TypeError: If `value` names no element type.
    """
    if isinstance(value, DType):
        return value
    if value is None:              # for NumPy it is float64
        raise TypeError(f"The 'dtype' must be one of {[d.name for d in DTYPES.values()]}, but got None.")
    found = _PYTHON.get(value) if isinstance(value, type) else None
    if isinstance(found, DType):
        return found
    if isinstance(value, str) and value in _numpy_names():
        return _numpy_names()[value]
    if type(value).__module__ == "torch":
        return from_torch(value)
    try:
        import numpy as np  # only for values that are neither ours nor Python's

        return from_numpy(np.dtype(value))
    except (TypeError, ValueError):       # the latter of arrays and tensors
        raise TypeError(f"The 'dtype' must be one of {[d.name for d in DTYPES.values()]}, "
                        f"but got {value!r}.") from None


def dtype_to_nptype(type_: DType) -> Any:
    """The NumPy scalar class of a type."""
    return as_dtype(type_).numpy.type


def dtype_to_pytype(type_: Type) -> type:
    """The Python class that holds one element of a type."""
    if isinstance(type_, DType):
        return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[type_.kind]
    return {"string": str, "list_": list, "tuple_": tuple}.get(type_.name, type(None))


def pytype_to_dtype(obj: Any) -> Type:
    """The type of a Python class, NumPy scalar class or type object."""
    if isinstance(obj, Type):
        return obj
    if obj is float:
        return float64                       # Python's own precision, unlike a tensor made from it
    if isinstance(obj, type) and obj in _PYTHON:
        return _PYTHON[obj]
    try:
        return as_dtype(obj)
    except TypeError:
        raise NotImplementedError(f"Unsupported convert {obj!r} to a MindSpore type.") from None


def get_py_obj_dtype(obj: Any) -> Type:
    """The type of a Python object: of a tensor its element type."""
    found = {type(None): none_type, tuple: tuple_, list: list_, str: string}.get(type(obj), getattr(obj, "dtype", None))
    return found if isinstance(found, Type) else pytype_to_dtype(type(obj))


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether `type_` is `dtype` or one of the types that `dtype` covers."""
    group = {number: number_type, integer: int_type, tensor_type: ()}.get(dtype)
    return type_ is dtype or (group is not None and type_ in group)
