"""Sources whose rows are listed once, then read by number: what they take, what they find, how files are read."""

from __future__ import annotations

import ast
import functools
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Column, choose
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import memory
from mindspore.dataset.execution.memory import gathered
from mindspore.dataset.iterators import META
from mindspore.dataset.sources.mappable import MappableDataset

ORDER = "sampler=None, num_shards=None, shard_id=None"
ROWS = f"num_samples=None, num_parallel_workers=None, shuffle=None, {ORDER}, cache=None"
IMAGES = (
    f"num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, {ORDER}, cache=None"
)
OPTIONAL_IMAGES = IMAGES.replace("decode=False", "decode=None")

Reader = Callable[[Any, str], np.ndarray]


@dataclass(frozen=True)
class Files:
    """A column of files: their paths, and what makes a value of a path when its row is wanted."""

    paths: Sequence[str]
    read: Reader

    def __len__(self) -> int:
        return len(self.paths)


class ListedDataset(MappableDataset):
    """A source that lists its rows when it is first asked about them.

    A subclass says what it takes, `takes`, as the text of a signature, which argument has which `options` (the first
    one is meant by None), the names of its columns, and finds their content: arrays, lists of arrays, or `Files`.
    """

    anywhere = True
    names: tuple[str, ...] = ("image", "label")
    options: ClassVar[dict[str, tuple[Any, ...]]] = {}
    label = "label"  # the column of classes
    classes: dict[str, Any] | None = None  # labels by class name, if there are such; set by `find`
    __signature__: ClassVar[inspect.Signature]

    # what most sources take
    dataset_dir: str
    annotation_file: str
    usage: str
    task: str
    name: str
    decode: bool = False
    decrypt: Callable[[str], bytes] | None = None
    extra_metadata: bool = False
    extensions: list[str] | None
    class_indexing: dict[str, int] | None

    def __init_subclass__(cls, takes: str | None = None, **more: Any):
        super().__init_subclass__(**more)
        if takes is not None:
            cls.__signature__ = signature_of(takes)

    def __init__(self, *args: Any, **kwargs: Any):
        try:
            bound = type(self).__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"For '{type(self).__name__}', {error}.") from None
        bound.apply_defaults()
        self.arguments: dict[str, Any] = dict(bound.arguments)
        super().__init__(**{n: v for n, v in self.arguments.items() if n in _OF_ROWS})
        for name, value in self.arguments.items():
            if name not in _OF_ROWS and not callable(getattr(type(self), name, None)):
                setattr(self, name, self._checked(name, value))
        self.verify()

    def _checked(self, name: str, value: Any) -> Any:
        if name not in self.options:
            return _CHECKS[name](self, name, value) if name in _CHECKS else value
        options = self.options[name]
        if value is None:
            return options[0]
        return check.option(
            self, name, check.instance(self, name, value, type(options[0])), options
        )

    # ---- what a subclass defines

    def verify(self) -> None:
        """Check what the common checks do not know, and choose the names of the columns."""

    def find(self) -> Sequence[Column | Files]:
        """The columns: one entry for each row."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'find' is not defined.")

    # ---- what follows from it

    @functools.cached_property
    def found(self) -> list[Column | Files]:
        """What `find` gave, looked up once."""
        columns = list(self.find())
        if not len(columns[0]):
            raise self.error("no rows are found where they are looked for")
        if self.extra_metadata and isinstance(columns[0], Files):
            columns.append(texts(stem(path) for path in columns[0].paths))
        return columns

    def error(self, problem: str) -> PipelineError:
        """The error of a source whose files do not fit, naming the source and where it looks."""
        place = next((self.arguments[n] for n in _PLACES if n in self.arguments), "")
        return PipelineError(f"For '{type(self).__name__}' of '{place}', {problem}.")

    def column_names(self) -> list[str]:
        return [*self.names, *([META + "filename"] if self.extra_metadata else [])]

    def size(self) -> int:
        return len(self.found[0])

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        return [self._chosen(column, numbers) for column in self.found]

    def _chosen(self, column: Column | Files, numbers: np.ndarray) -> Column:
        if isinstance(column, Files):
            return [column.read(self, column.paths[int(i)]) for i in numbers]
        if isinstance(column, np.ndarray) and column.ndim > 1:
            return gathered(column, numbers)
        return choose(column, numbers.tolist())

    def row_bytes(self) -> int:
        arrays = [column for column in self.found if isinstance(column, np.ndarray)]
        files = len(self.found) - len(arrays)
        return sum(array.nbytes for array in arrays) // self.size() + files * 2**15

    @property
    def threads_help(self) -> bool:  # type: ignore[override]
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
        """A path in the folder of the source."""
        return os.path.join(self.dataset_dir, *parts)

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
        try:
            with open(path, encoding="utf-8") as stream:
                return stream.read()
        except (OSError, UnicodeDecodeError) as error:
            raise self.error(f"the file '{path}' cannot be read as text: {error}") from None

    def content(self, path: str) -> np.ndarray:
        """Bytes of a file."""
        try:
            return memory.file_bytes(path)
        except OSError as error:
            raise self.error(f"the file '{path}' cannot be read: {error.strerror}") from None

    def present(self, paths: Iterable[str]) -> list[str]:
        """The paths, all of which must be files."""
        paths = list(paths)
        for path in paths:
            if not os.path.isfile(path):
                raise self.error(f"the file '{path}' does not exist")
        return paths


_OF_ROWS = set(inspect.signature(MappableDataset.__init__).parameters) - {"self"}
_PLACES = ("annotation_file", "dataset_file", "dataset_dir")


def signature_of(text: str) -> inspect.Signature:
    """The signature that a text such as 'folder, usage=None' means; defaults are literals."""
    args = ast.parse(f"def f({text}): pass").body[0].args  # type: ignore[attr-defined]
    bare = len(args.args) - len(args.defaults)
    defaults = [inspect.Parameter.empty] * bare + [ast.literal_eval(d) for d in args.defaults]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(arg.arg, kind, default=default)
            for arg, default in zip(args.args, defaults, strict=True)
        ]
    )


def _flag(owner: Any, name: str, value: Any) -> bool:
    return False if value is None else check.boolean(owner, name, value)


def _class_indexing(owner: Any, name: str, value: Any) -> dict[str, int] | None:
    check.optional(check.instance, owner, name, value, dict)
    for key, label in (value or {}).items():
        check.string(owner, name, key)
        check.integer(owner, name, label)
    return value


def _names(owner: Any, name: str, value: Any) -> list[str] | None:
    if value is not None:
        for item in check.instance(owner, name, value, list):
            check.string(owner, name, item)
    return value or None


def _callable(owner: Any, name: str, value: Any) -> Any:
    return check.optional(check.callable_, owner, name, value)


_CHECKS: dict[str, Callable[..., Any]] = {
    "dataset_dir": check.folder,
    "annotation_file": check.file,
    "dataset_file": check.file,
    "decode": _flag,
    "extra_metadata": _flag,
    "decrypt": _callable,
    "extensions": _names,
    "class_indexing": _class_indexing,
}


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
