"""What a graph is specialised to: the kinds of tensors, the values of constants, other objects."""
from __future__ import annotations

from typing import Any

from mindspore.core.constants import constant_key
from mindspore.core.mutable import is_number
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree


def is_tensor(value: Any) -> bool:
    """Whether a leaf of the arguments becomes an input of the graph.

    A parameter does not: it is captured as the object that it is, so that assigning it works.
    """
    return isinstance(value, (Tensor, Node)) and not isinstance(value, Parameter)


def is_small(value: Any) -> bool:
    """Whether an argument is a tensor of a few integers or flags, which may describe a shape or a place."""
    return type(value) is Tensor and value._data.numel() <= 64 and not (
        value._data.dtype.is_floating_point or value._data.dtype.is_complex)


def signature_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a graph is specialised to: avals of tensors, values of constants, identity of the rest."""
    if kwargs:
        return tree.signature((args, kwargs), leaf_signature, leaf_signature)
    return tuple([(a._data.shape, a._data.dtype) if type(a) is Tensor
                  else tree.signature(a, leaf_signature, leaf_signature) for a in args])


def leaf_signature(value: Any) -> Any:
    """The part of one leaf in a signature."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return value._data.shape, value._data.dtype
    if is_number(value):
        return constant_key(value.python(value))
    return constant_key(value) or Identity(value)


class Identity:
    """An object as part of a signature: by identity, and kept alive, so that the identity lasts."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return type(other) is Identity and other.value is self.value
