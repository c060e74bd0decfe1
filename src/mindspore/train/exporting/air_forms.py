"""Operators as those of GraphEngine: type, names of inputs and results, attributes.

What a form gives is that of `Written`; an operator without one is written as what it consists of.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.core.dtype import bool_, int32, int64
from mindspore.formats.air import NUMBERS
from mindspore.ir import Aval, Dim

Form = Callable[..., Any]


class Spec(NamedTuple):
    """An operator of GraphEngine: its type, the names of its inputs and of its results."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...] = ("y",)


def _fixed(values: Any) -> list[int]:
    values = [values] if isinstance(values, int) else list(values)
    if any([type(n) is Dim for n in values]):
        raise NotImplementedError("a size that only a run tells has no form in AIR")
    return values


def _plain(kind: str, inputs: str, output: str = "y", **attributes: Any) -> Form:
    """An operator whose inputs are tensors, with fixed attributes."""
    spec = Spec(kind, tuple(inputs.split()), (output,))
    return lambda g, *xs, **_: g.op(spec, xs, attributes)


def _elementwise(kind: str, names: str) -> Form:
    """An operator on elements: GraphEngine lifts no operands, so they get one dtype."""
    spec = Spec(kind, tuple(names.split()))

    def form(g: Any, *xs: str) -> Any:
        wanted = g.results[0].dtype if g.results[0].dtype is not bool_ else g.common(xs)
        return g.op(spec, [g.cast(x, wanted) for x in xs], {})
    return form


def _reduction(kind: str) -> Form:
    spec = Spec(kind, ("x", "axes"))

    def form(g: Any, x: str, *, axis: Any = (), keep_dims: bool = False, **_: Any) -> Any:
        axes = _fixed(() if axis is None else axis) or list(range(len(g.avals[x].shape)))
        return g.op(spec, (x, g.integers(axes)), {"keep_dims": bool(keep_dims)})
    return form


def _reshape(g: Any, x: str, **_: Any) -> Any:
    shape = g.results[0].shape
    unknown = [type(n) is Dim for n in shape]
    if sum(unknown) == 1 and 0 not in [n for n in shape if type(n) is not Dim]:
        shape = [-1 if type(n) is Dim else n for n in shape]
    return g.op(Spec("Reshape", ("x", "shape")), (x, g.integers(_fixed(shape))), {"axis": 0, "num_axes": -1})


