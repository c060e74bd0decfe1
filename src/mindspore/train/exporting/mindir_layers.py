"""Layers and their derivatives as MindIR's primitives: convolutions, windows, norms, recurrent layers."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mindspore.ir import Aval, Dim

Form = Callable[..., Any]
_NCHW, _NCDHW = 0, 14


class Plain(NamedTuple):
    """An input of a node that is a value, not the name of one."""

    value: Any


class Places(str):
    """The places of maxima: no value of the file, but what their derivative needs in place of them.

    Attributes:
        x, y: The images, with their padding, and the maxima.
    """

    x: str
    y: str

    @classmethod
    def of(cls, x: str, y: str) -> Places:
        """The places of the maxima `y` of `x`."""
        found = cls(f"places of the maxima {y}")
        found.x, found.y = x, y
        return found


def pair(values: tuple[int, ...]) -> tuple[int, ...]:
    """Two extents as four."""
    if len(values) != 2:
        raise NotImplementedError(f"'{len(values)}' dimensions have no form in MindIR")
    return (1, 1, *values)


def _fixed(shape: tuple[Any, ...]) -> Plain:
    if any([type(n) is Dim for n in shape]):
        raise NotImplementedError("a size that only a run tells has no form here")
    return Plain(tuple(shape))


# ---------------------------------------------------------------------- convolutions

def _settings(g: Any, x: str, w: str, stride: Any, padding: Any, dilation: Any, groups: int,
              dimensions: int = 2) -> dict[str, Any]:
    """The attributes that the primitives of convolutions share; the operator's defaults have three entries."""
    shape = g.avals[w].shape
    if len(g.avals[x].shape) != dimensions + 2:
        raise NotImplementedError(f"a convolution of other than {dimensions} dimensions has no form in MindIR here")
    stride, dilation = stride[:dimensions], dilation[:dimensions]
    pads = tuple(padding) if len(padding) == 2 * dimensions else tuple([p for p in padding[:dimensions]
                                                                         for _ in (0, 1)])
    if min(pads) < 0:
        raise NotImplementedError("a negative padding has no form in MindIR")
    return {"kernel_size": tuple(shape[2:]), "out_channel": shape[0], "mode": 1,
            "pad_mode": "pad" if any(pads) else "valid", "pad": pads, "pad_list": pads, "stride": (1, 1, *stride),
            "dilation": (1, 1, *dilation), "group": groups, "groups": groups, "format": "NCHW"}


def _backward(settings: dict[str, Any]) -> dict[str, Any]:
    """The same for primitives of derivatives, which write the mode of padding in capitals."""
    return {**settings, "pad_mode": settings["pad_mode"].upper()}


def convolution(g: Any, x: Any, w: Any, b: Any = None, **attrs: Any) -> Any:
    """A convolution of images or volumes, or a transposed one."""
    volumes = len(g.avals[x].shape) == 5
    found = (_of_volumes if volumes else _of_images)(g, x, w, **attrs)
    return found if b is None else g.add("BiasAdd", found, b, Plain(_NCDHW if volumes else _NCHW))


def _of_images(g: Any, x: Any, w: Any, *, stride: Any, padding: Any, dilation: Any, groups: int,
               transposed: bool = False, **_: Any) -> Any:
    settings = _settings(g, x, w, stride, padding, dilation, groups)
    if transposed:
        return g.add("Conv2DTranspose", x, w, _fixed(g.results[0].shape), **_backward(settings))
    return g.add("Conv2D", x, w, **settings)


