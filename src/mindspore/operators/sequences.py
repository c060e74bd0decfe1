"""What models of sequences need: n-grams that repeat, distances, bits of comparisons, finite numbers."""
from __future__ import annotations

import itertools
import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32, uint8
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from .indexing import integers
from .labels import whole
from .registry import operator
from .rules import same
from .torch_private import as_list
from .values import Ints, Value


@operator(primitive="NoRepeatNGram(ngram_size=1)(state_seq, log_probs)", samples=[],
          dims="b k t!, b k v! -> b k v!")
def no_repeat_ngram(tokens: Tensor, log_probs: Tensor, *, ngram_size: int = 1):
    """`log_probs` (batch, beam, vocabulary) with the least number for tokens that would repeat an n-gram.

    Source: Paulus, Xiong, Socher, A Deep Reinforced Model for Abstractive Summarization (2017).
    """
    before = tokens.unfold(-1, ngram_size, 1)                 # (batch, beam, places, ngram)
    last = tokens[..., tokens.shape[-1] - (ngram_size - 1):]
    again = (before[..., :-1] == last.unsqueeze(-2)).all(-1)
    marks = torch.zeros_like(log_probs, dtype=torch.int32)
    marks.scatter_add_(-1, before[..., -1].long(), again.to(torch.int32))
    return log_probs.masked_fill(marks > 0, torch.finfo(log_probs.dtype).min)


@no_repeat_ngram.shape
def _(tokens: Aval, log_probs: Aval, *, ngram_size: int = 1) -> Aval:
    integers("NoRepeatNGram", "state_seq", tokens)
    if len(tokens.shape) != 3 or len(log_probs.shape) != 3 or tokens.shape[:2] != log_probs.shape[:2]:
        raise ValueError(f"For 'NoRepeatNGram', 'state_seq' must be (batch, beam, length) and 'log_probs' (batch, "
                         f"beam, vocabulary), but got {show(tokens)} and {show(log_probs)}.")
    if not 1 <= ngram_size <= tokens.shape[2]:
        raise ValueError(f"For 'NoRepeatNGram', the 'ngram_size' must be in [1, {tokens.shape[2]}], but got "
                         f"{ngram_size}.")
    return log_probs


@operator(primitive="CompareAndBitpack()(x, threshold)", samples=[], dims="... c!,  -> ... e!")
def compare_and_bitpack(x: Tensor, threshold: Tensor):
    """Whether x > threshold as bits, eight elements of the last axis in a byte, the first is the highest."""
    bits = (x > threshold).reshape(*x.shape[:-1], x.shape[-1] // 8, 8)
    weights = torch.tensor([128, 64, 32, 16, 8, 4, 2, 1], device=x.device)
    return (bits * weights).sum(-1).to(torch.uint8)


@compare_and_bitpack.shape
def _(x: Aval, threshold: Aval) -> Aval:
    if not x.shape or x.shape[-1] % 8:
        raise ValueError(f"For 'CompareAndBitpack', the last extent must be a multiple of 8, but got {show(x)}.")
    return Aval((*x.shape[:-1], x.shape[-1] // 8), uint8)


@operator(primitive="CheckNumerics()(x)", samples=[((2, 3),)], dims="... -> ...")
def check_numerics(x: Tensor):
    """`x`, if all of its elements are finite.

    Raises:
        ValueError, which is a RuntimeError, too: It holds NaN or an infinity.
    """
    if x.is_meta or bool(torch.isfinite(x).all()):
        return x.clone()
    found = "NaN" if bool(torch.isnan(x).any()) else "Inf"
    raise ArgumentError(f"For 'CheckNumerics', the elements must be finite, but the tensor has {found} values.")


check_numerics.shape(same)


@check_numerics.grad(needs="")
def _(dout: Value):
    return dout,


@operator(hidden=True, samples=[], dims=whole("the entries of a sequence lie anywhere among the values"))
def sequence_distances(places: Tensor, values: Tensor, true_places: Tensor, true_values: Tensor, *, shape: Ints,
                       normalize: bool):
    """The least number of insertions, deletions and changes between sparse sequences, float32.

    The last axis of `shape` holds a sequence; `normalize` divides by the length of the true one.
    Source: Levenshtein, Binary codes capable of correcting deletions, insertions and reversals (1966).
    """
    out = torch.zeros(shape[:-1])
    found = [_grouped(places, values), _grouped(true_places, true_values)]
    for place in itertools.product(*[range(n) for n in shape[:-1]]):
        got, true = (group.get(place, []) for group in found)
        distance = float(_distance(got, true))
        if normalize:
            distance = distance / len(true) if true else (math.inf if got else 0.0)
        out[place] = distance
    return out.to(values.device)


def _grouped(places: torch.Tensor, values: torch.Tensor) -> dict[tuple[int, ...], list[Any]]:
    """The elements of each sequence, by its place."""
    groups: dict[tuple[int, ...], list[Any]] = {}
    for place, value in zip(as_list(places), as_list(values), strict=True):
        groups.setdefault(tuple(place[:-1]), []).append(value)
    return groups


def _distance(a: list[Any], b: list[Any]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


@sequence_distances.shape
def _(places: Aval, values: Aval, true_places: Aval, true_values: Aval, *, shape: Ints, normalize: bool) -> Aval:
    return Aval(tuple(shape[:-1]), float32)
