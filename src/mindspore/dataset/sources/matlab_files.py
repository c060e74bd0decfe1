"""MATLAB files of version 5, as far as data sets need them. SciPy reads them, once their structure was looked at.

SciPy's reader believes what such files say about themselves and may end the process if they are damaged. So everything
that it relies on is compared with the bytes before: types, lengths, axes, and the indices of sparse matrices.

Source: MATLAB's description of the MAT-file format. A header of 128 bytes, then elements: a type and a length of four
bytes each (of two bytes each for up to four bytes of content), the content, padding to eight bytes. A matrix is an
element that consists of elements: flags, lengths of the axes, name, and the content or further matrices.
"""

from __future__ import annotations

import importlib
import io
import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

_HEADER = 128
_MATRIX, _COMPRESSED = 14, 15
_SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8, 16: 1, 17: 2, 18: 4}  # of types of numbers
_CELL, _STRUCT, _CHAR, _SPARSE = 1, 2, 4, 5  # classes of matrices; those from 6 on hold numbers
_NUMBERS = range(6, 16)
_DEEPEST = 32
_MOST, _TIMES = 2**26, 20  # unpacked, a file may have so many bytes, or so many times those that it has
_DAMAGE = (ValueError, TypeError, LookupError, OSError, EOFError, ArithmeticError, NotImplementedError, zlib.error)

Element = tuple[int, memoryview]


def matlab(source: Any, path: str, *names: str) -> list[Any]:
    """Variables of a MATLAB file.

    Args:
        source: What reads: it gives the `content` of a file and makes an `error`.
        path: The file.
        names: The variables.

    Raises:
        PipelineError: The file is missing, damaged, of another version, or has no such variables.
    """
    reader = importlib.import_module("scipy.io")  # for these few sources only
    content = source.content(path)  # a clear error for a missing file
    try:
        found = reader.loadmat(io.BytesIO(_checked(memoryview(content))))
        return [found[name] for name in names]
    except (*_DAMAGE, reader.matlab.MatReadError) as error:
        raise source.error(
            f"the file '{path}' of {len(content)} bytes must be a MATLAB file of version 5 with {names}: {error}"
        ) from None


def _checked(content: memoryview) -> bytes:
    """The content of a file with its variables unpacked, whose structure is sound."""
    order = {b"IM": "<", b"MI": ">"}.get(bytes(content[126:128]))
    if order is None or np.frombuffer(content[124:126], f"{order}u2")[0] != 0x100:
        raise ValueError("it does not have the header of such a file")
    parts = [bytes(content[:_HEADER])]
    at, free = _HEADER, max(_MOST, _TIMES * len(content))
    while at < len(content):
        kind, length = _head(content, at, order)
        body = content[at + 8 : at + 8 + length]
        if len(body) < length:
            raise ValueError(f"it is cut off in the variable at byte {at}")
        if kind == _COMPRESSED:
            unpacked = memoryview(_unpacked(body, free))
            free -= len(unpacked)
            parts.append(bytes(unpacked))
            kind, length = _head(unpacked, 0, order)
            body = unpacked[8 : 8 + length]
            if len(unpacked) != 8 + length:
                raise ValueError(f"the length of the variable at byte {at} is wrong")
        else:
            parts.append(bytes(content[at : at + 8 + length]))
        if kind != _MATRIX:
            raise ValueError(f"there is no variable at byte {at}")
        _check_matrix(body, order, 0)
        at = at + 8 + len(content[at + 8 : at + 8 + _head(content, at, order)[1]])
    return b"".join(parts)


def _unpacked(content: memoryview, most: int) -> bytes:
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(content, most + 1)
    if len(found) > most:
        raise ValueError("what it unpacks to is far larger than the file")
    if not unpacker.eof:
        raise ValueError("a variable is cut off")
    return found


