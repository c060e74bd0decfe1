"""Calls that are written here, for a small sweep; what they come to under the original is in `recorded.jsonl`.

A row names what is called, how, and its arguments: `f2x3` is a float32 tensor of the shape (2, 3), `i4`, `b3` and `c2`
are one of int32, bool and complex64, `f` has no dimensions, `p2x3` is positive; what stands before `;` makes the
primitive or the cell; others are Python's.  To record outcomes anew, after a change of rows or variants:

    python tests/sweep/own.py CALLS.jsonl && ORIGINAL tests/sweep/run_calls.py CALLS.jsonl tests/sweep/recorded.jsonl
"""
from __future__ import annotations

import ast
import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import variants

EVERY = 13          # of the variants one in so many
ROWS = """
ops.add function f2x3 f3
ops.sub function i2x3 i3
ops.mul function f2x3 f2x1
ops.div function f2x3 p3
ops.floor_div function i2x3 p3
ops.pow function p4 f4
ops.maximum function f2x3 f3
ops.exp function f4
ops.log function p4
ops.sqrt function p2x3
ops.abs function i5
ops.sign function f5
ops.tanh function f2x3
ops.relu function f2x3
ops.gelu function f4
ops.softmax function f2x3 axis=1
ops.log_softmax function f2x3 axis=-1
ops.sigmoid function f4
ops.clamp function f2x3 min=-0.5 max=0.5
ops.square function i4
ops.round function f4
ops.floor function f4
ops.logical_and function b4 b4
ops.logical_not function b4
ops.equal function i4 i4
ops.less function f4 f4
ops.isnan function f4
ops.reduce_sum function f2x3 1
ops.sum function f2x3 dim=0
ops.mean function f2x3 axis=1
ops.prod function p4
ops.amax function f2x3 axis=0
ops.argmax function f2x3 dim=1
ops.cumsum function f2x3 1
ops.norm function f2x3
ops.std function f2x3 axis=1
ops.var function f2x3 axis=0
ops.matmul function f2x3 f3x4
ops.bmm function f2x2x3 f2x3x2
ops.transpose function f2x3 (1,0)
ops.reshape function f2x3 (3,2)
ops.concat function [f2x3,f2x3] axis=0
ops.stack function [f3,f3]
ops.split function f4x2 2
ops.tile function f2x3 (2,1)
ops.gather function f4x2 i2 0
ops.gather_elements function f2x3 1 i2x3
ops.select function b2x3 f2x3 f2x3
ops.where function b3 f3 f3
ops.expand_dims function f2x3 1
ops.squeeze function f1x3
ops.broadcast_to function f3 (2,3)
ops.flip function f2x3 (0,)
ops.roll function f4 1
ops.sort function f2x4
ops.topk function f2x4 2
ops.unique function i5
ops.one_hot function i3 4
ops.zeros_like function f2x3
ops.linspace function 0.0 1.0 4
ops.arange function 0 5 2
ops.cast function f4 $int32
ops.tril function f3x3
ops.diag function f3
ops.masked_fill function f2x3 b2x3 0.5
ops.scatter_nd function i2x1 f2 (4,)
ops.l1_loss function f3 f3
ops.mse_loss function f3 f3
ops.cross_entropy function f3x4 i3
ops.layer_norm function f2x3 (3,) f3 f3
ops.pad function f2x3 [1,1]
ops.conv2d function f1x2x4x4 f3x2x2x2
ops.max_pool2d function f1x2x4x4 2 stride=2
ops.avg_pool2d function f1x2x4x4 2 stride=2
ops.Add primitive ; f2x3 f3
ops.ReduceMean primitive True; f2x3 0
ops.MatMul primitive False True; f2x3 f4x3
ops.Concat primitive 1; (f2x2,f2x2)
ops.Transpose primitive ; f2x3 (1,0)
ops.StridedSlice primitive ; f4x3 (0,0) (2,3) (1,2)
ops.TensorScatterUpdate primitive ; f4 i2x1 f2
ops.BiasAdd primitive ; f2x3 f3
ops.L2Normalize primitive axis=1; f2x3
ops.OneHot primitive ; i3 3 f f
ops.BatchMatMul primitive ; f2x2x3 f2x3x2
Tensor.sum method f2x3 1
Tensor.max method f2x3
Tensor.astype method f4 $int32
Tensor.reshape method f2x3 3 2
Tensor.clip method f5 -0.5 0.5
Tensor.T property f2x3
Tensor.ndim property f2x3
numpy.add function f2x3 f3
numpy.mean function f2x3 0
numpy.where function b3 f3 f3
numpy.concatenate function (f2x3,f2x3)
numpy.arange function 5
numpy.matmul function f2x3 f3x2
numpy.cumsum function i4
mint.add function f2x3 f3 alpha=2
mint.sum function f2x3 dim=1
mint.nn.functional.relu function f4
nn.ReLU cell ; f2x3
nn.Softmax cell 1; f2x3
nn.MSELoss cell ; f3 f3
nn.Flatten cell ; f2x2x2
nn.MaxPool2d cell 2 2; f1x1x4x4
"""
_TENSOR = re.compile(r"([fibcp])((\d+)(x\d+)*)?$")
_KINDS = {"f": "float32", "p": "float32", "i": "int32", "b": "bool", "c": "complex64"}


def tensor(word):
    """The description of a tensor from a word such as `f2x3`."""
    kind, shape = word[0], [int(n) for n in word[1:].split("x")] if word[1:] else []
    numbers = [(7 * k + 3) % 19 for k in range(math.prod(shape))]
    elements = {"f": [(n - 9) / 4 for n in numbers], "p": [(n + 1) / 4 for n in numbers], "i": [n % 4 for n in numbers],
                "b": [n % 2 == 1 for n in numbers], "c": [[n / 4, -n / 8] for n in numbers]}[kind]
    return {"t": _KINDS[kind], "s": shape, "v": elements}


def argument(text):
    """The description of an argument."""
    if _TENSOR.match(text):
        return tensor(text)
    if text.startswith("$"):
        return {"dtype": text[1:]}
    if text[0] in "[(" and text[1] in "fibcp":
        made = [argument(part) for part in text[1:-1].split(",")]
        return {"tuple": made} if text[0] == "(" else made
    value = ast.literal_eval(text)
    return {"tuple": list(value)} if isinstance(value, tuple) else value


def arguments(text):
    """Positional ones and those with names."""
    place, named = [], {}
    for word in text.split():
        name, equal, value = word.partition("=")
        if equal and name.isidentifier():
            named[name] = argument(value)
        else:
            place.append(argument(word))
    return place, named


def seeds():
    """The calls of the rows."""
    for row in filter(None, ROWS.splitlines()):
        name, how, text = row.split(" ", 2)
        init, _, text = text.rpartition(";")
        args, kwargs = arguments(text)
        yield {"api": f"mindspore.{name}", "how": how, "init": list(arguments(init)), "args": args, "kwargs": kwargs}


def calls():
    """The rows and one in EVERY of their variants, with ids."""
    for seed in seeds():
        for number, (name, call) in enumerate(variants.made_of(seed)):
            if number % EVERY == 0:
                yield {"id": f"{seed['api'][10:]}/{seed['how']}/{name}", **call}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("".join([json.dumps(call) + "\n" for call in calls()]))
