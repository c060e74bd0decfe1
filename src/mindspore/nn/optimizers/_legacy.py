"""What optimizers offer beside their formula: to programs that write a `construct` of their own, and about devices."""
from __future__ import annotations

import inspect
from functools import cached_property
from types import FunctionType
from typing import Any

from mindspore import ops
from mindspore.core import context
from mindspore.core.dtype import int32
from mindspore.eager.tensor import Tensor

_TARGETS = {"CPU": "CPU", "GPU": "GPU", "Ascend": "Ascend"}


class Offers:
    """The part of `Optimizer` that no update needs."""

    _unique: bool
    is_group: bool
    parameters: Any
    _made_with: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made.__dict__["_made_with"] = args, kwargs
        return made

    def remade(self, parameters: Any) -> Any:
        """An optimizer of the same class and arguments for other parameters, or groups of them."""
        args, kwargs = self._made_with
        init = type(self).__init__
        given = inspect.signature(init).bind(self, *args, **kwargs)
        name = next((n for n in ("params", "parameters") if n in given.arguments), None)
        if name is None:
            raise TypeError(f"For '{type(self).__name__}', an optimizer for other parameters can only be made if it "
                            "takes them as 'params' or 'parameters'.")
        given.arguments[name] = parameters
        return type(self)(*given.args[1:], **given.kwargs)

    def remade_with(self, new: dict[int, Any]) -> Any:
        """An optimizer of the same class, arguments and groups for other parameters.

        Args:
            new: The parameters, by the ids of those in whose place they are; the others are left out.
        """
        if not self.is_group:
            return self.remade([new[id(p)] for p in self.parameters if id(p) in new])
        args, kwargs = self._made_with
        given = inspect.signature(type(self).__init__).bind(self, *args, **kwargs).arguments
        found: list[Any] = []
        for group in next(given[n] for n in ("params", "parameters") if n in given):
            if "params" in group:
                if not isinstance(group["params"], (list, tuple)):
                    raise TypeError(f"For '{type(self).__name__}', the 'params' of a group must be a list or tuple, "
                                    "so that an optimizer for some of them can be made.")
                mine = [new[id(p)] for p in group["params"] if id(p) in new]
                found += [{**group, "params": mine}] if mine else []
        return self.remade(found)

    def flatten_gradients(self, gradients: Any) -> Any:
        """The gradients: they are not fused into flat buffers here."""
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """`optim_result`: every process updates all parameters."""
        return optim_result

    @cached_property
    def hyper_map(self) -> Any:
        """`ops.HyperMap()`, over which older optimizers write their updates."""
        return ops.HyperMap()

    @cached_property
    def map_(self) -> Any:
        """`ops.Map()`, the same over one level."""
        return ops.Map()

    @cached_property
    def assignadd(self) -> Any:
        """`ops.AssignAdd()`, with which a `construct` of its own counts the steps."""
        return ops.AssignAdd()

    @cached_property
    def global_step_increase_tensor(self) -> Tensor:
        """What is added to `global_step` after a step."""
        return Tensor([1], int32)

    # ------------------------------------------------------------------ where and how

    @property
    def target(self) -> str:
        """The device that updates the parameters: the one in use."""
        return _TARGETS[context.target_in_use()]

    @target.setter
    def target(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError("For 'Optimizer', the property 'target' must be string, but got "
                            f"{type(value)}.")
        if value not in _TARGETS:
            raise ValueError(f"For 'Optimizer', the property 'target' must be one of {list(_TARGETS)}, "
                             f"but got {value}.")
        if value != self.target:
            raise ValueError(f"For 'Optimizer', the property 'target' cannot be '{value}' when the "
                             f"parameters are on '{self.target}'; choose the device with "
                             "'mindspore.set_context'.")

    @property
    def unique(self) -> bool:
        """Whether equal indices of a sparse gradient are added up before the update."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Optimizer', the property 'unique' must be bool, but got "
                            f"{type(value)}.")
        self._unique = value


def counts_steps(cls: type) -> bool:
    """Whether the methods of a class count the steps, as its `construct` has to since 2.0."""
    words = {"assignadd", "global_step_increase_tensor", "assign_add", "AssignAdd", "_advance"}
    methods = [f for f in cls.__dict__.values() if isinstance(f, FunctionType)]
    return any(words & set(f.__code__.co_names) for f in methods)
