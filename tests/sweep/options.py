"""Arguments that a call leaves out, each given once with what it may be and with what it may not.

What an argument may be is told by its name (`BY_NAME`) or else by its default.
"""
from __future__ import annotations

import copy
import inspect

import own
import values

BY_NAME = {
    "reduction": ("mean", "sum", "none", "x", None, 1),
    "pad_mode": ("same", "valid", "pad", "x", 1),
    "data_format": ("NCHW", "NHWC", "NCDHW", "x"),
    "weight_init": ("ones", "zeros", 0.5, "x", -1), "bias_init": ("ones", "zeros", 0.5, "x"),
    "gamma_init": ("zeros", 0.5, "x"), "beta_init": ("ones", 0.5, "x"),
    "moving_mean_init": ("ones", "x"), "moving_var_init": ("zeros", 2, "x"),
    "embedding_table": ("ones", "x", 1), "param_init": ("ones", "x"),
    "activation": ("relu", "sigmoid", "gelu", "x", 1), "approximate": (True, False, "tanh", "none", "x"),
    "nonlinearity": ("relu", "tanh", "x", 1), "mode": ("x", 1, None),
    "dtype": ({"dtype": "float16"}, {"dtype": "float64"}, {"dtype": "int32"}, {"dtype": "bfloat16"}, "x"),
    "padding": (0, 1, -1, "same", "valid", {"tuple": [1, 0]}, 1.5, None),
    "stride": (1, 2, 0, -1, {"tuple": [2, 1]}, 1.5, "x"),
    "dilation": (1, 2, 0, {"tuple": [2, 1]}, 1.5), "dilations": (1, 2, 0),
    "group": (1, 2, 0, 1.5, "x"), "groups": (1, 2, 0, 1.5), "output_padding": (0, 1, -1, "x"),
    "size": (4, {"tuple": [4, 6]}, 0, "x"), "scale_factor": (2.0, {"tuple": [2.0, 2.0]}, -1.0, "x"),
    "axis": (0, 1, -1, 9, None, {"tuple": [0, 1]}, {"tuple": []}, 1.5, "x"),
    "dim": (0, 1, -1, 9, None, {"tuple": [0, 1]}, {"tuple": []}, 1.5, "x"),
    "weight": (None, own.tensor("p3"), own.tensor("p4"), "x", 1.0), "pos_weight": (None, own.tensor("p3"), "x", 1.0),
    "bias": (None, True, False, own.tensor("f3"), own.tensor("f4"), "x"),
    "out": (None, own.tensor("f2x3"), 1), "where": (None, own.tensor("b2x3"), True), "initial": (None, 1.0, 2),
    "correction": (0, 1, 2, 9, -1, 1.5, True, "x"), "ddof": (0, 1, 2, 0.5, "x"), "p": (0, 1, 2, 0.5, -1, "x"),
    "ord": (None, 1, 2, -1, "fro", "nuc", "x", {"f": "inf"}), "norm": (None, "ortho", "forward", "backward", "x"),
    "n": (None, 2, 5, 0, -1, 1.5, "x"), "s": (None, {"tuple": [2, 2]}, {"tuple": [0]}), "k": (0, 1, -1, 9, 1.5, "x"),
    "rounding_mode": (None, "floor", "trunc", "x"), "alpha": (1, 2, 0.5, 0, -1, "x", True, None),
    "trans": (0, 1, 2, "N", "T", "C", "x", 5), "flags": (None, 1),
}
BY_KIND = {bool: (True, False, 2, "x", None), int: (0, 1, 2, -1, 1.5, "x", None, True),
           float: (0.5, 0.0, 1, -1.0, 2.5, "x", None), str: ("x", 1, None), type(None): (None, 1, 0.5, True, "x")}
UNUSED = {"self", "args", "kwargs", "auto_prefix"}


def parameters(api):
    """The parameters of a public object that may be given by name."""
    try:
        signature = inspect.signature(values.found(api))
    except ValueError:
        return {}
    return {name: p for name, p in signature.parameters.items()
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and name not in UNUSED}


def choices(name, default):
    """What an argument may and may not be."""
    if name in BY_NAME:
        return BY_NAME[name]
    return BY_KIND.get(type(default), BY_KIND[type(None)])


def of_options(call, extra=()):
    """The call with an argument more; `extra` are names that no signature tells, with their values."""
    key = "init" if call["how"] == "cell" else "kwargs"
    place, named = call["init"] if key == "init" else (call["args"], call["kwargs"])
    known = list(parameters(call["api"]).items())
    for number, (name, p) in enumerate(known):
        if number < len(place) or name in named or p.default is p.empty:
            continue
        yield from given(call, key, name, choices(name, p.default))
    for name, found in extra:
        if name not in named:
            yield from given(call, key, name, found)


def given(call, key, name, found):
    for value in found:
        made = copy.deepcopy(call)
        (made["init"][1] if key == "init" else made["kwargs"])[name] = copy.deepcopy(value)
        yield f"{name}:{brief(value)}", made


def brief(value):
    return f"{value['t']}{value['s']}" if isinstance(value, dict) and "t" in value else str(value)