def _product(g: Any, x: str, y: str, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    ranks = [len(g.avals[v].shape) for v in (x, y)]
    if min(ranks) < 2:
        raise NotImplementedError("AIR has no product of a matrix and a vector")
    if ranks == [2, 2]:
        return g.op(Spec("MatMulV2", ("x1", "x2", "bias", "offset_w")), (x, y, None, None),
                    {"transpose_x1": transpose_a, "transpose_x2": transpose_b, "offset_x": 0})
    return g.op(Spec("BatchMatMul", ("x1", "x2")), (x, y), {"adj_x1": transpose_a, "adj_x2": transpose_b})


def _dense(g: Any, x: str, w: str, b: str | None = None) -> Any:
    """A matrix times a transposed one; other ranks are left to what it consists of."""
    if len(g.avals[x].shape) != 2 or len(g.avals[w].shape) != 2:
        raise NotImplementedError("AIR has a product with a bias for matrices only")
    return g.op(Spec("MatMulV2", ("x1", "x2", "bias", "offset_w")), (x, w, b, None),
                {"transpose_x1": False, "transpose_x2": True, "offset_x": 0})


def _convolution(g: Any, x: str, w: str, b: str | None = None, *, stride: Any, padding: Any, dilation: Any,
                 groups: int, transposed: bool = False, output_padding: Any = (0, 0), **_: Any) -> Any:
    if len(g.avals[x].shape) != 4:
        raise NotImplementedError("a convolution of other than two dimensions has no form in AIR")
    pads = list(padding) if len(padding) == 4 else [p for p in padding[:2] for _ in (0, 1)]
    settings = {"strides": [1, 1, *stride[:2]], "pads": pads, "dilations": [1, 1, *dilation[:2]], "groups": groups,
                "data_format": "NCHW", "offset_x": 0}
    if transposed:
        return g.op(Spec("Conv2DTranspose", ("input_size", "x", "filter", "bias", "offset_w")),
                    (g.integers(_fixed(g.results[0].shape)), x, w, b, None),
                    {**settings, "output_padding": [0, 0, *output_padding[:2]]})
    return g.op(Spec("Conv2D", ("x", "filter", "bias", "offset_w")), (x, w, b, None), settings)


def _max_pool(g: Any, x: str, *, window: Any, stride: Any, padding: Any = (0, 0), ceil_mode: bool = False,
              dilation: Any = (1, 1)) -> Any:
    if {*dilation[:2]} != {1} or len(g.avals[x].shape) != 4:
        raise NotImplementedError("a maximum of windows with dilation, or of other than two dimensions, has no form "
                                  "in AIR")
    return g.op(Spec("MaxPoolV3", ("x",)), (x,), {
        "ksize": [1, 1, *window], "strides": [1, 1, *stride[:2]], "padding_mode": "CALCULATED",
        "pads": [p for p in padding[:2] for _ in (0, 1)], "data_format": "NCHW", "global_pooling": False,
        "ceil_mode": ceil_mode}), None


def _avg_pool(g: Any, x: str, *, window: Any, stride: Any, padding: Any = (0, 0), ceil_mode: bool = False,
              divisor: Any = None, **_: Any) -> Any:
    if any(padding[:2]) or ceil_mode or divisor is not None or len(window) != 2:
        raise NotImplementedError("a mean of windows with padding has no form in AIR")
    return g.op(Spec("AvgPool", ("x",)), (x,), {"ksize": [1, 1, *window], "strides": [1, 1, *stride[:2]],
                                                "padding": "VALID", "data_format": "NCHW"})


def _batch_norm(g: Any, x: str, gamma: str, beta: str, mean: str, variance: str, *, epsilon: float) -> Any:
    spec = Spec("BatchNorm", ("x", "scale", "offset", "mean", "variance"),
                ("y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2"))
    return g.op(spec, (x, gamma, beta, mean, variance),
                {"epsilon": float(epsilon), "data_format": "NCHW", "is_training": False},
                [g.results[0], *[g.avals[mean]] * 4])[0]


def _layer_norm(g: Any, x: str, gamma: str, beta: str, *, epsilon: float = 1e-5) -> Any:
    first = len(g.avals[x].shape) - len(g.avals[gamma].shape)
    y, mean, _ = g.op(Spec("LayerNorm", ("x", "gamma", "beta"), ("y", "mean", "variance")), (x, gamma, beta),
                      {"begin_norm_axis": first, "begin_params_axis": first, "epsilon": float(epsilon)})
    return y, mean, None


def _joined(kind: str, axis_name: str) -> Form:
    def form(g: Any, *xs: str, axis: int = 0) -> Any:
        names = tuple([f"x{k}" for k in range(len(xs))])
        axis %= len(g.results[0].shape)
        return g.op(Spec(kind, names), xs, {axis_name: axis, "N": len(xs)})
    return form


def _item(g: Any, x: str, *indices: str, spec: Any) -> Any:
    """Slices and whole numbers."""
    if indices or any([isinstance(part, str) or (isinstance(part, tuple) and part[2] < 0) for part in spec]):
        raise NotImplementedError("an index that is a tensor, or in reverse order, has no form in AIR")
    parts = [part if isinstance(part, tuple) else (part, part + 1, 1) for part in spec if part is not None]
    rows, aval = [g.integers(_fixed(row)) for row in zip(*parts, strict=True)], g.avals[x]
    shape = (*[len(range(*part)) for part in parts], *aval.shape[len(parts):])
    found = x if not rows else g.op(Spec("StridedSlice", ("x", "begin", "end", "strides")), (x, *rows), dict.fromkeys(
        ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0), [Aval(shape, aval.dtype)])
    return found if all([isinstance(part, tuple) for part in spec]) else _reshape(g, found)


def _axes_attribute(kind: str, x: str, y: str) -> Form:
    return lambda g, v, *, axis=-1: g.op(Spec(kind, (x,), (y,)), (v,), {"axes": _fixed(axis)})


def _place(kind: str) -> Form:
    def form(g: Any, x: str, *, axis: int = -1, output_type: Any = int32, keep_dims: bool = False) -> Any:
        if keep_dims:
            raise NotImplementedError("AIR's places of extremes have no axis of length 1")
        return g.op(Spec(kind, ("x", "dimension")), (x, g.constant([axis], int64, ())),
                    {"dtype": NUMBERS[output_type.name]})
    return form


def _one_hot(g: Any, indices: str, on: str, off: str, *, depth: int, axis: int = -1) -> Any:
    return g.op(Spec("OneHot", ("x", "depth", "on_value", "off_value")),
                (indices, g.constant([depth], int32, ()), on, off), {"axis": axis})


def _gather(g: Any, x: str, indices: str, *, axis: Any, batch_dims: int = 0) -> Any:
    return g.op(Spec("GatherV2", ("x", "indices", "axis")), (x, indices, g.integers(_fixed(axis))),
                {"batch_dims": batch_dims, "is_preprocessed": False, "negative_index_support": False})


_UNARY = {"Neg": "Neg", "Abs": "Abs", "Sqrt": "Sqrt", "Rsqrt": "Rsqrt", "Reciprocal": "Reciprocal", "Tanh": "Tanh",
          "Sigmoid": "Sigmoid", "ReLU": "Relu", "ReLU6": "Relu6", "Erf": "Erf", "Erfc": "Erfc", "Sin": "Sin",
          "Cos": "Cos", "Tan": "Tan", "Asin": "Asin", "ACos": "Acos", "Atan": "Atan", "Sinh": "Sinh", "Cosh": "Cosh",
          "Asinh": "Asinh", "Acosh": "Acosh", "Atanh": "Atanh", "Floor": "Floor", "Ceil": "Ceil", "Sign": "Sign",
          "Square": "Square", "Log1p": "Log1p", "Expm1": "Expm1", "LogicalNot": "LogicalNot"}
_BINARY = {"Add": "Add", "Sub": "Sub", "Mul": "Mul", "RealDiv": "RealDiv", "Div": "RealDiv", "Maximum": "Maximum",
           "Minimum": "Minimum", "Pow": "Pow", "Equal": "Equal", "NotEqual": "NotEqual", "Less": "Less",
           "LessEqual": "LessEqual", "Greater": "Greater", "GreaterEqual": "GreaterEqual", "LogicalAnd": "LogicalAnd",
           "LogicalOr": "LogicalOr", "FloorDiv": "FloorDiv", "FloorMod": "FloorMod", "Atan2": "Atan2"}
_LOGARITHM = {"base": -1.0, "scale": 1.0, "shift": 0.0}

FORMS: dict[str, Form] = {
    **{name: _elementwise(kind, "x") for name, kind in _UNARY.items()},
    **{name: _elementwise(kind, "x1 x2") for name, kind in _BINARY.items()},
    **{f"Reduce{kind}": _reduction(f"Reduce{kind}") for kind in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any")},
    "Exp": _plain("Exp", "x", "y", **_LOGARITHM), "Log": _plain("Log", "x", "y", **_LOGARITHM),
    "Trunc": _plain("Trunc", "input_x", "output_y"),
    "Cast": lambda g, x, *, dtype: g.op(Spec("Cast", ("x",)), (x,), {"dst_type": NUMBERS[dtype.name]}),
    "Reshape": _reshape, "Flatten": _reshape, "ExpandDims": _reshape, "Squeeze": _reshape,
    "Identity": lambda g, x: x, "StopGradient": lambda g, x: x, "Copied": lambda g, x: x,
    "Transpose": lambda g, x, *, perm: g.op(Spec("Transpose", ("x", "perm")), (x, g.integers(perm)), {}),
    "BroadcastTo": lambda g, x, *, shape: g.op(Spec("BroadcastTo", ("x", "shape")), (x, g.integers(_fixed(shape))), {}),
    "Tile": lambda g, x, *, dims: g.op(Spec("Tile", ("x", "multiples")), (x, g.integers(_fixed(dims))), {}),
    "ReverseV2": lambda g, x, *, axis: g.op(Spec("ReverseV2", ("x", "axis")), (x, g.integers(_fixed(axis))), {}),
    "Select": _plain("Select", "condition x1 x2"), "GatherNd": _plain("GatherNd", "x indices"),
    "TensorScatterUpdate": _plain("TensorScatterUpdate", "x indices updates"),
    "TensorScatterAdd": _plain("TensorScatterAdd", "x indices updates"),
    "MatMul": _product, "BatchMatMul": _product, "BatchedMatmul": _product, "Dense": _dense,
    "Convolution": _convolution, "MaxPool": _max_pool, "AvgPool": _avg_pool,
    "BatchNormInfer": _batch_norm, "LayerNorm": _layer_norm, "Concat": _joined("ConcatD", "concat_dim"),
    "Stack": _joined("Pack", "axis"), "GetItem": _item, "Gather": _gather, "OneHot": _one_hot,
    "Softmax": _axes_attribute("SoftmaxV2", "x", "y"),
    "LogSoftmax": _axes_attribute("LogSoftmaxV2", "logits", "logsoftmax"),
    "Argmax": _place("ArgMaxV2"), "Argmin": _place("ArgMin"),
}
