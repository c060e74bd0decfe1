"""What text transforms have in common: checks of strings, tokens with their places in the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore.dataset.block import as_array
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation

Span = tuple[int, int]  # begin and end of a token, in characters


class TextTensorOperation(TensorOperation):
    """A transform of strings, called on one of them or by `map` on every row.

    Examples:
        >>> issubclass(text.CaseFold, text.TextTensorOperation)
        True
    """

    gives_numbers = False  # whether its results are numbers, not text

    def checked(self, value: Any) -> np.ndarray:
        return text_input(self, value)

    def of_tokens(self, tokens: Any) -> Any:
        """What `apply` makes of a list of tokens, or of the numbers of them; defined where `joins` is."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'of_tokens' is not defined.")

    def joins(self, numbers: bool) -> bool:
        """Whether this transform can follow a tokenizer whose tokens are text, or `numbers`, as one step with it."""
        return not numbers and type(self).of_tokens is not TextTensorOperation.of_tokens


def text_input(owner: Any, value: Any) -> np.ndarray:
    """An eager input of a text transform as an array.

    Raises:
        TypeError: `value` cannot be an array of text, bytes or real numbers.
        ValueError: `value` is a list of lists of different lengths.
    """
    name = type(owner).__name__
    if not isinstance(value, np.ndarray):
        if isinstance(value, dict):
            raise TypeError(f"For '{name}', the input must be text or an array, but got a dict.")
        try:
            value = as_array(value)
        except TypeError as error:
            ragged = isinstance(value, (list, tuple)) and isinstance(error.__context__, ValueError)
            raise (ValueError if ragged else TypeError)(
                f"For '{name}', the input cannot be an array: {error}"
            ) from None
    elif value.dtype.kind == "O":
        try:
            value = as_array(value)
        except TypeError as error:
            raise TypeError(f"For '{name}', the input cannot be an array: {error}") from None
    if value.dtype.kind not in "biufUS":
        raise TypeError(
            f"For '{name}', the input must be text, bytes or real numbers, but is of dtype {value.dtype}."
        )
    return value


def strings(owner: Any, value: np.ndarray, axes: tuple[int, ...] | None = None) -> np.ndarray:
    """`value` if it is an array of strings, not empty, with one of these numbers of axes.

    Raises:
        PipelineError: It is not.
    """
    name = type(owner).__name__
    if value.dtype.kind != "U":
        raise PipelineError(f"For '{name}', the input must be text, but is of dtype {value.dtype}.")
    if not value.size:
        raise PipelineError(f"For '{name}', the input must not be empty.")
    if axes is not None and value.ndim not in axes:
        wanted = " or ".join(str(count) for count in axes)
        raise PipelineError(
            f"For '{name}', the input must have {wanted} axes, but has shape {value.shape}."
        )
    return value


def each(function: Callable[[str], str], value: np.ndarray) -> np.ndarray:
    """`function` of every string of an array."""
    if not value.ndim:
        return np.array(function(value.item()))
    return np.array([function(text) for text in value.ravel().tolist()]).reshape(value.shape)


def token_array(tokens: Sequence[str]) -> np.ndarray:
    """Tokens as an array; none of them is one empty token."""
    return np.array(tokens if len(tokens) else [""])


def byte_places(text: str) -> np.ndarray:
    """For each character of `text`, and its end, how many bytes of UTF-8 stand before it."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.zeros(len(codes) + 1, np.uint32)
    np.cumsum(
        1 + (codes >= 0x80).astype(np.uint32) + (codes >= 0x800) + (codes >= 0x10000),
        out=places[1:],
    )
    return places


def byte_length(text: str) -> int:
    """Length of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def in_bytes(text: str, spans: Sequence[Span]) -> tuple[np.ndarray, np.ndarray]:
    """Begins and ends of tokens in bytes of UTF-8."""
    if not spans:
        return np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    ends = np.array(spans, np.uint32)
    if not text.isascii():
        ends = byte_places(text)[ends]
    return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])


class Tokenizer(TextTensorOperation):
    """A transform of one string into its tokens, with their places where `with_offsets` asks for them.

    A subclass defines `cut`, and `tokens` where that is faster.

    Inputs:
        One string.

    Outputs:
        (n,) strings; with offsets also two uint32 arrays (n,), where tokens begin and end in bytes of UTF-8.
        A text without tokens gives one empty token.
    """

    with_offsets = False

    def cut(self, text: str) -> tuple[str, list[Span]]:
        """The text that the tokens are parts of, and their places in it."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'cut' is not defined.")

    def tokens(self, text: str) -> list[str]:
        """The tokens alone."""
        whole, spans = self.cut(text)
        return [whole[begin:end] for begin, end in spans]

    def array(self, text: str) -> np.ndarray:
        """The tokens as an array."""
        return token_array(self.tokens(text))

    def apply(self, value: np.ndarray) -> Any:
        text = strings(self, value, (0,)).item()
        if not self.with_offsets:
            return self.array(text)
        whole, spans = self.cut(text)
        tokens = token_array([whole[begin:end] for begin, end in spans])
        return tokens, *in_bytes(whole, spans)

    def apply_stack(self, stack: np.ndarray) -> Any:
        if self.with_offsets or stack.ndim != 1 or stack.dtype.kind != "U":
            return None
        return [self.array(text) for text in stack.tolist()]

    def joined(self, following: list[Any]) -> tuple[TensorOperation, int]:
        steps: list[TextTensorOperation] = []
        numbers = False
        for operation in [] if self.with_offsets else following:
            if not isinstance(operation, TextTensorOperation) or not operation.joins(numbers):
                break
            steps.append(operation)
            numbers = numbers or operation.gives_numbers
        return (TokenChain(self, steps), 1 + len(steps)) if steps else (self, 1)


class TokenChain(Tokenizer):
    """A tokenizer and what is done with its tokens, without arrays between."""

    def __init__(self, tokenizer: Tokenizer, steps: list[TextTensorOperation]):
        self._tokenizer, self._steps = tokenizer, steps

    @property
    def name(self) -> str:
        return ", ".join(step.name for step in (self._tokenizer, *self._steps))

    def apply(self, value: np.ndarray) -> np.ndarray:
        return self._result(strings(self._tokenizer, value, (0,)).item())

    def apply_stack(self, stack: np.ndarray) -> Any:
        if stack.ndim != 1 or stack.dtype.kind != "U":
            return None
        return [self._result(text) for text in stack.tolist()]

    def _result(self, text: str) -> np.ndarray:
        tokens: Any = self._tokenizer.tokens(text) or [""]
        for step in self._steps:
            tokens = step.of_tokens(tokens)
        return np.asarray(tokens)
