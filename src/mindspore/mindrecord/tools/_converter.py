"""What the converters share."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
import pickle
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.formats.mindrecord.errors import (
    MindRecordException,
    MindRecordFileError,
    PathNotExistsError,
)
from mindspore.mindrecord.filereader import check_path
from mindspore.mindrecord.filewriter import FileWriter
from mindspore.mindrecord.status import SUCCESS, MSRStatus

ROWS_AT_ONCE = 1024


class Converter:
    """Base of the converters: `transform` does the work, and `run` is another name for it."""

    def transform(self) -> MSRStatus:
        """Convert all.

        Returns:
            SUCCESS; whatever is wrong is raised.
        """
        raise NotImplementedError(f"For '{type(self).__name__}', 'transform' is not defined.")

    def run(self) -> MSRStatus:
        """As `transform`."""
        return self.transform()


class CifarConverter(Converter):
    """Base of the converters of CIFAR: a folder becomes two sets of files."""

    def __init__(self, source: str, destination: str):
        self.source = check_path(type(self).__name__, source)
        self.destination = check_path(type(self).__name__, destination)

    def transform(self, fields: list[str] | None = None) -> MSRStatus:
        """Convert both sets, with these index fields; None for all."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'transform' is not defined.")

    def run(self, fields: list[str] | None = None) -> MSRStatus:
        """As `transform`."""
        return self.transform(fields)


@contextlib.contextmanager
def telling(path: str) -> Iterator[None]:
    """In the block, what is wrong with a file becomes a MindRecordFileError that names it."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
        raise MindRecordFileError(f"The file '{path}' cannot be read: {error}.") from None


@contextlib.contextmanager
def naming(source: str) -> Iterator[None]:
    """In the block, errors of what is written name the file that it comes from."""
    try:
        yield
    except MindRecordException as error:
        if source not in error.detail:
            error.detail = f"The file '{source}' cannot be converted. {error.detail}"
        raise


def write(
    destination: str,
    schema: dict[str, dict],
    desc: str,
    index_fields: list[str] | None,
    rows: Iterable[dict[str, Any]],
    partitions: int = 1,
    page_size: int | None = None,
) -> MSRStatus:
    """Write rows to a new set of files."""
    writer = FileWriter(destination, partitions)
    if page_size is not None:
        writer.set_page_size(page_size)
    writer.add_schema(schema, desc)
    if index_fields:
        writer.add_index(index_fields)
    for part in chunks(rows):
        writer.write_raw_data(part)
    writer.commit()
    return SUCCESS


def chunks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Lists of some rows."""
    iterator = iter(rows)
    while part := list(itertools.islice(iterator, ROWS_AT_ONCE)):
        yield part


def jpeg(image: np.ndarray) -> bytes:
    """An image as JPEG; three channels are blue, green, red."""
    import cv2  # loads for long, and only some converters need it

    done, content = cv2.imencode(".jpeg", np.ascontiguousarray(image, np.uint8))
    if not done:
        raise RuntimeError(f"An image of the shape {image.shape} cannot be written as JPEG.")
    return content.tobytes()


# What a file of arrays, lists and texts needs; anything else could run code that the file brings.
_ALLOWED = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy.core.numeric", "_frombuffer"),
    ("numpy._core.numeric", "_frombuffer"),
    ("_codecs", "encode"),
}


# What parsers raise for content that they do not expect.
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, EOFError)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        if (module_name, global_name) not in _ALLOWED:
            raise pickle.UnpicklingError(
                f"'{module_name}.{global_name}' does not belong in a file of images"
            )
        return super().find_class(module_name, global_name)


def unpickled(path: str) -> dict[bytes, Any]:
    """The dict in a file of CIFAR for Python, of which only arrays, lists and texts are accepted.

    Raises:
        PathNotExistsError: There is no such file.
        MindRecordFileError: It is another one.
    """
    if not os.path.isfile(path):
        raise PathNotExistsError(f"The file '{path}' does not exist.")
    with telling(path), open(path, "rb", opener=regular) as file:
        content = file.read()
    try:
        found = _Unpickler(io.BytesIO(content), encoding="bytes").load()
    except (pickle.UnpicklingError, ImportError, MemoryError, *_DAMAGE) as error:  # sizes are the file's
        raise MindRecordFileError(
            f"The file '{path}' is no file of CIFAR for Python: {error}."
        ) from None
    if not isinstance(found, dict):
        raise MindRecordFileError(
            f"The file '{path}' is no file of CIFAR for Python: it has no dict."
        )
    return found


def cifar_rows(paths: list[str], labels: dict[str, bytes]) -> Iterator[dict[str, Any]]:
    """Rows of the images in files of CIFAR for Python; `labels` has the key of each label in the file."""
    number = 0
    for path in paths:
        found = unpickled(path)
        missing = [key for key in (b"data", *labels.values()) if key not in found]
        if missing:
            raise MindRecordFileError(f"The file '{path}' of CIFAR has no {missing}.")
        try:
            images = np.asarray(found[b"data"]).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
            values = {name: _whole(found[key], len(images)) for name, key in labels.items()}
            if images.dtype != np.uint8:
                raise ValueError(f"its images are {images.dtype}, not uint8")
        except _DAMAGE as error:
            raise MindRecordFileError(f"The file '{path}' of CIFAR is damaged: {error}.") from None
        for i, image in enumerate(images):
            row = {name: column[i] for name, column in values.items()}
            yield {"id": number, **row, "data": jpeg(image[..., ::-1])}
            number += 1


def _whole(given: Any, count: int) -> list[int]:
    """The labels of so many images."""
    labels = np.asarray(given)
    if labels.shape != (count,) or labels.dtype.kind not in "iu":
        raise ValueError(f"it has {count} images, but no {count} labels")
    return labels.tolist()


def check_fields(fields: Any) -> list[str] | None:
    """The index fields that the user names, None for all."""
    if fields is not None and not isinstance(fields, list):
        raise ValueError(f"The 'fields' must be None or a list, but got {fields!r}.")
    return fields or None


def check_partitions(value: Any) -> int:
    """A number of files."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"The 'partition_number' must be an int, but got {value!r}.")
    return value


__all__ = [
    "Converter",
    "check_fields",
    "check_partitions",
    "check_path",
    "cifar_rows",
    "jpeg",
    "naming",
    "telling",
    "write",
]
