"""Vectors of words, read from files: text.Vectors, GloVe, FastText, CharNGram; and the transform that looks them up."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.text.base import TextTensorOperation, strings


class Vectors:
    r"""Vectors of words. A file has one word and its numbers in each line, after a line 'count length' or without it.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "vectors.txt"
        >>> _ = file.write_text("cat 1.0 2.0\ndog 3.0 4.0\n")
        >>> text.ToVectors(text.Vectors.from_file(str(file)))(["dog", "cat"]).tolist()
        [[3.0, 4.0], [1.0, 2.0]]
    """

    _file_name: re.Pattern[str] | None = None  # how files are called

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._table = np.zeros((0, 0), np.float32)

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> Any:
        """The vectors of a file.

        Args:
            file_path: The file, in UTF-8.
            max_vectors: Most vectors to read. Default: all.

        Raises:
            RuntimeError: The file is missing, empty or broken.
        """
        check.string(cls.__name__, "file_path", file_path)
        if max_vectors is not None:
            check.integer(cls.__name__, "max_vectors", max_vectors, 0, check.INT32_MAX)
        if cls._file_name and not cls._file_name.fullmatch(os.path.basename(file_path)):
            raise PipelineError(
                f"For '{cls.__name__}', the name of the file must match '{cls._file_name.pattern}', but is "
                f"'{os.path.basename(file_path)}'."
            )
        vectors = cls()
        vectors._read(file_path, max_vectors or None)
        return vectors

    def _read(self, path: str, most: int | None) -> None:
        rows: list[np.ndarray] = []
        try:
            with open(path, encoding="utf-8", newline="\n", opener=regular) as file:
                for number, line in enumerate(file):
                    fields = line.rstrip("\r\n ").split(" ")
                    if number == 0 and _is_header(fields):
                        continue
                    if len(rows) == most:
                        break
                    row = _numbers(fields[1:])
                    if row is None or len(row) < 2 or (rows and len(row) != len(rows[0])):
                        raise PipelineError(
                            f"For '{type(self).__name__}', line {number + 1} of '{path}' must have a word and "
                            f"{len(rows[0]) if rows else 'at least two'} numbers, but is {line[:60]!r}."
                        )
                    self._places.setdefault(fields[0], len(rows))
                    rows.append(row)
        except (OSError, UnicodeDecodeError) as error:
            raise PipelineError(
                f"For '{type(self).__name__}', '{path}' cannot be read: {error}."
            ) from None
        if not rows:
            raise PipelineError(f"For '{type(self).__name__}', '{path}' has no vectors.")
        self._table = np.stack(rows)

    @property
    def length(self) -> int:
        """Numbers in a vector."""
        return self._table.shape[1]

    def lookup(self, word: str) -> np.ndarray | None:
        """The vector of a word, None for an unknown one."""
        place = self._places.get(word)
        return None if place is None else self._table[place]


def _is_header(fields: list[str]) -> bool:
    return len(fields) == 2 and all(field.isdecimal() for field in fields)


def _numbers(fields: list[str]) -> np.ndarray | None:
    try:
        return np.array([float(field) for field in fields], np.float32)
    except ValueError:
        return None


class GloVe(Vectors):
    r"""Vectors of GloVe (Pennington et al. 2014), from files such as 'glove.6B.50d.txt'.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "glove.6B.50d.txt"
        >>> _ = file.write_text("cat 1.0 2.0\ndog 3.0 4.0\n")
        >>> text.ToVectors(text.GloVe.from_file(str(file)))(["dog", "cat"]).tolist()
        [[3.0, 4.0], [1.0, 2.0]]
    """

    _file_name = re.compile(r"glove\.(6B|42B|840B|twitter\.27B)\.\w+\.txt")


class FastText(Vectors):
    r"""Vectors of fastText (Bojanowski et al. 2017), from files '*.vec'.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "fasttext.vec"
        >>> _ = file.write_text("2 2\ncat 1.0 2.0\ndog 3.0 4.0\n")
        >>> text.ToVectors(text.FastText.from_file(str(file)))(["dog", "cat"]).tolist()
        [[3.0, 4.0], [1.0, 2.0]]
    """

    _file_name = re.compile(r".+\.vec")


class CharNGram(Vectors):
    r"""Vectors of character n-grams (Hashimoto et al. 2017), from files whose words are such as '2gram-ab'.

    The vector of a word is the mean of those of its 2-, 3- and 4-grams that the file has; '#BEGIN#' and '#END#' stand
    around the characters.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "charNgram.txt"
        >>> _ = file.write_text("2gram-ab 1.0 2.0\n2gram-bc 3.0 4.0\n")
        >>> text.ToVectors(text.CharNGram.from_file(str(file)))(["abc"]).tolist()
        [2.0, 3.0]
    """

    def lookup(self, word: str) -> np.ndarray | None:
        signs = ["#BEGIN#", *word, "#END#"]
        grams = (
            f"{size}gram-{''.join(signs[i : i + size])}"
            for size in (2, 3, 4)
            for i in range(len(signs) - size + 1)
        )
        places = [self._places[gram] for gram in grams if gram in self._places]
        return self._table[places].mean(0) if places else None


class ToVectors(TextTensorOperation):
    r"""Words as vectors.

    Args:
        vectors: The vectors.
        unk_init: The vector of unknown words, as a list. Default: zeros.
        lower_case_backup: Whether to look for unknown words in lower case.

    Inputs:
        Strings of any shape.

    Outputs:
        float32, (n, length) for n words, (length,) for one.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "vectors.txt"
        >>> _ = file.write_text("cat 1.0 2.0\ndog 3.0 4.0\n")
        >>> vectors = text.Vectors.from_file(str(file))
        >>> text.ToVectors(vectors, unk_init=[0.5, 0.5])(["dog", "cow"]).tolist()
        [[3.0, 4.0], [0.5, 0.5]]
    """

    def __init__(self, vectors: Vectors, unk_init: Any = None, lower_case_backup: bool = False):
        self._vectors = check.instance(self, "vectors", vectors, Vectors)
        if unk_init is not None:
            check.instance(self, "unk_init", unk_init, (list, tuple))
            for number in unk_init:
                check.number(self, "unk_init", number)
        self.unk_init = unk_init
        self.lower_case_backup = check.boolean(self, "lower_case_backup", lower_case_backup)

    def apply(self, value: np.ndarray) -> np.ndarray:
        strings(self, value)
        length = self._vectors.length
        unknown = np.array(self.unk_init or [0.0] * length, np.float32)
        if len(unknown) != length:
            raise PipelineError(
                f"For 'ToVectors', the 'unk_init' must have as many numbers as the vectors, {length}, but has "
                f"{len(unknown)}."
            )
        words = value.ravel().tolist()
        return np.stack([self._found(word, unknown) for word in words]).reshape(
            (length,) if len(words) == 1 else (len(words), length)
        )

    def _found(self, word: str, unknown: np.ndarray) -> np.ndarray:
        vector = self._vectors.lookup(word)
        if vector is None and self.lower_case_backup:
            vector = self._vectors.lookup(word.lower())
        return unknown if vector is None else vector
