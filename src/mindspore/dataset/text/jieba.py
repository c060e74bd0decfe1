"""Chinese words: the most probable path through a dictionary, and a hidden Markov model for what it lacks.

Both read the files of cppjieba: a dictionary with 'word frequency tag' in each line, and the probabilities of the
states Begin, End, Middle and Single. Algorithms: word lattice with maximum probability; Viterbi (1967).
The library `jieba` brings a model of its own in place of the files that a program names.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.text.base import Span, Tokenizer
from mindspore.dataset.text.enums import JiebaMode

_NEVER = -3.14e100  # logarithm of a probability of zero
_SEPARATOR = re.compile("([ \t\n，。])")
_LATIN = re.compile("[a-zA-Z][a-zA-Z0-9]*|[0-9][0-9.]*|[\x00-\x7f]")


class Dictionary:
    """Words and the logarithms of their probabilities."""

    def __init__(self, path: str):
        frequencies: dict[str, float] = {}
        for number, line in enumerate(_lines(path)):
            fields = line.split(" ")
            frequency = _number(fields[1]) if len(fields) == 3 else None
            if not frequency or not 0 < frequency < math.inf or not fields[0]:
                raise PipelineError(
                    f"For 'JiebaTokenizer', line {number + 1} of '{path}' must be 'word frequency tag', but is "
                    f"{line[:60]!r}."
                )
            frequencies[fields[0]] = frequency
        if not frequencies:
            raise PipelineError(f"For 'JiebaTokenizer', '{path}' has no words.")
        self.total = sum(frequencies.values())
        self.weights = {word: math.log(count / self.total) for word, count in frequencies.items()}
        ordered = sorted(self.weights.values())
        self.least, self.median = ordered[0], ordered[len(ordered) // 2]
        self.longest: dict[str, int] = {}
        for word in self.weights:
            self._note(word)

    def _note(self, word: str) -> None:
        if len(word) > self.longest.get(word[0], 0):
            self.longest[word[0]] = len(word)

    def add(self, word: str, frequency: int | None) -> None:
        """Take up a word; without a frequency it is as probable as the median of the dictionary."""
        self.weights[word] = math.log(frequency / self.total) if frequency else self.median
        self._note(word)

    def cut(self, text: str) -> list[Span]:
        """The words of the most probable path."""
        weights, longest, least = self.weights, self.longest, self.least
        count = len(text)
        best, ends = [0.0] * (count + 1), [0] * count
        for begin in range(count - 1, -1, -1):
            character = text[begin]
            score, end = weights.get(character, least) + best[begin + 1], begin + 1
            for stop in range(begin + 2, min(count, begin + longest.get(character, 1)) + 1):
                weight = weights.get(text[begin:stop])
                if weight is not None and weight + best[stop] > score:
                    score, end = weight + best[stop], stop
            best[begin], ends[begin] = score, end
        spans, begin = [], 0
        while begin < count:
            spans.append((begin, ends[begin]))
            begin = ends[begin]
        return spans


class HiddenMarkov:
    """Probabilities with which characters begin, end, continue, or are a word."""

    def __init__(self, path: str):
        lines = [line for line in _lines(path) if not line.startswith("#")]
        try:
            self.start = [float(field) for field in lines[0].split()]
            self.steps = [[float(field) for field in line.split()] for line in lines[1:5]]
            self.signs = [
                {
                    pair.rpartition(":")[0]: float(pair.rpartition(":")[2])
                    for pair in line.split(",")
                }
                for line in lines[5:9]
            ]
            whole = len(self.start) == 4 and [len(row) for row in self.steps] == [4] * 4
            if not whole or len(self.signs) != 4:
                raise ValueError("four states are expected")
            numbers = [*self.start, *itertools.chain(*self.steps, *(s.values() for s in self.signs))]
            if any(math.isnan(number) for number in numbers):
                raise ValueError("a probability is no number")
        except (ValueError, IndexError) as error:
            raise PipelineError(
                f"For 'JiebaTokenizer', '{path}' is no hidden Markov model: {shortened(error)}."
            ) from None

    def cut(self, text: str) -> list[Span]:
        """The words of the most probable states; runs of Latin letters and of digits are words."""
        spans, begin, place = [], 0, 0
        while place < len(text):
            found = _LATIN.match(text, place)
            if found:
                spans += self._words(text, begin, place)
                spans.append(found.span())
                begin = place = found.end()
            else:
                place += 1
        return spans + self._words(text, begin, place)

    def _words(self, text: str, begin: int, end: int) -> list[Span]:
        if begin == end:
            return []
        spans, first = [], begin
        for place, state in enumerate(self._states(text[begin:end]), begin + 1):
            if state in (1, 3):  # End, Single
                spans.append((first, place))
                first = place
        return spans

    def _states(self, text: str) -> list[int]:
        """The most probable states: 0 Begin, 1 End, 2 Middle, 3 Single."""
        scores = [
            start + signs.get(text[0], _NEVER)
            for start, signs in zip(self.start, self.signs, strict=True)
        ]
        paths: list[list[int]] = []
        for character in text[1:]:
            before, scores, path = scores, [], []
            for state in range(4):
                emission = self.signs[state].get(character, _NEVER)
                score, source = _NEVER, 1
                for previous in range(4):
                    now = before[previous] + self.steps[previous][state] + emission
                    if now > score:
                        score, source = now, previous
                scores.append(score)
                path.append(source)
            paths.append(path)
        states = [1 if scores[1] >= scores[3] else 3]
        for path in reversed(paths):
            states.append(path[states[-1]])
        return states[::-1]


class JiebaTokenizer(Tokenizer):
    """The words of Chinese text.

    Args:
        hmm_path: File of the hidden Markov model.
        mp_path: File of the dictionary.
        mode: MP: by the dictionary; HMM: by the model; MIX: by the dictionary, and by the model what it leaves as
            single characters.
        with_offsets: Whether to give the places of the tokens as well.
    """

    def __init__(
        self,
        hmm_path: str,
        mp_path: str,
        mode: JiebaMode = JiebaMode.MIX,
        with_offsets: bool = False,
    ):
        self.mode = check.instance(self, "mode", mode, JiebaMode)
        self.hmm_path = _existing(self, "hmm_path", hmm_path)
        self.mp_path = _existing(self, "mp_path", mp_path)
        self.with_offsets = check.boolean(self, "with_offsets", with_offsets)
        self._model, self._words = HiddenMarkov(hmm_path), Dictionary(mp_path)

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Take up a word, as probable as one that occurs `freq` times in the text that the dictionary was made from."""
        check.string("add_word", "word", word)
        if not word:
            raise check.fail(ValueError, "add_word", "word", "not empty", word)
        if freq is not None:
            check.integer("add_word", "freq", freq, 0, 2**32 - 1)
        self._words.add(word, freq)

    def add_dict(self, user_dict: Any) -> None:
        """Take up words: a dict of words and frequencies, or a file with 'word' or 'word frequency' in each line."""
        if isinstance(user_dict, str):
            words = _user_words(user_dict)
        elif isinstance(user_dict, dict):
            words = user_dict
        else:
            raise check.fail(
                TypeError, "add_dict", "user_dict", "a dict or the path of a file", user_dict
            )
        for word, frequency in words.items():
            self.add_word(word, frequency)

    def cut(self, text: str) -> tuple[str, list[Span]]:
        spans, begin = [], 0
        for part in _SEPARATOR.split(text):
            cut = self._cut(part) if part else []
            spans += [(begin + b, begin + e) for b, e in cut]
            begin += len(part)
        return text, spans

    def _cut(self, text: str) -> list[Span]:
        if self.mode is JiebaMode.HMM:
            return self._model.cut(text)
        spans = self._words.cut(text)
        return spans if self.mode is JiebaMode.MP else self._singles_joined(text, spans)

    def _singles_joined(self, text: str, spans: list[Span]) -> list[Span]:
        """Runs of single characters cut anew by the model."""
        result, first = [], None
        for begin, end in [*spans, (len(text), len(text) + 2)]:
            if end - begin == 1:
                first = begin if first is None else first
                continue
            if first is not None:
                result += [(first + b, first + e) for b, e in self._model.cut(text[first:begin])]
                first = None
            if begin < len(text):
                result.append((begin, end))
        return result


def _existing(owner: Any, name: str, path: Any) -> str:
    if path is None:
        raise check.fail(ValueError, owner, name, "the path of a file", path)
    check.string(owner, name, path)
    check.file(owner, name, path)
    return path


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", opener=regular) as file:
            return [line for line in file.read().split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(f"For 'JiebaTokenizer', '{path}' cannot be read: {error}.") from None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _user_words(path: str) -> dict[str, int | None]:
    words: dict[str, int | None] = {}
    for line in _lines(check.file("add_dict", "user_dict", path)):
        fields = line.strip().split(" ")
        if len(fields) > 1 and not fields[1].isdecimal():
            raise check.fail(
                ValueError, "add_dict", "user_dict", "made of lines 'word frequency'", line
            )
        words[fields[0]] = int(fields[1]) if len(fields) > 1 else None
    return words
