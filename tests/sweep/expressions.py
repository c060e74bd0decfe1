"""Calls written as Python: `nn.Dense(3, 4)(f2x3)` makes a cell and calls it, `mint.add(f2x3, f3, alpha=2)` a function.

Names of tensors are those of `own.py` and further kinds: `u2x3` lies within 0 and 1, `y3` is of ones and minus ones,
`s3x3` is symmetric and positive definite, `d3` is of float64, `h3` of float16, `j3` of int64; a second tensor of a kind
has other elements if its name ends in `_`.  Names of dtypes are dtypes, dotted names public objects, calls of them
objects made there.
"""
from __future__ import annotations

import argparse
import ast
import json
import math
import re
import zlib
from pathlib import Path

import numpy as np
import options
import own
import variants

_NAME = re.compile(r"([fibcpuysdhj])((\d+)(x\d+)*)?(_*)$")
_FURTHER = {"u": "float32", "y": "float32", "s": "float32", "d": "float64", "h": "float16", "j": "int64"}
_DTYPES = re.compile(r"(float|int|uint|complex|bfloat)\d+$")

TRAINED = "BatchNorm", "InstanceNorm", "BnAct", "Dropout", "RReLU"


def tensor(name):
    """The description of a tensor, from its name."""
    kind, shape, _, _, others = _NAME.match(name).groups()
    if kind not in _FURTHER:
        made = own.tensor(kind + (shape or ""))
        made["v"] = turned(made["v"], 2 * len(others))
        return made
    shape = [int(n) for n in shape.split("x")] if shape else []
    size = math.prod(shape)
    numbers = turned([(7 * k + 3) % 19 for k in range(size)], 2 * len(others))
    made = {"u": [(n + 1) / 21 for n in numbers], "y": [float((n % 2) * 2 - 1) for n in numbers],
            "d": [(n - 9) / 4 for n in numbers], "h": [(n - 9) / 4 for n in numbers], "j": [n % 4 for n in numbers]}
    if kind == "s":
        content = np.array(numbers, float).reshape(shape) / 8
        content = content @ np.swapaxes(content, -1, -2) + np.eye(shape[-1])
        return {"t": "float32", "s": shape, "v": content.ravel().tolist()}
    return {"t": _FURTHER[kind], "s": shape, "v": made[kind]}


def turned(items, places):
    """The items, from another one on."""
    places %= max(len(items), 1)
    return items[places:] + items[:places]


def dotted(node):
    """The public path of a dotted name, or None."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(["mindspore", node.id, *reversed(parts)]) if isinstance(node, ast.Name) and parts else None


def described(node):
    """The description of an argument."""
    if isinstance(node, ast.Name):
        return {"dtype": node.id} if _DTYPES.match(node.id) or node.id == "bool_" else tensor(node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        made = [described(item) for item in node.elts]
        return {"tuple": made} if isinstance(node, ast.Tuple) else made
    if isinstance(node, ast.Attribute):
        return {"ref": dotted(node)}
    if isinstance(node, ast.Dict):
        return {"dict": {key.value: described(item) for key, item in zip(node.keys, node.values, strict=True)}}
    if isinstance(node, ast.Call):
        args, kwargs = arguments(node)
        return {"new": dotted(node.func), "args": args, "kwargs": kwargs}
    value = ast.literal_eval(node)
    return {"c": [value.real, value.imag]} if isinstance(value, complex) else value


def arguments(node):
    """Positional ones and those with names."""
    return [described(a) for a in node.args], {k.arg: described(k.value) for k in node.keywords}


def call(text):
    """The call that an expression is, without an id."""
    node = ast.parse(text.strip(), mode="eval").body
    args, kwargs = arguments(node)
    made = {"api": dotted(node.func), "how": "function"}
    if isinstance(node.func, ast.Call):
        made = {"api": dotted(node.func.func), "how": "cell", "init": list(arguments(node.func))}
    return {**made, "args": args, "kwargs": kwargs}


def made_of(seed, further, every):
    """All variants of a call, by name; of those that are no options one in `every`."""
    name = seed["api"].rsplit(".", 1)[1]
    for number, (name_, made) in enumerate(variants.made_of(seed)):
        if number % every == 0:
            yield name_, made
    yield from options.of_options(seed, further.get(name, ()))
    if seed["how"] == "cell" and any(part in name for part in TRAINED):
        yield "training", {**seed, "train": True}
        yield "evaluation", {**seed, "train": False}


def calls(rows, only, further, every=1):
    """The calls of rows and their variants, with ids, known weights and gradients."""
    number, told = {}, set()
    for seed in map(call, rows):
        if only not in seed["api"]:
            continue
        n = number[seed["api"]] = number.get(seed["api"], 0) + 1
        for name, made in made_of(seed, further, every):
            kept = any(part in name for part in ("_init:", "param_init", "embedding_table:"))
            key = f"{seed['api'][10:]}/{n}/{name}"
            while key in told:      # an argument of the call after one of the constructor
                key += "'"
            told.add(key)
            yield {"id": key, **made, "fill": "drawn" if kept else "all", "grad": True}


def some(calls, every):
    """The calls that are rows as they are written, and about one in `every` of the others, told by their ids."""
    return (made for made in calls if made["id"].endswith("/") or zlib.crc32(made["id"].encode()) % every == 0)


def main(text, calls, kept):
    """Writes the calls that a program is asked for."""
    given = argparse.ArgumentParser(description=text)
    given.add_argument("out")
    given.add_argument("--only", default="")
    given.add_argument("--kept", action="store_true", help="those that are recorded, or called in little time")
    given = given.parse_args()
    found = (kept if given.kept else calls)(given.only)
    Path(given.out).write_text("".join([json.dumps(call) + "\n" for call in found]))
