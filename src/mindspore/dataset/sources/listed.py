"""Sources whose rows are listed once, then read by number: what they take, what they find, how files are read."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.dataset.block import Column, choose
from mindspore.dataset.config import get_outside_files
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.execution import memory
from mindspore.dataset.execution.memory import gathered
from mindspore.dataset.iterators import META
from mindspore.dataset.sources.concatenated_arrays import Stacks
from mindspore.dataset.sources.mappable import MappableDataset
from mindspore.dataset.sources.signatures import Taking

Reader = Callable[[Any, str], np.ndarray]


@dataclass(frozen=True)
class Files:
    """A column of files: their paths, and what makes a value of a path when its row is wanted."""

    paths: Sequence[str]
    read: Reader

    def __len__(self) -> int:
        return len(self.paths)


class ListedDataset(Taking, MappableDataset):
    """A source that lists its rows when it is first asked about them.

    A subclass says what it takes, `takes`, as the text of a signature, which argument has which `options` (the first
    one is meant by None), the names of its columns, and finds their content: arrays, lists of arrays, `Files` or
    `Stacks`.
    """

    anywhere = True
    names: tuple[str, ...] = ("image", "label")
    label = "label"  # the column of classes
    classes: dict[str, Any] | None = None  # labels by class name, if there are such; set by `find`

    # what most sources take
    dataset_dir: str
    annotation_file: str
    usage: str
    task: str
    name: str
    decode: bool = False
    decrypt: Callable[[str], bytes] | None = None
    extra_metadata: bool = False
    _read_last = ""  # the file that `find` reads
    extensions: list[str] | None
    class_indexing: dict[str, int] | None

    # ---- what a subclass defines

    def verify(self) -> None:
        """Check what the common checks do not know, and choose the names of the columns."""

    def find(self) -> Sequence[Column | Files | Stacks]:
        """The columns: one entry for each row."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'find' is not defined.")

    # ---- what follows from it

    @functools.cached_property
    def found(self) -> list[Column | Files | Stacks]:
        """What `find` gave, looked up once."""
        with telling(self, lambda: f"the file '{self._read_last}'"):
            columns = list(self.find())
        if not len(columns[0]):
            raise self.error("no rows are found where they are looked for")
        if self.extra_metadata and isinstance(columns[0], Files):
            columns.append(texts(stem(path) for path in columns[0].paths))
        return columns

    def error(self, problem: str) -> PipelineError:
        """The error of a source whose files do not fit, naming the source and where it looks."""
        place = next((self.arguments[n] for n in _PLACES if n in self.arguments), "")
        return PipelineError(f"For '{type(self).__name__}' of '{place}', {shortened(problem)}.")

    def column_names(self) -> list[str]:
        return [*self.names, *([META + "filename"] if self.extra_metadata else [])]

    def size(self) -> int:
        return len(self.found[0])

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        return [self._chosen(column, numbers) for column in self.found]

    def _chosen(self, column: Column | Files | Stacks, numbers: np.ndarray) -> Column:
        if isinstance(column, Files):
            return [self._value(column, column.paths[int(i)]) for i in numbers]
        if isinstance(column, Stacks):
            return column.gathered(numbers)
        if isinstance(column, np.ndarray) and column.ndim > 1:
            return gathered(column, numbers)
        return choose(column, numbers.tolist())

    def _value(self, column: Files, path: str) -> np.ndarray:
        if column.read is image:  # which tells by itself; errors of the user's `decrypt` stay as they are
            return image(self, path)
        with telling(self, lambda: f"the file '{path}'"):
            return column.read(self, path)

    def row_bytes(self) -> int:
        arrays = [column for column in self.found if isinstance(column, (np.ndarray, Stacks))]
        files = len(self.found) - len(arrays)
        return sum(array.nbytes for array in arrays) // self.size() + files * 2**15

    @property
    def threads_help(self) -> bool:
        return any(isinstance(column, Files) for column in self.found)

    def labels(self) -> Any:
        column = dict(zip(self.column_names(), self.found, strict=True)).get(self.label)
        return column if isinstance(column, np.ndarray) and column.ndim == 1 else None

    def num_classes(self) -> int | None:
        return None if self._classes() is None else len(self.get_class_indexing())

    def get_class_indexing(self) -> dict[str, Any]:
        return dict(self._classes() or {})

    def _classes(self) -> dict[str, Any] | None:
        self.size()  # `find` learns them
        return self.classes

    # ---- for `find`

    def inside(self, *parts: str) -> str:
        """A path in the folder of the source; names that lists give may not lead out of it."""
        return inside(self, self.dataset_dir, *parts)

    def entries(
        self, folder: str, *endings: str, of: Callable[[str], bool] = os.path.isfile
    ) -> list[str]:
        """Sorted paths of the files in a folder, with one of the endings if some are given."""
        if not os.path.isdir(folder):
            raise self.error(f"'{folder}' must be a folder, but there is none")
        paths = (os.path.join(folder, name) for name in sorted(os.listdir(folder)))
        return [p for p in paths if of(p) and (not endings or os.path.splitext(p)[1] in endings)]

    def folders(self, folder: str) -> list[str]:
        """Sorted paths of the folders in a folder."""
        return self.entries(folder, of=os.path.isdir)

    def lines(self, path: str) -> list[str]:
        """Lines of a text file, without their ends, and without empty ones at the end of the file."""
        text = self.text(path).rstrip("\n")
        return text.split("\n") if text else []

    def text(self, path: str) -> str:
        """Content of a text file, in which lines end with \\n."""
        self._read_last = path
        try:
            with open(path, encoding="utf-8", opener=regular) as stream:
                return stream.read()
        except (OSError, UnicodeDecodeError) as error:
            raise self.error(f"the file '{path}' cannot be read as text: {error}") from None

    def content(self, path: str) -> np.ndarray:
        """Bytes of a file."""
        self._read_last = path
        try:
            return memory.file_bytes(path)
        except OSError as error:
            raise self.error(f"the file '{path}' cannot be read: {error.strerror}") from None

    def mapped(self, path: str) -> np.ndarray:
        """Bytes of a large file, read as they are used; they may not be changed."""
        self._read_last = path
        try:
            return memory.file_mapped(path)
        except OSError as error:
            raise self.error(f"the file '{path}' cannot be read: {error.strerror}") from None

    def present(self, paths: Iterable[str]) -> list[str]:
        """The paths, all of which must be files."""
        paths = list(paths)
        for path in paths:
            if "\0" in path or not os.path.isfile(path):
                raise self.error(f"the file '{path}' does not exist")
        return paths


