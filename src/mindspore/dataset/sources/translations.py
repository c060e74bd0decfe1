"""Sentences and their translations: the same lines of two files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.samplers import Shuffle
from mindspore.dataset.sources.files import Row, text_lines
from mindspore.dataset.sources.text_folders import TextFolderDataset

_SEGMENT = re.compile("<seg[^>]*>(.*?)</seg>")


class TranslationDataset(TextFolderDataset):
    """Rows of two files, as many as the shorter one has. Columns: `text`, `translation`.

    A subclass defines `pair`, the files of a usage in the two languages.
    """

    columns = ["text", "translation"]
    language_pair: list[str]

    def pair(self, usage: str) -> tuple[str, str]:
        """The files of a usage, below the folder."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'pair' is not defined.")

    def sentences(self, path: str) -> Iterator[str]:
        """The sentences of one file."""
        return (line for line in text_lines(self, path) if line)

    def _pairs(self) -> dict[str, str]:
        """The file of translations for each file of sentences."""
        return {
            os.path.join(self.dataset_dir, first): os.path.join(self.dataset_dir, second)
            for first, second in (self.pair(usage) for usage in self._usages())
        }

    def _paths(self) -> list[str]:
        pairs = self._pairs()
        self._found(list(pairs.values()))
        return list(pairs)

    def read(self, path: str) -> Iterator[Row]:
        both = zip(self.sentences(path), self.sentences(self._pairs()[path]), strict=False)
        return ([np.array(text), np.array(translation)] for text, translation in both)

    def _languages(self, value: Any, default: list[str]) -> list[str]:
        """Two names of languages."""
        if value is None:
            return default
        check.instance(self, "language_pair", value, (list, tuple))
        if len(value) != 2:
            raise check.fail(ValueError, self, "language_pair", "two languages", value)
        return list(value)


class Multi30kDataset(TranslationDataset):
    """Descriptions of images in English and German (Elliott et al. 2016). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'test', 'valid' or 'all', the default.
        language_pair: Of the text and of the translation; default: ['en', 'de'].
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
    """

    parts = {"train": "training/train", "test": "mmt16_task1_test/test", "valid": "validation/val"}
    order = ("test", "train", "valid")

    def __init__(
        self,
        dataset_dir: Any,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        self.language_pair = self._languages(language_pair, ["en", "de"])
        if self.language_pair not in (["en", "de"], ["de", "en"]):
            raise check.fail(
                ValueError, self, "language_pair", "['en', 'de'] or ['de', 'en']", language_pair
            )
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )

    def pair(self, usage: str) -> tuple[str, str]:
        first, second = self.language_pair
        return f"{self.parts[usage]}.{first}", f"{self.parts[usage]}.{second}"


class _Talks(TranslationDataset):
    """Transcripts of talks. Lines of XML among the sentences of training files are left out."""

    order = ("train", "valid", "test")

    def sentences(self, path: str) -> Iterator[str]:
        if not path.endswith(".xml"):
            lines = (line.strip() for line in text_lines(self, path))
            return (line for line in lines if line and not line.startswith("<"))
        return (
            found[1].strip() for line in text_lines(self, path) for found in _SEGMENT.finditer(line)
        )


class IWSLT2016Dataset(_Talks):
    """Talks translated between English and another language (Cettolo et al. 2016). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'valid', 'test' or 'all', the default.
        language_pair: Of the text and of the translation: English and Arabic (ar), Czech (cs), French (fr) or German
            (de), or the other way round; default: ['de', 'en'].
        valid_set, test_set: 'dev2010', 'tst2010', 'tst2011', 'tst2012', 'tst2013' or 'tst2014'; default: 'tst2013' and
            'tst2014'.
        num_samples, shuffle, num_shards, shard_id, num_parallel_workers, cache: As for TextFileDataset.
    """

    def __init__(
        self,
        dataset_dir: Any,
        usage: str | None = None,
        language_pair: Any = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        self.language_pair = self._languages(language_pair, ["de", "en"])
        others = ["ar", "cs", "de", "fr"]
        if "en" not in self.language_pair or not any(name in others for name in self.language_pair):
            wanted = f"'en' and one of {others}, in any order"
            raise check.fail(ValueError, self, "language_pair", wanted, language_pair)
        self.valid_set = self._talks("valid_set", valid_set, "tst2013")
        self.test_set = self._talks("test_set", test_set, "tst2014")
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )

    def _talks(self, name: str, value: str | None, default: str) -> str:
        if value is None:
            return default
        years = ["dev2010", *(f"tst{year}" for year in range(2010, 2015))]
        return check.option(self, name, check.string(self, name, value), years)

    def pair(self, usage: str) -> tuple[str, str]:
        first, second = self.language_pair
        folder = f"texts/{first}/{second}/{first}-{second}"
        if usage == "train":
            name, end = f"train.tags.{first}-{second}", ""
        else:
            talks = self.valid_set if usage == "valid" else self.test_set
            name, end = f"IWSLT16.TED.{talks}.{first}-{second}", ".xml"
        return f"{folder}/{name}.{first}{end}", f"{folder}/{name}.{second}{end}"


class IWSLT2017Dataset(_Talks):
    """Talks translated between five languages (Cettolo et al. 2017). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'valid', 'test' or 'all', the default.
        language_pair: Of the text and of the translation, two different ones of Dutch (nl), English (en), German (de),
            Italian (it) and Romanian (ro); default: ['de', 'en'].
        num_samples, shuffle, num_shards, shard_id, num_parallel_workers, cache: As for TextFileDataset.
    """

    def __init__(
        self,
        dataset_dir: Any,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        self.language_pair = self._languages(language_pair, ["de", "en"])
        known = {"de", "en", "it", "nl", "ro"}
        if self.language_pair[0] == self.language_pair[1] or not known.issuperset(
            self.language_pair
        ):
            wanted = f"two different ones of {sorted(known)}"
            raise check.fail(ValueError, self, "language_pair", wanted, language_pair)
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            num_shards,
            shard_id,
            cache,
        )

    def pair(self, usage: str) -> tuple[str, str]:
        first, second = self.language_pair
        folder = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
        if usage == "train":
            name, end = f"train.tags.{first}-{second}", ""
        else:
            talks = "dev2010" if usage == "valid" else "tst2010"
            name, end = f"IWSLT17.TED.{talks}.{first}-{second}", ".xml"
        return f"{folder}/{name}.{first}{end}", f"{folder}/{name}.{second}{end}"
