"""Samples of the operators as the generic tests run them."""
from __future__ import annotations

import re

import torch

import mindspore.ops
from mindspore.operators.registry import aval_of
from mindspore.operators.samples import inputs_of

assert mindspore.ops          # loads every family

# What a kernel says of a dtype that it does not take.
SAYS_TYPE = re.compile("not implemented for '|type|floating point input|floating point or complex|"
                       "must be (a )?floating|Half, Float or Double")
# What torch says where a kernel, an input of it or the given cotangents have no derivative.
SAYS_NO_DERIVATIVE = re.compile("derivative for .* is not implemented|torch has no derivative|does not require grad|"
                                "not differentiable with respect to|ill-defined")


def drawn(sample, dtype=None):
    """Inputs and attributes; floating-point tensors in `dtype`."""
    inputs, attrs = inputs_of(sample, torch.Generator().manual_seed(7))
    if dtype is not None:
        inputs = [x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x
                  for x in inputs]
    return inputs, attrs


def without_zeros(sample, inputs):
    """The inputs of a sample, drawn as ints, where one divides by what was drawn below 1."""
    floats = [isinstance(x, torch.Tensor) and x.is_floating_point() for x in drawn(sample)[0]]
    return [x.masked_fill(x == 0, 1) if was and not x.is_floating_point() else x
            for x, was in zip(inputs, floats, strict=True)]


def as_tuple(out):
    return out if isinstance(out, tuple) else (out,)


def avals(values):
    return [aval_of(v) if isinstance(v, torch.Tensor) else v for v in values]
