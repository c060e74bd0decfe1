"""Scalar words in LLVM's text, of one lane or of a vector's lanes, and the types of memory and of computing.

The 16-bit floats are computed as float32 and rounded when they are stored or cast.  Division of whole numbers rounds
down, as Python's does; by 0 it gives 0, as NumPy's does.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..mathematics import FUNCTIONS
from ..text import Builder, Value
from . import tree

MEMORY = {"float16": "half", "bfloat16": "i16", "float32": "float", "float64": "double", "int8": "i8", "uint8": "i8",
          "int16": "i16", "int32": "i32", "int64": "i64", "bool": "i8"}
COMPUTED = {**MEMORY, "float16": "float", "bfloat16": "float", "bool": "i1"}
_UNSIGNED = ("uint8", "bool")
_INTRINSICS = {"floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "roundeven", "sqrt": "sqrt"}
_COMPARED = {"eq": ("oeq", "eq"), "ne": ("une", "ne"), "lt": ("olt", "slt"), "le": ("ole", "sle"), "gt": ("ogt", "sgt"),
             "ge": ("oge", "sge")}
LIBRARY = {"exp": "exp", "expm1": "expm1", "log": "log", "tanh": "tanh", "erf": "erf", "sin": "sin", "cos": "cos",
           "atan": "atan", "atan2": "atan2", "power": "pow"}          # what the C library has for both floats
COSTLY = {*LIBRARY, "sigmoid", "rsqrt", "sqrt", "div"}


def by_lanes(v: tree.Value) -> bool:
    """Whether a word is a call of the C library for each lane, so that vectors bring nothing."""
    word, single = v.word, v.dtype != "float64"
    return (word in LIBRARY and not (single and word in FUNCTIONS)) or (word == "mod" and v.dtype in tree.FLOATS) or (
        word == "sigmoid" and not single)


def widened(b: Builder, value: Value, dtype: str) -> Value:
    """What was loaded, in the form that is computed with."""
    if dtype == "bool":
        return value.compare("ne", 0)
    if dtype == "bfloat16":
        return b.bitcast(b.cast("zext", value, "i32") << 16, "float")
    return b.cast("fpext", value, "float") if dtype == "float16" else value


def narrowed(b: Builder, value: Value, dtype: str) -> Value:
    """What was computed, in the form that is stored."""
    if dtype == "bool":
        return b.cast("zext", value, "i8")
    if dtype == "bfloat16":                   # to the nearest, ties to even; no instruction for it is needed
        bits = b.bitcast(value, "i32")
        upper = b.emit(f"lshr {bits.type} {bits.name}, {b.constant(16, bits.type).name}", bits.type)
        rounded = bits + (upper & 1) + 0x7FFF
        rounded = b.select(value.compare("uno", value), 0x7FC00000, rounded)
        return b.cast("trunc", rounded >> 16, "i16")
    return b.cast("fptrunc", value, "half") if dtype == "float16" else value


def converted(b: Builder, value: Value, before: str, after: str) -> Value:
    """A cast; floats that an integer cannot hold give its bounds, NaN gives 0."""
    source, target = COMPUTED[before], COMPUTED[after]
    if after in tree.FLOATS:
        if before in tree.FLOATS:
            if source != target:
                value = b.cast("fpext" if target == "double" else "fptrunc", value, target)
            return widened(b, narrowed(b, value, after), after)
        return b.cast("uitofp" if before in _UNSIGNED else "sitofp", value, target)
    if before in tree.FLOATS:
        name = f"llvm.fpto{'ui' if after in _UNSIGNED else 'si'}.sat"
        to = value.retyped(target)
        full = f"{name}.{b.suffix(Value(b, '', to))}.{b.suffix(value)}"
        b.module.declared[full] = f"declare {to} @{full}({value.type})"
        return b.emit(f"call {to} @{full}({value.type} {value.name})", to)
    wide = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
    if wide[source] == wide[target]:
        return value
    if wide[source] > wide[target]:
        return b.cast("trunc", value, target)
    return b.cast("zext" if before in _UNSIGNED else "sext", value, target)


def computed(b: Builder, word: str, dtype: str, args: Sequence[Value]) -> Value:
    """A word; `dtype` is that of its operands."""
    x, floating = args[0], dtype in tree.FLOATS
    if word in _COMPARED:
        name = _COMPARED[word][not floating]
        return x.compare("u" + name[1:] if dtype in _UNSIGNED and name[0] == "s" else name, args[1])
    if word == "not":
        return x ^ b.constant(1, x.type)
    if word == "where":
        return b.select(*args)
    simple: dict[str, Callable[..., Any]] = {
        "add": lambda: x + args[1], "sub": lambda: x - args[1], "mul": lambda: x * args[1],
        "div": lambda: x / args[1], "neg": lambda: -x if floating else b.constant(0, x.type) - x,
        "and": lambda: x & args[1], "or": lambda: x | args[1],
        "max": lambda: b.select(_less(b, dtype, x, args[1]), args[1], x),
        "min": lambda: b.select(_less(b, dtype, args[1], x), args[1], x)}
    if word in simple:
        return simple[word]()
    if word in ("floordiv", "mod"):
        return _divided(b, word, dtype, *args)
    if word in ("abs", "sign"):
        return _absolute(b, word, x, floating)
    if word.startswith("is"):
        infinite = b.constant(float("inf"), x.type)
        size = b.intrinsic("fabs", x)
        return (x.compare("uno", x) if word == "isnan" else
                size.compare("oeq" if word == "isinf" else "olt", infinite))
    if word in _INTRINSICS:
        return b.intrinsic(_INTRINSICS[word], x)
    if word == "rsqrt":
        return 1.0 / b.intrinsic("sqrt", x)
    if word in FUNCTIONS and x.scalar == "float":
        return FUNCTIONS[word](b, x)
    if word == "sigmoid":
        return 1.0 / (computed(b, "exp", dtype, [-x]) + 1.0)
    return called(b, LIBRARY[word] + ("f" if x.scalar == "float" else ""), args)


def _less(b: Builder, dtype: str, x: Value, y: Value) -> Value:
    return computed(b, "lt", dtype, [x, y])


def _absolute(b: Builder, word: str, x: Value, floating: bool) -> Value:
    zero, one = b.constant(0, x.type), b.constant(1, x.type)
    negative = x < zero
    if word == "abs":
        return b.intrinsic("fabs", x) if floating else b.select(negative, zero - x, x)
    minus = b.constant(-1, x.type)
    return b.select(negative, minus, b.select(x > zero, one, x))


def _divided(b: Builder, word: str, dtype: str, x: Value, y: Value) -> Value:
    x, y = b.alike(x, y)
    if dtype in tree.FLOATS:
        if word == "floordiv":
            return b.intrinsic("floor", x / y)
        rest = b.emit(f"frem {x.type} {x.name}, {y.name}", x.type)
        zero = b.constant(0.0, x.type)
        other = (rest < zero) ^ (y < zero)
        return b.select(other & rest.compare("one", zero), rest + y, rest)
    zero, one = b.constant(0, x.type), b.constant(1, x.type)
    sign = "u" if dtype in _UNSIGNED else "s"
    if y.name.removeprefix(f"splat ({y.scalar} ").rstrip(")").isdigit() and y.name not in ("0",):
        safe, nothing, opposite = y, None, None
    else:
        nothing = y.compare("eq", zero)
        opposite = y.compare("eq", b.constant(-1, y.type)) if sign == "s" else nothing
        safe = b.select(nothing | opposite, one, y)
    quotient = b.emit(f"{sign}div {x.type} {x.name}, {safe.name}", x.type)
    rest = x - quotient * safe
    if sign == "s":
        below = ((rest ^ safe) < zero) & rest.compare("ne", zero)
        quotient, rest = quotient - b.select(below, one, zero), b.select(below, rest + safe, rest)
    if word == "mod":
        return rest
    if nothing is not None and opposite is not None:
        if sign == "s":
            quotient = b.select(opposite, zero - x, quotient)
        quotient = b.select(nothing, zero, quotient)
    return quotient


def called(b: Builder, name: str, args: Sequence[Value]) -> Value:
    """A function of the C library, lane by lane."""
    if not any(a.vector for a in args):
        return b.call(name, args, args[0].type)
    wide = next(a for a in args if a.vector)
    lanes = [b.splat(a, wide.type) for a in args]
    found = Value(b, "poison", wide.type)
    for k in range(wide.lanes):
        one = [b.emit(f"extractelement {a.type} {a.name}, i64 {k}", a.scalar) for a in lanes]
        result = b.call(name, one, wide.scalar)
        found = b.emit(f"insertelement {wide.type} {found.name}, {result.type} {result.name}, i64 {k}", wide.type)
    return found
