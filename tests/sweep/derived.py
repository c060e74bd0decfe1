"""Cells with known weights, and the gradients of a call."""
from __future__ import annotations

import zlib

import numpy as np
import values

import mindspore as ms

FLOATS = "float16", "float32", "float64", "bfloat16"


def kind(x):
    return str(x.dtype).lower()


def content(x):
    """A tensor of floats as an array of float32 or float64."""
    return (x.astype(ms.float32) if kind(x) == "bfloat16" else x).asnumpy()


def weights(name, shape):
    """Numbers between 0 and 1 that follow from a name."""
    places = np.arange(np.prod(shape, dtype=int)) * 7 + zlib.crc32(name.encode())
    return ((places % 19 + 1).reshape(shape) / 20).astype(np.float32)


def fill(cell, which):
    """Writes known numbers into the parameters of floats of a cell: all, or those whose numbers were `drawn`."""
    for p in cell.get_parameters() if isinstance(cell, ms.nn.Cell) else ():
        if kind(p) in FLOATS and (which == "all" or np.ptp(content(p).astype(float)) > 0):
            p.set_data(ms.Tensor(weights(p.name, p.shape)).astype(p.dtype))


def held(cell):
    """What the parameters of a cell hold, by name."""
    return {name: content(p).copy() for name, p in cell.parameters_and_names()} if cell is not None else {}


def changed(cell, before):
    """The parameters that a call has changed, with what they hold now."""
    return [[name, values.described(p)] for name, p in (cell.parameters_and_names() if before else ())
            if not np.array_equal(content(p), before[name], equal_nan=True)]


def floats(value):
    """The tensors of floats in a result."""
    if isinstance(value, ms.Tensor):
        return [value] if kind(value) in FLOATS else []
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in floats(item)]
    return []


def weighted(function, out):
    """A function whose result is the sum of the results of another, each element with a factor of its own."""
    factors = [ms.Tensor((1 + 0.5 * np.cos(1.3 * np.arange(x.size))).reshape(x.shape).astype(np.float32), x.dtype)
               for x in floats(out)]

    def total(*args):
        found, left = 0, list(factors)
        for x in flat(function(*args)):
            if isinstance(x, ms.Tensor) and x.dtype in (ms.float16, ms.float32, ms.float64, ms.bfloat16):
                found = found + (x * left.pop(0)).sum()
        return found

    return total, bool(factors)


def flat(value):
    """The tensors of a result in one list."""
    if isinstance(value, (tuple, list)):
        found = []
        for item in value:
            found = found + flat(item)
        return found
    return [value]


def gradients(function, cell, args, out, compiled):
    """The gradients of a call, for its tensors of floats and for the weights of a cell, or an error."""
    places = tuple(k for k, x in enumerate(args) if isinstance(x, ms.Tensor) and kind(x) in FLOATS)
    weights = [p for p in cell.trainable_params() if kind(p) in FLOATS] if cell is not None else []
    total, some = weighted(function, out)
    if not some or not (places or weights):
        return None
    try:
        taken = ms.grad(total, places or None, ms.ParameterTuple(weights) if weights else None)
        return values.described((ms.jit(taken) if compiled else taken)(*args))
    except Exception as error:  # any error is an outcome
        return values.failed(error)
