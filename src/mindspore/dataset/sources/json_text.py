"""Texts in JSON: SQuAD's questions, CLUE's tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core.errors import shortened
from mindspore.core.json_text import parsed
from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sampler_base import Shuffle
from mindspore.dataset.sources.files import FilesDataset, Row, text_lines
from mindspore.dataset.sources.text_folders import TextFolderDataset


class SQuADDataset(TextFolderDataset):
    """Questions on paragraphs of Wikipedia (Rajpurkar et al. 2016, 2018), version 1.1 or 2.0.

    Columns: `context`, `question`, `text` and `answer_start`, the answers and where they begin. A question without an
    answer has the answer '', which begins at 2^32 - 1.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'dev' or 'all', the default.

    Examples:
        >>> import json
        >>> question = {"question": "Who sleeps?", "answers": [{"text": "He", "answer_start": 0}]}
        >>> article = {"paragraphs": [{"context": "He sleeps.", "qas": [question]}]}
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "dev-v1.1.json").write_text(json.dumps({"data": [article]}))
        >>> data = dataset.SQuADDataset(str(folder), "dev")
        >>> [value.tolist() for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['He sleeps.', 'Who sleeps?', ['He'], [0]]
    """

    parts = {"train": "train-v{}.json", "dev": "dev-v{}.json"}
    order = ("train", "dev")
    columns = ["context", "question", "text", "answer_start"]

    def _paths(self) -> list[str]:
        versions = [
            [path.format(version) for path in super(SQuADDataset, self)._paths()]
            for version in ("1.1", "2.0")
        ]
        try:
            return self._found(versions[0])
        except PipelineError:
            return self._found(versions[1])

    def read(self, path: str) -> Iterator[Row]:
        try:
            with open(path, "rb", opener=regular) as file:
                content = parsed(file.read())
            for article in content["data"]:
                for paragraph in article["paragraphs"]:
                    for question in paragraph["qas"]:
                        yield _question(paragraph["context"], question)
        except (ValueError, LookupError, TypeError, OverflowError) as error:
            raise PipelineError(
                f"For 'SQuADDataset', '{path}' is no file of SQuAD: {type(error).__name__}: {shortened(error)}."
            ) from None


def _question(context: str, question: dict[str, Any]) -> Row:
    answers = question["answers"] or [{"text": "", "answer_start": 2**32 - 1}]
    return [
        np.array(context),
        np.array(question["question"]),
        np.array([answer["text"] for answer in answers]),
        np.array([answer["answer_start"] for answer in answers], np.uint32),
    ]


_PAIR = {"sentence1": "sentence1", "sentence2": "sentence2"}
_SPANS = {
    "span1_index": "target.span1_index",
    "span1_text": "target.span1_text",
    "span2_index": "target.span2_index",
    "span2_text": "target.span2_text",
    "text": "text",
}
_SAME = {
    name: name
    for name in (
        "id",
        "label",
        "keywords",
        "label_desc",
        "label_des",
        "sentence",
        "abst",
        "keyword",
    )
}


def _named(*names: str, **more: str) -> dict[str, str]:
    """Columns, in the order of their names, and where they stand in an object of the file."""
    return dict(sorted({**{name: _SAME[name] for name in names}, **more}.items()))


_TASKS = {
    "AFQMC": (_named("label", **_PAIR), _named("id", **_PAIR)),
    "CMNLI": (_named("label", **_PAIR), _named("id", **_PAIR)),
    "CSL": (_named("id", "abst", "keyword", "label"), _named("id", "abst", "keyword")),
    "IFLYTEK": (_named("label", "label_des", "sentence"), _named("id", "sentence")),
    "TNEWS": (
        _named("label", "label_desc", "sentence", "keywords"),
        _named("id", "sentence", "keywords"),
    ),
    "WSC": (_named("label", idx="idx", **_SPANS), _named(idx="idx", **_SPANS)),
}


class CLUEDataset(FilesDataset):
    r"""Tasks of the Chinese Language Understanding Evaluation (Xu et al. 2020), one JSON object in each line.

    Columns: those of the task, in the order of their names; numbers are uint32.

    Args:
        dataset_files: A file, a pattern, or a list of them.
        task: 'AFQMC', 'CMNLI', 'CSL', 'IFLYTEK', 'TNEWS' or 'WSC'.
        usage: 'train', 'eval' or 'test'.

    Examples:
        >>> file = Path(tempfile.mkdtemp()) / "train.json"
        >>> _ = file.write_text('{"label": "102", "label_desc": "news_story", "sentence": "text", "keywords": "a"}\n')
        >>> data = dataset.CLUEDataset(str(file), "TNEWS", "train")
        >>> {name: str(value) for name, value in next(data.create_dict_iterator(output_numpy=True)).items()}
        {'keywords': 'a', 'label': '102', 'label_desc': 'news_story', 'sentence': 'text'}
    """

    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(
            dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache
        )
        self.task = check.option(self, "task", task, list(_TASKS))
        self.usage = check.option(
            self, "usage", check.string(self, "usage", usage), ["train", "test", "eval"]
        )
        self._places = _TASKS[task][usage == "test"]

    def column_names(self) -> list[str]:
        return list(self._places)

    def read(self, path: str) -> Iterator[Row]:
        for number, line in enumerate(text_lines(self, path)):
            if not line:
                continue
            try:
                fields = parsed(line)
                yield [_value(_at(fields, place)) for place in self._places.values()]
            except (ValueError, LookupError, TypeError, OverflowError) as error:
                raise PipelineError(
                    f"For 'CLUEDataset', line {number + 1} of '{path}' must be a JSON object with the fields of the "
                    f"task {self.task}, {list(self._places.values())}: {type(error).__name__}: {shortened(error)}."
                ) from None


def _at(fields: Any, place: str) -> Any:
    """What stands at a place such as 'target.span1_text'."""
    for name in place.split("."):
        fields = fields[name]
    return fields


def _value(value: Any) -> np.ndarray:
    """A value of JSON as an array: text, uint32, or a list of one of them; booleans as text."""
    values = value if isinstance(value, list) else [value]
    if all(isinstance(item, (str, bool)) for item in values):
        array = np.array([str(item).lower() if isinstance(item, bool) else item for item in values])
    elif all(isinstance(item, int) and not isinstance(item, bool) for item in values):
        array = np.array(values, np.int64).astype(np.uint32)
    else:
        raise TypeError(f"text or whole numbers are expected, but got {value!r}")
    return array if isinstance(value, list) else array.reshape(())
