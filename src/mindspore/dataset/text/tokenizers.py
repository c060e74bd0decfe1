"""Tokenizers that know no words: by white space, characters, scripts, patterns, Python functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.text.base import Span, Tokenizer
from mindspore.dataset.text.characters import SEPARATORS, WORD, script_signs
from mindspore.dataset.text.patterns import compiled
from mindspore.dataset.transforms.base import TensorOperation

_ASCII_RUN = re.compile(r"[A-Za-z]+|[^A-Za-z\s]+", re.ASCII)


class WhitespaceTokenizer(Tokenizer):
    """What stands between white space.

    Args:
        with_offsets: Whether to give the places of the tokens as well.

    Examples:
        >>> text.WhitespaceTokenizer()("a  cat").tolist()
        ['a', 'cat']
        >>> [part.tolist() for part in text.WhitespaceTokenizer(with_offsets=True)("a  cat")]
        [['a', 'cat'], [0, 3], [1, 6]]
    """

    def __init__(self, with_offsets: bool = False):
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)

    def cut(self, text: str) -> tuple[str, list[Span]]:
        return text, [found.span() for found in WORD.finditer(text)]

    def tokens(self, text: str) -> list[str]:
        if text.isprintable() or not SEPARATORS.search(text):
            return text.split()
        return WORD.findall(text)


class UnicodeCharTokenizer(Tokenizer):
    """The characters (code points).

    Args:
        with_offsets: Whether to give the places of the tokens as well.

    Examples:
        >>> text.UnicodeCharTokenizer()("cat").tolist()
        ['c', 'a', 't']
    """

    def __init__(self, with_offsets: bool = False):
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)

    def cut(self, text: str) -> tuple[str, list[Span]]:
        return text, [(place, place + 1) for place in range(len(text))]

    def tokens(self, text: str) -> list[str]:
        return list(text)

    def array(self, text: str) -> np.ndarray:
        if not text or text[-1] == "\0":  # which NumPy leaves out
            return super().array(text)
        return np.array([text]).view("U1")


class UnicodeScriptTokenizer(Tokenizer):
    """Runs of characters of one script (Unicode Standard Annex 24), and of white space.

    Args:
        keep_whitespace: Whether white space gives tokens.
        with_offsets: Whether to give the places of the tokens as well.

    Examples:
        >>> text.UnicodeScriptTokenizer()("cat κύων").tolist()
        ['cat', 'κύων']
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False):
        self.keep_whitespace = check.boolean(self, "keep_whitespace", keep_whitespace)
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)

    def cut(self, text: str) -> tuple[str, list[Span]]:
        signs = script_signs(text)
        codes = np.frombuffer(signs.encode("utf-16-le"), np.uint16)
        borders = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        places = [0, *borders.tolist(), len(signs)] if signs else [0]
        keep = self.keep_whitespace
        return text, [span for span in pairwise(places) if keep or signs[span[0]] != " "]

    def tokens(self, text: str) -> list[str]:
        if text.isascii() and not self.keep_whitespace:
            return _ASCII_RUN.findall(text)  # all letters are Latin, all else belongs to no script
        return super().tokens(text)


class RegexTokenizer(Tokenizer):
    """What stands between matches of a pattern.

    Args:
        delim_pattern: Regular expression in the syntax of ICU; its matches separate tokens.
        keep_delim_pattern: Separators that this pattern matches as a whole are tokens, too.
        with_offsets: Whether to give the places of the tokens as well.

    Examples:
        >>> text.RegexTokenizer("[,;]")("a,b;c").tolist()
        ['a', 'b', 'c']
    """

    def __init__(
        self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False
    ):
        self.delim_pattern = check.string(self, "delim_pattern", delim_pattern)
        self.keep_delim_pattern = check.string(self, "keep_delim_pattern", keep_delim_pattern)
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)
        self._delimiter = compiled(self, "delim_pattern", delim_pattern)
        self._keep = compiled(self, "keep_delim_pattern", keep_delim_pattern)

    def cut(self, text: str) -> tuple[str, list[Span]]:
        spans, end = [], 0
        for found in self._delimiter.finditer(text):
            begin, stop = found.span()
            if begin > end:
                spans.append((end, begin))
            if stop > begin and self.keep_delim_pattern and self._keep.fullmatch(found[0]):
                spans.append((begin, stop))
            end = stop
        if end < len(text):
            spans.append((end, len(text)))
        return text, spans

    def tokens(self, text: str) -> list[str]:
        if self.keep_delim_pattern or self._delimiter.groups:
            return super().tokens(text)
        return [token for token in self._delimiter.split(text) if token]


class PythonTokenizer(TensorOperation):
    """The tokens that a Python function gives.

    Args:
        tokenizer: Takes a str, gives a list of str.

    Examples:
        >>> text.PythonTokenizer(lambda line: line.split("-"))(np.array("a-b")).tolist()
        ['a', 'b']
    """

    random = True  # as far as is known

    def __init__(self, tokenizer: Callable[[str], Any]):
        if not callable(tokenizer):
            raise check.fail(TypeError, self, "tokenizer", "callable", tokenizer)
        self.tokenizer = tokenizer

    def checked(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray):
            raise check.fail(TypeError, self, "in_array", "an array", value)
        return value

    def apply(self, value: np.ndarray) -> np.ndarray:
        rows = [self._tokens(text) for text in value.ravel().tolist()]
        if any(len(row) != len(rows[0]) for row in rows):
            raise PipelineError(
                "For 'PythonTokenizer', the 'tokenizer' must give the same number of tokens for all strings of an "
                f"array, but gave {[len(row) for row in rows]}."
            )
        return np.array(rows, np.str_).reshape(*value.shape, len(rows[0]) if rows else 0)

    def _tokens(self, text: str | bytes) -> list[str]:
        try:
            tokens = self.tokenizer(text.decode() if isinstance(text, bytes) else text)
        except Exception as error:  # of the user's function: raised again with its name
            name = getattr(self.tokenizer, "__qualname__", type(self.tokenizer).__name__)
            raise PipelineError(
                f"For 'PythonTokenizer', '{name}' failed: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(tokens, (list, tuple, np.ndarray)):
            raise PipelineError(
                f"For 'PythonTokenizer', the 'tokenizer' must give a list of tokens, but gave {tokens!r}."
            )
        return [str(token) for token in tokens]
