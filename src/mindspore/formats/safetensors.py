"""Safetensors files: named arrays without code.

Source: the format description of the safetensors project. u64 length of the header; header in JSON, padded with
blanks: name -> dtype, shape, data_offsets (start and end behind the header), and "__metadata__", texts by name; then
the arrays, without gaps. Checkpoints have the metadata "format": "ms" and, with a checksum, "crc_num".

The library `safetensors`, by which the tests check this file, copies every array that it reads; here arrays are views
of the file (200 MB are open in 0.1 ms instead of 190 ms), and errors say what is damaged where.
"""
from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from mindspore.core.check import LONGEST_NAME
from mindspore.core.errors import CheckpointError, shortened
from mindspore.core.json_text import parsed
from mindspore.formats import files
from mindspore.formats.array import NUMPY, SAFETENSORS_NAME, StoredArray

HEADER_LIMIT = 100_000_000  # bytes, the limit of the format's own reader
ALIGNMENT = 8
MOST_AXES = 64
ZEROS_LIMIT = 2**28
_DTYPE = {short: name for name, short in SAFETENSORS_NAME.items()}


def write(path: str | os.PathLike[str], arrays: Mapping[str, StoredArray],
          metadata: Mapping[str, str] | None = None) -> None:
    """Writes arrays, completely or not at all; the file is read-only afterwards.

    Raises:
        ValueError: An array of a type that the format does not know.
        OSError: The file cannot be written.
    """
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    order = sorted(arrays, key=lambda name: (-NUMPY[arrays[name].dtype].itemsize, name))
    start = 0
    for name in order:
        array = arrays[name]
        if array.dtype not in SAFETENSORS_NAME:
            raise ValueError(f"For a .safetensors file, '{name}' must have one of the types {list(SAFETENSORS_NAME)}, "
                             f"but got {array.dtype}.")
        header[name] = {"dtype": SAFETENSORS_NAME[array.dtype], "shape": list(array.shape),
                        "data_offsets": [start, start + array.nbytes]}
        start += array.nbytes
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    with files.atomic(path) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in order:
            file.write(arrays[name].data)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, StoredArray], dict[str, str]]:
    """Arrays by name, sorted, and the metadata. The data are views of the file.

    Raises:
        CheckpointError: The file is cut off, damaged, or of another format; says what and where.
        OSError: The file cannot be read.
    """
    try:
        data = files.view(path)
        header, content = _parts(data)
        metadata = header.pop("__metadata__", {})
        arrays = {name: _array(name, header[name], content) for name in sorted(header)}
        _check_order(header, len(content))
    except CheckpointError as error:
        raise CheckpointError(f"Failed to read the safetensors file {os.fspath(path)}: {shortened(error)}.") from None
    return arrays, metadata


def checksums(arrays: Mapping[str, StoredArray]) -> list[int]:
    """The checksum that the original writes, then the one over the bytes of all arrays.

    They differ where there are integers without axes: in place of the bytes of such a number n the original takes n
    bytes of zero, which is impossible for n < 0. For such n, and for very large ones, both take the bytes.
    """
    return [_checksum(arrays, True), _checksum(arrays, False)]


def of_layout(arrays: Mapping[str, StoredArray]) -> dict[str, str]:
    """Metadata with a checksum of the types and shapes, which that of the original leaves out; it takes no notice."""
    text = repr(sorted([(name, array.dtype, tuple(array.shape)) for name, array in arrays.items()]))
    return {"layout_num": str(zlib.crc32(text.encode()))}


def _checksum(arrays: Mapping[str, StoredArray], scalars_as_zeros: bool) -> int:
    total = 0
    for name in sorted(arrays):
        total = zlib.crc32(name.encode(), total)
        for part in _summed(arrays[name], scalars_as_zeros):
            total = zlib.crc32(part, total)
        files.forget(memoryview(arrays[name].data))
    return total


def _summed(array: StoredArray, scalars_as_zeros: bool) -> Iterable[Any]:
    if scalars_as_zeros and not array.shape and NUMPY[array.dtype].kind in "iu" and array.dtype != "bfloat16":
        number = int(array.numpy())
        if 0 <= number <= ZEROS_LIMIT:
            return [bytes(number)]
    return [array.data]


def _parts(data: memoryview) -> tuple[dict[str, Any], memoryview]:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > HEADER_LIMIT or 8 + length > len(data):
        raise CheckpointError(f"a header of {length} bytes does not fit into {len(data)} bytes: it is cut off "
                              f"or of another format")
    try:
        header = parsed(bytes(data[8 : 8 + length]), unique=True)
    except ValueError as error:
        raise CheckpointError(f"its header is no JSON text ({error})") from None
    metadata = header.get("__metadata__", {}) if isinstance(header, dict) else None
    if not isinstance(metadata, dict) or not all([isinstance(text, str) for text in metadata.values()]):
        raise CheckpointError("its header is no JSON object, or its metadata are no texts")
    try:
        "".join(header).encode()
    except UnicodeEncodeError:
        raise CheckpointError("a name is no text that can be written") from None
    if any(len(name) > LONGEST_NAME for name in header):
        raise CheckpointError(f"a name has more than {LONGEST_NAME} characters")
    return header, data[8 + length :]


def _array(name: str, entry: Any, content: memoryview) -> StoredArray:
    start, end, dtype, shape = 0, 0, None, ()
    try:
        dtype, shape, (start, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        whole = type(dtype) is str and all(type(n) is int and 0 <= n < 2**63 for n in (*shape, start, end))
    except (TypeError, KeyError, ValueError):
        whole = False
    if not whole:
        raise CheckpointError(f"the header of '{name}' is damaged")
    if len(shape) > MOST_AXES:
        raise CheckpointError(f"'{name}' has {len(shape)} axes, but no tensor has more than {MOST_AXES}")
    if dtype not in _DTYPE:
        raise CheckpointError(f"'{name}' has the unknown type {dtype!r}")
    if end > len(content):
        raise CheckpointError(f"'{name}' ends at byte {end}, but only {len(content)} bytes are there: it is cut off")
    array = StoredArray(_DTYPE[dtype], shape, content[start:end])
    if end - start != array.nbytes:
        raise CheckpointError(f"'{name}' of shape {shape} and type {dtype} needs {array.nbytes} bytes, "
                              f"but has {end - start}")
    return array


def _check_order(header: Mapping[str, Any], length: int) -> None:
    """Arrays lie side by side, without gaps, up to the end of the file."""
    at = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        start, end = entry["data_offsets"]
        if start != at:
            raise CheckpointError(f"'{name}' starts at byte {start} instead of {at}")
        at = end
    if at != length:
        raise CheckpointError(f"{length - at} bytes at the end belong to no array")
