"""Arrays of integers in version 3.0: each number in as few bytes as hold it.

Number of elements (32 bits, big endian); two bits per element, first element in the top bits, that say how many bytes
it has (0: 1, 1: 2, 2: 4, 3: 8); the elements, little endian, with sign.
"""

from __future__ import annotations

import numpy as np

from mindspore.formats.mindrecord.gather import numbers, pieces, spread

HEAD = 4  # bytes of the number of elements
_WIDTHS = np.array([1, 2, 4, 8])
_KINDS = ("<i1", "<i2", "<i4", "<i8")


def pack(array: np.ndarray) -> bytes:
    """The packed form of the elements of an array of int32 or int64."""
    values = array.ravel().astype("<i8", copy=False)
    count = len(values)
    codes = _codes(values)
    padded = np.zeros(-(-count // 4) * 4, np.uint8)
    padded[:count] = codes
    quads = padded.reshape(-1, 4)
    marks = quads[:, 0] << 6 | quads[:, 1] << 4 | quads[:, 2] << 2 | quads[:, 3]
    return count.to_bytes(HEAD, "big") + marks.tobytes() + _elements(values, codes)


def _codes(values: np.ndarray) -> np.ndarray:
    size = values ^ values >> 63  # as large as the number, but without sign
    codes = (size >= 2**7).view(np.uint8)
    codes += size >= 2**15
    codes += size >= 2**31
    return codes


def _elements(values: np.ndarray, codes: np.ndarray) -> bytes:
    """The elements one after the other, each in its width."""
    if not len(codes) or (codes == codes[0]).all():
        return values.astype(_KINDS[codes[0]] if len(codes) else "<i1").tobytes()
    widths = _WIDTHS[codes]
    rows = values.view(np.uint8).reshape(-1, 8)
    return rows[np.arange(8) < widths[:, None]].tobytes()


def unpack(
    data: np.ndarray, starts: np.ndarray, lengths: np.ndarray, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray] | None:
    """The elements of many packed arrays, one after the other, and how many each has; None if one is damaged.

    Args:
        data: Bytes of a file, uint8 (bytes,).
        starts, lengths: Where each packed array lies.
    """
    if (lengths < HEAD).any():
        return None
    counts = numbers(data, starts, ">u4").astype(np.int64)
    marks = -(-counts // 4)
    if (HEAD + marks + counts > lengths).any():
        return None
    codes = _read_codes(data, starts + HEAD, marks, counts)
    widths = _WIDTHS[codes]
    ends = np.cumsum(widths)
    rows = np.cumsum(counts)
    before = np.concatenate([[0], ends])  # bytes of elements before each element, whatever its row
    sizes = before[rows] - before[rows - counts]
    if (HEAD + marks + sizes != lengths).any():
        return None
    at = np.repeat(starts + HEAD + marks - before[rows - counts], counts) + (ends - widths)
    return _read_elements(data, at, codes, dtype), counts


def _read_codes(
    data: np.ndarray, at: np.ndarray, marks: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """The codes of the widths of all elements."""
    if len(marks) and (marks == marks[0]).all() and marks[0]:
        packed = pieces(data, at, int(marks[0])).view(np.uint8).reshape(len(marks), -1)
    else:
        packed = data[spread(at, marks)]
    codes = (packed[..., None] >> np.array([6, 4, 2, 0], np.uint8)) & 3
    codes = codes.reshape(-1)
    return codes[spread(4 * (np.cumsum(marks) - marks), counts)]


def _read_elements(
    data: np.ndarray, at: np.ndarray, codes: np.ndarray, dtype: np.dtype
) -> np.ndarray:
    present = np.flatnonzero(np.bincount(codes, minlength=4))
    if len(present) == 1:
        return numbers(data, at, _KINDS[present[0]]).astype(dtype)
    values = np.empty(len(at), dtype)
    for code in present:
        mask = codes == code
        values[mask] = numbers(data, at[mask], _KINDS[code])
    return values
