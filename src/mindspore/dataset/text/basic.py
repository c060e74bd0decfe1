"""The tokenizers of BERT: words and signs, then pieces of words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.text.base import (
    Span,
    TextTensorOperation,
    Tokenizer,
    byte_length,
    in_bytes,
    strings,
    token_array,
)
from mindspore.dataset.text.characters import (
    SPACES,
    LazyTable,
    folded,
    stands_alone,
    without_accents,
    without_controls,
)
from mindspore.dataset.text.enums import NormalizeForm
from mindspore.dataset.text.normal import normalized
from mindspore.dataset.text.vocab import Vocab, vocabulary

_SPECIAL = re.compile(r"(\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\])", re.ASCII)
_LETTER, _ALONE, _SPACE = "a", "!", " "
_kinds = LazyTable(lambda c: _SPACE if c in SPACES else _ALONE if stands_alone(c) else _LETTER)
_WORDS = re.compile("a+|!")
_ASCII_WORDS = re.compile(r"[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
_WORDS_AND_SPACES = re.compile("a+|!| +")


class BasicTokenizer(Tokenizer):
    """Words, with punctuation and Chinese characters as words of their own (Devlin et al. 2018).

    Control characters are white space.

    Args:
        lower_case: Whether to fold cases and take off accents; text is then in form NFKC, without its marks.
        keep_whitespace: Whether white space gives tokens.
        normalization_form: Form of the text without `lower_case`.
        preserve_unused_token: Whether '[CLS]', '[SEP]', '[UNK]', '[PAD]', '[MASK]' and '[unused1]' are tokens.
        with_offsets: Whether to give the places of the tokens as well, in the normalised text.

    Examples:
        >>> text.BasicTokenizer(lower_case=True)("Hello, World").tolist()
        ['hello', ',', 'world']
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        self.lower_case = check.boolean(self, "lower_case", lower_case)
        self.keep_whitespace = check.boolean(self, "keep_whitespace", keep_whitespace)
        self.normalization_form = check.instance(
            self, "normalization_form", normalization_form, NormalizeForm
        )
        self.preserve_unused_token = check.boolean(
            self, "preserve_unused_token", preserve_unused_token
        )
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)
        self._pattern = _WORDS_AND_SPACES if keep_whitespace else _WORDS

    def cut(self, text: str) -> tuple[str, list[Span]]:
        text = self._normal(text)
        if not self.preserve_unused_token or "[" not in text:
            return text, self._spans(text)
        spans, begin = [], 0
        for part in _SPECIAL.split(text):
            if _SPECIAL.fullmatch(part):
                spans.append((begin, begin + len(part)))
            else:
                spans += [(begin + b, begin + e) for b, e in self._spans(part)]
            begin += len(part)
        return text, spans

    def tokens(self, text: str) -> list[str]:
        if self.keep_whitespace or not text.isascii():
            return super().tokens(text)
        if not self.preserve_unused_token or "[" not in text:
            return _ASCII_WORDS.findall(text.lower() if self.lower_case else text)
        return super().tokens(text)

    def _spans(self, text: str) -> list[Span]:
        return [found.span() for found in self._pattern.finditer(text.translate(_kinds))]

    def _normal(self, text: str) -> str:
        if not self.lower_case:
            return without_controls(normalized(self.normalization_form, text))
        if not self.preserve_unused_token or "[" not in text:
            return without_controls(_lower(text))
        parts = _SPECIAL.split(text)
        parts[::2] = [_lower(part) for part in parts[::2]]
        return without_controls("".join(parts))


def _lower(text: str) -> str:
    return without_accents(folded(text))


