"""Elements of tensors made from what Python and NumPy have: numbers, nested lists, arrays, other tensors."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mindspore.core import check, devices
from mindspore.core.dtype import DType
from mindspore.core.dtype import from_numpy as dtype_of_numpy
from mindspore.core.errors import GraphTypeError
from mindspore.core.kinds import is_array, is_sequence
from mindspore.core.mutable import Float, Int
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators.torch_private import as_list, from_numpy

_PYTHON_DTYPES = {bool: torch.bool, int: torch.int64, float: torch.float32, complex: torch.complex128,
                  Int: torch.int64, Float: torch.float32}
_NO_NUMBERS: tuple[type[Any], ...] = (str, bytes, dict, set, type(None))
_NUMPY_NUMBER: type[Any] = np.generic


class Storage:
    """What holds the elements of a tensor, and gives them to Python and NumPy."""

    __slots__ = ("_data",)
    _data: torch.Tensor

    def asnumpy(self) -> np.ndarray:
        """The elements as a NumPy array, row by row; it shares the tensor's memory where that is so on the CPU.

        bfloat16, which NumPy lacks, is converted to float32.

        Returns:
            The array.

        Examples:
            >>> array = Tensor([[1.0, 2.0]]).asnumpy()
            >>> array.shape, str(array.dtype)
            ((1, 2), 'float32')
        """
        data = elements_of(self)
        if data.dtype is torch.bfloat16:
            data = data.float()
        if data.device.type != "cpu":
            data = on_host(data)
        return data.resolve_conj().contiguous().numpy()

    def numpy(self) -> np.ndarray:
        """The elements as an array, as `asnumpy` gives them.

        Returns:
            An array of the shape and dtype.

        Examples:
            >>> Tensor([1.0, 2.0]).numpy()
            array([1., 2.], dtype=float32)
        """
        return self.asnumpy()

    def item(self, index: int | tuple[int, ...] | None = None) -> Any:
        """The only element, or the one at `index`, as a Python number.

        Args:
            index: The place of the element, counted row by row, or its indices.

        Returns:
            The number.

        Raises:
            ValueError: If there is another number of elements.
            IndexError: If there is no such place.

        Examples:
            >>> Tensor([[7]]).item(), Tensor([[1, 2], [3, 4]]).item(2), Tensor([[1, 2], [3, 4]]).item((0, 1))
            (7, 3, 2)
        """
        data = elements_of(self)
        if index is not None:
            data = data.reshape(-1)[index] if isinstance(index, int) else data[index]
        if data.numel() != 1:
            raise ValueError("The tensor should have only one element, but got "
                             f"{data.numel()}; more than one element is ambiguous.")
        return data.item()

    def tolist(self) -> Any:
        """The elements as nested Python lists.

        Returns:
            The list; a number for a tensor without dimensions.

        Examples:
            >>> Tensor([[1, 2], [3, 4]]).tolist(), Tensor(5).tolist()
            ([[1, 2], [3, 4]], 5)
        """
        return as_list(elements_of(self))


def elements_of(tensor: Storage) -> torch.Tensor:
    """The elements as the program looks at them, of which a compilation takes note."""
    if runtime.building:
        runtime.building.reads(tensor)
    return tensor._data


def on_host(data: torch.Tensor) -> torch.Tensor:
    """The elements on the CPU."""
    if data.is_meta:
        raise RuntimeError("A tensor on the device 'meta' has no elements. Give it elements, by 'Cell.to_empty' and "
                           "'load_param_into_net' for example.")
    return data.cpu()


def device_of(name: str) -> torch.device:
    """The device of a name such as "GPU:1"."""
    if name == "meta":
        return devices.meta()
    kind, colon, number = str(name).partition(":")
    if kind not in ("CPU", "GPU", "Ascend") or (colon and not number.isdecimal()):
        raise ValueError(f"For 'Tensor', the 'device' must be 'CPU', 'GPU:n', 'Ascend:n' or 'meta', but "
                         f"got {name!r}.")
    return devices.torch_device(kind, int(number or 0), "Tensor")


def empty(shape: Any, dt: DType | None, where: torch.device) -> torch.Tensor:
    """Zeros, for a tensor that is described by shape and dtype alone."""
    if shape is None or dt is None:
        raise TypeError("For 'Tensor', 'input_data' must be a number, a list, a tuple, a numpy array "
                        "or a Tensor; without it, 'shape' and 'dtype' are needed.")
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return torch.zeros(shape, dtype=dt.torch, device=where)


def filled(init: Any, shape: Any, dt: DType | None, where: torch.device) -> torch.Tensor:
    """What an initializer makes of a shape."""
    if shape is None or dt is None:
        raise ValueError("For 'Tensor', 'init' needs 'shape' and 'dtype'.")
    if not callable(init):
        raise check.fail(TypeError, "Tensor", "init", "an Initializer", init)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if where.type == "meta":
        return torch.empty(shape, dtype=dt.torch, device=where)
    array = np.zeros(shape, dt.numpy)
    init(array)
    return shared(array).to(device=where, dtype=dt.torch)


def converted(value: Any, dt: DType | None, where: torch.device) -> torch.Tensor:
    """The elements of a number, nested list, array or tensor, copied."""
    wanted = dt.torch if dt else None
    if isinstance(value, Storage):
        data = elements_of(value)
        where = data.device if data.is_meta else where
        return data.to(device=where, dtype=wanted or data.dtype, copy=True)
    if isinstance(value, (bool, int, float, complex)):
        return _scalar(value, wanted, where)
    if is_array(value) or isinstance(value, _NUMPY_NUMBER):
        return shared(np.asarray(value)).to(device=where, dtype=wanted, copy=True)
    if is_sequence(value):
        return _from_sequence(value, wanted, where)
    if isinstance(value, Node) or (runtime.building and not isinstance(value, _NO_NUMBERS)):
        raise GraphTypeError("For 'Tensor', 'input_data' is the result of a computation in the graph: "
                             "use that tensor itself, or 'ops.stack' and 'astype'.")
    raise TypeError("For 'Tensor', the type of 'input_data' must be a number, list, tuple, ndarray "
                    f"or Tensor, but got {value!r} with type '{type(value).__name__}'.")


def _scalar(value: complex, wanted: torch.dtype | None, where: torch.device) -> torch.Tensor:
    """A number; one that is not in the range of a type of integers is converted as an element of an array is."""
    wides: dict[type[Any], torch.dtype] = {float: torch.float64, int: torch.int64}
    wide = wides.get(type(value))
    if wanted is None or wide is None or wanted is torch.uint64 or wanted.is_floating_point or wanted.is_complex:
        return torch.tensor(value, dtype=wanted or _number_dtype(value), device=where)
    return torch.tensor(value, dtype=wide).to(device=where, dtype=wanted)


def _number_dtype(value: complex) -> torch.dtype:
    if type(value) is int and 2 ** 63 <= value < 2 ** 64:
        return torch.uint64
    return _PYTHON_DTYPES.get(type(value), torch.float64)


def _from_sequence(value: Any, wanted: Any, where: torch.device) -> torch.Tensor:
    flat = _elements(value)
    if any(isinstance(x, Storage) for x in flat):
        value = _plain(value)
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.empty((), object)
    if array.dtype == object or array.dtype.kind not in "biufc":
        raise TypeError(f"For 'Tensor', the 'input_data' {value!r:.120} contains an unsupported "
                        "element: it must be nested lists of numbers of equal lengths.")
    if wanted is torch.uint64 and array.dtype == np.float64:
        exact = np.asarray(value, object)        # NumPy makes floats of numbers on either side of 2^63
        array = exact.astype(np.uint64) if all(type(x) is int for x in exact.flat) else array
    if wanted is None and array.dtype == np.float64:
        wanted = torch.float32
    return shared(array).to(device=where, dtype=wanted)


def _elements(value: Any) -> list[Any]:
    """A few of the leaves: enough to tell Python numbers, NumPy values and tensors apart."""
    while is_sequence(value) and value and is_sequence(value[0]):
        value = value[0]
    return list(value) if is_sequence(value) else [value]


def _plain(value: Any) -> Any:
    if is_sequence(value):
        return [_plain(v) for v in value]
    return value.asnumpy() if isinstance(value, Storage) else value


def shared(array: np.ndarray) -> torch.Tensor:
    """A torch tensor over an array's memory; a copy if torch cannot describe the array."""
    dtype_of_numpy(array.dtype)                  # a clear error for strings and objects
    if array.dtype.char == "Q":                  # a second name of uint64, which torch does not know
        array = array.view(np.uint64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.writeable or any(s < 0 for s in array.strides):
        array = array.copy()
    return from_numpy(array)
