"""How operators are written in MindIR: the primitive, and its options as inputs or as attributes."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mindspore.core.dtype import DType

Form = Callable[..., Any]
_IDS = {"bool_": 30, "int8": 32, "int16": 33, "int32": 34, "int64": 35, "uint8": 37, "uint16": 38, "uint32": 39,
        "uint64": 40, "float16": 42, "float32": 43, "float64": 44, "bfloat16": 45}
_NCHW = 0


class Plain(NamedTuple):
    """An input of a node that is a value, not the name of one."""

    value: Any


def write(g: Any, kind: str, inputs: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
    """Write an operator as primitives; the name of its result, or the names.

    Raises:
        NotImplementedError: It has no form here, or not with these attributes.
    """
    if kind in _SAME and not attrs:
        return g.add(kind, *inputs)
    if kind not in _FORMS:
        raise NotImplementedError(f"the operator '{kind}' has no form in MindIR")
    return _FORMS[kind](g, *inputs, **attrs)


def _with(kind: str, *options: str) -> Form:
    """A primitive whose further inputs are these attributes."""
    def form(g: Any, *inputs: Any, **attrs: Any) -> Any:
        return g.add(kind, *inputs, *[Plain(attrs[o]) for o in options])
    return form


def _reduction(kind: str, *more: Any) -> Form:
    def form(g: Any, x: Any, *, axis: Any = (), keep_dims: bool = False, **_: Any) -> Any:
        axes = (axis,) if isinstance(axis, int) else tuple(axis or ())
        return g.add(kind, x, Plain(axes), Plain(bool(keep_dims)), *[Plain(m) for m in more])
    return form


def _softmax(g: Any, x: Any, *, axis: Any = -1) -> Any:
    return g.add("Softmax", x, Plain(axis if isinstance(axis, tuple) else (axis,)))


def _log_softmax(g: Any, x: Any, *, axis: int = -1) -> Any:
    return g.add("LogSoftmax", x, Plain(axis))


def _cast(g: Any, x: Any, *, dtype: DType) -> Any:
    if dtype.name not in _IDS:
        raise NotImplementedError(f"the dtype '{dtype.name}' has no number in MindIR")
    return g.add("Cast", x, Plain(_IDS[dtype.name]))


def _pair(values: tuple[int, ...]) -> tuple[int, ...]:
    if len(values) != 2:
        raise NotImplementedError(f"'{len(values)}' dimensions have no form in MindIR")
    return (1, 1, *values)


def _convolution(g: Any, x: Any, w: Any, b: Any = None, *, stride: Any, padding: Any, dilation: Any,
                 groups: int) -> Any:
    shape = g.avals[w].shape
    _pair(stride)
    pads = tuple([p for n in padding for p in ((n, n) if isinstance(n, int) else n)])
    found = g.add("Conv2D", x, w, kernel_size=tuple(shape[2:]), out_channel=shape[0], mode=1,
                  pad_mode="pad" if any(pads) else "valid", pad=pads, pad_list=pads, stride=_pair(stride),
                  dilation=_pair(dilation), group=groups, groups=groups, format="NCHW")
    return found if b is None else g.add("BiasAdd", found, b, Plain(_NCHW))


def _max_pool(g: Any, x: Any, *, window: Any, stride: Any, padding: Any, dilation: Any = (1, 1),
              ceil_mode: bool = False) -> Any:
    if any(padding) or any(n != 1 for n in dilation) or ceil_mode:
        raise NotImplementedError("a maximum of windows with padding, dilation or ceil_mode has no form in MindIR")
    return (g.add("MaxPool", x, kernel_size=_pair(window), strides=_pair(stride), pad_mode="VALID", format="NCHW"),
            None)


def _batch_norm(g: Any, x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, epsilon: float) -> Any:
    whole = g.add("BatchNorm", x, gamma, beta, mean, variance, Plain(False), Plain(float(epsilon)), Plain(0.1),
                  Plain(_NCHW))
    return g.add("TupleGetItem", whole, Plain(0))


def _layer_norm(g: Any, x: Any, gamma: Any, beta: Any, *, epsilon: float = 1e-5) -> Any:
    rank, own = len(g.avals[x].shape), len(g.avals[gamma].shape)
    whole = g.add("LayerNorm", x, gamma, beta, Plain(rank - own), Plain(rank - own), Plain(float(epsilon)))
    return tuple([g.add("TupleGetItem", whole, Plain(k)) for k in range(3)])


def _dense(g: Any, x: Any, w: Any, b: Any = None) -> Any:
    rank = len(g.avals[x].shape)
    if rank < 2 or len(g.avals[w].shape) != 2:
        raise NotImplementedError("MindIR has no product of a matrix and a vector")
    if rank > 2:
        x = g.add("Reshape", x, Plain((-1, g.avals[x].shape[-1])))
    found = g.add("MatMul", x, w, Plain(False), Plain(True))
    if b is not None:
        found = g.add("BiasAdd", found, b, Plain(_NCHW))
    return found if rank == 2 else g.add("Reshape", found, Plain(tuple(g.results[0].shape)))


def _product(g: Any, x: Any, y: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    plain = len(g.avals[x].shape) == 2 and len(g.avals[y].shape) == 2
    if min(len(g.avals[x].shape), len(g.avals[y].shape)) < 2:
        raise NotImplementedError("MindIR has no product of a matrix and a vector")
    return g.add("MatMul" if plain else "BatchMatMul", x, y, Plain(bool(transpose_a)), Plain(bool(transpose_b)))


def _joined(kind: str) -> Form:
    def form(g: Any, *xs: Any, axis: int = 0) -> Any:
        return g.add(kind, g.add("MakeTuple", *xs), Plain(axis))
    return form


def _item(g: Any, x: Any, *indices: Any, spec: Any) -> Any:
    """Slices and whole numbers."""
    if indices or any(isinstance(part, str) for part in spec):
        raise NotImplementedError("an index that is a tensor has no form in MindIR")
    begin, end, steps, drop, axis = [], [], [], [], 0
    shape = g.avals[x].shape
    for part in spec:
        if part is None:
            continue
        if isinstance(part, tuple) and part[2] < 0:
            raise NotImplementedError("a slice in reverse order has no form in MindIR")
        first, last, step = part if isinstance(part, tuple) else (part, part + 1, 1)
        begin.append(first)
        end.append(last)
        steps.append(step)
        if not isinstance(part, tuple):
            drop.append(axis)
        axis += 1
    for n in shape[axis:]:
        begin.append(0)
        end.append(n)
        steps.append(1)
    found = g.add("StridedSlice", x, Plain(tuple(begin)), Plain(tuple(end)), Plain(tuple(steps)),
                  *[Plain(0)] * 5)
    if drop or None in spec:
        found = g.add("Reshape", found, Plain(tuple(g.results[0].shape)))
    return found


def _reshaped(g: Any, x: Any, **_: Any) -> Any:
    return g.add("Reshape", x, Plain(tuple(g.results[0].shape)))


def _gelu(g: Any, x: Any, *, approximate: str) -> Any:
    if approximate != "tanh":
        raise NotImplementedError("the exact 'GeLU' has no form in MindIR: use the one by tanh")
    return g.add("GeLU", x)


# primitives with the same inputs and no options
_NAMES = """
    ReLU Sigmoid Tanh Add Sub Mul Div RealDiv Neg Maximum Minimum Square Sqrt Rsqrt Exp Log Abs Sign Erf Erfc
    Sin Cos Tan Sinh Cosh Floor Ceil Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr
    LogicalNot Reciprocal HSwish HSigmoid ReLU6 Mish Log1p Expm1 FloorDiv Pow Select
    SquaredDifference Atan Asin Atan2 Trunc
"""
_SAME = frozenset(_NAMES.split())
_FORMS: dict[str, Form] = {
    "Silu": lambda g, x: g.add("SiLU", x),
    "StopGradient": lambda g, x: x,
    "Reshape": _reshaped, "Flatten": _reshaped, "ExpandDims": _reshaped, "Squeeze": _reshaped,
    "Transpose": _with("Transpose", "perm"), "BroadcastTo": _with("BroadcastTo", "shape"),
    "Softmax": _softmax, "LogSoftmax": _log_softmax, "Cast": _cast,
    "ReduceSum": _reduction("ReduceSum", False), "ReduceMean": _reduction("ReduceMean"),
    "ReduceMax": _reduction("ReduceMax"), "ReduceMin": _reduction("ReduceMin"),
    "Gather": lambda g, x, i, *, axis, batch_dims=0: g.add("Gather", x, i, Plain(axis), Plain(batch_dims)),
    "Convolution": _convolution, "MaxPool": _max_pool, "BatchNormInfer": _batch_norm, "LayerNorm": _layer_norm,
    "Dense": _dense, "MatMul": _product, "BatchMatMul": _product, "BatchedMatmul": _product,
    "Concat": _joined("Concat"), "GeLU": _gelu,
    "GetItem": _item,
}
