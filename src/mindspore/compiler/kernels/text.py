"""A builder of LLVM's text form with vectors of a given width.

Floating-point operations carry `contract` alone: NaN and infinities keep their meaning, and nothing is put into
another order than the one that is written.
"""
from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

_FLOATS = {"float", "double"}
_SUFFIX = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "i1": "i1", "i8": "i8", "i16": "i16",
           "i32": "i32", "i64": "i64"}
SIZES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8}


class Value:
    """A typed SSA value with Python's operators; a number beside it gets its type."""

    __slots__ = ("builder", "name", "type")

    def __init__(self, builder: Builder, name: str, type_: str):
        self.builder, self.name, self.type = builder, name, type_

    @property
    def vector(self) -> bool:
        """Whether it has several lanes."""
        return self.type.startswith("<")

    @property
    def scalar(self) -> str:
        """The type of a lane."""
        return self.type.split(" x ")[1][:-1] if self.vector else self.type

    @property
    def lanes(self) -> int:
        """How many lanes it has."""
        return int(self.type[1:].split(" ")[0]) if self.vector else 1

    def retyped(self, scalar: str) -> str:
        """The type of as many lanes of another type."""
        return f"<{self.lanes} x {scalar}>" if self.vector else scalar

    def _with(self, other: Any, floating: str, integer: str, swap: bool = False) -> Value:
        x, y = self.builder.alike(self, other)
        if swap:
            x, y = y, x
        word = f"{floating} contract" if x.scalar in _FLOATS else integer
        return self.builder.emit(f"{word} {x.type} {x.name}, {y.name}", x.type)

    def __add__(self, other: Any) -> Value:
        return self._with(other, "fadd", "add")

    def __radd__(self, other: Any) -> Value:
        return self._with(other, "fadd", "add", True)

    def __sub__(self, other: Any) -> Value:
        return self._with(other, "fsub", "sub")

    def __rsub__(self, other: Any) -> Value:
        return self._with(other, "fsub", "sub", True)

    def __mul__(self, other: Any) -> Value:
        return self._with(other, "fmul", "mul")

    def __rmul__(self, other: Any) -> Value:
        return self._with(other, "fmul", "mul", True)

    def __truediv__(self, other: Any) -> Value:
        return self._with(other, "fdiv", "sdiv")

    def __rtruediv__(self, other: Any) -> Value:
        return self._with(other, "fdiv", "sdiv", True)

    def __and__(self, other: Any) -> Value:
        return self._with(other, "", "and")

    def __or__(self, other: Any) -> Value:
        return self._with(other, "", "or")

    def __xor__(self, other: Any) -> Value:
        return self._with(other, "", "xor")

    def __lshift__(self, other: Any) -> Value:
        return self._with(other, "", "shl")

    def __rshift__(self, other: Any) -> Value:
        return self._with(other, "", "ashr")

    def __neg__(self) -> Value:
        return self.builder.emit(f"fneg {self.type} {self.name}", self.type)

    def compare(self, word: str, other: Any) -> Value:
        """A comparison by LLVM's word for it."""
        x, y = self.builder.alike(self, other)
        what = "fcmp" if x.scalar in _FLOATS else "icmp"
        return self.builder.emit(f"{what} {word} {x.type} {x.name}, {y.name}", x.retyped("i1"))

    def __lt__(self, other: Any) -> Value:
        return self.compare("olt" if self.scalar in _FLOATS else "slt", other)

    def __gt__(self, other: Any) -> Value:
        return self.compare("ogt" if self.scalar in _FLOATS else "sgt", other)


class Variable:
    """A place in the entry block, which LLVM turns into SSA values."""

    def __init__(self, builder: Builder, first: Value):
        self.builder, self.type, self.place = builder, first.type, builder.fresh()
        builder.places.append(f"{self.place} = alloca {self.type}")
        self.set(first)

    def get(self) -> Value:
        """Its value now."""
        return self.builder.emit(f"load {self.type}, ptr {self.place}", self.type)

    def set(self, value: Value) -> None:
        """Give it another value."""
        self.builder.line(f"store {value.type} {value.name}, ptr {self.place}")


