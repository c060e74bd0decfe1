"""Let a parameter or a tensor hold new elements, as operators do that change one of their operands."""
from __future__ import annotations

from typing import Any

from mindspore.eager.memory import overwrite
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tape import refuse_slices
from mindspore.eager.tensor import wrap
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.torch_private import alias


def become(self: Any, new: Any) -> Any:
    """Let a tensor hold the elements of another one of its shape, cast to its dtype; returns it."""
    if tuple(new.shape) != tuple(self.shape):
        raise ValueError(f"A tensor of shape {tuple(self.shape)} cannot be changed in place to the "
                         f"shape {tuple(new.shape)}.")
    if new.dtype is not self.dtype:
        new = structure.cast(new, dtype=self.dtype)
    if isinstance(self, Parameter):
        return assign(self, new)
    if runtime.building:
        return runtime.building.replace(self, new)
    if runtime.slicing:
        refuse_slices(new._data, self._data)
    overwrite(self, new)
    return self


def held(variable: Any, value: Any) -> Any:
    """`become`, where the result is a tensor beside the variable, with the same memory: `print` shows its elements."""
    return seen(become(variable, value))


def seen(variable: Any) -> Any:
    """A tensor that shares the memory of a variable."""
    if runtime.building:
        return structure.reshape(runtime.building.lift(variable), shape=tuple(variable.shape))
    return wrap(alias(variable._data), variable._var)
