"""Loop forms computed by torch, word for word."""
from __future__ import annotations

import torch

from mindspore.core.dtype import from_torch
from mindspore.operators.loops import Element

WORDS = {
    "neg": torch.neg, "abs": torch.abs, "exp": torch.exp, "log": torch.log, "tanh": torch.tanh, "erf": torch.erf,
    "sigmoid": torch.sigmoid, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "not": torch.logical_not,
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.true_divide, "maximum": torch.maximum,
    "minimum": torch.minimum, "eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt,
    "ge": torch.ge, "and": torch.logical_and, "or": torch.logical_or, "where": torch.where,
}


def elements(inputs):
    """An element for every tensor, numbers as they are."""
    return [Element("input", (), tuple(x.shape), from_torch(x.dtype), i) if isinstance(x, torch.Tensor) else x
            for i, x in enumerate(inputs)]


def computed(element, inputs):
    """The tensor of an element."""
    args = [computed(a, inputs) for a in element.args]
    word = element.word
    if word == "input":
        return inputs[element.value].reshape(element.shape)
    if word == "constant":
        return torch.tensor(element.value, dtype=element.dtype.torch)
    if word == "index":
        return torch.arange(element.shape[-1]).reshape(element.shape)
    if word == "cast":
        return args[0].to(element.dtype.torch)
    if word == "shaped":
        return args[0].reshape(element.shape)
    if word == "sum":
        return args[0].sum(element.value, keepdim=True)
    if word == "max":
        return args[0].amax(element.value, keepdim=True)
    return WORDS[word](*args)