class Module:
    """Functions, and what they declare.

    Args:
        width: How many float32 lanes a vector has.
    """

    def __init__(self, width: int):
        self.width = width
        self.declared: dict[str, str] = {}
        self.functions: dict[str, str] = {}

    def text(self) -> str:
        """The module as LLVM reads it."""
        return "\n".join([v for k, v in self.declared.items() if k not in self.functions]
                         + list(self.functions.values()))

    @contextmanager
    def function(self, name: str, parameters: Sequence[str], internal: bool = False) -> Generator[Builder]:
        """A function without a result; its body is written inside of the block."""
        b = Builder(self)
        b.args = [Value(b, f"%a{i}", p.split()[0]) for i, p in enumerate(parameters)]
        yield b
        head = (f"define {'internal ' if internal else ''}void @{name}("
                f"{', '.join(f'{p} %a{i}' for i, p in enumerate(parameters))}) nounwind "
                f'"prefer-vector-width"="{max(128, 32 * self.width)}" "no-trapping-math"="true" {{')
        self.functions[name] = "\n".join([head, "entry:", *b.places, "br label %body", "body:", *b.lines,
                                          "ret void", "}"])


class Builder:
    """Writes the body of a function.

    Attributes:
        args: Its parameters.
        places: Its allocations, all in the entry block.
    """

    def __init__(self, module: Module):
        self.module, self.width = module, module.width
        self.args: list[Value] = []
        self.lines: list[str] = []
        self.places: list[str] = []
        self.count = 0

    # ------------------------------------------------------------------ values

    def fresh(self, stem: str = "%t") -> str:
        """A new name."""
        self.count += 1
        return f"{stem}{self.count}"

    def line(self, text: str) -> None:
        """Append a line."""
        self.lines.append(text)

    def emit(self, text: str, type_: str) -> Value:
        """Append an instruction with a result."""
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return Value(self, name, type_)

    def vector_type(self, scalar: str) -> str:
        """The type of a vector of the kernel's width."""
        return f"<{self.width} x {scalar}>"

    def constant(self, x: Any, type_: str) -> Value:
        """A number, in all lanes."""
        vector = type_.startswith("<")
        scalar = type_.split(" x ")[1][:-1] if vector else type_
        if scalar in _FLOATS:                     # exactly: LLVM writes a float32 by the bits of the equal float64
            wide = struct.unpack("f", struct.pack("f", x))[0] if scalar == "float" else x
            text = f"0x{struct.unpack('<Q', struct.pack('<d', wide))[0]:016X}"
        elif scalar == "i1":
            text = "true" if x else "false"
        else:
            text = str(int(x))
        return Value(self, f"splat ({scalar} {text})" if vector else text, type_)

    def integer(self, x: Any) -> Value:
        """An int64, given as a number or already as a value."""
        return x if isinstance(x, Value) else Value(self, str(int(x)), "i64")

    def splat(self, value: Value, type_: str) -> Value:
        """A value in all lanes of a type."""
        if value.vector or not type_.startswith("<"):
            return value
        first = self.emit(f"insertelement {type_} poison, {value.type} {value.name}, i64 0", type_)
        lanes = first.lanes
        return self.emit(f"shufflevector {type_} {first.name}, {type_} poison, <{lanes} x i32> zeroinitializer", type_)

    def alike(self, x: Value, y: Any) -> tuple[Value, Value]:
        """Two operands with as many lanes."""
        y = y if isinstance(y, Value) else self.constant(y, x.type)
        if y.vector and not x.vector:
            x = self.splat(x, f"<{y.lanes} x {x.scalar}>")
        elif x.vector and not y.vector:
            y = self.splat(y, f"<{x.lanes} x {y.scalar}>")
        return x, y

    def intrinsic(self, name: str, *args: Value, flags: bool = True) -> Value:
        """A call of one of LLVM's own functions, whose result has the type of its operands."""
        type_ = args[0].type
        full = f"llvm.{name}.{self.suffix(args[0])}"
        self.module.declared[full] = f"declare {type_} @{full}({', '.join([type_] * len(args))})"
        given = ", ".join([f"{type_} {a.name}" for a in args])
        return self.emit(f"call {'contract ' if flags else ''}{type_} @{full}({given})", type_)

    def greatest(self, x: Value, y: Value) -> Value:
        """The greater of two, NaN if one is; of two zeros any."""
        name = f"llvm.maximum.{self.suffix(x)}"
        self.module.declared[name] = f"declare {x.type} @{name}({x.type}, {x.type})"
        return self.emit(f"call nsz contract {x.type} @{name}({x.type} {x.name}, {x.type} {y.name})", x.type)

    @staticmethod
    def suffix(value: Value) -> str:
        """What LLVM calls the type of a value in names."""
        return (f"v{value.lanes}" if value.vector else "") + _SUFFIX[value.scalar]

    def call(self, name: str, args: Sequence[Value], result: str = "void") -> Value:
        """A call of a function of this module, or of one that is found when the code is loaded."""
        given = ", ".join([f"{a.type} {a.name}" for a in args])
        self.module.declared.setdefault(name, f"declare {result} @{name}({', '.join([a.type for a in args])})")
        if result != "void":
            return self.emit(f"call {result} @{name}({given})", result)
        self.line(f"call void @{name}({given})")
        return Value(self, "", "void")

    # ------------------------------------------------------------------ floating point

    def fma(self, x: Any, y: Any, z: Any) -> Value:
        """x * y + z, rounded once."""
        like = max([v for v in (x, y, z) if isinstance(v, Value)], key=lambda v: v.lanes)
        x, y, z = [self.alike(like, v)[1] for v in (x, y, z)]
        return self.intrinsic("fma", x, y, z, flags=False)

    def select(self, condition: Value, x: Any, y: Any) -> Value:
        """x where the condition holds, else y."""
        like = x if isinstance(x, Value) else y
        type_ = f"<{condition.lanes} x {like.scalar}>" if condition.vector else like.type
        x, y = [self.splat(v if isinstance(v, Value) else self.constant(v, like.type), type_) for v in (x, y)]
        x, y = self.alike(x, y)
        if x.vector and not condition.vector:
            condition = self.splat(condition, x.retyped("i1"))
        return self.emit(f"select {condition.type} {condition.name}, {x.type} {x.name}, {y.type} {y.name}", x.type)

    def bitcast(self, value: Value, scalar: str) -> Value:
        """The same bits as another type."""
        return self.cast("bitcast", value, scalar)

    def cast(self, word: str, value: Value, scalar: str) -> Value:
        """A conversion by LLVM's word for it."""
        to = value.retyped(scalar)
        return self.emit(f"{word} {value.type} {value.name} to {to}", to)

    def across(self, word: str, value: Value) -> Value:
        """All lanes of a vector as one: their "sum", in any order, their "max" or their "min" (of zeros any)."""
        if not value.vector:
            return value
        one, floating = value.scalar, value.scalar in _FLOATS
        what = {"sum": "fadd", "max": "fmaximum", "min": "fminimum"}[word] if floating else {
            "sum": "add", "max": "smax", "min": "smin"}[word]
        name = f"llvm.vector.reduce.{what}.{self.suffix(value)}"
        if what == "fadd":
            self.module.declared[name] = f"declare {one} @{name}({one}, {value.type})"
            return self.emit(f"call reassoc {one} @{name}({one} 0.0, {value.type} {value.name})", one)
        self.module.declared[name] = f"declare {one} @{name}({value.type})"
        return self.emit(f"call {'nsz ' if floating else ''}{one} @{name}({value.type} {value.name})", one)

    # ------------------------------------------------------------------ memory

    def address(self, pointer: Value, index: Any, scalar: str) -> Value:
        """The place of an element."""
        return self.emit(f"getelementptr inbounds {scalar}, ptr {pointer.name}, i64 {self.integer(index).name}", "ptr")

    def load(self, pointer: Value, index: Any, scalar: str = "float", mask: Value | None = None,
             one: bool = False) -> Value:
        """A vector of elements, or `one`; lanes outside of the mask are 0."""
        place = self.address(pointer, index, scalar)
        type_ = scalar if one else self.vector_type(scalar)
        if mask is None or one:
            return self.emit(f"load {type_}, ptr {place.name}, align {SIZES[scalar]}", type_)
        name = f"llvm.masked.load.v{self.width}{_SUFFIX[scalar]}.p0"
        self.module.declared[name] = f"declare {type_} @{name}(ptr, {mask.type}, {type_})"
        return self.emit(f"call {type_} @{name}(ptr align {SIZES[scalar]} {place.name}, {mask.type} {mask.name}, "
                         f"{type_} zeroinitializer)", type_)

    def store(self, value: Value, pointer: Value, index: Any, scalar: str = "float", mask: Value | None = None) -> None:
        """Write a vector, or one element."""
        place = self.address(pointer, index, scalar)
        if mask is None or not value.vector:
            self.line(f"store {value.type} {value.name}, ptr {place.name}, align {SIZES[scalar]}")
            return
        name = f"llvm.masked.store.v{self.width}{_SUFFIX[scalar]}.p0"
        self.module.declared[name] = f"declare void @{name}({value.type}, ptr, {mask.type})"
        self.line(f"call void @{name}({value.type} {value.name}, ptr align {SIZES[scalar]} {place.name}, "
                  f"{mask.type} {mask.name})")

    # ------------------------------------------------------------------ control flow

    def variable(self, first: Value) -> Variable:
        """A value that changes."""
        return Variable(self, first)

    @contextmanager
    def loop(self, start: Any, stop: Any, step: int = 1) -> Generator[Value]:
        """for i in range(start, stop, step), of int64."""
        i, stop, k = self.variable(self.integer(start)), self.integer(stop), self.fresh("L")
        self.line(f"br label %{k}.c")
        self.line(f"{k}.c:")
        now = i.get()
        self.line(f"br i1 {(now < stop).name}, label %{k}.b, label %{k}.e")
        self.line(f"{k}.b:")
        yield now
        i.set(self.emit(f"add nuw nsw i64 {now.name}, {step}", "i64"))
        self.line(f"br label %{k}.c")
        self.line(f"{k}.e:")

    @contextmanager
    def when(self, condition: Value) -> Generator[None]:
        """if condition."""
        k = self.fresh("I")
        self.line(f"br i1 {condition.name}, label %{k}.t, label %{k}.e")
        self.line(f"{k}.t:")
        yield
        self.line(f"br label %{k}.e")
        self.line(f"{k}.e:")

    def lane_numbers(self, scalar: str) -> Value:
        """0, 1, 2, ... in the lanes."""
        return Value(self, f"<{', '.join([f'{scalar} {i}' for i in range(self.width)])}>", self.vector_type(scalar))

    def lanes_below(self, count: Any) -> Value:
        """The mask of the first lanes."""
        if isinstance(count, Value):
            few = self.cast("trunc", count, "i32")
            return self.lane_numbers("i32").compare("slt", self.splat(few, self.vector_type("i32")))
        return Value(self, f"<{', '.join(['i1 true' if i < count else 'i1 false' for i in range(self.width)])}>",
                     self.vector_type("i1"))

    def columns(self, count: Any, body: Callable[[Value, Value | None, int], None], unroll: int = 1) -> None:
        """Vectors over 0 .. count, `unroll` of them at a time, then single ones, then a masked rest.

        Args:
            count: A number, or a value of int64.
            body: Is told the first column, the mask, and which of the unrolled vectors it is.
        """
        width, step = self.width, self.width * unroll
        known = not isinstance(count, Value)
        main = count // step * step if known else count & self.integer(-step)
        whole = count // width * width if known else count & self.integer(-width)
        if not known or main:
            with self.loop(0, main, step) as i:
                for u in range(unroll):
                    body(i + u * width if u else i, None, u)
        if unroll > 1 and (not known or whole > main):
            with self.loop(main, whole, width) as i:
                body(i, None, 0)
        if known:
            if count > whole:
                body(self.integer(whole), self.lanes_below(count - whole), 0)
            return
        rest = count & self.integer(width - 1)
        with self.when(rest > 0):
            body(whole, self.lanes_below(rest), 0)