def _head(content: memoryview, at: int, order: str) -> tuple[int, int]:
    if at + 8 > len(content):
        raise ValueError(f"it is cut off at byte {at}")
    kind, length = np.frombuffer(content[at : at + 8], f"{order}u4").tolist()
    return kind, length


def _elements(content: memoryview, order: str) -> Iterator[Element]:
    """Type and content of the elements of a matrix."""
    at = 0
    while at < len(content):
        kind, length = _head(content, at, order)
        if kind >> 16:  # type and length in the first four bytes, the content in the next
            kind, length, start, following = kind & 0xFFFF, kind >> 16, at + 4, at + 8
            if length > 4:
                raise ValueError("a short element is too long")
        else:
            start, following = at + 8, at + 8 + -(-length // 8) * 8
        if start + length > len(content):
            raise ValueError("an element is longer than its matrix")
        yield kind, content[start : start + length]
        at = following


def _check_matrix(content: memoryview, order: str, depth: int) -> None:
    """Compare what a matrix says about itself with its content."""
    if not len(content) and depth:
        return  # an empty matrix in a cell or a field
    if depth > _DEEPEST:
        raise ValueError("its variables are nested too deeply")
    elements = _elements(content, order)
    flags = _numbers(next(elements, None), order, 6)
    axes = _numbers(next(elements, None), order, 5)
    if len(flags) != 2 or len(axes) < 2 or min(axes) < 0:
        raise ValueError("a matrix has wrong flags or axes")
    _numbers(next(elements, None), order, 1)  # its name
    what, is_complex, count = flags[0] & 255, bool(flags[0] & 0x800), math.prod(axes)
    rest = list(elements)
    if what in (_CELL, _STRUCT):
        if what == _STRUCT:
            count *= _fields(rest, order)
        if count != len(rest) or math.prod(axes) > len(content):
            raise ValueError("the number of the cells or fields of a matrix is wrong")
        for part in rest:
            _check_matrix(_of_kind(part, _MATRIX), order, depth + 1)
        return
    if what == _SPARSE:
        count = _check_sparse(rest[:2], axes, order)
        rest = rest[2:]
    elif what not in (_CHAR, *_NUMBERS):
        raise ValueError(f"a matrix is of the unknown class {what}")
    if [len(part) for _, part in rest] != [_SIZES.get(kind, -1) * count for kind, _ in rest] or (
            len(rest) != 1 + is_complex):
        raise ValueError(f"a matrix with axes {axes} has other content than they say")


def _fields(rest: list[Element], order: str) -> int:
    """Number of the fields of a structure, whose names are taken from the list."""
    ((width,), names) = _numbers(rest.pop(0), order, 5), rest.pop(0)
    if names[0] != 1 or width < 1 or len(names[1]) % width:
        raise ValueError("the names of fields are wrong")
    return len(names[1]) // width


def _check_sparse(parts: list[Element], axes: list[int], order: str) -> int:
    """Number of elements of a sparse matrix, whose places are compared with its axes."""
    rows, starts = (_array(part, order, 5) for part in parts)
    if len(axes) != 2 or len(starts) != axes[1] + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError("the columns of a sparse matrix are wrong")
    count = int(starts[-1])
    if count > len(rows) or (rows[:count] < 0).any() or (rows[:count] >= axes[0]).any():
        raise ValueError("the rows of a sparse matrix are wrong")
    return len(rows)


def _of_kind(element: Element | None, wanted: int) -> memoryview:
    """The content of an element, which must be of a type."""
    if element is None or element[0] != wanted:
        raise ValueError(f"there must be an element of the type {wanted} in a matrix")
    return element[1]


def _array(element: Element | None, order: str, wanted: int) -> np.ndarray:
    """The numbers of an element of type 1, 5 or 6 (int8, int32, uint32)."""
    return np.frombuffer(_of_kind(element, wanted), {1: "i1", 5: f"{order}i4", 6: f"{order}u4"}[wanted])


def _numbers(element: Element | None, order: str, wanted: int) -> list[int]:
    return _array(element, order, wanted).tolist()
