"""Values of calls as JSON, and what comes of a call as JSON: the same under AnySpore and the original.

A tensor is {"t": dtype, "s": shape, "v": [elements]}; a complex element is a pair. `"p": 1` makes it a Parameter,
`"n": 1` an array of NumPy. A tuple is {"tuple": [...]}, a dtype {"dtype": name}, a slice {"slice": [a, b, c]}, a public
object {"ref": path}, a float that is not finite {"f": "nan"}, a complex number {"c": [re, im]}, an object made by a
call {"new": path, "args": [...], "kwargs": {...}}.
"""
from __future__ import annotations

import importlib

import numpy as np

import mindspore as ms

KEPT = 48       # elements of a result that are written down


def found(path):
    """The object of a dotted path below mindspore."""
    module, _, rest = path.partition(".")
    assert module == "mindspore"
    at, name = ms, "mindspore"
    for part in rest.split("."):
        name += "." + part
        try:
            at = getattr(at, part)
        except AttributeError:
            at = importlib.import_module(name)
    return at


def array(value):
    """The array of a tensor's description; bfloat16 in float32."""
    name = {"bfloat16": "float32", "bool": "bool_"}.get(value["t"], value["t"])
    kind = np.dtype(name)
    items = value["v"]
    if kind.kind == "c":
        items = [complex(float(re), float(im)) for re, im in items]
    elif kind.kind == "f":
        items = [float(x) for x in items]
    return np.array(items, dtype=kind).reshape(value["s"])


def decoded(value):
    """The value that a description means."""
    if isinstance(value, list):
        return [decoded(x) for x in value]
    if not isinstance(value, dict):
        return value
    if "t" in value:
        made = array(value)
        if value.get("n"):
            return made
        made = ms.Tensor(made, getattr(ms, {"bool": "bool_"}.get(value["t"], value["t"])))
        return ms.Parameter(made, name=value.get("name", "p")) if value.get("p") else made
    (kind, content), = [(k, v) for k, v in value.items() if k not in ("args", "kwargs")]
    if kind == "new":
        return found(content)(*decoded(value["args"]), **{k: decoded(v) for k, v in value["kwargs"].items()})
    return {"tuple": lambda: tuple(decoded(content)), "dtype": lambda: getattr(ms, content),
            "slice": lambda: slice(*content), "ref": lambda: found(content), "f": lambda: float(content),
            "c": lambda: complex(*content), "ellipsis": lambda: ...,
            "dict": lambda: {k: decoded(v) for k, v in content.items()}}[kind]()


def numbers(content):
    """Elements of an array for JSON: at most KEPT, at equal distances, and the size."""
    flat = np.asarray(content).ravel()
    if flat.size > KEPT:
        flat = flat[np.linspace(0, flat.size - 1, KEPT).astype(int)]
    if flat.dtype.kind == "c":
        flat = np.stack([flat.real, flat.imag], -1).ravel()
    if flat.dtype.kind in "SU":
        return [str(x) for x in flat]
    return [x if isinstance(x, (bool, int)) else short(x) for x in flat.tolist()]


def short(x):
    return float(f"{x:.9g}") if x == x and abs(x) != float("inf") else str(x)


def rounded(told, digits):
    """An outcome with fewer digits."""
    if isinstance(told, float):
        return float(f"{told:.{digits}g}")
    if isinstance(told, dict):
        return {k: rounded(v, digits) for k, v in told.items()}
    return [rounded(v, digits) for v in told] if isinstance(told, list) else told


def described(out):
    """What a result is, as JSON."""
    if isinstance(out, ms.Tensor):
        return tensor(out)
    if isinstance(out, (tuple, list)):
        return {type(out).__name__ if type(out) in (tuple, list) else "tuple": [described(x) for x in out]}
    if isinstance(out, dict):
        return {"dict": {str(k): described(v) for k, v in out.items()}}
    if isinstance(out, (np.ndarray, np.generic)):
        return {"n": str(out.dtype), "s": list(np.shape(out)), "v": numbers(out)}
    if type(out).__name__ == "TensorPy":         # a tensor of the original that its wrapper forgot
        return described(ms.Tensor(out))
    if isinstance(out, (type(ms.float32), type(ms.string))) or type(out).__module__.endswith("typing"):
        return {"dtype": str(out).lower().replace("[", "").replace("]", "")}
    if out is None or isinstance(out, (bool, int, str)):
        return out
    if isinstance(out, float):
        return {"float": short(out)}
    if isinstance(out, complex):
        return {"complex": [short(out.real), short(out.imag)]}
    return {"object": type(out).__name__}


def tensor(out):
    name = str(out.dtype).lower().replace("[", "").replace("]", "")
    try:
        content = out.asnumpy() if name != "bfloat16" else out.astype(ms.float32).asnumpy()
    except Exception as error:  # the result cannot be read, which is what is to be told
        return {"t": name, "s": list(out.shape), "v": f"unreadable: {type(error).__name__}"}
    return {"t": name, "s": list(out.shape), "v": numbers(content)}


def failed(error):
    """An error: the first class of Python's own, all of them, and the beginning of its words."""
    own = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    return {"error": own[0], "classes": own[:-2] if len(own) > 2 else own, "says": str(error)[:160]}
