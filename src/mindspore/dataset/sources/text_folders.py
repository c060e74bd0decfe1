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
    r"""News in four classes (Zhang et al. 2015). Columns: `index`, `title`, `description`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"3","A title","A text, with a comma"\n')
        >>> data = dataset.AGNewsDataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['3', 'A title', 'A text, with a comma']
    """

    columns = ["index", "title", "description"]


class AmazonReviewDataset(_Table, TextFolderDataset):
    r"""Reviews of products (McAuley, Leskovec 2013). Columns: `label`, `title`, `content`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"2","Good","I would buy it again"\n')
        >>> data = dataset.AmazonReviewDataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['2', 'Good', 'I would buy it again']
    """

    columns = ["label", "title", "content"]


class DBpediaDataset(_Table, TextFolderDataset):
    r"""Beginnings of Wikipedia's articles in 14 classes. Columns: `class`, `title`, `content`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "test.csv").write_text('1,"A company","It makes things."\n')
        >>> data = dataset.DBpediaDataset(str(folder), "test")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['1', 'A company', 'It makes things.']
    """

    columns = ["class", "title", "content"]


class YahooAnswersDataset(_Table, TextFolderDataset):
    r"""Questions and answers in ten classes. Columns: `class`, `title`, `content`, `answer`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"5","Why?","Say why","Because"\n')
        >>> data = dataset.YahooAnswersDataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['5', 'Why?', 'Say why', 'Because']
    """

    columns = ["class", "title", "content", "answer"]


class SogouNewsDataset(_Table, TextFolderDataset, takes=_WORKERS_LAST):
    r"""Chinese news in five classes. Columns: `index`, `title`, `content`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: train, then test).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"4","biao ti","nei rong"\n')
        >>> data = dataset.SogouNewsDataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['4', 'biao ti', 'nei rong']
    """

    order = ("train", "test")
    columns = ["index", "title", "content"]


class YelpReviewDataset(_Table, TextFolderDataset, takes=_WORKERS_LAST):
    r"""Reviews of businesses. Columns: `label`, `text`.

    Args:
        dataset_dir: Folder of `train.csv` and `test.csv`.
        usage: 'train', 'test' or 'all' (default: train, then test).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"1","Never again."\n')
        >>> data = dataset.YelpReviewDataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['1', 'Never again.']
    """

    order = ("train", "test")
    columns = ["label", "text"]


class _Lines:
    """Lines of text files, empty ones left out."""

    order: tuple[str, ...] = ("test", "train", "valid")

    def read(self, path: str) -> Iterator[Row]:
        return ([np.array(line)] for line in text_lines(self, path) if line)


class PennTreebankDataset(_Lines, TextFolderDataset):
    r"""Sentences of the Wall Street Journal (Marcus et al. 1993). Column: `text`.

    Args:
        dataset_dir: Folder of `ptb.train.txt`, `ptb.valid.txt` and `ptb.test.txt`.
        usage: 'train', 'valid', 'test' or 'all' (default: test, train, valid).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "ptb.valid.txt").write_text("a first sentence\na second one\n")
        >>> data = dataset.PennTreebankDataset(str(folder), "valid", shuffle=False)
        >>> [str(text) for (text,) in data.create_tuple_iterator(output_numpy=True)]
        ['a first sentence', 'a second one']
    """

    parts = {"train": "ptb.train.txt", "valid": "ptb.valid.txt", "test": "ptb.test.txt"}


class WikiTextDataset(_Lines, TextFolderDataset):
    r"""Good articles of Wikipedia (Merity et al. 2016). Column: `text`.

    Args:
        dataset_dir: Folder of `wiki.train.tokens`, `wiki.valid.tokens` and `wiki.test.tokens`.
        usage: 'train', 'valid', 'test' or 'all' (default: test, train, valid).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "wiki.test.tokens").write_text("= Title =\n\nA sentence .\n")
        >>> data = dataset.WikiTextDataset(str(folder), "test", shuffle=False)
        >>> [str(text) for (text,) in data.create_tuple_iterator(output_numpy=True)]
        ['= Title =', 'A sentence .']
    """

    parts = {"train": "wiki.train.tokens", "valid": "wiki.valid.tokens", "test": "wiki.test.tokens"}


class EnWik9Dataset(
    TextFolderDataset, takes=f"dataset_dir, {TEXT.replace('Shuffle.GLOBAL', 'True')}"
):
    r"""The first 10^9 bytes of Wikipedia's XML (Mahoney 2006), line by line. Column: `text`.

    Args:
        dataset_dir: Folder of `enwik9`.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "enwik9").write_text("<mediawiki>\n<page>\n")
        >>> data = dataset.EnWik9Dataset(str(folder), shuffle=False)
        >>> [str(text) for (text,) in data.create_tuple_iterator(output_numpy=True)]
        ['<mediawiki>', '<page>']
    """

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
    r"""Sentences divided into phrases (Tjong Kim Sang, Buchholz 2000). Columns: `word`, `pos_tag`, `chunk_tag`.

    Args:
        dataset_dir: Folder of `train.txt` and `test.txt`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "test.txt").write_text("He PRP B-NP\nsleeps VBZ B-VP\n\n")
        >>> data = dataset.CoNLL2000Dataset(str(folder), "test")
        >>> [value.tolist() for value in next(data.create_tuple_iterator(output_numpy=True))]
        [['He', 'sleeps'], ['PRP', 'VBZ'], ['B-NP', 'B-VP']]
    """

    parts = {"train": "train.txt", "test": "test.txt"}
    order = ("test", "train")
    columns = ["word", "pos_tag", "chunk_tag"]


class UDPOSDataset(_Tagged, TextFolderDataset, takes=_WORKERS_LAST):
    r"""Sentences of Universal Dependencies. Columns: `word`, `universal`, `stanford`.

    Args:
        dataset_dir: Folder of `en-ud-tag.v2.train.txt`, `en-ud-tag.v2.dev.txt` and `en-ud-tag.v2.test.txt`.
        usage: 'train', 'valid', 'test' or 'all' (default: valid, test, train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "en-ud-tag.v2.test.txt").write_text("He\tPRON\tPRP\nsleeps\tVERB\tVBZ\n\n")
        >>> data = dataset.UDPOSDataset(str(folder), "test")
        >>> [value.tolist() for value in next(data.create_tuple_iterator(output_numpy=True))]
        [['He', 'sleeps'], ['PRON', 'VERB'], ['PRP', 'VBZ']]
    """

    parts = {
        "train": "en-ud-tag.v2.train.txt",
        "valid": "en-ud-tag.v2.dev.txt",
        "test": "en-ud-tag.v2.test.txt",
    }
    order = ("valid", "test", "train")
    columns = ["word", "universal", "stanford"]
    separator = "\t"


class SST2Dataset(TextFolderDataset):
    r"""Sentences of film reviews and their mood (Socher et al. 2013). Columns: `sentence`, `label`; test: `sentence`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'dev' or 'test'; default: 'train'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.tsv").write_text("sentence\tlabel\na fine film\t1\n")
        >>> data = dataset.SST2Dataset(str(folder), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['a fine film', '1']
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
