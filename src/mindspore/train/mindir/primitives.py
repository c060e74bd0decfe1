"""What the primitives of MindIR files compute: by the class of their name, or by a row of a table."""
from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from mindspore import ops
from mindspore.core import dtype as dtypes
from mindspore.core import log
from mindspore.formats.mindir import Primitive
from mindspore.formats.mindir_values import MONAD, ElementType
from mindspore.operators import recurrent
from mindspore.ops import primitives as classes

from . import derivatives

Compute = Callable[..., Any]

# what numbers mean in options that are texts in programs, by the name of the option
_LAYOUTS = {-1: "DEFAULT", 0: "NCHW", 1: "NHWC", 2: "NHWC4", 11: "NC", 14: "NCDHW", 15: "NWC", 16: "NCW", 17: "NDHWC",
            20: "ND"}
TEXTS = {
    "data_format": _LAYOUTS, "format": _LAYOUTS,
    "pad_mode": {0: "pad", 1: "same", 2: "valid", 3: "full"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
    "interpolation_mode": {0: "bilinear", 1: "nearest", 2: "bicubic"},
    "approximate": {0: "none", 1: "tanh"},
    "indexing": {0: "ij", 1: "xy"},
    "rounding_mode": {0: "round", 1: "trunc", 2: "floor", 3: "ceil"},
}
DTYPES = {30: "bool_", 32: "int8", 33: "int16", 34: "int32", 35: "int64", 37: "uint8", 38: "uint16", 39: "uint32",
           40: "uint64", 42: "float16", 43: "float32", 44: "float64", 45: "bfloat16", 51: "complex64",
           52: "complex128"}
_DTYPE_OPTIONS = {"dtype", "dst_type", "output_type", "out_type"}
# what describes a primitive and does not change what it computes; `pad_list` and `input_size` follow from the others
_BOOKKEEPING = {"input_names", "output_names", "pad_list", "side_effect_mem", "side_effect_io", "primitive_target",
                "offset_x", "input_size"}
_RENAMED = {"format": "data_format", "groups": "group", "ksize": "kernel_size"}
# with two leading entries in files, of examples and channels
_WINDOWS = {"stride": (1, 1), "strides": (1, 1), "dilation": (1, 1), "kernel_size": (1, 1), "output_padding": (0, 0)}


def compute(primitive: Primitive) -> Compute:
    """The function that a primitive is.

    Raises:
        NotImplementedError: There is no such primitive, or not with these attributes.
    """
    name = primitive.name
    if name in _STRUCTURE:
        return _STRUCTURE[name]
    if name in _MAKERS:
        return _MAKERS[name](primitive.attrs)
    cls = getattr(classes, name, None)
    if name in _FUNCTIONS and (primitive.positional or not isinstance(cls, type)):
        return _FUNCTIONS[name]
    if not isinstance(cls, type):
        raise NotImplementedError(f"For 'load', the primitive '{name}' is not supported.")
    options = [p.name for p in inspect.signature(cls).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    if primitive.positional:
        return _positional(cls, options)
    return cls(**_attributes(name, primitive.attrs, options))


def _attributes(name: str, attrs: dict[str, Any], options: list[str]) -> dict[str, Any]:
    """The arguments of the constructor among the attributes; others are told, if they are not bookkeeping."""
    found = {}
    for key, value in attrs.items():
        key = _RENAMED.get(key, key) if key not in options else key
        if key in options:
            if isinstance(value, (tuple, list)) and len(value) in (4, 5) and tuple(value[:2]) == _WINDOWS.get(key):
                value = tuple(value[2:])
            if key == "pad_mode" and isinstance(value, str):
                value = value.lower()
            found[key] = option(key, value)
        elif key not in _BOOKKEEPING and not (key.endswith("s") and key[:-1] in attrs):     # said twice
            log.warn_once("For 'load', the attribute '%s' of the primitive '%s' has no meaning here and is left out.",
                          key, name)
    return found


def _positional(cls: Any, options: list[str]) -> Compute:
    """A primitive whose last inputs are the arguments of the constructor."""
    def run(*args: Any) -> Any:
        cut = len(args) - len(options)
        if cut < 0:
            raise NotImplementedError(f"For 'load', the primitive '{cls.__name__}' with {len(args)} inputs is not "
                                      "supported.")
        made = cls(*[option(n, v) for n, v in zip(options, args[cut:], strict=True)])
        return made(*args[:cut])
    return run


def option(name: str, value: Any) -> Any:
    """An option as programs write it."""
    if isinstance(value, int) and not isinstance(value, bool):
        if name in TEXTS and value in TEXTS[name]:
            return TEXTS[name][value]
        if name in _DTYPE_OPTIONS:
            return dtype(value)
    return dtype(value) if isinstance(value, ElementType) else value


def dtype(value: Any) -> Any:
    """The dtype that a number or an element type represents; other values are as they are."""
    if isinstance(value, ElementType):
        return getattr(dtypes, value.name)
    if isinstance(value, int) and not isinstance(value, bool):
        if value not in DTYPES:
            raise NotImplementedError(f"For 'load', the number {value} of a dtype is not known.")
        return getattr(dtypes, DTYPES[value])
    return value


# ---------------------------------------------------------------------- primitives without a class
def _lstm(attrs: dict[str, Any]) -> Compute:
    """One layer, or several, of one or both directions; the weights of all are one vector."""
    size, inputs = int(attrs["hidden_size"]), int(attrs["input_size"])
    layers, both = int(attrs.get("num_layers", 1)), bool(attrs.get("bidirectional"))
    biased = bool(attrs.get("has_bias", True))
    if attrs.get("proj_size"):
        raise NotImplementedError("For 'load', the primitive 'LSTM' with projections is not supported.")
    ways = 2 if both else 1

    def run(x: Any, h: Any, c: Any, flat: Any, *_: Any) -> Any:
        flat = flat.reshape((-1,))
        shapes = []
        for layer in range(layers):
            width = inputs if layer == 0 else size * ways
            shapes += [((4 * size, width), (4 * size, size))] * ways
        matrices = sum(a[0] * a[1] + b[0] * b[1] for a, b in shapes)
        biases = (flat.shape[0] - matrices) // (4 * size * len(shapes)) if biased else 0
        if flat.shape[0] != matrices + biases * 4 * size * len(shapes) or (biased and biases not in (1, 2)):
            raise ValueError(f"For 'LSTM', the weights have {flat.shape[0]} elements, which do not fit its sizes.")
        at, weights, vectors = 0, [], []
        for pair in shapes:
            for shape in pair:
                weights.append(flat[at:at + shape[0] * shape[1]].reshape(shape))
                at += shape[0] * shape[1]
        for _pair in shapes:
            one = [flat[at + k * 4 * size:at + (k + 1) * 4 * size] for k in range(biases)]
            at += biases * 4 * size
            vectors.append(one if len(one) == 2 else [*one, ops.zeros_like(one[0])] if one else [])
        ordered = [w for k in range(len(shapes)) for w in (*weights[2 * k:2 * k + 2], *vectors[k])]
        y, last, cell = recurrent.lstm(x, h, c, None, *ordered, layers=layers, has_bias=biased, bidirectional=both)
        return y, last, cell, y, y
    return run


def _sparse_cross_entropy(attrs: dict[str, Any]) -> Compute:
    """The loss, or its derivative times `sens`."""
    made, factor = classes.SparseSoftmaxCrossEntropyWithLogits(bool(attrs.get("is_grad"))), attrs.get("sens", 1.0)
    return made if factor == 1 or not attrs.get("is_grad") else lambda *xs: made(*xs) * factor


def _total(x: Any, axis: Any = None, keep: bool = False, kind: Any = None) -> Any:
    if kind is not None:
        x = x.astype(dtype(kind))
    axes = tuple(axis) if isinstance(axis, (list, tuple)) else axis
    return ops.sum(x, axes if axes != () else None, bool(keep))


def _mean(x: Any, axis: Any = None, keep: bool = False, kind: Any = None) -> Any:
    if kind is not None:
        x = x.astype(dtype(kind))
    return ops.mean(x, tuple(axis) if isinstance(axis, list) else axis, bool(keep))


def _cast(x: Any, to: Any, *_: Any) -> Any:
    return ops.cast(x, dtype(to))


def _concat(tensors: Any, axis: Any = 0) -> Any:
    return ops.concat(tuple(tensors), axis)


def _softmax(x: Any, axis: Any = -1) -> Any:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return classes.Softmax(axes[0] if len(axes) == 1 else tuple(axes))(x)


def _scaled(x: Any, y: Any, scale: Any = 1) -> tuple[Any, Any]:
    return x, (y if scale == 1 else y * scale)


def _add_ext(x: Any, y: Any, alpha: Any = 1) -> Any:
    x, y = _scaled(x, y, alpha)
    return x + y


def _sub_ext(x: Any, y: Any, alpha: Any = 1) -> Any:
    x, y = _scaled(x, y, alpha)
    return x - y


def _same(x: Any, *_: Any) -> Any:
    return x


def _assigned(change: Callable[[Any, Any], Any]) -> Compute:
    def run(parameter: Any, value: Any) -> Any:
        return ops.assign(parameter, change(parameter, value))
    return run


def _batch_norm(x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *options: Any) -> Any:
    names = ("is_training", "epsilon", "momentum", "data_format")
    made = classes.BatchNorm(*[option(n, v) for n, v in zip(names, options, strict=False)])
    return made(x, gamma, beta, mean, variance)


_STRUCTURE: dict[str, Compute] = {
    "MakeTuple": lambda *xs: xs, "make_tuple": lambda *xs: xs,
    "MakeList": lambda *xs: list(xs), "make_list": lambda *xs: list(xs),
    "Depend": _same, "depend": _same, "Return": _same, "return": _same, "identity": _same, "stop_gradient":
    ops.stop_gradient, "StopGradient": ops.stop_gradient, "UpdateState": lambda *_: MONAD,
    "TupleGetItem": operator.getitem, "tuple_getitem": operator.getitem, "ListGetItem": operator.getitem,
    "list_getitem": operator.getitem, "RealTupleGetItem": operator.getitem,
    "TensorMove": lambda x, *_: ops.deepcopy(x),
}
# what takes its options as inputs, or has no class
_FUNCTIONS: dict[str, Compute] = {
    "Muls": operator.mul, "Adds": operator.add, "Subs": operator.sub, "Divs": operator.truediv,
    "PowTensorScalar": ops.pow, "PowScalarTensor": ops.pow, "AddScalar": _add_ext, "SubScalar": _sub_ext,
    "AddExt": _add_ext, "SubExt": _sub_ext,
    "LessScalar": operator.lt, "LessEqualScalar": operator.le, "GreaterScalar": operator.gt,
    "GreaterEqualScalar": operator.ge, "EqScalar": operator.eq, "NeScalar": operator.ne, "NotEqualScalar": operator.ne,
    "ScalarAdd": operator.add, "ScalarSub": operator.sub, "ScalarMul": operator.mul, "ScalarDiv": operator.truediv,
    "scalar_add": operator.add, "scalar_sub": operator.sub, "scalar_mul": operator.mul,
    "ScalarEq": operator.eq, "ScalarLt": operator.lt, "ScalarGt": operator.gt, "ScalarLe": operator.le,
    "ScalarGe": operator.ge, "ScalarFloorDiv": operator.floordiv, "ScalarMod": operator.mod,
    "SiLU": ops.silu, "Min": ops.amin, "Max": ops.amax, "MatMulExt": ops.matmul,
    "SumExt": _total, "MeanExt": _mean, "Cast": _cast, "Concat": _concat,
    "Softmax": _softmax, "BatchNorm": _batch_norm, "ClampScalar": ops.clamp, "ClampTensor": ops.clamp,
    **derivatives.FUNCTIONS,
    "AssignAdd": _assigned(operator.add), "AssignSub": _assigned(operator.sub),
    "Assign": _assigned(lambda _, value: value),
}
_MAKERS: dict[str, Callable[[dict[str, Any]], Compute]] = {
    "LSTM": _lstm, "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    "LayerNormGrad": derivatives.layer_norm_grad, "StridedSliceGrad": derivatives.strided_slice_grad, **{
        name: partial(of, lambda attrs, kind=kind: compute(Primitive(kind, attrs, False)))
        for name, of, kind in (
            ("MaxPoolGrad", derivatives.pooling, "MaxPool"), ("Conv2DBackpropInput", derivatives.of_images, "Conv2D"),
            ("Conv2DBackpropFilter", derivatives.of_weights, "Conv2D"))}}
