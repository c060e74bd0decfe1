"""Vocabularies: words and their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core.dtype import DType, Type, int32
from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.block import row_of
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.text.base import TextTensorOperation, strings


class Vocab:
    """Words and their numbers. Made by `from_dataset`, `from_file`, `from_list` or `from_dict`.

    Examples:
        >>> vocab = text.Vocab.from_list(["a", "cat"], special_tokens=["[UNK]"])
        >>> vocab.tokens_to_ids(["cat", "[UNK]"]), vocab.ids_to_tokens(1)
        ([2, 0], 'a')
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] | None = None
        self._words: dict[int, str] = {}

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each word; not to be changed."""
        if self._numbers is None:
            raise RuntimeError(
                "For 'Vocab', there are no words yet. Make it by 'Vocab.from_dataset', 'Vocab.from_file', "
                "'Vocab.from_list' or 'Vocab.from_dict'."
            )
        return self._numbers

    def vocab(self) -> dict[str, int]:
        """The words and their numbers."""
        return dict(self.numbers)

    def tokens_to_ids(self, tokens: Any) -> int | list[int]:
        """The number of a word, or the numbers of a list of words; -1 means an unknown word.

        observed: MindSpore 2.10 gives a number, not a list, for a list of one word; so it is here.
        """
        numbers = self.numbers
        if isinstance(tokens, np.ndarray):
            tokens = tokens.tolist()
        check.instance("tokens_to_ids", "tokens", tokens, (str, list))
        if isinstance(tokens, str):
            return numbers.get(tokens, -1)
        for token in tokens:
            check.string("tokens_to_ids", "tokens", token)
        found = [numbers.get(token, -1) for token in tokens]
        return found[0] if len(found) == 1 else found

    def ids_to_tokens(self, ids: Any) -> str | list[str]:
        """The word of a number or of a list of one, or the words of a longer list; '' for unknown ones."""
        self.numbers  # noqa: B018 - there must be some
        if isinstance(ids, np.ndarray):
            ids = ids.tolist()
        check.instance("ids_to_tokens", "ids", ids, (int, list))
        for number in ids if isinstance(ids, list) else [ids]:
            check.integer("ids_to_tokens", "ids", number, 0, check.INT32_MAX)
        if isinstance(ids, list):
            found = [self._words.get(number, "") for number in ids]
            return found[0] if len(found) == 1 else found
        return self._words.get(ids, "")

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: Any = None,
        freq_range: tuple | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of columns of a dataset, the frequent ones first, equally frequent ones by their characters.

        Args:
            dataset: The dataset.
            columns: One name or a list of them. Default: all columns.
            freq_range: Least and greatest number of times that a word occurs, each may be None.
            top_k: Most words to take.
            special_tokens: Words to add.
            special_first: Whether these stand before the others.
        """
        owner = "from_dataset"
        columns = _columns(owner, columns)
        low, high = _frequencies(owner, freq_range)
        if top_k is not None:
            check.integer(owner, "top_k", top_k, 1)
        special = _special(owner, special_tokens)
        check.boolean(owner, "special_first", special_first)
        counts = Counter(words_of(owner, dataset, columns))
        chosen = [word for word, count in counts.items() if low <= count <= high]
        chosen.sort(key=lambda word: (-counts[word], word.encode("utf-8", "surrogatepass")))
        return _numbered(owner, chosen[:top_k], special, special_first, PipelineError)

    @classmethod
    def from_list(
        cls,
        word_list: list[str],
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a list, in its order, and special ones before or after them."""
        owner = "from_list"
        check.instance(owner, "word_list", word_list, list)
        for word in word_list:
            check.string(owner, "word_list", word)
        special = _special(owner, special_tokens)
        check.boolean(owner, "special_first", special_first)
        return _numbered(owner, word_list, special, special_first, ValueError)

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a file, one in each line.

        Args:
            file_path: The file, in UTF-8.
            delimiter: A word ends before the first of these characters. Default: at the end of the line.
            vocab_size: Most words to take.
            special_tokens, special_first: As for `from_dataset`.
        """
        owner = "from_file"
        check.string(owner, "file_path", file_path)
        check.string(owner, "delimiter", delimiter)
        if vocab_size is not None:
            check.integer(owner, "vocab_size", vocab_size, 1)
        special = _special(owner, special_tokens)
        check.boolean(owner, "special_first", special_first)
        words: list[str] = []
        try:
            with open(file_path, encoding="utf-8", newline="\n", opener=regular) as file:
                for line in file:
                    if len(words) == vocab_size:
                        break
                    words.append(_before(line.removesuffix("\n"), delimiter))
        except (OSError, UnicodeDecodeError) as error:
            raise PipelineError(
                f"For 'from_file', '{file_path}' cannot be read: {error}."
            ) from None
        try:
            return _numbered(owner, words, special, special_first, PipelineError)
        except PipelineError as error:
            raise PipelineError(f"In the file '{file_path}': {error}") from None

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """Words with the numbers that a dict gives them."""
        check.instance("from_dict", "word_dict", word_dict, dict)
        for word, number in word_dict.items():
            check.string("from_dict", "word_dict", word)
            check.integer("from_dict", "word_dict", number, 0, check.INT32_MAX)
        return _made(dict(word_dict))


def _made(numbers: dict[str, int]) -> Vocab:
    vocab = Vocab()
    vocab._numbers = numbers
    vocab._words = {number: word for word, number in numbers.items()}
    return vocab


def _numbered(
    owner: str, words: list[str], special: list[str], first: bool, error: type[Exception]
) -> Vocab:
    """A vocabulary of words in their order."""
    words = special + words if first else words + special
    numbers = {word: number for number, word in enumerate(words)}
    if len(numbers) < len(words):
        twice = next(word for word, count in Counter(words).items() if count > 1)
        raise error(f"For '{owner}', the words must be different, but {shortened(twice)!r} occurs twice.")
    return _made(numbers)


def _special(owner: str, tokens: Any) -> list[str]:
    if tokens is None:
        return []
    check.instance(owner, "special_tokens", tokens, list)
    for token in tokens:
        check.string(owner, "special_tokens", token)
    if len(set(tokens)) < len(tokens):
        raise check.fail(ValueError, owner, "special_tokens", "a list of different words", tokens)
    return tokens


def _before(line: str, delimiters: str) -> str:
    return line[: min((line.find(c) for c in delimiters if c in line), default=len(line))]


def _columns(owner: str, columns: Any) -> list[str]:
    columns = [columns] if not isinstance(columns, (list, tuple, type(None))) else columns or []
    for name in columns:
        check.string(owner, "columns", name)
    if "" in columns or len(set(columns)) < len(columns):
        raise check.fail(PipelineError, owner, "columns", "different names, not empty", columns)
    return list(columns)


def _frequencies(owner: str, given: Any) -> tuple[float, float]:
    if given is None:
        return 0, float("inf")
    check.instance(owner, "freq_range", given, tuple)
    if len(given) != 2 or not all(isinstance(n, (int, type(None))) for n in given):
        raise check.fail(ValueError, owner, "freq_range", "a tuple of two, ints or None", given)
    low = 0 if given[0] is None else given[0]
    high = float("inf") if given[1] is None else given[1]
    if not 0 <= low <= high:
        raise check.fail(ValueError, owner, "freq_range", "(a, b) with 0 <= a <= b", given)
    return low, high


def words_of(owner: str, dataset: Any, columns: list[str]) -> Iterator[str]:
    """The strings in columns of a dataset, all columns if none are named.

    Raises:
        PipelineError: A column is missing or is not text.
    """
    names = check.instance(owner, "dataset", dataset, Dataset).get_col_names()
    for block in dataset.blocks(Run(0)):
        for place in positions(owner, columns or names, names):
            for row in range(block.count):
                value = row_of(block.columns[place], row)
                if value.dtype.kind != "U":
                    raise PipelineError(
                        f"For '{owner}', the column '{names[place]}' must be text, but is of dtype {value.dtype}."
                    )
                yield from value.ravel().tolist()


def vocabulary(owner: Any, value: Any) -> dict[str, int]:
    """Words and numbers of an argument `vocab`; None is a missing value, not a wrong type."""
    if value is None:
        raise check.fail(ValueError, owner, "vocab", "a Vocab", value)
    return check.instance(owner, "vocab", value, Vocab).numbers


class Lookup(TextTensorOperation):
    """Words as their numbers in a vocabulary.

    Args:
        vocab: The vocabulary.
        unknown_token: The word whose number words get that the vocabulary lacks; without it they are errors.
        data_type: Type of the result.

    Inputs:
        Strings of any shape.

    Outputs:
        `data_type`, the same shape.

    Examples:
        >>> vocab = text.Vocab.from_list(["[UNK]", "a", "cat"])
        >>> text.Lookup(vocab, "[UNK]")(["a", "dog"]).tolist()
        [1, 0]
    """

    gives_numbers = True

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = int32):
        self._numbers = check.instance(self, "vocab", vocab, Vocab).numbers
        self.unknown_token = check.optional(check.string, self, "unknown_token", unknown_token)
        self._unknown = None
        if unknown_token is not None:
            self._unknown = self._numbers.get(unknown_token)
            if self._unknown is None:
                raise check.fail(
                    PipelineError, self, "unknown_token", "a word of the vocabulary", unknown_token
                )
        if not isinstance(data_type, Type):
            raise check.fail(TypeError, self, "data_type", "a type of mindspore", data_type)
        if not isinstance(data_type, DType) or data_type.numpy.kind not in "biuf":
            raise check.fail(PipelineError, self, "data_type", "a type of numbers", data_type)
        self.data_type = data_type

    def apply(self, value: np.ndarray) -> np.ndarray:
        strings(self, value)
        return self.of_tokens(value.ravel().tolist()).reshape(value.shape)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)

    def of_tokens(self, tokens: Any) -> Any:
        found, kind = self._found(tokens), self.data_type.numpy
        if kind.itemsize >= 4:  # holds every number of a word
            return np.array(found, kind)
        return np.array(found, np.int64).astype(kind)

    def _found(self, words: list[str]) -> list[int]:
        numbers, unknown = self._numbers, self._unknown
        if unknown is not None:
            return [numbers.get(word, unknown) for word in words]
        try:
            return [numbers[word] for word in words]
        except KeyError as error:
            raise PipelineError(
                f"For 'Lookup', the vocabulary lacks the word {error}. Give an 'unknown_token' to accept such words."
            ) from None