_LONGEST = 4096  # characters of a path


def inside(owner: Any, folder: str, *parts: str) -> str:
    """A path below a folder.

    Raises:
        PipelineError: It leads out of the folder, and `config.set_outside_files` does not allow this.
    """
    path = os.path.join(folder, *parts)
    if len(path) > _LONGEST or not _is_name(path):
        raise PipelineError(
            f"For '{type(owner).__name__}', the file {shortened(path)!r} that a list names cannot be in "
            f"'{folder}': the name is too long, or has a character that no name of a file has."
        )
    if _leads_elsewhere(parts) and not get_outside_files() and not _is_below(folder, path):
        raise PipelineError(
            f"For '{type(owner).__name__}', the file '{shortened(path)}' that a list names must be in the folder "
            f"'{folder}', but is outside of it. If the list is to be trusted, call "
            "'mindspore.dataset.config.set_outside_files(True)' before."
        )
    return path


def _is_name(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a pair of UTF-16, which JSON can have
        return False


def _leads_elsewhere(parts: Sequence[str]) -> bool:
    """Whether names may lead out of a folder; quick, because most do not."""
    return any(".." in part or part.startswith(os.sep) for part in parts)


def _is_below(folder: str, path: str) -> bool:
    """By the names alone: links that stand in a folder are its owner's."""
    folder = os.path.abspath(folder)
    return os.path.abspath(path).startswith(folder if folder.endswith(os.sep) else folder + os.sep)


_PLACES = ("annotation_file", "dataset_file", "dataset_dir")


def image(source: Any, path: str) -> np.ndarray:
    """Bytes of an image file as uint8, decrypted and decoded if the source says so."""
    if source.decrypt is not None:
        content = np.frombuffer(source.decrypt(path), np.uint8)
    else:
        content = source.content(path)
    if not source.decode:
        return content
    from mindspore.dataset.vision.codecs import (
        decode_image,  # loads the image libraries, which bytes do not need
    )

    try:
        return decode_image(content)
    except PipelineError as error:
        raise source.error(f"the file '{path}' must be an image: {error}") from None


def images(paths: Iterable[str]) -> Files:
    """A column of image files."""
    return Files(list(paths), image)


def stem(path: str) -> str:
    """Name of a file without folder and ending."""
    return os.path.splitext(os.path.basename(path))[0]


def texts(values: Iterable[str]) -> np.ndarray:
    """A column of strings."""
    return np.array(list(values), np.str_)


def numbers_of(values: Iterable[Any], dtype: Any = np.uint32) -> np.ndarray:
    """A column of numbers; negative ones wrap around in unsigned types, as in C."""
    return np.array(list(values), np.int64).astype(dtype)
