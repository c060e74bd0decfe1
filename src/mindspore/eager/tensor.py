"""Tensor: a slim wrapper over a torch tensor.

Operators arrive as methods from `mindspore.ops`; here stands what concerns storage: making tensors
from Python and NumPy, giving them back, printing, pickling, DLPack.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from mindspore.core import check, context, seed
from mindspore.core.dtype import DType, as_dtype, bfloat16, from_torch
from mindspore.core.kinds import is_array
from mindspore.core.printing import shown, shown_with_type
from mindspore.ir import Aval, Node
from mindspore.ir.runtime import runtime
from mindspore.operators import torch_private

from .conversion import Storage, converted, device_of, elements_of, empty, filled, on_host, shared
from .itself import Itself
from .numpy_calls import SeenByNumPy
from .pattern import Described, described
from .placed import Placed, refuse_without_elements
from .texts import Texts, check_texts, texts_in
from .uninitialised import postponed

_new = object.__new__


class Tensor(Storage, SeenByNumPy, Itself, Placed):
    """An n-dimensional array of elements of one type.

    Args:
        input_data: A number, a nested list or tuple of numbers, a NumPy array (copied; see
            `from_numpy` for a shared one) or a Tensor. An array of strings makes a tensor of dtype `string`, which
            can be looked at and given back, but not computed with.
        dtype: Element type. Default: that of the data; float32 for Python floats, int64 for ints.
        shape: With `init`, or alone with `dtype`: the shape.
        init: An initializer that fills a tensor of `shape` and `dtype`.
        const_arg: Accepted for programs that mark compile-time constants; values that a graph
            needs while it is compiled are found without it.
        device: "CPU", "GPU" or "Ascend", or "meta" for a tensor without elements. Default: the device of the context.

    Raises:
        TypeError: If the data cannot be an array of numbers.
        ValueError: If `shape` contradicts the data.

    Examples:
        >>> Tensor([[1, 2], [3, 4]], mindspore.float32)
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00,  2.00000000e+00],
         [ 3.00000000e+00,  4.00000000e+00]])
        >>> (Tensor([1.0, 2.0]) + 1).asnumpy()
        array([2., 3.], dtype=float32)
    """

    __module__ = "mindspore.common.tensor"        # what programs compare and print
    __slots__ = ("__dict__", "__weakref__", "_var")
    _var: Any                      # (record, index) on the tape, or None

    def __init__(self, input_data: Any = None, dtype: Any = None, shape: Any = None,
                 init: Any = None, const_arg: bool = False, device: Any = None):
        self._var = None
        texts = texts_in(input_data) if type(self) in _CAN_BE_TEXTS else None
        if texts is not None:
            check_texts(texts, dtype, shape)
            self.__dict__["texts"] = texts
            object.__setattr__(self, "__class__", TextTensor)
            return
        dt = None if dtype is None else as_dtype(dtype)
        where = context.torch_device() if device is None else device_of(device)
        if const_arg is not False:
            check.boolean("Tensor", "const_arg", const_arg)
        if init is not None and postponed():
            self._data, self.__dict__["_init"] = empty(shape, dt, where), init
        elif init is not None:
            self._data = filled(init, shape, dt, where)
        elif input_data is None:
            pattern = described(shape, dt)
            if pattern is None:
                self._data = empty(shape, dt, where)
            else:
                self.__dict__["pattern"] = pattern
                object.__setattr__(self, "__class__", Pattern)
        else:
            if device is not None and isinstance(input_data, Storage):
                refuse_without_elements(input_data, where)
            self._data = converted(input_data, dt, where)
            if shape is not None and tuple(shape) != self.shape:
                raise ValueError(f"For 'Tensor', the 'shape' {tuple(shape)} does not fit the shape "
                                 f"of the data {self.shape}.")

    if TYPE_CHECKING:              # what operators give: attached from the tables of `mindspore.ops`
        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...
        def _infix(self, other: Any) -> Any: ...
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _infix
        __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = __and__ = __or__ = _infix
        __lt__ = __le__ = __gt__ = __ge__ = _infix

    # ------------------------------------------------------------------ what it is

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions."""
        return tuple(self._data.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return from_torch(self._data.dtype)

    @property
    def aval(self) -> Aval:
        """Shape and dtype, as the compiler sees them."""
        return Aval(tuple(self._data.shape), from_torch(self._data.dtype))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._data.dim()

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._data.numel()

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._data.element_size()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._data.numel() * self._data.element_size()

    @property
    def symbolic_shape(self) -> Any:
        """What is known about extents that may differ; None for a tensor with elements."""
        return None

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, for each dimension."""
        return tuple([s * self._data.element_size() for s in self._data.stride()])

    def is_init(self) -> bool:
        """What `set_init_flag` said last, False before.

        Returns:
            A bool.

        Examples:
            >>> Tensor([1.0]).is_init()
            False
        """
        return self.init_flag

    @property
    def has_init(self) -> bool:
        """Whether an initializer is still to fill the tensor, see `nn.no_init_parameters`."""
        return "_init" in self.__dict__

    @property
    def device(self) -> str:
        """Where the elements are: "CPU" or, for example, "GPU:0"; "meta" if there are none."""
        d = self._data.device
        if d.type == "meta":
            return "meta"
        names = {"cpu": "CPU", "cuda": "GPU", "npu": "Ascend"}
        return "CPU" if d.type == "cpu" else f"{names.get(d.type, d.type)}:{d.index or 0}"

    # ------------------------------------------------------------------ out of the tensor

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"A {self.dtype} tensor cannot be shared as a {dtype} array.")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        value = self.item()
        if self._data.dtype.is_floating_point or self._data.dtype.is_complex:
            raise TypeError(f"Only an integer tensor can be an index, but got {self.dtype}.")
        return int(value)

    def __len__(self) -> int:
        if not self._data.dim():
            raise TypeError("Not support len of a 0-D tensor")
        return self._data.shape[0]

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        return repr(self) if self._data.is_meta else shown(elements_of(self))

    def __repr__(self) -> str:
        return shown_with_type(elements_of(self), self.dtype)

    # ------------------------------------------------------------------ sharing and copying

    @staticmethod
    def from_numpy(array: object) -> Tensor:
        """A tensor that shares the memory of a NumPy array (on the CPU; elsewhere a copy).

        Args:
            array: The array.

        Returns:
            The tensor.

        Raises:
            TypeError: If it is no array.

        Examples:
            >>> array = np.zeros(2, np.float32)
            >>> x = Tensor.from_numpy(array)
            >>> array[0] = 7
            >>> x.tolist()
            [7.0, 0.0]
        """
        if not is_array(array):
            raise TypeError(f"The input of 'from_numpy' must be an ndarray, but got {type(array)}.")
        return wrap(shared(array).to(context.torch_device())) if texts_in(array) is None else Tensor(array)

    def __dlpack__(self, **options: Any) -> Any:
        data: Any = elements_of(self)
        return data.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._data.__dlpack_device__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = wrap(elements_of(self).clone())
        memo[id(self)] = copied
        return copied

    def __copy__(self) -> Tensor:
        data = elements_of(self)
        return wrap(data.view_as(data), self._var)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, tensor_to_buffer(self, copy=True)

    def _leaf(self, new: Tensor) -> Tensor:
        """The tensor whose elements and place on the tape it takes over with those of `new`."""
        return new


# it has a property in place of the elements
class Pattern(Described, Tensor):  # pyright: ignore[reportIncompatibleVariableOverride]
    """A tensor that describes inputs, see `Described`."""

    __slots__ = ()


# properties in place of the elements, and a dtype that is no `DType`
class TextTensor(Texts, Tensor):  # pyright: ignore
    """A tensor of strings, see `Texts`."""

    __slots__ = ()


_CAN_BE_TEXTS = (Tensor, TextTensor)


def wrap(data: torch.Tensor, var: Any = None) -> Tensor:
    """A tensor over a torch tensor, without copying."""
    t = _new(Tensor)
    t._data = data
    t._var = var
    return t


def lay_out_rows(tensor: Any, shape: tuple[int, ...]) -> None:
    """Let the elements of a tensor lie row by row in memory, if its form of another shape is to share them.

    Convolutions leave theirs with the channels innermost, where such a form would be a copy.  It is done only for
    a tensor that has its memory for itself: no slice, array or other tensor sees it.  Records of a gradient may.
    """
    data = tensor._data
    if data.is_contiguous() or (not runtime.depth and sys.getrefcount(data) > _OWN_REFERENCES):
        return
    storage = data.untyped_storage()
    if storage.nbytes() != data.numel() * data.element_size() or not storage.resizable() or (
            torch_private.uses_of(storage) > _OWN_USES):
        return
    try:
        data.view(shape)
    except RuntimeError:               # elements that are neighbours in the form are none in memory
        tensor._data = data.contiguous()


_OWN_REFERENCES = 3      # to a torch tensor that only one tensor has: its slot, a local name, an argument
_OWN_USES = 2            # of a storage that only one tensor has: its tensor, and its wrapper


def is_tensor(obj: Any) -> bool:
    """Whether an object is a tensor, at run time or while compiling.

    Args:
        obj: Any value.

    Returns:
        A bool.

    Examples:
        >>> ops.is_tensor(Tensor([1.0])), ops.is_tensor([1.0])
        (True, False)
    """
    return isinstance(obj, (Tensor, Node))


def tensor(input_data: Any = None, dtype: Any = None, shape: Any = None, init: Any = None,
           const_arg: bool = False, device: Any = None) -> Tensor:
    """A `Tensor`, written as a function."""
    return Tensor(input_data, dtype, shape, init, const_arg, device)


from_numpy = Tensor.from_numpy


# ---------------------------------------------------------------------- bytes

def tensor_to_buffer(tensor: Tensor, copy: bool = False) -> tuple[Any, str, tuple[int, ...]]:
    """The elements in C order as (buffer, dtype name, shape); bfloat16 as its 16-bit patterns."""
    data = on_host(tensor._data.detach()).contiguous()
    bits = data.view(torch.int16) if data.dtype is torch.bfloat16 else data
    buffer = memoryview(bits.numpy().reshape(-1).view(np.uint8).data)
    return (bytes(buffer) if copy else buffer), tensor.dtype.name, tensor.shape


def tensor_from_buffer(buffer: Any, dtype_name: str, shape: tuple[int, ...], copy: bool = True) -> Tensor:
    """The tensor of a buffer in C order; without `copy` that of a buffer that nobody else has."""
    dt = as_dtype(bfloat16 if dtype_name == "bfloat16" else dtype_name.rstrip("_"))
    kind = np.dtype(np.int16) if dt is bfloat16 else dt.numpy
    array = np.frombuffer(buffer, kind, math.prod(shape)).reshape(shape)
    data = torch_private.from_numpy(array.copy() if copy else array)
    return wrap((data.view(torch.bfloat16) if dt is bfloat16 else data).to(context.torch_device()))


def _unpickled(buffer: bytes, dtype_name: str, shape: tuple[int, ...]) -> Tensor:
    return tensor_from_buffer(buffer, dtype_name, shape)


seed.apply_pending()      # `set_seed` may have been called before torch was loaded
