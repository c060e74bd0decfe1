"""Transforms of sequences of tokens: windows, n-grams, cuts, numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mindspore.core.dtype import (
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.text.base import TextTensorOperation, strings


class Ngram(TextTensorOperation):
    """The n-grams of a sequence of words.

    Args:
        n: Length of the n-grams, or a list of lengths, whose n-grams follow each other.
        left_pad, right_pad: A word and how often it stands before, or after, the sequence; n - 1 times at most.
        separator: What stands between the words of an n-gram.

    Inputs:
        (n,) strings.

    Outputs:
        (m,) strings; a sequence too short for a length gives one empty string for it.

    Examples:
        >>> text.Ngram(2)(["a", "b", "c"]).tolist()
        ['a b', 'b c']
    """

    def __init__(
        self,
        n: int | list[int],
        left_pad: tuple[str, int] = ("", 0),
        right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ):
        lengths = [n] if isinstance(n, int) else n
        if not isinstance(lengths, list) or not lengths:
            raise check.fail(ValueError, self, "n", "an int or a list of ints, not empty", n)
        self.n = [check.integer(self, "n", length, 1, check.INT32_MAX) for length in lengths]
        self.left_pad = self._pad("left_pad", left_pad)
        self.right_pad = self._pad("right_pad", right_pad)
        self.separator = check.string(self, "separator", separator)

    def _pad(self, name: str, value: Any) -> tuple[str, int]:
        if not (
            isinstance(value, tuple)
            and len(value) == 2
            and isinstance(value[0], str)
            and isinstance(value[1], int)
        ):
            raise check.fail(ValueError, self, name, "a tuple of a str and an int", value)
        if value[1] < 0:
            raise check.fail(
                ValueError, self, name, "a word and a number that is not negative", value
            )
        return value

    def apply(self, value: np.ndarray) -> np.ndarray:
        return np.array(self.of_tokens(strings(self, value, (1,)).tolist()))

    def of_tokens(self, tokens: Any) -> Any:
        return [gram for length in self.n for gram in self._grams(tokens, length)]

    def _grams(self, words: list[str], length: int) -> list[str]:
        left, right = (
            [word] * min(count, length - 1) for word, count in (self.left_pad, self.right_pad)
        )
        words = left + words + right
        windows = zip(*(words[begin:] for begin in range(length)), strict=False)
        return [self.separator.join(window) for window in windows] or [""]


class SlidingWindow(TextTensorOperation):
    """All parts of `width` neighbours.

    Args:
        width: Length of the window.
        axis: The axis along which it moves, 0 or -1: inputs have one axis.

    Inputs:
        (n,), any dtype.

    Outputs:
        (n - width + 1, width); (0,) if the input is shorter than the window.

    Examples:
        >>> text.SlidingWindow(2)(np.array([1, 2, 3])).tolist()
        [[1, 2], [2, 3]]
    """

    def __init__(self, width: int, axis: int = 0):
        self.width = check.integer(self, "width", width, 1, check.INT32_MAX)
        self.axis = check.integer(self, "axis", axis, -(2**31), check.INT32_MAX)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if value.ndim != 1 or not value.size:
            raise PipelineError(
                f"For 'SlidingWindow', the input must have one axis and not be empty, but has shape {value.shape}."
            )
        if self.axis not in (0, -1):
            raise PipelineError(
                f"For 'SlidingWindow', the 'axis' must be 0 or -1 for an input with one axis, but is {self.axis}."
            )
        if len(value) < self.width:
            return value[:0]
        return np.lib.stride_tricks.sliding_window_view(value, self.width).copy()


class Truncate(TextTensorOperation):
    """The first `max_seq_len` elements along the last axis.

    Args:
        max_seq_len: The most elements.

    Inputs:
        (n,) or (m, n), text or numbers.

    Examples:
        >>> text.Truncate(2)(["a", "b", "c"]).tolist()
        ['a', 'b']
    """

    def __init__(self, max_seq_len: int):
        self.max_seq_len = check.integer(self, "max_seq_len", max_seq_len, 1, check.INT32_MAX)

    def apply(self, value: np.ndarray) -> np.ndarray:
        _one_or_two_axes(self, value)
        if value.dtype.kind == "S":
            raise PipelineError("For 'Truncate', the input must be text or numbers, but is bytes.")
        return value[..., : self.max_seq_len]

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim not in (2, 3) or stack.dtype.kind == "S" or not stack.size:
            return None
        return stack[..., : self.max_seq_len]

    def joins(self, numbers: bool) -> bool:
        return True

    def of_tokens(self, tokens: Any) -> Any:
        return tokens[: self.max_seq_len]


class TruncateSequencePair(TextTensorOperation):
    """Two sequences cut at their ends until they have `max_length` elements together, the longer one first.

    Of two that are equally long the second one loses an element.

    Args:
        max_length: The most elements of both.

    Inputs:
        Two arrays with one axis.

    Examples:
        >>> [part.tolist() for part in text.TruncateSequencePair(4)(np.array([1, 2, 3]), np.array([4, 5]))]
        [[1, 2], [4, 5]]
    """

    def __init__(self, max_length: int):
        self.max_length = check.integer(self, "max_length", max_length, 0)

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(inputs) != 2:
            raise PipelineError(
                f"For 'TruncateSequencePair', two inputs are expected, but got {len(inputs)}."
            )
        first, second = (self.checked(value) for value in inputs)
        for value in (first, second):
            if value.ndim != 1:
                raise PipelineError(
                    f"For 'TruncateSequencePair', the inputs must have one axis, but one has shape {value.shape}."
                )
        a, b = len(first), len(second)
        half = self.max_length // 2
        if a + b > self.max_length:
            if b <= half:
                a = self.max_length - b
            elif a <= self.max_length - half:
                b = self.max_length - a
            else:
                a, b = self.max_length - half, half
        return first[:a], second[:b]


class AddToken(TextTensorOperation):
    """A word more at the beginning or the end of a sequence.

    Args:
        token: The word.
        begin: Whether it stands at the beginning.

    Inputs:
        (n,) or (m, n) strings.

    Examples:
        >>> text.AddToken("[CLS]")(["a", "b"]).tolist()
        ['[CLS]', 'a', 'b']
    """

    def __init__(self, token: str, begin: bool = True):
        self.token = check.string(self, "token", token)
        if not token:
            raise check.fail(PipelineError, self, "token", "not empty", token)
        self.begin = check.boolean(self, "begin", begin)

    def apply(self, value: np.ndarray) -> np.ndarray:
        strings(self, value, (1, 2))
        more = np.full((*value.shape[:-1], 1), self.token)
        return np.concatenate([more, value] if self.begin else [value, more], -1)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return (
            self.apply(stack)
            if stack.ndim == 2 and stack.dtype.kind == "U" and stack.size
            else None
        )

    def of_tokens(self, tokens: Any) -> Any:
        return [self.token, *tokens] if self.begin else [*tokens, self.token]


_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_DECIMAL = re.compile(
    r"[ \t\n\v\f\r]*([+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan))",
    re.IGNORECASE,
)


_TYPES = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64)


class ToNumber(TextTensorOperation):
    """Strings as numbers; what follows a number in its string is left out.

    Args:
        data_type: An integer or float type.

    Inputs:
        Strings of any shape.

    Raises:
        RuntimeError: When called, if a string begins with no number or one that the type cannot hold.

    Examples:
        >>> text.ToNumber(mindspore.int32)(["1", "23"]).tolist()
        [1, 23]
    """

    def __init__(self, data_type: Any):
        if data_type not in _TYPES:
            wanted = "an integer or float type of mindspore, not bfloat16"
            raise check.fail(TypeError, self, "data_type", wanted, data_type)
        self.data_type = data_type
        self._dtype = data_type.numpy
        self._one = self._float if self._dtype.kind == "f" else self._integer

    def apply(self, value: np.ndarray) -> np.ndarray:
        strings(self, value)
        return np.array([self._one(text) for text in value.ravel().tolist()], self._dtype).reshape(
            value.shape
        )

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)

    def _integer(self, text: str) -> int:
        found = _INTEGER.match(text)
        if not found:
            raise self._problem(text)
        number, limits = int(found[1]), np.iinfo(self._dtype)
        negative = self._dtype.kind == "u" and found[1][0] == "-"
        if negative or not limits.min <= number <= limits.max:
            raise self._problem(text)
        return number

    def _float(self, text: str) -> float:
        found = _DECIMAL.match(text)
        if not found:
            raise self._problem(text)
        name = found[1].lower().lstrip("+-")
        is_hex = name.startswith("0x")
        number = float.fromhex(found[1]) if is_hex else float(found[1])
        # 16 bits are read as 32 bits, so that small numbers may become zero
        least = float(np.finfo(np.float32 if self._dtype.itemsize == 2 else self._dtype).tiny)
        digits = name[2:].split("p")[0] if is_hex else name.split("e")[0]
        too_small = abs(number) < least and digits.strip("0.") != ""
        if abs(number) > float(np.finfo(self._dtype).max) or too_small:
            raise self._problem(text)
        return number

    def _problem(self, text: str) -> PipelineError:
        return PipelineError(
            f"For 'ToNumber', the input must begin with a number that {self._dtype} can hold, but is {text!r}."
        )


def _one_or_two_axes(owner: Any, value: np.ndarray) -> None:
    if value.ndim not in (1, 2) or not value.size:
        raise PipelineError(
            f"For '{type(owner).__name__}', the input must have one or two axes and not be empty, but has shape "
            f"{value.shape}."
        )
