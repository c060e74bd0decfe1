"""What is made of a call: the same with other dtypes, shapes, numbers and wrong arguments."""
from __future__ import annotations

import copy
import math

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64", "complex64", "complex128")
PAIRS = (("int32", "float32"), ("float16", "float32"), ("uint8", "int8"), ("bool", "int32"), ("int64", "float16"),
         ("bfloat16", "float16"), ("float32", "float64"), ("complex64", "float64"), ("uint64", "int64"),
         ("int16", "bfloat16"), ("float32", "bool"), ("uint32", "int32"))
FLOATS = "float16", "bfloat16", "float32", "float64"
WRONG = None, "x", 2, 2.5, True, [1, 2], {"tuple": []}
NUMBERS = -1, 0, 1, -2, 99, 1.0, 0.5, True, None, "x", {"tuple": [0, 1]}, {"tuple": []}, [0]
EDGES = {"float16": 65504.0, "bfloat16": 3e38, "float32": 3e38, "float64": 1e308}


def leaves(value, path=()):
    """Paths and descriptions of the tensors in a value."""
    if isinstance(value, dict) and "t" in value:
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for key, item in enumerate(value):
            yield from leaves(item, (*path, key))


def at(call, path):
    for key in path:
        call = call[key]
    return call


def put(call, path, value):
    """A copy of a call with another value at a path."""
    call = copy.deepcopy(call)
    at(call, path[:-1])[path[-1]] = value
    return call


def kind(dtype):
    return "float" if dtype in FLOATS else "complex" if dtype.startswith("complex") else \
        "bool" if dtype == "bool" else "int"


def real(x):
    return float(x[0]) if isinstance(x, list) else float(x)


def whole(x):
    x = real(x)
    return 0 if not math.isfinite(x) else round(x * 3) if x != int(x) else int(x)


def cast(value, dtype):
    """A tensor's description in another dtype: fractions become whole numbers, without signs for unsigned ones."""
    to, items = kind(dtype), value["v"]
    if kind(value["t"]) == to and not dtype.startswith("u") and (
            to != "int" or dtype != "int8" or all(-128 <= x < 128 for x in items)):
        made = items
    elif to == "bool":
        made = [real(x) > 0 for x in items]
    elif to == "int":
        made = [whole(x) for x in items]
        made = [abs(x) % 128 for x in made] if dtype.startswith("u") else [max(-128, min(127, x)) for x in made]
    elif to == "complex":
        made = [[real(x), real(y) / 2] for x, y in zip(items, reversed(items), strict=True)]
    else:
        made = [real(x) for x in items]
    return {**value, "t": dtype, "v": made}


def all_cast(call, paths, dtype):
    call = copy.deepcopy(call)
    for path in paths:
        at(call, path[:-1])[path[-1]] = cast(at(call, path), dtype)
    return call


def grouped(call):
    """The tensors whose dtype is varied, and the others: floats before ints."""
    found = [(("args", *p), v) for p, v in leaves(call["args"])] + \
        [(("kwargs", *p), v) for p, v in leaves(call.get("kwargs", {}))]
    if not found:
        return [], []
    kinds = [kind(v["t"]) for _, v in found]
    main = next(k for k in ("float", "complex", "int", "bool") if k in kinds)
    return [p for (p, _), k in zip(found, kinds, strict=True) if k == main], \
        [p for (p, _), k in zip(found, kinds, strict=True) if k != main]


def of_dtypes(call):
    main, rest = grouped(call)
    if not main:
        return
    have = {at(call, p)["t"] for p in main}
    for dtype in DTYPES:
        if have != {dtype}:
            yield dtype, all_cast(call, main, dtype)
    if len(main) > 1:
        for one, two in PAIRS:
            for first, second in ((one, two), (two, one)):
                yield f"{first}+{second}", all_cast(all_cast(call, main[:1], first), main[1:], second)
    for dtype in ("int32", "int64", "uint8", "int16", "float32") if rest else ():
        if {at(call, p)["t"] for p in rest} != {dtype}:
            yield f"others {dtype}", all_cast(call, rest, dtype)


