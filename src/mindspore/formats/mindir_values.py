"""Values in MindIR files: attributes and constants in both encodings."""
from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from mindspore.formats.array import NUMPY, StoredArray

TYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool_",
         10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
         17: "float64"}
NUMBERS = {name: number for number, name in TYPES.items() if number != 17}
_INTEGERS = {3: "int8", 5: "int16", 6: "int32", 7: "int64", 2: "uint8", 4: "uint16", 12: "uint32", 13: "uint64"}
_FLOAT, _STRING, _BOOL, _DOUBLE = 1, 8, 9, 11
_TENSORS, _TUPLE, _LIST, _DICT, _UMONAD, _IOMONAD, _NONE = 19, 20, 21, 22, 23, 24, 25
_VALUE = re.compile(r"value(\d+)")
_DEEPEST = 50


class Invalid(Exception):
    """What is wrong in a file; the reader adds which file."""


class ElementType(NamedTuple):
    """A dtype as a value."""

    name: str


class Monad:
    """The order of effects: a value that says nothing else."""


MONAD = Monad()


def stored(tensor: Any, data: Any = None) -> StoredArray:
    """A tensor of the file, with `data` in place of its own bytes.

    Raises:
        Invalid: The bytes are not those of its shape and type, or compressed.
    """
    if tensor.data_type not in TYPES:
        raise Invalid(f"the tensor '{tensor.name}' has the unknown type {tensor.data_type}")
    if tensor.compression_type:
        raise Invalid(f"the tensor '{tensor.name}' is compressed, which is not supported")
    name, shape = TYPES[tensor.data_type], tuple(tensor.dims)
    if any(n < 0 for n in shape):
        raise Invalid(f"the tensor '{tensor.name}' has the shape {shape}")
    content = memoryview(tensor.raw_data if data is None else data)
    if data is None and not content:
        content = _listed(tensor, name)
    array = StoredArray(name, shape, content)
    if array.nbytes != len(content):
        raise Invalid(f"the tensor '{tensor.name}' of the shape {shape} has {len(content)} bytes")
    return array


def _listed(tensor: Any, name: str) -> memoryview:
    """The bytes of a tensor whose elements stand in a list."""
    for field in ("float_data", "int32_data", "int64_data", "double_data", "uint64_data"):
        if values := getattr(tensor, field):
            try:
                return memoryview(np.array(values).astype(NUMPY[name]).tobytes())
            except (OverflowError, ValueError) as error:
                raise Invalid(f"the tensor '{tensor.name}' has a wrong element: {error}") from None
    return memoryview(b"")


def attribute_value(attribute: Any) -> Any:
    """The value of an attribute: plain Python, a `StoredArray`, an `ElementType` or `MONAD`.

    Raises:
        Invalid: It has no value that is known.
    """
    if attribute.ref_attr_name:
        return _Old(attribute).value()
    return _typed(attribute)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Invalid("a text is not in UTF-8") from None


def _typed(a: Any, inside: bool = False, depth: int = 0) -> Any:
    """A value that says its type; inside of a sequence numbers stand in the lists."""
    if depth > _DEEPEST:
        raise Invalid("values are nested too deeply")
    kind = a.type

    def one(single: str, several: str) -> Any:
        many = getattr(a, several)
        return many[0] if inside and many else getattr(a, single)
    if kind in _INTEGERS:
        value = one("i", "ints")
        return value + 2**64 if kind == 13 and value < 0 else value
    if kind in _SCALARS:
        single, several, make = _SCALARS[kind]
        return make(one(single, several))
    if kind in (_TUPLE, _LIST):
        return (tuple if kind == _TUPLE else list)([_typed(v, True, depth + 1) for v in a.values])
    if kind == _DICT:
        if any(not v.values for v in a.values):
            raise Invalid(f"an item of the attribute '{a.name}' has no value")
        return {v.name: _typed(v.values[0], True, depth + 1) for v in a.values}
    if kind == _TENSORS and a.tensors:
        return _tensor(a.tensors[0])
    if kind in (_UMONAD, _IOMONAD):
        return MONAD
    if kind == _NONE:
        return None
    raise Invalid(f"the value '{a.name}' has the type {kind}, which is not known")


_SCALARS = {_BOOL: ("i", "ints", bool), _FLOAT: ("f", "floats", float), _DOUBLE: ("d", "doubles", float),
            _STRING: ("s", "strings", _text)}


def _tensor(t: Any) -> Any:
    """A tensor, or the dtype that one without elements represents."""
    if not t.raw_data and not t.dims and t.data_type in TYPES:
        return ElementType(TYPES[t.data_type])
    return stored(t)


class _Old:
    """A value of the encoding before 1.7, whose form is a text."""

    def __init__(self, attribute: Any):
        self.a = attribute
        self.form, _, self.rest = attribute.ref_attr_name.partition(":")

    def value(self) -> Any:
        a, form = self.a, self.form
        if form == "none":
            return None
        if form == "Monad":
            return MONAD
        if form == "type" and a.tensors and a.tensors[0].data_type in TYPES:
            return ElementType(TYPES[a.tensors[0].data_type])
        if form == "tensor" and a.tensors:
            return stored(a.tensors[0])
        if form == "scalar":
            if self.rest.startswith(("Tuple[", "List[")):
                return self.sequence(self.rest, 0, 0)[0]
            return self.single()
        raise Invalid(f"the attribute '{a.name}' has the form '{a.ref_attr_name}', which is not known")

    def single(self) -> Any:
        a = self.a
        if a.type in _INTEGERS:
            return a.i
        if a.type in _SCALARS:
            single, _, make = _SCALARS[a.type]
            return make(getattr(a, single))
        raise Invalid(f"the attribute '{a.name}' has the type {a.type}, which is not known")

    def element(self, index: int) -> Any:
        """The index-th value of a sequence, from 1 on."""
        a = self.a
        for values, make in ((a.ints, bool if a.type == _BOOL else int), (a.floats, float), (a.doubles, float),
                             (a.strings, _text), (a.tensors, _tensor)):
            if values:
                if not 0 < index <= len(values):
                    break
                return make(values[index - 1])
        raise Invalid(f"the attribute '{a.name}' has no value {index}")

    def sequence(self, text: str, at: int, depth: int) -> tuple[Any, int]:
        """The sequence whose description starts there, and where it ends."""
        if depth > _DEEPEST:
            raise Invalid("values are nested too deeply")
        make = tuple if text.startswith("Tuple[", at) else list
        at = text.index("[", at) + 1
        found = []
        while not text.startswith("]", at):
            if text.startswith(("Tuple[", "List["), at):
                item, at = self.sequence(text, at, depth + 1)
            elif match := _VALUE.match(text, at):
                item, at = self.element(int(match[1])), match.end()
            else:
                raise Invalid(f"the attribute '{self.a.name}' has the form '{text}', which is not known")
            found.append(item)
            at += text.startswith(",", at)
        return make(found), at + 1
