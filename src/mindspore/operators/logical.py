"""Element-wise logic on truth values and on the bits of integers."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, from_torch, uint8
from mindspore.core.errors import show
from mindspore.ir import Aval

from .exported import Exported
from .registry import operator
from .rules import BINARY, ELEMENTWISE, broadcast, broadcasting, tensors
from .samples import Values, truth
from .traits import BITWISE, NEGATION, SHIFT_DOWN, STREAMING, WIDEN_UNSIGNED

_TRUE: list[Any] = [(truth(2, 3), truth(2, 3)), ((2, 3), (3,))]
_BITS: list[Any] = [(Values((2, 3), 0, 100, "int32"), Values((3,), 0, 100, "int32")),
                    (truth(2, 3), truth(2, 3))]


def _truths(name: str, *inputs: Any) -> list[Any]:
    if any([isinstance(x, torch.Tensor) for x in inputs]):
        return tensors(*inputs)
    _bools(name, inputs)
    return [torch.tensor(x) for x in inputs]


@operator(primitive="LogicalAnd()(x, y)", function="logical_and(input, other)",
          method="logical_and(other)", dims=BINARY, samples=_TRUE,
          traits={STREAMING, WIDEN_UNSIGNED})
def logical_and(x: Tensor | bool, y: Tensor | bool):
    """Whether both are true (not zero)."""
    return torch.logical_and(*_truths("LogicalAnd", x, y))


@operator(primitive="LogicalOr()(x, y)", function="logical_or(input, other)",
          method="logical_or(other)", dims=BINARY, samples=_TRUE,
          traits={STREAMING, WIDEN_UNSIGNED})
def logical_or(x: Tensor, y: Tensor):
    """Whether one of them, or both, are true (not zero)."""
    return torch.logical_or(*_truths("LogicalOr", x, y))


@operator(primitive="LogicalXor()(input, other)", function="logical_xor(input, other)",
          method="logical_xor(other)", dims=BINARY, samples=_TRUE, traits={WIDEN_UNSIGNED})
def logical_xor(x: Tensor | bool, y: Tensor | bool):
    """Whether exactly one of them is true (not zero)."""
    return torch.logical_xor(*_truths("LogicalXor", x, y))


def _truth(name: str) -> Any:
    def rule(*inputs: Any) -> Aval:
        if not any([type(x) is Aval for x in inputs]):
            _bools(name, inputs)
        shapes = [x.shape for x in inputs if type(x) is Aval]
        return Aval(broadcast(*shapes, name=name) if shapes else (), bool_)
    return rule


def _bools(name: str, inputs: Sequence[Any]) -> None:
    """TypeError if one of them, none of which is a tensor, is no bool."""
    if not all([isinstance(x, bool) for x in inputs]):
        raise TypeError(f"For '{name}', the inputs must be tensors or bools, but got "
                        f"{', '.join([show(x) for x in inputs])}.")


def _of_bools(kind: str) -> Callable[..., str]:
    def rule(g: Exported, *inputs: str) -> str:
        return g.add(kind, *[g.cast(x, bool_) for x in inputs])
    return rule


for _op, _kind in ((logical_and, "And"), (logical_or, "Or"), (logical_xor, "Xor")):
    _op.shape(_truth(_op.name))
    _op.onnx(_of_bools(_kind))


@operator(primitive="LogicalNot()(input)", function="logical_not(input)", method="logical_not()",
          dims=ELEMENTWISE, samples=[(truth(2, 3),), ((2, 3),)],
          code="torch.logical_not({0})", traits={NEGATION, STREAMING, WIDEN_UNSIGNED})
def logical_not(x: Tensor):
    """Whether x is false (zero)."""
    return torch.logical_not(x)


logical_not.shape(lambda x: Aval(x.shape, bool_))
logical_not.onnx(_of_bools("Not"))


# ---------------------------------------------------------------------- bits

@operator(primitive="BitwiseAnd()(x, y)", function="bitwise_and(input, other)",
          method="bitwise_and(other)", promote=True, dims=BINARY, samples=_BITS, code="{0} & {1}",
          traits={BITWISE, WIDEN_UNSIGNED})
def bitwise_and(x: Tensor, y: Tensor):
    """The bits that are set in both."""
    return x & y


@operator(primitive="BitwiseOr()(x, y)", function="bitwise_or(input, other)",
          method="bitwise_or(other)", promote=True, dims=BINARY, samples=_BITS, code="{0} | {1}",
          traits={BITWISE, WIDEN_UNSIGNED})
def bitwise_or(x: Tensor, y: Tensor):
    """The bits that are set in one of them, or in both."""
    return x | y


@operator(primitive="BitwiseXor()(x, y)", function="bitwise_xor(input, other)",
          method="bitwise_xor(other)", promote=True, dims=BINARY, samples=_BITS, code="{0} ^ {1}",
          traits={BITWISE, WIDEN_UNSIGNED})
def bitwise_xor(x: Tensor, y: Tensor):
    """The bits that are set in exactly one of them."""
    return x ^ y


@operator(primitive="LeftShift()(x1, x2)", function="bitwise_left_shift(input, other)",
          method="bitwise_left_shift(other)", promote=True, dims=BINARY,
          samples=[(Values((2, 3), 0, 100, "int32"), Values((2, 3), 0, 5, "int32"))], traits={WIDEN_UNSIGNED})
def left_shift(x: Tensor, y: Tensor):
    """The bits of x moved up by y places."""
    return torch.bitwise_left_shift(x, y)


@operator(primitive="RightShift()(input_x, input_y)", function="bitwise_right_shift(input, other)",
          method="bitwise_right_shift(other)", promote=True, dims=BINARY,
          samples=[(Values((2, 3), 0, 100, "int32"), Values((2, 3), 0, 5, "int32"))],
          traits={SHIFT_DOWN, WIDEN_UNSIGNED})
def right_shift(x: Tensor, y: Tensor):
    """The bits of x moved down by y places."""
    return torch.bitwise_right_shift(x, y)


def _bits(name: str) -> Any:
    arithmetic = broadcasting(name)

    def rule(x: Any, y: Any) -> Aval:
        out = arithmetic(x, y)
        if out.dtype.kind not in "biu":
            raise TypeError(f"For '{name}', the operands must be integers or bools, but got "
                            f"{show(x)} and {show(y)}.")
        return out
    return rule


for _op in (bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift):
    _op.shape(_bits(_op.name))


@operator(primitive="Invert()(x)", function="invert(x)", method="invert()", dims=ELEMENTWISE,
          samples=[(Values((2, 3), -50, 50, "int32"),)], traits={WIDEN_UNSIGNED})
def invert(x: Tensor):
    """Every bit of x turned over."""
    return torch.bitwise_not(x)


@invert.shape
def _(x: Aval) -> Aval:
    if x.dtype.kind not in "biu":
        raise TypeError(f"For 'Invert', the input must hold integers, but got {show(x)}.")
    return x


@operator(primitive="PopulationCount()(input)", function="population_count(input_x)",
          dims=ELEMENTWISE, samples=[])
def population_count(x: Tensor):
    """The number of bits that are set, uint8."""
    if x.is_floating_point() or x.is_complex():
        raise TypeError(f"For 'PopulationCount', the input must hold integers, but got {from_torch(x.dtype)}.")
    bits = 8 * x.element_size()
    places = torch.arange(bits, device=x.device)
    return ((x.to(torch.int64).unsqueeze(-1) >> places) & 1).sum(-1).to(torch.uint8)


@population_count.shape
def _(x: Aval) -> Aval:
    return Aval(x.shape, uint8)