def reshaped(value, shape):
    size = math.prod(shape)
    items = value["v"] or [1]
    return {**value, "s": list(shape), "v": [items[k % len(items)] for k in range(size)]}


def of_shapes(call):
    main, rest = grouped(call)
    paths = main + rest
    if not paths:
        return
    changed = {"0-d": lambda s: (), "empty": lambda s: (0, *s[1:]), "empty last": lambda s: (*s[:-1], 0),
               "one more": lambda s: (*s, 2), "1-d": lambda s: (3,)}
    for name, change in changed.items():
        made = copy.deepcopy(call)
        for path in paths if name in ("0-d", "empty") else main:
            value = at(made, path)
            at(made, path[:-1])[path[-1]] = reshaped(value, change(tuple(value["s"])))
        yield name, made
    if len(main) > 1:
        value = at(call, main[1])
        yield "second of 3x1", put(call, main[1], reshaped(value, (3, 1)))
        yield "second of 7", put(call, main[1], reshaped(value, (7,)))


def of_numbers(call):
    """Elements that are not finite or at the edge of their type."""
    main, _ = grouped(call)
    for path in main[:2]:
        value = at(call, path)
        if kind(value["t"]) == "float" and len(value["v"]) > 1:
            edge = EDGES[value["t"]]
            odd = ["nan", "inf", "-inf", -0.0, edge, -edge, 0.0]
            yield f"odd {path[-1]}", put(call, path, {**value, "v": (odd + value["v"][7:])[:len(value["v"])]})
            yield f"zeros {path[-1]}", put(call, path, {**value, "v": [0.0] * len(value["v"])})
            for dtype in ("float16", "float64"):
                edge = EDGES[dtype]
                odd = ["nan", "inf", "-inf", -0.0, edge, -edge, 0.0]
                made = put(all_cast(call, main, dtype), path, {
                    **value, "t": dtype, "v": (odd + value["v"][7:])[:len(value["v"])]})
                yield f"odd {dtype} {path[-1]}", made
        for dtype, low, high in (("int8", -128, 127), ("int32", -2**31, 2**31 - 1), ("int64", -2**63, 2**63 - 1),
                                 ("uint8", 0, 255), ("uint32", 0, 2**32 - 1), ("uint64", 0, 2**64 - 1)):
            made = all_cast(call, main, dtype)
            items = at(made, path)["v"]
            odd = [low, high, low + 1, high - 1, 0, 7]
            yield f"ends {dtype} {path[-1]}", put(made, path, {**at(made, path), "v": (odd + items[6:])[:len(items)]})


def slots(call):
    """Paths of all arguments that stand by themselves."""
    for key in range(len(call["args"])):
        yield ("args", key)
    for key in call.get("kwargs", {}):
        yield ("kwargs", key)
    init = call.get("init", [[], {}])
    for key in range(len(init[0])):
        yield ("init", 0, key)
    for key in init[1]:
        yield ("init", 1, key)


def of_arguments(call):
    """Other numbers where numbers stand, and arguments of wrong kinds."""
    for path in slots(call):
        if call["how"] in ("method", "property") and path == ("args", 0):
            continue
        value = at(call, path)
        tensor = isinstance(value, dict) and "t" in value
        for other in WRONG if tensor else NUMBERS:
            if type(other) is not type(value) or other != value:
                yield f"{path[-1]}={other}", put(call, path, copy.deepcopy(other))


def made_of(call, dtypes=True):
    """All variants of a call, by name; the call itself is named ''."""
    yield "", call
    if dtypes:
        yield from of_dtypes(call)
        yield from of_shapes(call)
        yield from of_numbers(call)
    yield from of_arguments(call)
