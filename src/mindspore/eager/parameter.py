"""Parameter: a tensor that a network owns, with a name and the wish for a gradient."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from mindspore.core import check, log
from mindspore.core.check import LONGEST_NAME
from mindspore.core.dtype import DType
from mindspore.core.errors import GraphTypeError, GraphValueError, show
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.torch_private import alias

from .earlier import Earlier
from .hooks import HookHandle, check_hook, without_hooks
from .memory import overwrite
from .parameter_notes import Noted
from .pieces import InPieces, Version
from .tape import register_hook
from .tensor import Tensor, elements_of, wrap
from .uninitialised import await_values

_unnamed = itertools.count()


class Parameter(InPieces, Noted, Earlier, Tensor):
    """A tensor that a network trains or keeps as state.

    A parameter owns its storage: `assign` and the optimizers write into it, and views of it see that.
    `asnumpy` and `value` give copies, which keep what they hold.

    Args:
        default_input: The initial value: a Tensor, a number, an array or a list.
        name: The name in checkpoints. Default: the attribute path in the network, given by the cell.
        requires_grad: Whether optimizers train it.
        layerwise_parallel: Whether data-parallel training leaves its gradient alone.
        parallel_optimizer: Whether the state of a parallel optimizer may be split for it.
        storage_format: Layout hint of the original's Ascend back end; only "" is taken here.
        device: "CPU", "GPU:n" or "Ascend:n". Default: the device of the context.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = ops.assign(w, w * 2)
        >>> w.name, w.tolist()
        ('w', [2.0, 4.0])
    """

    __module__ = "mindspore.common.parameter"
    is_init: Any = False           # programs read and set it; nothing depends on it

    def __init__(self, default_input: Any, name: str | None = None, requires_grad: bool = True,
                 layerwise_parallel: bool = False, parallel_optimizer: bool = True,
                 storage_format: str = "", device: Any = None):
        if storage_format:
            raise ValueError("For 'Parameter', 'storage_format' is decided by the kernels here; "
                             f"leave it empty, but got {storage_format!r}.")
        if isinstance(default_input, bool):
            raise ValueError(f"For 'Parameter', Parameter data can not be `bool`, but got {default_input}; give a "
                             f"tensor, such as Tensor({default_input}).")
        dtype = "int32" if isinstance(default_input, int) else None
        super().__init__(default_input, dtype, device=device)
        await_values(self, default_input)
        self.named = bool(name)
        self.name = name
        self.layerwise_parallel = check.boolean(self, "layerwise_parallel", layerwise_parallel)
        self.parallel_optimizer = check.boolean(self, "parallel_optimizer", parallel_optimizer)
        self._comm_fusion = 1
        self.requires_grad = requires_grad

    @property
    def _var(self) -> Any:
        """Its place on the tape of this thread: several may take gradients of one parameter at once."""
        return runtime.variables.get(self)

    @_var.setter
    def _var(self, var: Any) -> None:
        if var is None:
            runtime.variables.pop(self, None)
        else:
            runtime.variables[self] = var

    def _leaf(self, new: Tensor) -> Tensor:
        """Elements that it is given are its own: a gradient leads to the parameter, not to what they came from."""
        own = [var for var in runtime.watched if var[0].op.tensor is self]
        return wrap(new._data, own[-1] if own else None)

    @property
    def name(self) -> str:
        """The name in checkpoints.

        Raises:
            ValueError: If it is set to what is no str, or to a longer one than 1024 characters.

        Examples:
            >>> Parameter(Tensor([1.0]), name="w").name
            'w'
        """
        return self._name

    @name.setter
    def name(self, value: object) -> None:
        if value is None or value == "":
            value = f"Parameter#{next(_unnamed)}"
        if not isinstance(value, str):
            raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but "
                             f"got {type(value)}.")
        if len(value) > LONGEST_NAME:
            raise ValueError(f"The name of a Parameter must have at most {LONGEST_NAME} characters, but "
                             f"'{value[:30]}...' has {len(value)}.")
        self._name = value

    @property
    def comm_fusion(self) -> int:
        """The group of collective operators that its gradient belongs to, 1 if none was set; noted in graphs.

        Raises:
            ValueError: If it is set to a negative number.
            TypeError: If it is set to what is no int.

        Examples:
            >>> w = Parameter(Tensor([1.0]), name="w")
            >>> w.comm_fusion = 2
            >>> w.comm_fusion
            2
        """
        return self._comm_fusion

    @comm_fusion.setter
    def comm_fusion(self, value: int) -> None:
        self._comm_fusion = check.non_negative_int(self, "comm_fusion", value)
        Version.moves()
        log.warn_once("The 'comm_fusion' of a Parameter is noted in graphs, but one process has no collective "
                      "operators to fuse. Results are the same without it.")

    @property
    def requires_grad(self) -> bool:
        """Whether optimizers train it.

        Raises:
            TypeError: If it is set to what is no bool.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.bias.requires_grad = False
            >>> [p.name for p in net.trainable_params()]
            ['weight']
        """
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: object) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"The 'requires_grad' of a Parameter must be a bool, but got {value!r}.")
        self._requires_grad = value
        Version.moves()

    @property
    def data(self) -> Tensor:
        """A tensor on the same memory, outside of gradients; what is assigned is taken over as by `set_data`."""
        return wrap(alias(self._data))

    @data.setter
    def data(self, value: Any) -> None:
        self.set_data(value)

    def requires_grad_(self, requires_grad: bool = True) -> None:
        """Say whether optimizers train it."""
        self.requires_grad = requires_grad

    def _take_memory(self, data: torch.Tensor) -> None:
        """Have other elements; compiled functions notice it."""
        super()._take_memory(data)
        Version.moves()

    def set_dtype(self, dtype: DType) -> DType:
        """Convert the elements to `dtype`, in place of those that the parameter has.

        Args:
            dtype: The dtype.

        Returns:
            The dtype.

        Raises:
            GraphValueError: While a graph is compiled.

        Examples:
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> w.set_dtype(mindspore.float16)
            mindspore.float16
            >>> w.dtype
            mindspore.float16
        """
        if runtime.building:
            raise GraphValueError(f"The dtype of the parameter '{self.name}' cannot be set while a graph is compiled. "
                                  "Set it outside.")
        Version.moves()
        return super().set_dtype(dtype)

    def value(self) -> Tensor:
        """The current value as a tensor, which later assignments leave alone.

        Returns:
            A tensor with memory of its own.

        Examples:
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> before, _ = w.value(), w.set_data(Tensor([3.0, 4.0]))
            >>> before.tolist()
            [1.0, 2.0]
        """
        return structure.copied(self)

    def asnumpy(self) -> np.ndarray:
        """The elements as a NumPy array, which later assignments leave alone; writing to it changes nothing else.

        Returns:
            An array of the same shape and dtype; float32 for bfloat16, which NumPy lacks.

        Examples:
            >>> Parameter(Tensor([1.0, 2.0]), name="w").asnumpy()
            array([1., 2.], dtype=float32)
        """
        return wrap(elements_of(self).clone(memory_format=torch.contiguous_format)).asnumpy()

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Take over the elements of `data`, a tensor or what makes one, cast to the parameter's dtype.

        Args:
            data: The elements.
            slice_shape: Whether the parameter may get another shape.

        Returns:
            The parameter.

        Raises:
            ValueError: If the shapes differ and `slice_shape` is False.

        Examples:
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> w.set_data(Tensor([3, 4])).tolist()
            [3.0, 4.0]
        """
        if not isinstance(data, (Tensor, Node)):
            data = Tensor(data)
        if self.stored is not None and isinstance(data, Tensor):
            data = self.own_piece(data)
        if data.shape != self.shape and not slice_shape:
            raise ValueError(f"Can not change the shape of Parameter '{self.name}' from "
                             f"{self.shape} to {data.shape}.")
        self.__dict__.pop("_init", None)
        if isinstance(data, Node) or (data.shape == self.shape and not self._data.is_meta):
            assign(self, data)
        else:
            self._data, self._var = _cast(data, self.dtype)._data.clone(), None
            Version.moves()
        return self

    def assign_value(self, value: Any) -> Parameter:
        """Take over the elements of another tensor; see `set_data`."""
        return self.set_data(value)

    def register_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Let `hook_fn(gradient)` see every gradient of the parameter; a tensor that it returns replaces it.

        Args:
            hook_fn: The function.

        Returns:
            A handle, whose `remove` ends it.

        Raises:
            TypeError: If `hook_fn` is no function.
            RuntimeError: If no gradient is taken for the parameter, because its `requires_grad` is False.
            GraphValueError: While a graph is compiled.

        Examples:
            >>> w = Parameter(Tensor(3.0), name="w")
            >>> handle = w.register_hook(lambda gradient: gradient * 10)
            >>> float(mindspore.grad(lambda: w * w, None, w)())
            60.0
            >>> handle.remove()
        """
        check_hook(hook_fn)
        if not self.requires_grad:
            raise RuntimeError("The tensor requires grad is false, which can not register tensor hook: set the "
                               f"'requires_grad' of the parameter '{self.name}' to True before.")
        if runtime.building:
            raise GraphValueError(f"A hook of the parameter '{self.name}' cannot be registered while a graph is "
                                  "compiled, because it would stay there. Register it outside.")
        Version.moves()
        return register_hook(self, hook_fn).on_removal(Version.moves)

    def clone(self, init: Any = "same") -> Parameter:
        """A parameter of the same kind, with the same name.

        Args:
            init: "same" for the same elements; or an initializer, its name, or a number.

        Returns:
            The new parameter.

        Raises:
            ValueError: If there is no initializer of that name.

        Examples:
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> w.clone().tolist(), w.clone("zeros").tolist()
            ([1.0, 2.0], [0.0, 0.0])
        """
        twin = copy.copy(self)
        if isinstance(init, str) and init == "same":
            twin._data = elements_of(self).clone()
        else:
            from .initializer import initializer  # imports this module

            twin._data = initializer(init, self.shape, self.dtype)._data
        return twin

    def __copy__(self) -> Parameter:
        twin = object.__new__(Parameter)
        data = elements_of(self)
        twin._data, twin._var = data.view_as(data), None
        twin.__dict__.update(without_hooks(self.__dict__))
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        return self.clone()                # which `copy` notes in `memo`

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (Tensor(self), dict(without_hooks(self.__dict__)))

    def __str__(self) -> str:
        return (f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
                f"requires_grad={self.requires_grad})")

    __repr__ = __str__


def owning(tensor: Tensor, name: str) -> Parameter:
    """A parameter that takes the elements of a tensor which nobody else has, without a copy."""
    made = Parameter(0.0, name)
    made._data = tensor._data
    return made


def _unpickled(tensor: Tensor, fields: dict[str, Any]) -> Parameter:
    made = Parameter(tensor)
    made.__dict__.update(fields)
    return made


def assign(parameter: object, value: Any) -> Any:
    """Let the parameter hold `value`, cast to its dtype; returns the parameter.

    While a graph is compiled the parameter's name is bound to the new value, as a local name would
    be; the graph writes it back when it has run.
    """
    if not isinstance(parameter, Parameter):
        raise not_a_parameter("Assign", "variable", parameter)
    if runtime.building:
        return runtime.building.assign(parameter, value)
    new = _cast(value if isinstance(value, Tensor) else wrap(torch.as_tensor(value)), parameter.dtype)
    if new.shape != parameter.shape:
        new = structure.broadcast_to(new, shape=parameter.shape)
    if runtime.slicing:                # `vmap` continues slice by slice
        raise RuntimeError("A parameter is assigned, which is done once for each slice.")
    if parameter._data.is_meta:        # it gets the elements that it lacks
        parameter._take_memory(new._data.clone())
        return parameter
    if new is value:                   # whose memory stays its own
        new = wrap(alias(new._data), new._var)
    overwrite(parameter, new)
    return parameter


def _cast(value: Tensor, dtype: DType) -> Tensor:
    return value if value.dtype is dtype else structure.cast(value, dtype=dtype)


def not_a_parameter(owner: str, name: str, value: Any) -> Exception:
    """The error for an operator that changes a parameter and got something else.

    While a graph is compiled that may be one of several parameters, which one only the run tells.
    """
    kind = GraphTypeError if runtime.building else TypeError
    return kind(f"For '{owner}', the '{name}' must be a Parameter, but got {show(value)}.")


__all__ = ["Parameter", "Version", "assign", "not_a_parameter"]
