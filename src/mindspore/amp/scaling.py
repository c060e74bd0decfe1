"""Scaling by hand: what multiplies a loss, and takes the factor off its gradients."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import tree
from mindspore.operators import training


def init_status() -> Tensor:
    """Zeros in the form of the overflow flags of an NPU, for `all_finite`.

    Examples:
        >>> mindspore.amp.init_status().shape
        (8,)
    """
    return Tensor([0.0] * 8, float32)


def all_finite(inputs: Sequence[Any], status: Any = None) -> Tensor:
    """Whether all elements of all tensors, also in nested tuples, are finite: a bool tensor.

    Args:
        inputs: The tensors.
        status: Of 1.10, the flags of an NPU; here elements are looked at, whatever they say.

    Raises:
        TypeError: If `inputs` is no tuple or list of tensors.
        ValueError: If it is empty.

    Examples:
        >>> print(mindspore.amp.all_finite((Tensor([1.0]), Tensor([float("inf")]))))
        False
    """
    check.instance("all_finite", "inputs", inputs, (tuple, list))
    tensors = _flat(inputs)
    if not tensors:
        raise ValueError("For 'all_finite', the 'inputs' must hold a tensor, but got none.")
    return training.all_finite(*tensors)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _flat(v)]
    if not is_tensor(value):
        raise check.fail(TypeError, "all_finite", "inputs", "a tuple or list of tensors", value)
    return [value]


def _times(owner: Any, value: Any, factor: Any) -> Any:
    """All tensors of a nest times a factor, in their own dtypes."""
    def scaled(one: Any) -> Any:
        if not is_tensor(one):
            raise check.fail(TypeError, owner, "inputs", "a tensor, or tuples and lists of tensors", one)
        return one * factor.astype(one.dtype)
    return tree.mapped(value, lambda v: tree.children(v) is None, scaled)


def _grad_scale_map(scale_value: Any, inputs: Any) -> Any:
    """Tensors, also in tuples and lists, times a scale."""
    return _times("_grad_scale_map", inputs, scale_value * 1.0)


def _grad_unscale_map(scale_value: Any, inputs: Any) -> Any:
    """Tensors, also in tuples and lists, divided by a scale."""
    return _times("_grad_unscale_map", inputs, 1.0 / scale_value)


class LossScaler(ABC):
    """The interface of what scales a loss and takes the scale off the gradients.

    Examples:
        >>> issubclass(mindspore.amp.StaticLossScaler, mindspore.amp.LossScaler)
        True
    """

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """The tensors times the scale."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """The tensors divided by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Bring the scale forward after a step whose gradients were finite or not."""


class _ByScale(LossScaler):
    """What both scalers do with their `scale_value`."""

    scale_value: Parameter

    def scale(self, inputs: Any) -> Any:
        """The tensors times the scale."""
        return _times(self, inputs, self.scale_value * 1.0)

    def unscale(self, inputs: Any) -> Any:
        """The tensors divided by the scale."""
        return _times(self, inputs, 1.0 / self.scale_value)


class StaticLossScaler(_ByScale):
    """A scale that stays.

    Args:
        scale_value: The scale, at least 1.

    Examples:
        >>> scaler = mindspore.amp.StaticLossScaler(8)
        >>> print(scaler.scale(Tensor([1.0, 2.0])), scaler.unscale(Tensor([8.0, 16.0])))
        [ 8. 16.] [1. 2.]
    """

    def __init__(self, scale_value: float):
        check.number(self, "scale_value", scale_value, 1)
        self.scale_value = Parameter(Tensor(float(scale_value), float32), name="scale_value")

    def adjust(self, grads_finite: Any) -> bool:
        """False: the scale does not change."""
        return False


class DynamicLossScaler(_ByScale):
    """A scale that is divided after an overflow and multiplied after a window without one.

    Args:
        scale_value: The first scale, at least 1.
        scale_factor: The factor, an int.
        scale_window: Steps without overflow in a row after which the scale grows.

    Examples:
        >>> scaler = mindspore.amp.DynamicLossScaler(1024, 2, 1)
        >>> _ = scaler.adjust(Tensor(False))
        >>> print(scaler.scale_value.asnumpy())
        512.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int):
        check.number(self, "scale_value", scale_value, 1)
        self.scale_factor = check.positive_int(self, "scale_factor", scale_factor)
        self.scale_window = check.positive_int(self, "scale_window", scale_window)
        self.scale_value = Parameter(Tensor(float(scale_value), float32), name="scale_value")
        self.counter = Parameter(Tensor(0, int32), name="counter")

    def adjust(self, grads_finite: Any) -> bool:
        """Bring scale and counter forward."""
        finite = grads_finite if is_tensor(grads_finite) else Tensor(bool(grads_finite))
        scale, counter = self.scale_value * 1.0, self.counter + 1
        full = counter >= self.scale_window
        less = ops.maximum(scale / float(self.scale_factor), 1.0)
        more = ops.select(full, scale * float(self.scale_factor), scale)
        counter = ops.select(ops.logical_and(finite, ops.logical_not(full)), counter, counter * 0)
        assign(self.scale_value, ops.select(finite, more, less))
        assign(self.counter, counter)
        return True
