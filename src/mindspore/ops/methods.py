"""Gives Tensor, and the node that represents it while compiling, their computing methods.

They come from the registry (`method=`) and from the tables `METHODS` of the modules of this package:
name to function (its first parameter is the tensor) or property.  Programs find `Tensor` and
`Parameter` here, so that the classes always come with their methods.
"""
from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

from mindspore import operators
from mindspore.core.mistaken import public
from mindspore.eager.parameter import Parameter
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor, from_numpy, tensor
from mindspore.ir import Node
from mindspore.operators.registry import REGISTRY

from .signatures import method, names_in
from .spelling import with_earlier

CLASSES = (Tensor, Node)     # `eager.tape` and `operators.traced` give them infix operators


class Derived:
    """A method that the registry defines; its function is made at the first use."""

    def __init__(self, name: str, op: Any, spec: str):
        self.name, self.op, self.spec = name, op, spec

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        made = with_earlier(f"Tensor.{self.name}", method(self.op, self.spec, "mindspore.ops"))
        for cls in CLASSES:
            if cls.__dict__.get(self.name) is self:
                setattr(cls, self.name, made)
        return made if instance is None else made.__get__(instance, owner)


def derived() -> dict[str, Any]:
    """The methods that the registry defines."""
    found = {}
    for op in REGISTRY.values():
        if op.method:
            specs = op.method.split(";")
            for name, spec in zip(names_in(op.method), specs, strict=True):
                found[name] = Derived(name, op, spec)
    return found


def explain(name: str, method: Any, modules: list[ModuleType]) -> None:
    """Give a method without a text that of the function of its name."""
    functions = [getattr(m, name) for m in modules if name in getattr(m, "__all__", ())]
    functions += [op for op in REGISTRY.values() if name in names_in(op.function)]
    method.__name__ = name
    method.__doc__ = functions[0].__doc__ if functions else None


def install(modules: list[ModuleType]) -> None:
    """Set the methods on both classes; what a class defines itself stays."""
    operators.load()
    table = derived()
    for module in modules:
        for name, value in getattr(module, "METHODS", {}).items():
            value = table[name] = public(name, value)
            if isinstance(value, FunctionType) and value.__doc__ is None:
                explain(name, value, modules)
    for cls in CLASSES:
        for name, value in table.items():
            if name not in cls.__dict__:
                setattr(cls, name, value)


__all__ = ["Parameter", "ParameterTuple", "Tensor", "from_numpy", "install", "tensor"]
