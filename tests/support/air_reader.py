"""AIR files run by torch, operator by operator, as GraphEngine's specification describes these."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from mindspore.formats.air import MESSAGES, NUMBERS, TYPES

DTYPES = {number: getattr(torch, name.removesuffix("_")) for name, number in TYPES.items()}
NUMBERED = {number: getattr(torch, name.removesuffix("_")) for name, number in NUMBERS.items()}
NAMES = {"MatMulV2": ["x1", "x2", "bias", "offset_w"], "Conv2D": ["x", "filter", "bias", "offset_w"],
         "BatchNorm": ["x", "scale", "offset", "mean", "variance"], "LayerNorm": ["x", "gamma", "beta"],
         "Reshape": ["x", "shape"], "Transpose": ["x", "perm"], "StridedSlice": ["x", "begin", "end", "strides"],
         "GatherV2": ["x", "indices", "axis"], "Select": ["condition", "x1", "x2"]}


def plain(attribute):
    kind = attribute.WhichOneof("value")
    value = getattr(attribute, kind)
    if kind == "list":
        return list({1: [s.decode() for s in value.s], 2: value.i, 3: value.f, 4: value.b}[value.val_type])
    return value.decode() if kind == "s" else value


def _matmul(x, y, bias=None, _=None, *, transpose_x1, transpose_x2, offset_x):
    found = (x.T if transpose_x1 else x) @ (y.T if transpose_x2 else y)
    return found if bias is None else found + bias


def _conv(x, w, b=None, _=None, *, strides, pads, dilations, groups, data_format, offset_x):
    assert (data_format, strides[:2], dilations[:2]) == ("NCHW", [1, 1], [1, 1])
    x = torch.nn.functional.pad(x, [pads[2], pads[3], pads[0], pads[1]])
    return torch.nn.functional.conv2d(x, w, b, strides[2:], 0, dilations[2:], groups)


def _conv_transpose(size, x, w, b=None, _=None, *, strides, pads, dilations, groups, data_format, output_padding,
                    offset_x):
    assert (data_format, pads[::2]) == ("NCHW", pads[1::2])
    found = torch.nn.functional.conv_transpose2d(x, w, b, strides[2:], pads[::2], output_padding[2:], groups,
                                                 dilations[2:])
    assert list(found.shape) == size.tolist()
    return found


def _max_pool(x, *, ksize, strides, padding_mode, pads, data_format, global_pooling, ceil_mode):
    assert (data_format, padding_mode, global_pooling, pads[::2]) == ("NCHW", "CALCULATED", False, pads[1::2])
    return torch.nn.functional.max_pool2d(x, ksize[2:], strides[2:], pads[::2], 1, ceil_mode)


def _pool(kind):
    def run(x, *, ksize, strides, padding, data_format):
        assert (padding, data_format) == ("VALID", "NCHW")
        return kind(x, ksize[2:], strides[2:])
    return run


def _batch_norm(x, scale, offset, mean, variance, *, epsilon, data_format, is_training):
    assert not is_training
    return torch.nn.functional.batch_norm(x, mean, variance, scale, offset, False, 0.0, epsilon), None, None, None, None


def _layer_norm(x, gamma, beta, *, begin_norm_axis, begin_params_axis, epsilon):
    axes = tuple(range(begin_norm_axis, x.dim()))
    y = torch.nn.functional.layer_norm(x, x.shape[begin_norm_axis:], gamma, beta, epsilon)
    return y, x.mean(axes, keepdim=True), x.var(axes, unbiased=False, keepdim=True)


def _slice(x, begin, end, strides, **masks):
    assert not any(masks.values())
    return x[tuple(slice(*row) for row in zip(begin.tolist(), end.tolist(), strides.tolist(), strict=True))]


def _gather(x, indices, axis, **_):
    return torch.index_select(x, int(axis), indices.reshape(-1).long()).reshape(
        *x.shape[:int(axis)], *indices.shape, *x.shape[int(axis) + 1:])


def _reduce(kind):
    def run(x, axes, *, keep_dims):
        for axis in sorted([a % x.dim() for a in axes.tolist()], reverse=True):
            x = kind(x, axis)
            x = x.unsqueeze(axis) if keep_dims else x
        return x
    return run


def _one_hot(indices, depth, on, off, *, axis):
    hot = torch.nn.functional.one_hot(indices.long(), int(depth)).bool()
    return torch.where(hot if axis == -1 else hot.movedim(-1, axis), on, off)


def _scatter(add):
    def run(x, indices, updates):
        return x.index_put(tuple(indices.long().unbind(-1)), updates, accumulate=add)
    return run


def _logarithmic(fn):
    def run(x, *, base, scale, shift):
        assert (base, scale, shift) == (-1.0, 1.0, 0.0)
        return fn(x)
    return run


RUN = {
    **{kind: getattr(torch, fn) for kind, fn in {
        "Neg": "neg", "Abs": "abs", "Sqrt": "sqrt", "Rsqrt": "rsqrt", "Reciprocal": "reciprocal", "Tanh": "tanh",
        "Sigmoid": "sigmoid", "Relu": "relu", "Erf": "erf", "Erfc": "erfc", "Sin": "sin", "Cos": "cos", "Tan": "tan",
        "Asin": "asin", "Acos": "acos", "Atan": "atan", "Sinh": "sinh", "Cosh": "cosh", "Asinh": "asinh",
        "Acosh": "acosh", "Atanh": "atanh", "Floor": "floor", "Ceil": "ceil", "Sign": "sign", "Square": "square",
        "Log1p": "log1p", "Expm1": "expm1", "LogicalNot": "logical_not", "Trunc": "trunc", "Add": "add", "Sub": "sub",
        "Mul": "mul", "RealDiv": "true_divide", "Maximum": "maximum", "Minimum": "minimum", "Pow": "pow",
        "Equal": "eq", "NotEqual": "ne", "Less": "lt", "LessEqual": "le", "Greater": "gt", "GreaterEqual": "ge",
        "LogicalAnd": "logical_and", "LogicalOr": "logical_or", "FloorDiv": "floor_divide", "FloorMod": "remainder",
        "Atan2": "atan2", "Select": "where"}.items()},
    "Relu6": torch.nn.functional.relu6, "Exp": _logarithmic(torch.exp), "Log": _logarithmic(torch.log),
    "Cast": lambda x, *, dst_type: x.to(NUMBERED[dst_type]),
    "Reshape": lambda x, shape, **_: x.reshape(shape.tolist()),
    "Transpose": lambda x, perm: x.permute(perm.tolist()), "BroadcastTo": lambda x, s: x.expand(s.tolist()),
    "Tile": lambda x, s: x.tile(s.tolist()), "ReverseV2": lambda x, axis: x.flip(axis.tolist()),
    "GatherNd": lambda x, i: x[tuple(i.long().unbind(-1))], "TensorScatterUpdate": _scatter(False),
    "TensorScatterAdd": _scatter(True), "MatMulV2": _matmul, "Conv2D": _conv,
    "BatchMatMul": lambda x, y, *, adj_x1, adj_x2: (x.mT if adj_x1 else x) @ (y.mT if adj_x2 else y),
    "Conv2DTranspose": _conv_transpose, "MaxPoolV3": _max_pool, "AvgPool": _pool(torch.nn.functional.avg_pool2d),
    "BatchNorm": _batch_norm, "LayerNorm": _layer_norm, "GatherV2": _gather, "OneHot": _one_hot,
    "ConcatD": lambda *xs, concat_dim, N: torch.cat(xs, concat_dim),
    "Pack": lambda *xs, axis, N: torch.stack(xs, axis), "StridedSlice": _slice,
    "SoftmaxV2": lambda x, *, axes: torch.softmax(x, axes[0]),
    "LogSoftmaxV2": lambda x, *, axes: torch.log_softmax(x, axes[0]),
    "ArgMaxV2": lambda x, axis, *, dtype: x.argmax(int(axis)).to(NUMBERED[dtype]),
    "ArgMin": lambda x, axis, *, dtype: x.argmin(int(axis)).to(NUMBERED[dtype]),
    **{f"Reduce{kind}": _reduce(fn) for kind, fn in (
        ("Sum", torch.sum), ("Mean", torch.mean), ("Max", torch.amax), ("Min", torch.amin), ("Prod", torch.prod),
        ("All", torch.all), ("Any", torch.any))},
}


def tensor_of(held):
    """The tensor of a constant."""
    shape = list(held.desc.shape.dim)
    return torch.frombuffer(bytearray(held.data) or bytearray(1), dtype=DTYPES[held.desc.dtype])[
        :int(np.prod(shape))].reshape(shape)


def read(path):
    """The message of a file."""
    return MESSAGES.Model.FromString(Path(path).read_bytes())


def run(message, *inputs):
    """What a model computes; checks on the way that every value is of the type that is said of it."""
    graph, = message.graph
    values = dict(zip(graph.input, inputs, strict=True))
    for number, op in enumerate(graph.op):
        assert op.id == number
        attrs = {k: plain(v) for k, v in op.attr.items() if not k.startswith("_") and v.WhichOneof("value") != "t"}
        assert plain(op.attr["_ir_attr_names"]) == sorted(attrs)
        wanted = plain(op.attr["_input_name_key"])
        assert len(op.input) == len(wanted)
        assert op.type not in NAMES or wanted == NAMES[op.type]
        if op.type == "Data":
            found = values[f"{op.name}:0"]
        elif op.type == "Const":
            found = tensor_of(op.attr["value"].t)
        else:
            found = RUN[op.type](*[values[x] if x else None for x in op.input], **attrs)
        for k, one in enumerate(found if isinstance(found, tuple) else (found,)):
            if one is not None:
                said = op.output_desc[k]
                assert DTYPES[said.dtype] is one.dtype, (op.name, one.dtype)
                if not (op.type in ("LayerNorm",) and k):
                    assert [m in (-1, n) for m, n in zip(said.shape.dim, one.shape, strict=True)] == [True] * one.dim()
                values[f"{op.name}:{k}"] = one
    return [values[x] for x in graph.output]
