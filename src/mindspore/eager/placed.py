"""Where the elements of a tensor lie: in which memory, on which device, or in no memory at all."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import copy
import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from mindspore.core import check, devices
from mindspore.core.context import torch_device
from mindspore.core.dtype import as_dtype, from_torch
from mindspore.formats.files import atomic

from .conversion import device_of, elements_of
from .pieces_of_memory import UntypedStorage

if TYPE_CHECKING:
    from typing import Self


class Placed:
    """Methods of a tensor about the memory of its elements."""

    __slots__ = ()
    if TYPE_CHECKING:
        _data: torch.Tensor
        _var: Any
        shape: Any
        dtype: Any
        __dict__: Any

    @property
    def is_meta(self) -> bool:
        """Whether the tensor has a shape and a dtype, but no elements (device "meta").

        Examples:
            >>> Tensor([1.0]).is_meta, Tensor([1.0]).to("meta").is_meta
            (False, True)
        """
        return self._data.is_meta

    @property
    def init_flag(self) -> bool:
        """What `set_init_flag` said last, False before.

        Examples:
            >>> Tensor([1.0]).init_flag
            False
        """
        return self.__dict__.get("_init_flag", False)

    def set_init_flag(self, flag: bool) -> None:
        """Note that the elements have been given by an initializer; `init_flag` and `is_init` tell.

        Args:
            flag: A bool.

        Examples:
            >>> x = Tensor([1.0])
            >>> x.set_init_flag(True)
            >>> x.init_flag
            True
        """
        self.__dict__["_init_flag"] = bool(flag)

    def get_bytes(self) -> bytes:
        """The elements, row by row, as bytes in the order of this machine.

        Returns:
            Bytes, `nbytes` of them.

        Examples:
            >>> Tensor([1, 2], mindspore.int16).get_bytes()
            b'\\x01\\x00\\x02\\x00'
        """
        data = elements_of(self).detach().cpu().contiguous()        # pyright: ignore[reportArgumentType]  # a Storage
        return data.reshape(-1).view(torch.uint8).numpy().tobytes()

    @classmethod
    def convert_bytes_to_tensor(cls, bytes_data: bytes, dims: Sequence[int], type_id: Any) -> Self:
        """The tensor whose `get_bytes` are given.

        Args:
            bytes_data: The bytes.
            dims: The shape, a tuple of ints.
            type_id: The dtype.

        Returns:
            The tensor.

        Raises:
            ValueError: If the shape has another number of bytes.

        Examples:
            >>> Tensor.convert_bytes_to_tensor(b"\\x01\\x00\\x02\\x00", (2,), mindspore.int16).tolist()
            [1, 2]
        """
        dtype = as_dtype(type_id)
        needed = math.prod(dims) * torch.empty((), dtype=dtype.torch).element_size()
        if len(bytes_data) != needed:
            raise ValueError(f"For 'convert_bytes_to_tensor', the shape {tuple(dims)} of {dtype} has {needed} bytes, "
                             f"but got {len(bytes_data)}.")
        data = torch.empty(tuple(dims), dtype=dtype.torch)
        if needed:
            data.view(-1).view(torch.uint8).copy_(torch.frombuffer(bytearray(bytes_data), dtype=torch.uint8))
        made: Any = cls(0)  # pyright: ignore[reportCallIssue]  # a tensor
        made._take_memory(data.to(torch_device()))
        return made

    def data_ptr(self) -> int:
        """The address of the first element; 0 without elements.

        Returns:
            An int.

        Examples:
            >>> x = Tensor([1.0, 2.0])
            >>> x[1].data_ptr() - x.data_ptr()
            4
        """
        return self._data.data_ptr()

    def storage(self) -> UntypedStorage:
        """The memory of the elements, which views share: the name of `untyped_storage` for short.

        Returns:
            An UntypedStorage.

        Examples:
            >>> x = Tensor([1.0, 2.0])
            >>> x.storage().data_ptr() == x[1:].storage().data_ptr()
            True
        """
        return UntypedStorage(self._data)

    def untyped_storage(self) -> UntypedStorage:
        """The memory of the elements, which views share.

        Returns:
            An UntypedStorage.

        Examples:
            >>> Tensor([1.0, 2.0]).untyped_storage().nbytes()
            8
        """
        return UntypedStorage(self._data)

    def is_shared(self) -> bool:
        """Whether other processes can see the memory.

        Returns:
            A bool.

        Examples:
            >>> Tensor([1.0]).is_shared()
            False
        """
        data: Any = self._data
        return data.device.type == "cpu" and bool(data.is_shared())

    def is_pinned(self) -> bool:
        """Whether the elements are in memory of the host from which a GPU copies by itself.

        Returns:
            A bool.

        Examples:
            >>> Tensor([1.0]).is_pinned()
            False
        """
        return torch.cuda.is_available() and self._data.is_pinned()

    def pin_memory(self) -> Self:
        """The elements in memory of the host from which a GPU copies by itself.

        Returns:
            A tensor; itself if that is so already.

        Raises:
            RuntimeError: If there is no GPU.

        Examples:
            >>> try:
            ...     pinned = Tensor([1.0]).pin_memory().is_pinned()
            ... except RuntimeError:        # there is no GPU
            ...     pinned = True
            >>> pinned
            True
        """
        if not torch.cuda.is_available():
            raise RuntimeError("For 'Tensor.pin_memory', there is no GPU that could copy from pinned memory. "
                               "Leave the call out: on the CPU nothing is copied.")
        made, var = copy.copy(self), self._var
        made._take_memory(self._data.pin_memory())
        made._var = var
        return made

    def flush_from_cache(self) -> None:
        """Return when rows that a worker of a parameter server keeps are in its table: they always are.

        Examples:
            >>> Tensor([1.0]).flush_from_cache()
        """

    def offload(self, file_path: str) -> bool:
        """Write the elements to a file and read them from there as they are used, so that they need no memory.

        Args:
            file_path: The file, which must be unchanged while the tensor is used.

        Returns:
            True.

        Raises:
            RuntimeError: If the tensor has no elements on the host.

        Examples:
            >>> import os
            >>> x, path = Tensor([1.0, 2.0]), os.path.join(tempfile.mkdtemp(), "x.bin")
            >>> x.offload(path), x.tolist()
            (True, [1.0, 2.0])
        """
        if self._data.device.type != "cpu":
            raise RuntimeError("For 'Tensor.offload', the elements must be on the CPU: move them by 'Tensor.to'.")
        data, path = self._data, os.fspath(file_path)
        with atomic(path) as file:
            file.write(self.get_bytes())
        if data.numel():
            kept = torch.from_file(path, shared=False, size=data.numel(), dtype=data.dtype)
            self._take_memory(kept.view(data.shape))
        self.__dict__["_offloaded"] = path
        return True

    def offload_file_path(self) -> str:
        """The file of `offload`; "" if there is none.

        Returns:
            A str.

        Examples:
            >>> Tensor([1.0]).offload_file_path()
            ''
        """
        return self.__dict__.get("_offloaded", "")

    def set_(self, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None) -> Self:
        """Let the tensor have the memory of another one, with which it shares it from then on.

        Args:
            source: A tensor without gaps, or an UntypedStorage. None: the tensor has no elements.
            storage_offset: How many elements stand before the first one.
            size: The shape, a tuple of ints. None: that of the tensor, or all of the storage.
            stride: For each dimension how many elements on the next one stands. None: elements row by row.

        Returns:
            The tensor itself.

        Raises:
            TypeError: If `source` is neither.
            RuntimeError: If `source` has another dtype or gaps, or the elements lie outside of its memory.

        Examples:
            >>> x, y = Tensor([1.0, 2.0, 3.0, 4.0]), Tensor([0.0])
            >>> y.set_(x, 1, (2,), (2,)).tolist()
            [2.0, 4.0]
        """
        self._take_memory(_chosen(self._data, source, storage_offset, size, stride))
        return self

    def to_(self, device: str | None = None, non_blocking: bool = False) -> Self:
        """Move the elements of the tensor itself to another device.

        Args:
            device: "CPU", "GPU", "Ascend" or "meta". None: where they are.
            non_blocking: With or without it, they are there when the call returns.

        Returns:
            The tensor itself.

        Raises:
            ValueError: If `device` is no device.
            RuntimeError: If the tensor has no elements to move.

        Examples:
            >>> Tensor([1.0]).to_("CPU").device
            'CPU'
        """
        check.boolean("Tensor.to_", "non_blocking", non_blocking)
        if device is not None:
            where = device_of(device)
            refuse_without_elements(self, where)
            self._take_memory(self._data.to(where))
        return self

    def delete_(self, non_blocking: bool = False) -> None:
        """Give the memory of the elements back; shape and dtype stay, and `copy_` of elements is refused.

        Args:
            non_blocking: With or without it, the memory is free when the call returns, unless views hold it.

        Examples:
            >>> x = Tensor([1.0, 2.0])
            >>> x.delete_()
            >>> x.shape, x.is_meta
            ((2,), True)
        """
        check.boolean("Tensor.delete_", "non_blocking", non_blocking)
        self._take_memory(torch.empty_like(self._data, device=devices.meta()))

    def _take_memory(self, data: torch.Tensor) -> None:
        """Have other elements, which no gradient knows."""
        self._data, self._var = data, None


def _chosen(own: torch.Tensor, source: Any, offset: int, size: Any, stride: Any) -> torch.Tensor:
    """The part of a tensor's or storage's memory that `set_` names."""
    if source is None:
        return torch.empty(0, dtype=own.dtype, device=own.device)
    is_storage = isinstance(source, UntypedStorage)
    data = source.elements(own.dtype) if is_storage else getattr(source, "_data", None)
    if not isinstance(data, torch.Tensor):
        raise TypeError(f"For 'Tensor.set_', the 'source' must be a Tensor or an UntypedStorage, but got {source!r}.")
    if data.dtype is not own.dtype or not data.is_contiguous():
        raise RuntimeError(f"For 'Tensor.set_', the 'source' must be a tensor of {from_torch(own.dtype)} without gaps, "
                           f"but got one of {from_torch(data.dtype)} with the strides {data.stride()}.")
    if size is None and not offset and stride is None:
        return data.view_as(data)
    size = (data.numel() - offset,) if size is None else tuple(size)
    steps = tuple(stride) if stride else _row_by_row(size)
    return torch.as_strided(data, size, steps, data.storage_offset() + offset)


def _row_by_row(size: Sequence[int]) -> tuple[int, ...]:
    return tuple([math.prod(size[i + 1:]) for i in range(len(size))])


def refuse_without_elements(tensor: Any, where: torch.device) -> None:
    """RuntimeError if the elements of a tensor that has none are wanted on a device."""
    if tensor._data.is_meta and where.type != "meta":
        raise RuntimeError("Cannot copy from a tensor on the device 'meta': it has no elements. Give it elements, by "
                           "'Cell.to_empty' and 'load_param_into_net' for example.")