def _of_volumes(g: Any, x: Any, w: Any, *, stride: Any, padding: Any, dilation: Any, groups: int,
                transposed: bool = False, output_padding: Any = (0, 0, 0), **_: Any) -> Any:
    """The windows stand there twice, with and without the axes of examples and channels."""
    settings = _settings(g, x, w, stride, padding, dilation, groups, dimensions=3)
    settings |= {"strides": settings["stride"], "dilations": settings["dilation"], "stride": settings["stride"][2:],
                 "dilation": settings["dilation"][2:], "format": "NCDHW"}
    if not transposed:
        return g.add("Conv3D", x, w, **settings, offset_x=0)
    channels, per_group = g.avals[w].shape[:2]
    settings |= {"in_channel": channels, "out_channel": per_group * groups, "pad_mode": "pad",
                 "input_size": _fixed(g.results[0].shape).value, "output_padding": (0, 0, *output_padding[:3])}
    return g.add("Conv3DTranspose", x, w, **settings)


def input_grad(g: Any, dout: Any, x: Any, w: Any, *, stride: Any, padding: Any, dilation: Any, groups: int,
               transposed: bool = False, **_: Any) -> Any:
    """The cotangent of the images."""
    settings = _settings(g, x, w, stride, padding, dilation, groups)
    if transposed:
        return g.add("Conv2D", dout, w, **settings)
    return g.add("Conv2DBackpropInput", dout, w, _fixed(g.avals[x].shape), **_backward(settings))


def weight_grad(g: Any, dout: Any, x: Any, w: Any, *, stride: Any, padding: Any, dilation: Any, groups: int,
                transposed: bool = False, **_: Any) -> Any:
    """The cotangent of the weight; images and results change places in a transposed convolution."""
    settings = _backward(_settings(g, x, w, stride, padding, dilation, groups))
    images = (x, dout) if transposed else (dout, x)
    return g.add("Conv2DBackpropFilter", *images, _fixed(g.avals[w].shape), **settings)


def affine_grad(g: Any, dout: Any, x: Any, w: Any, **attrs: Any) -> Any:
    """The cotangents of weight and bias."""
    return weight_grad(g, dout, x, w, **attrs), g.add("BiasAddGrad", dout, Plain(_NCHW))


# ---------------------------------------------------------------------- windows

def max_pool(g: Any, x: Any, *, window: Any, stride: Any, padding: Any, dilation: Any = (1, 1),
             ceil_mode: bool = False) -> Any:
    """Maxima of windows that lie in the image."""
    if any(n != 1 for n in dilation) or len(g.avals[x].shape) != 4:
        raise NotImplementedError("a maximum of windows with dilation, or of other than two dimensions, has no form "
                                  "in MindIR")
    shape, out = g.avals[x].shape, g.results[0].shape
    if any(padding[:2]) or ceil_mode:
        x = _surrounded(g, x, shape, out, window, stride, padding)
    y = g.add("MaxPool", x, kernel_size=pair(window), strides=pair(stride[:2]), pad_mode="VALID", format="NCHW")
    return y, Places.of(x, y)


def _surrounded(g: Any, x: str, shape: Any, out: Any, window: Any, stride: Any, padding: Any) -> str:
    """Images with the lowest number around them; they may reach beyond the last window."""
    dtype = g.avals[x].dtype
    for k, axis in enumerate((2, 3)):
        after = max((out[axis] - 1) * stride[k] + window[k] - shape[axis] - padding[k], 0)
        own = _fixed(g.avals[x].shape).value
        edges = [g.constant(_lowest((*own[:axis], n, *own[axis + 1:]), dtype), dtype) if n else None
                 for n in (padding[k], after)]
        held = [v for v in (edges[0], x, edges[1]) if v is not None]
        if len(held) > 1:
            x = g.add("Concat", g.add("MakeTuple", *held), Plain(axis))
            g.avals[x] = Aval((*own[:axis], own[axis] + padding[k] + after, *own[axis + 1:]), dtype)
    return x


def _lowest(shape: tuple[int, ...], dtype: Any) -> Any:
    return np.full(shape, -np.inf if dtype.is_floating else np.iinfo(dtype.numpy).min)


