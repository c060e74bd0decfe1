"""Mixed precision chosen operator by operator: what level "auto" means while a cell or a function runs.

Products are computed in 16 bits, what loses too much there in float32, what combines tensors in the widest of their
types, everything else in the type of its inputs.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mindspore.core.dtype import DType, bfloat16, float16, float32, float64
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import Interpreter, runtime
from mindspore.operators.matmul import dense
from mindspore.operators.promotion import cast_to
from mindspore.operators.registry import Operator
from mindspore.operators.table import REGISTRY


class Automatic(NamedTuple):
    """The float type of a cell that chooses it operator by operator.

    Attributes:
        low: float16 or bfloat16.
    """

    low: DType

    def __str__(self) -> str:
        return f"auto, {self.low}"


_ORDER = (float16, bfloat16, float32, float64)
_LOW = ("BatchMatMul BatchedMatmul Conv2D Conv2DTranspose Conv3D Conv3DTranspose Convolution Dense Einsum MatMul "
        "PReLU")
_FULL = ("ACos Asin BCEWithLogitsLoss BatchNorm BatchNormInfer BatchNormTrain Cdist Cosh CumProd CumSum Erfinv Exp "
         "Expm1 GroupNorm KLDivLoss LayerNorm Log Log10 Log1p Log2 LogSigmoid LogSoftmax LogSumExp Logaddexp "
         "Logaddexp2 MultiMarginLoss MultilabelMarginLoss NLLLoss NllLoss Pdist Pow Reciprocal ReduceProd Renorm Rsqrt "
         "Sinh SmoothL1Loss SoftMarginLoss Softmax Softplus SumExt Tan TripletMarginLoss")
_WIDEST = "AddN BiasAdd Concat Cross Dot GridSample"
_FULL_OF_NUMBER = "Div RealDiv"            # a number by a tensor, which is its reciprocal
_WIDEST_OR_FULL = "Addcdiv Addcmul"        # the number among their inputs counts as float32


def _lowered(values: Sequence[Any], low: DType) -> DType:
    return low


def _whole(values: Sequence[Any], low: DType) -> DType:
    return float32


def _whole_of_number(values: Sequence[Any], low: DType) -> DType | None:
    return None if isinstance(values[0], (Tensor, Node)) else float32


def _widest(values: Sequence[Any], low: DType) -> DType | None:
    own = {v.dtype for v in _tensors(values)}
    if own == {float16, bfloat16}:
        return float32
    return max(own, key=_ORDER.index, default=None)


def _widest_or_whole(values: Sequence[Any], low: DType) -> DType | None:
    return float64 if _widest(values, low) is float64 else float32


_TYPES: dict[str, Callable[[Sequence[Any], DType], DType | None]] = {
    name: choice for names, choice in ((_LOW, _lowered), (_FULL, _whole), (_WIDEST, _widest),
                                       (_WIDEST_OR_FULL, _widest_or_whole), (_FULL_OF_NUMBER, _whole_of_number))
    for name in names.split()}


class AutoCasting(Interpreter):
    """Casts the inputs of operators to the type in which each is computed.

    Attributes:
        dtype: The low type, for those who compare what casts.
    """

    rank = 3

    def __init__(self, dtype: Automatic):
        self.dtype = dtype

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Apply the operator to inputs of its type."""
        if op.name == "Convolution" and len(inputs) > 2 and inputs[2] is not None:
            return self._biased(op, inputs, attrs)
        if op.name in _TYPES:
            inputs = _cast(op.name, inputs, self.dtype.low)
        return self.below.apply(op, inputs, attrs)

    def _biased(self, op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """A convolution in the low type, plus the bias in the widest."""
        x, w, bias = inputs
        y, bias = _cast("BiasAdd", (self.below.apply(op, _cast(op.name, (x, w, None), self.dtype.low), attrs), bias),
                        self.dtype.low)
        return REGISTRY["Add"](y, REGISTRY["Reshape"](bias, shape=(bias.shape[0], *[1] * (len(x.shape) - 2))))

    def holds(self, value: Any) -> bool:
        """False: what is cast depends on the operator, not on the tensor."""
        return False

    def also(self, constants: frozenset[int]) -> AutoCasting:
        """Itself: see `holds`."""
        return self


def chosen(name: str, body: Callable[..., Any]) -> Callable[..., Any]:
    """A composition that counts as one operator: its tensors are cast by the choice for `name`, none within it."""
    @functools.wraps(body)
    def as_one(*inputs: Any, **attrs: Any) -> Any:
        casting = runtime.casting
        if not isinstance(casting, AutoCasting):
            return body(*inputs, **attrs)
        if name in _TYPES:
            inputs = _cast(name, inputs, casting.dtype.low)
        enter(None)
        try:
            return body(*inputs, **attrs)
        finally:
            enter(casting)
    return as_one


def enter(one: Any) -> Any:
    """Let this, or nothing, cast in place of what does; returns that."""
    outer = runtime.casting
    if outer is not None:
        runtime.drop(outer)
    if one is not None:
        runtime.push(one)
    runtime.casting = one
    return outer


def computed_as(name: str, value: Any) -> Any:
    """A tensor in the type in which the operator `name` is computed, where cells choose types by operators."""
    casting = runtime.casting
    return _cast(name, (value,), casting.dtype.low)[0] if isinstance(casting, AutoCasting) else value


def affine(x: Any, weight: Any, bias: Any = None) -> Any:
    """`matmul.dense`; where cells choose types by operators, the bias is added in the wider of both types."""
    if bias is None or not is_on():
        return dense(x, weight, bias)
    return dense(x, weight, None) + bias


def is_on() -> bool:
    """Whether types are chosen operator by operator here."""
    return isinstance(runtime.casting, AutoCasting)


def _cast(name: str, inputs: tuple[Any, ...], low: DType) -> tuple[Any, ...]:
    wanted = _TYPES[name](inputs, low)
    return inputs if wanted is None else tuple([_to(v, wanted) for v in inputs])


def _to(value: Any, wanted: DType) -> Any:
    if type(value) in (tuple, list):
        return type(value)([_to(v, wanted) for v in value])
    if not isinstance(value, (Tensor, Node)) or value.dtype is wanted or value.dtype not in _ORDER:
        return value
    return cast_to(value, wanted)


def _tensors(values: Sequence[Any]) -> list[Any]:
    """Those of a type that may be changed, also in tuples and lists."""
    found: list[Any] = []
    for v in values:
        if type(v) in (tuple, list):
            found += _tensors(v)
        elif isinstance(v, (Tensor, Node)) and v.dtype in _ORDER:
            found.append(v)
    return found


__all__ = ["AutoCasting", "Automatic", "affine", "chosen", "computed_as", "enter", "is_on"]
