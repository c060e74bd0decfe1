"""Transforms of text into other text: case, normal forms, patterns, markup."""

from __future__ import annotations

import re
import string
import unicodedata
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.text.base import TextTensorOperation, each, strings
from mindspore.dataset.text.characters import folded
from mindspore.dataset.text.enums import NormalizeForm
from mindspore.dataset.text.patterns import compiled, template


class Rewriter(TextTensorOperation):
    """A transform of each string of an array; a subclass defines `rewritten`.

    Inputs:
        Strings of any shape.

    Outputs:
        Strings of the same shape.
    """

    def rewritten(self, text: str) -> str:
        """What replaces `text`."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'rewritten' is not defined.")

    def apply(self, value: np.ndarray) -> np.ndarray:
        return each(self.rewritten, strings(self, value))

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)

    def of_tokens(self, tokens: Any) -> Any:
        return [self.rewritten(token) for token in tokens]


class CaseFold(Rewriter):
    """Text without differences of case (and of width and other compatible variants): Unicode's NFKC_Casefold.

    Examples:
        >>> str(text.CaseFold()("Straße"))
        'strasse'
    """

    def rewritten(self, text: str) -> str:
        return folded(text)


class NormalizeUTF8(Rewriter):
    """Text in a normalisation form of Unicode.

    Args:
        normalize_form: The form.

    Examples:
        >>> str(text.NormalizeUTF8(text.NormalizeForm.NFKC)("ﬁ"))
        'fi'
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC):
        self.normalize_form = check.instance(self, "normalize_form", normalize_form, NormalizeForm)

    def rewritten(self, text: str) -> str:
        return normalized(self.normalize_form, text)


def normalized(form: NormalizeForm, text: str) -> str:
    """`text` in a normalisation form."""
    if form is NormalizeForm.NONE or text.isascii():
        return text
    return unicodedata.normalize(form.name, text)


class RegexReplace(Rewriter):
    r"""Text with the matches of a pattern replaced.

    Args:
        pattern: Regular expression in the syntax of ICU.
        replace: What replaces a match; '$1' is the first group, '${name}' for a named one, '\$' for a dollar.
        replace_all: Whether to replace all matches or only the first.

    Examples:
        >>> str(text.RegexReplace("[0-9]+", "#")("1 and 23"))
        '# and #'
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True):
        self.pattern = check.string(self, "pattern", pattern)
        self.replace = check.string(self, "replace", replace)
        self.replace_all = check.boolean(self, "replace_all", replace_all)
        self._pattern = compiled(self, "pattern", pattern)
        self._template = template(self, self._pattern, replace)

    def rewritten(self, text: str) -> str:
        return self._pattern.sub(self._template, text, 0 if self.replace_all else 1)


_REDIRECT = re.compile("#redirect", re.IGNORECASE)
_LINE = re.compile("[^\n\x0b\x0c\r\x85\u2028\u2029]+")
_OTHER = re.compile("[^a-z]+")
_WORDS = {ord(letter): letter.lower() for letter in string.ascii_uppercase} | {
    ord(digit): f" {word} "
    for digit, word in zip(
        string.digits,
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
        strict=True,
    )
}


def _without_tags(line: re.Match[str]) -> str:
    """A line without what stands between its first '<' and its last '>'; in linear time, which a pattern is not."""
    text = line.group()
    first, last = text.find("<"), text.rfind(">")
    return text[:first] + text[last + 1 :] if 0 <= first < last else text


def _without_entities(text: str) -> str:
    """Text with a space for each '&' and what follows up to a ';'."""
    parts, at = [], 0
    while (first := text.find("&", at)) >= 0 and (last := text.find(";", first)) >= 0:
        parts += [text[at:first], " "]
        at = last + 1
    return "".join([*parts, text[at:]])


class FilterWikipediaXML(Rewriter):
    """The words of a line of Wikipedia's XML: lower-case letters, digits spelled out, all else a space.

    A line with a redirection gives nothing; what stands between the first '<' and the last '>' is left out.
    After the script of Mahoney (2006, "About the test data") for enwik9.

    Examples:
        >>> str(text.FilterWikipediaXML()("Area 51!")).split()
        ['area', 'five', 'one']
    """

    def rewritten(self, text: str) -> str:
        if _REDIRECT.search(text):
            return ""
        text = _without_entities(_LINE.sub(_without_tags, text)).translate(_WORDS)
        return _OTHER.sub(" ", text).strip()