class WordpieceTokenizer(TextTensorOperation):
    """Words cut into the longest pieces that a vocabulary has, from left to right (Schuster, Nakajima 2012).

    Args:
        vocab: The pieces.
        suffix_indicator: What pieces begin with that do not begin a word.
        max_bytes_per_token: Longer words are unknown.
        unknown_token: What replaces a word that the pieces do not make up; '' keeps the word.
        with_offsets: Whether to give the places of the tokens as well, in bytes from the beginning of their word.

    Inputs:
        One word or (n,) words.

    Outputs:
        (m,) pieces; with offsets also two uint32 arrays (m,).

    Examples:
        >>> vocab = text.Vocab.from_list(["play", "##ing", "[UNK]"])
        >>> text.WordpieceTokenizer(vocab)(["playing", "sea"]).tolist()
        ['play', '##ing', '[UNK]']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ):
        self._pieces = vocabulary(self, vocab)
        self.suffix_indicator = check.string(self, "suffix_indicator", suffix_indicator)
        self.max_bytes_per_token = check.integer(
            self, "max_bytes_per_token", max_bytes_per_token, 0, 2**32 - 1
        )
        self.unknown_token = check.string(self, "unknown_token", unknown_token)
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)
        self._known: dict[str, list[str]] = {}

    def spans(self, word: str) -> list[Span] | None:
        """Places of the pieces of a word in characters; None for an unknown word."""
        if byte_length(word) > self.max_bytes_per_token:
            return None
        spans, begin = [], 0
        while begin < len(word):
            end = self._longest(word, begin)
            if end == begin:
                return None
            spans.append((begin, end))
            begin = end
        return spans

    def _longest(self, word: str, begin: int) -> int:
        """Where the longest piece that begins here ends; `begin` if there is none."""
        prefix, pieces = self.suffix_indicator if begin else "", self._pieces
        for end in range(len(word), begin, -1):
            if prefix + word[begin:end] in pieces:
                return end
        return begin

    def named(self, word: str) -> list[str]:
        """The pieces of a word."""
        pieces = self._known.get(word)
        if pieces is None:
            pieces = self._cut(word)
            if len(self._known) < 2**16:  # words come again and again
                self._known[word] = pieces
        return pieces

    def _cut(self, word: str) -> list[str]:
        spans = self.spans(word)
        if spans is None:
            return [self.unknown_token or word]
        return [
            self.suffix_indicator + word[begin:end] if begin else word[begin:end]
            for begin, end in spans
        ]

    def joins(self, numbers: bool) -> bool:
        return not numbers and not self.with_offsets

    def of_tokens(self, tokens: Any) -> Any:
        return [piece for word in tokens for piece in self.named(word)] or [""]

    def apply(self, value: np.ndarray) -> Any:
        words = strings(self, value, (0, 1)).ravel().tolist()
        tokens = np.array(self.of_tokens(words))
        if not self.with_offsets:
            return tokens
        places = [in_bytes(word, self._places(word)) for word in words if word] or [
            in_bytes("", [])
        ]
        return (
            tokens,
            np.concatenate([b for b, _ in places]),
            np.concatenate([e for _, e in places]),
        )

    def _places(self, word: str) -> list[Span]:
        spans = self.spans(word)
        return [(0, len(word))] if spans is None else spans


class BertTokenizer(Tokenizer):
    """BasicTokenizer, then WordpieceTokenizer.

    Args: Those of the two.

    Args:
        vocab, suffix_indicator, max_bytes_per_token, unknown_token: As for WordpieceTokenizer.
        lower_case, keep_whitespace, normalization_form, preserve_unused_token: As for BasicTokenizer.
        with_offsets: Whether to give the places of the tokens as well.

    Examples:
        >>> vocab = text.Vocab.from_list(["play", "##ing", "[UNK]"])
        >>> text.BertTokenizer(vocab, lower_case=True)("Playing sea").tolist()
        ['play', '##ing', '[UNK]']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        self._words = BasicTokenizer(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token, with_offsets
        )
        self._pieces = WordpieceTokenizer(
            vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets
        )
        self.with_offsets = with_offsets

    def tokens(self, text: str) -> list[str]:
        named = self._pieces.named
        return [piece for word in self._words.tokens(text) for piece in named(word)]

    def apply(self, value: np.ndarray) -> Any:
        if not self.with_offsets:
            return super().apply(value)
        text, words = self._words.cut(strings(self, value, (0,)).item())
        spans = [
            (begin + b, begin + e)
            for begin, end in words
            for b, e in self._pieces._places(text[begin:end])
        ]
        tokens = [p for begin, end in words for p in self._pieces.named(text[begin:end])]
        return token_array(tokens), *in_bytes(text, spans)
