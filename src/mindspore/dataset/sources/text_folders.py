"""Sets of texts that are folders of files: news, reviews, tagged sentences, language models."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.csv_files import csv_lines
from mindspore.dataset.sources.files import FilesDataset, Row, text_lines
from mindspore.dataset.sources.signatures import TEXT, TEXT_WORKERS_LAST, Taking


class TextFolderDataset(Taking, FilesDataset, takes=f"dataset_dir, usage=None, {TEXT}"):
    """Rows of the files of a folder. A subclass says which, and how a file is read.

    Args:
        dataset_dir: The folder.
        usage: Which part; default: all of it.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
    """

    parts: dict[str, str] = {}  # the file of each usage
    order: tuple[str, ...] = ()  # usages in the order in which 'all' reads them
    columns = ["text"]
    dataset_dir: str
    usage: str = "all"

    def __init_subclass__(cls, **more: Any):
        super().__init_subclass__(**more)
        if "options" not in vars(cls):
            cls.options = {"usage": ("all", *cls.order)}

    def _begin(self, **of_rows: Any) -> None:
        super()._begin(dataset_files=self._paths(), **of_rows)

    def _usages(self) -> tuple[str, ...]:
        return self.order if self.usage == "all" else (self.usage,)

    def _paths(self) -> list[str]:
        return [os.path.join(self.dataset_dir, self.parts[usage]) for usage in self._usages()]

    def _found(self, given: list[str]) -> list[str]:
        for path in given:
            if not os.path.isfile(path):
                raise PipelineError(
                    f"For '{type(self).__name__}', the 'dataset_dir' must contain the file '{path}'."
                )
        return given

    def column_names(self) -> list[str]:
        return list(self.columns)


_WORKERS_LAST = f"dataset_dir, usage=None, {TEXT_WORKERS_LAST}"


class _Table:
    """Lines of CSV files without a header, all fields text."""

    parts = {"train": "train.csv", "test": "test.csv"}
    order: tuple[str, ...] = ("test", "train")
    columns: list[str] = []

    def read(self, path: str) -> Iterator[Row]:
        for number, line in enumerate(csv_lines(self, path, ",")):
            if len(line) != len(self.columns):
                raise PipelineError(
                    f"For '{type(self).__name__}', row {number} of '{path}' must have {len(self.columns)} fields, "
                    f"but has {len(line)}."
                )
            yield [np.array(field) for field in line]


class AGNewsDataset(_Table, TextFolderDataset):
    """News in four classes (Zhang et al. 2015). Columns: `index`, `title`, `description`."""

    columns = ["index", "title", "description"]


class AmazonReviewDataset(_Table, TextFolderDataset):
    """Reviews of products (McAuley, Leskovec 2013). Columns: `label`, `title`, `content`."""

    columns = ["label", "title", "content"]


class DBpediaDataset(_Table, TextFolderDataset):
    """Beginnings of Wikipedia's articles in 14 classes. Columns: `class`, `title`, `content`."""

    columns = ["class", "title", "content"]


class YahooAnswersDataset(_Table, TextFolderDataset):
    """Questions and answers in ten classes. Columns: `class`, `title`, `content`, `answer`."""

    columns = ["class", "title", "content", "answer"]


class SogouNewsDataset(_Table, TextFolderDataset, takes=_WORKERS_LAST):
    """Chinese news in five classes. Columns: `index`, `title`, `content`."""

    order = ("train", "test")
    columns = ["index", "title", "content"]


class YelpReviewDataset(_Table, TextFolderDataset, takes=_WORKERS_LAST):
    """Reviews of businesses. Columns: `label`, `text`."""

    order = ("train", "test")
    columns = ["label", "text"]


class _Lines:
    """Lines of text files, empty ones left out."""

    order: tuple[str, ...] = ("test", "train", "valid")

    def read(self, path: str) -> Iterator[Row]:
        return ([np.array(line)] for line in text_lines(self, path) if line)


class PennTreebankDataset(_Lines, TextFolderDataset):
    """Sentences of the Wall Street Journal (Marcus et al. 1993). Column: `text`."""

    parts = {"train": "ptb.train.txt", "valid": "ptb.valid.txt", "test": "ptb.test.txt"}


class WikiTextDataset(_Lines, TextFolderDataset):
    """Good articles of Wikipedia (Merity et al. 2016). Column: `text`."""

    parts = {"train": "wiki.train.tokens", "valid": "wiki.valid.tokens", "test": "wiki.test.tokens"}


class EnWik9Dataset(
    TextFolderDataset, takes=f"dataset_dir, {TEXT.replace('Shuffle.GLOBAL', 'True')}"
):
    """The first 10^9 bytes of Wikipedia's XML (Mahoney 2006), line by line. Column: `text`."""

    parts = {"all": "enwik9"}
    order = ("all",)

    def read(self, path: str) -> Iterator[Row]:
        return ([np.array(line)] for line in text_lines(self, path))


class _Tagged:
    """Sentences with a word and its tags in each line, ended by an empty line."""

    columns: list[str] = []
    separator = " "

    def read(self, path: str) -> Iterator[Row]:
        words: list[list[str]] = []
        for line in text_lines(self, path):
            if line.strip():
                fields = line.split(self.separator)
                words.append([*fields, "", ""][: len(self.columns)])
            elif words:
                yield _columns(words)
                words = []
        if words:
            yield _columns(words)


def _columns(words: list[list[str]]) -> Row:
    return [np.array(column) for column in zip(*words, strict=True)]


class CoNLL2000Dataset(_Tagged, TextFolderDataset, takes=_WORKERS_LAST):
    """Sentences divided into phrases (Tjong Kim Sang, Buchholz 2000). Columns: `word`, `pos_tag`, `chunk_tag`."""

    parts = {"train": "train.txt", "test": "test.txt"}
    order = ("test", "train")
    columns = ["word", "pos_tag", "chunk_tag"]


class UDPOSDataset(_Tagged, TextFolderDataset, takes=_WORKERS_LAST):
    """Sentences of Universal Dependencies. Columns: `word`, `universal`, `stanford`."""

    parts = {
        "train": "en-ud-tag.v2.train.txt",
        "valid": "en-ud-tag.v2.dev.txt",
        "test": "en-ud-tag.v2.test.txt",
    }
    order = ("valid", "test", "train")
    columns = ["word", "universal", "stanford"]
    separator = "\t"


class SST2Dataset(TextFolderDataset):
    """Sentences of film reviews and their mood (Socher et al. 2013). Columns: `sentence`, `label`; test: `sentence`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'dev' or 'test'; default: 'train'.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
    """

    parts = {"train": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}
    options = {"usage": ("train", "dev", "test")}

    def column_names(self) -> list[str]:
        return ["sentence"] if self.usage == "test" else ["sentence", "label"]

    def read(self, path: str) -> Iterator[Row]:
        lines = (line for line in text_lines(self, path) if line)
        next(lines, None)  # names of the columns
        for number, line in enumerate(lines):
            fields = line.split("\t")
            if len(fields) != 2:
                raise PipelineError(
                    f"For 'SST2Dataset', row {number} of '{path}' must have two fields, but has {len(fields)}."
                )
            chosen = fields[1:] if self.usage == "test" else fields
            yield [np.array(field) for field in chosen]