def max_pool_grad(g: Any, dout: Any, places: Any, *, shape: Any, window: Any, stride: Any, padding: Any,
                  **_: Any) -> Any:
    """The cotangent of images whose maxima were taken in this graph."""
    if type(places) is not Places:
        raise NotImplementedError("the places of maxima of another graph have no form in MindIR")
    found = g.add("MaxPoolGrad", places.x, places.y, dout, kernel_size=pair(window), strides=pair(stride[:2]),
                  pad_mode="VALID", format="NCHW", data_format="NCHW")
    if tuple(g.avals[places.x].shape) == tuple(shape):
        return found
    begin = (0, 0, *padding[:2])
    end = tuple([b + n for b, n in zip(begin, shape, strict=True)])
    return g.add("StridedSlice", found, Plain(begin), _fixed(end), Plain((1,) * 4), *[Plain(0)] * 5)


def avg_pool(g: Any, x: Any, *, window: Any, stride: Any, padding: Any, ceil_mode: bool = False,
             include_pad: bool = True, divisor: Any = None) -> Any:
    """Means of windows that lie in the image."""
    if any(padding[:2]) or ceil_mode or divisor is not None or len(g.avals[x].shape) != 4:
        raise NotImplementedError("a mean of windows with padding has no form in MindIR")
    return g.add("AvgPool", x, Plain(tuple(window)), Plain(tuple(stride[:2])), Plain(2), Plain(_NCHW))


# ---------------------------------------------------------------------- norms and recurrent layers

def batch_norm(g: Any, x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, epsilon: float) -> Any:
    """Normalisation by given statistics."""
    whole = g.add("BatchNorm", x, gamma, beta, mean, variance, Plain(False), Plain(float(epsilon)), Plain(0.1),
                  Plain(_NCHW))
    return g.add("TupleGetItem", whole, Plain(0))


def layer_norm(g: Any, x: Any, gamma: Any, beta: Any, *, epsilon: float = 1e-5) -> Any:
    """Normalisation over trailing axes; the primitive gives the variance, of which the operator gives the scale."""
    rank, own = len(g.avals[x].shape), len(g.avals[gamma].shape)
    whole = g.add("LayerNorm", x, gamma, beta, Plain(rank - own), Plain(rank - own), Plain(float(epsilon)))
    y, mean, variance = [g.add("TupleGetItem", whole, Plain(k)) for k in range(3)]
    scale = g.add("Rsqrt", g.add("Add", variance, g.constant(epsilon, g.results[2].dtype)))
    return y, mean, scale


def lstm_layer(g: Any, x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, h: Any, c: Any, *,
               reverse: bool = False) -> Any:
    """One layer in one direction, whose weights are one vector."""
    (rows, size), inputs = g.avals[w_hh].shape, g.avals[w_ih].shape[1]
    shape = g.avals[h].shape
    states = [g.add("Reshape", s, _fixed((1, *shape))) for s in (h, c)]
    flat = [g.add("Reshape", w, Plain((rows * n, 1, 1))) for w, n in ((w_ih, inputs), (w_hh, size))]
    bias = g.add("Reshape", g.add("Add", b_ih, b_hh), Plain((rows, 1, 1)))
    weights = g.add("Concat", g.add("MakeTuple", *flat, bias), Plain(0))
    x = g.add("ReverseV2", x, Plain((0,))) if reverse else x
    whole = g.add("LSTM", x, *states, weights, input_size=inputs, hidden_size=size, num_layers=1, has_bias=True,
                  bidirectional=False, dropout=0.0, proj_size=0)
    y, *last = [g.add("TupleGetItem", whole, Plain(k)) for k in range(3)]
    return (g.add("ReverseV2", y, Plain((0,))) if reverse else y,
            *[g.add("Reshape", s, _fixed(shape)) for s in last], None)


FORMS: dict[str, Form] = {
    "Convolution": convolution, "ConvolutionInputGrad": input_grad, "ConvolutionWeightGrad": weight_grad,
    "ConvolutionAffineGrad": affine_grad, "MaxPool": max_pool, "MaxPoolGrad": max_pool_grad, "AvgPool": avg_pool,
    "BatchNormInfer": batch_norm, "LayerNorm": layer_norm, "LstmLayer": lstm_layer,
}
