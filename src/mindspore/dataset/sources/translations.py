"""Sentences and their translations: the same lines of two files."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.sources.files import Row, text_lines
from mindspore.dataset.sources.signatures import TEXT, TEXT_WORKERS_LAST
from mindspore.dataset.sources.text_folders import TextFolderDataset


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

    def _languages(self, default: list[str]) -> list[str]:
        """The two languages that are asked for."""
        value = self.arguments["language_pair"]
        if value is None:
            return default
        if len(check.instance(self, "language_pair", value, (list, tuple))) != 2:
            raise self._wrong_pair("two languages")
        return list(value)

    def _wrong_pair(self, wanted: str) -> Exception:
        return check.fail(
            ValueError, self, "language_pair", wanted, self.arguments["language_pair"]
        )


def _segments(line: str) -> Iterator[str]:
    """What stands in the elements `seg` of a line; in linear time, which a pattern is not."""
    at = 0
    while (
        (start := line.find("<seg", at)) >= 0
        and (begin := line.find(">", start) + 1)
        and (end := line.find("</seg>", begin)) >= 0
    ):
        yield line[begin:end]
        at = end + len("</seg>")


class Multi30kDataset(
    TranslationDataset,
    takes=f"dataset_dir, usage=None, language_pair=None, {TEXT.replace('Shuffle.GLOBAL', 'None')}",
):
    r"""Descriptions of images in English and German (Elliott et al. 2016). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'test', 'valid' or 'all', the default.
        language_pair: Of the text and of the translation; default: ['en', 'de'].

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "validation").mkdir()
        >>> _ = (folder / "validation" / "val.en").write_text("A dog.\n")
        >>> _ = (folder / "validation" / "val.de").write_text("Ein Hund.\n")
        >>> data = dataset.Multi30kDataset(str(folder), "valid")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['A dog.', 'Ein Hund.']
    """

    parts = {"train": "training/train", "test": "mmt16_task1_test/test", "valid": "validation/val"}
    order = ("test", "train", "valid")

    def verify(self) -> None:
        self.language_pair = self._languages(["en", "de"])
        if self.language_pair not in (["en", "de"], ["de", "en"]):
            raise self._wrong_pair("['en', 'de'] or ['de', 'en']")

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
        return (found.strip() for line in text_lines(self, path) for found in _segments(line))


def _talks_of(first: str) -> tuple[str, ...]:
    """The sets of talks, the one that is meant by default first."""
    return (first, "dev2010", *(f"tst{year}" for year in range(2010, 2015)))


class IWSLT2016Dataset(
    _Talks,
    takes="dataset_dir, usage=None, language_pair=None, valid_set=None, test_set=None, "
    f"{TEXT_WORKERS_LAST}",
):
    r"""Talks translated between English and another language (Cettolo et al. 2016). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'valid', 'test' or 'all', the default.
        language_pair: Of the text and of the translation: English and Arabic (ar), Czech (cs), French (fr) or German
            (de), or the reverse; default: ['de', 'en'].
        valid_set, test_set: 'dev2010', 'tst2010', 'tst2011', 'tst2012', 'tst2013' or 'tst2014'; default: 'tst2013' and
            'tst2014'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp()) / "texts" / "de" / "en" / "de-en"
        >>> folder.mkdir(parents=True)
        >>> _ = (folder / "train.tags.de-en.de").write_text("<talk>\nDanke.\n")
        >>> _ = (folder / "train.tags.de-en.en").write_text("<talk>\nThank you.\n")
        >>> data = dataset.IWSLT2016Dataset(str(folder.parents[3]), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['Danke.', 'Thank you.']
    """

    options = {
        "usage": ("all", *_Talks.order),
        "valid_set": _talks_of("tst2013"),
        "test_set": _talks_of("tst2014"),
    }
    valid_set: str
    test_set: str

    def verify(self) -> None:
        self.language_pair = self._languages(["de", "en"])
        others = ["ar", "cs", "de", "fr"]
        if "en" not in self.language_pair or not any(name in others for name in self.language_pair):
            raise self._wrong_pair(f"'en' and one of {others}, in any order")

    def pair(self, usage: str) -> tuple[str, str]:
        first, second = self.language_pair
        folder = f"texts/{first}/{second}/{first}-{second}"
        if usage == "train":
            name, end = f"train.tags.{first}-{second}", ""
        else:
            talks = self.valid_set if usage == "valid" else self.test_set
            name, end = f"IWSLT16.TED.{talks}.{first}-{second}", ".xml"
        return f"{folder}/{name}.{first}{end}", f"{folder}/{name}.{second}{end}"


class IWSLT2017Dataset(
    _Talks, takes=f"dataset_dir, usage=None, language_pair=None, {TEXT_WORKERS_LAST}"
):
    r"""Talks translated between five languages (Cettolo et al. 2017). Columns: `text`, `translation`.

    Args:
        dataset_dir: The folder.
        usage: 'train', 'valid', 'test' or 'all', the default.
        language_pair: Of the text and of the translation, two different ones of Dutch (nl), English (en), German (de),
            Italian (it) and Romanian (ro); default: ['de', 'en'].

    Examples:
        >>> folder = Path(tempfile.mkdtemp()) / "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
        >>> folder.mkdir(parents=True)
        >>> _ = (folder / "train.tags.de-en.de").write_text("<talk>\nDanke.\n")
        >>> _ = (folder / "train.tags.de-en.en").write_text("<talk>\nThank you.\n")
        >>> data = dataset.IWSLT2017Dataset(str(folder.parents[3]), "train")
        >>> [str(value) for value in next(data.create_tuple_iterator(output_numpy=True))]
        ['Danke.', 'Thank you.']
    """

    def verify(self) -> None:
        self.language_pair = self._languages(["de", "en"])
        known = {"de", "en", "it", "nl", "ro"}
        if len(known.intersection(self.language_pair)) != 2:
            raise self._wrong_pair(f"two different ones of {sorted(known)}")

    def pair(self, usage: str) -> tuple[str, str]:
        first, second = self.language_pair
        folder = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
        if usage == "train":
            name, end = f"train.tags.{first}-{second}", ""
        else:
            talks = "dev2010" if usage == "valid" else "tst2010"
            name, end = f"IWSLT17.TED.{talks}.{first}-{second}", ".xml"
        return f"{folder}/{name}.{first}{end}", f"{folder}/{name}.{second}{end}"
