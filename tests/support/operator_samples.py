"""Samples of the operators as the generic tests run them."""
from __future__ import annotations

import torch

import mindspore.ops
from mindspore.operators.registry import aval_of
from mindspore.operators.samples import inputs_of

assert mindspore.ops          # loads every family


def drawn(sample, dtype=None):
    """Inputs and attributes; floating-point tensors in `dtype`."""
    inputs, attrs = inputs_of(sample, torch.Generator().manual_seed(7))
    if dtype is not None:
        inputs = [x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x
                  for x in inputs]
    return inputs, attrs


def as_tuple(out):
    return out if isinstance(out, tuple) else (out,)


def avals(values):
    return [aval_of(v) if isinstance(v, torch.Tensor) else v for v in values]
