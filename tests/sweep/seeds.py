"""Calls that the original takes, from recorded cases: what other calls are made from.

A recorded case names its arrays by keys; here they stand in the call.  Cases with arrays of more than LIMIT
elements are left out.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np

LIMIT = 400
FAMILIES = "primitives", "functions", "tensor_methods", "errors", "promotion", "layers", "losses"
HOW = {"primitive": "primitive", "function": "function", "tensor_method": "method", "tensor_property": "property",
       "cell": "cell"}
SIMPLE = {"$tuple": "tuple", "$dict": "dict", "$dtype": "dtype", "$slice": "slice", "$ellipsis": "ellipsis", "$f": "f",
          "$complex": "c", "$ref": "ref"}


class TooLarge(Exception):
    """A case that is not for this sweep."""


def elements(content):
    """The elements of an array as JSON takes them."""
    if content.size > LIMIT:
        raise TooLarge
    flat = content.ravel()
    if flat.dtype.kind == "c":
        return [[plain(x.real), plain(x.imag)] for x in flat.tolist()]
    return [x if isinstance(x, (bool, int)) else plain(x) for x in flat.tolist()]


def plain(x):
    return x if np.isfinite(x) else str(x)


def tensor(content, dtype, **more):
    return {"t": dtype, "s": list(content.shape), "v": elements(content), **more}


def converted(value, arrays):
    """A recorded value in the words of this sweep."""
    if isinstance(value, list):
        return [converted(x, arrays) for x in value]
    if not isinstance(value, dict):
        return value
    if "$t" in value:
        return tensor(arrays[value["$t"]], value["dt"])
    if "$p" in value:
        return tensor(arrays[value["$p"]], value["dt"], p=1, name=value.get("name") or "p")
    if "$np" in value:
        found = arrays[value["$np"]]
        return tensor(found, str(found.dtype), n=1)
    if "$new" in value:
        return {"new": value["$new"], "args": converted(value.get("args", []), arrays),
                "kwargs": converted_items(value.get("kwargs", {}), arrays)}
    (kind, content), = value.items()
    if kind not in SIMPLE:
        raise TooLarge
    if kind == "$dict":
        return {"dict": converted_items(content, arrays)}
    return {SIMPLE[kind]: converted(content, arrays)}


def converted_items(items, arrays):
    return {k: converted(v, arrays) for k, v in items.items()}


def recorded(folder, families=FAMILIES):
    """The calls of the recorded cases of a folder."""
    for family in families:
        with np.load(Path(folder) / f"{family}.npz") as archive:
            arrays = dict(archive)
        for line in (Path(folder) / f"{family}.jsonl").read_text().splitlines():
            case = json.loads(line)
            how = HOW.get(case.get("kind", case["how"]))
            if how is None or not case["api"].startswith("mindspore.") or "call" not in case:
                continue
            try:
                init = case.get("init", {})
                yield {"api": case["api"], "how": how,
                       "init": [converted(init.get("args", []), arrays),
                                converted_items(init.get("kwargs", {}), arrays)],
                       "args": converted(case["call"].get("args", []), arrays),
                       "kwargs": converted_items(case["call"].get("kwargs", {}), arrays)}
            except TooLarge:
                continue
