"""Metrics of texts.

They take lists of tokens and smooth as the original does; `sacrebleu` takes texts, with tokenisers and smoothings of
its own.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs


class Perplexity(Metric):
    """exp of the mean of -log p(label).

    Args:
        ignore_label: Label that does not count.

    Inputs of `update`:
        y_pred: (N, *, C), probabilities.
        y: (N, *), classes.

    Examples:
        >>> metric = nn.Perplexity()
        >>> metric.update(np.array([[0.5, 0.5], [0.125, 0.875]]), np.array([0, 0]))
        >>> round(metric.eval(), 4)
        4.0
    """

    def __init__(self, ignore_label: int | None = None):
        super().__init__()
        if ignore_label is not None:
            check.integer(self, "ignore_label", ignore_label)
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        self._sum_metric, self._num_inst = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        probabilities, labels = self._taken(inputs, "predicted value", "label")
        if labels.size * probabilities.shape[-1] != probabilities.size:
            raise ValueError("For 'Perplexity.update', the shape of the label must be that of the predicted "
                             f"value without its last axis, but got {labels.shape} and "
                             f"{probabilities.shape}.")
        labels = labels.ravel().astype(np.int64)
        rows = probabilities.reshape(-1, probabilities.shape[-1])
        if self.ignore_label is not None:
            kept = labels != self.ignore_label
            labels, rows = labels[kept], rows[kept]
        at = rows[np.arange(len(labels)), labels]
        self._sum_metric -= float(np.log(np.maximum(at, 1e-10)).sum())
        self._num_inst += len(labels)

    def eval(self) -> float:
        self._need_samples(self._num_inst)
        return exp(self._sum_metric / self._num_inst)


class BleuScore(Metric):
    """The geometric mean of n-gram precisions, times a penalty for brevity, Papineni et al. 2002.

    Args:
        n_gram: Up to how many words an n-gram has, 1 to 4.
        smooth: Whether to add one to counts of n-grams longer than one word, Lin and Och 2004.

    Inputs of `update`:
        candidates: Texts, each a list of words.
        references: For each text a list of references, which are lists of words.

    Examples:
        >>> metric = nn.BleuScore(n_gram=2)
        >>> metric.update([["the", "cat", "sat", "down"]], [[["the", "cat", "sat", "there"]]])
        >>> round(float(metric.eval()), 4)
        0.7071
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False):
        super().__init__()
        check.integer(self, "n_gram", n_gram)
        if not 1 <= n_gram <= 4:
            raise ValueError(f"For 'BleuScore', the argument 'n_gram' should range from 1 to 4, but got "
                             f"{n_gram}.")
        self.n_gram, self.smooth = n_gram, check.boolean(self, "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        self._numerator = np.zeros(self.n_gram)
        self._denominator = np.zeros(self.n_gram)
        self._trans_len = self._ref_len = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        if len(inputs) != 2:
            raise ValueError("For 'BleuScore.update', it needs 2 inputs (candidate_corpus, "
                             f"reference_corpus), but got {len(inputs)}.")
        candidates, references = inputs
        if len(candidates) != len(references):
            raise ValueError("For 'BleuScore.update', the length of candidate_corpus and reference_corpus "
                             f"must be equal, but got {len(candidates)} and {len(references)}.")
        for words, texts in zip(candidates, references, strict=True):
            self._trans_len += len(words)
            self._ref_len += min((abs(len(t) - len(words)), len(t)) for t in texts)[1]
            found, allowed = self._counts(words), Counter()
            for text in texts:
                allowed |= self._counts(text)
            for gram, count in (found & allowed).items():
                self._numerator[len(gram) - 1] += count
            for gram, count in found.items():
                self._denominator[len(gram) - 1] += count
        self._is_update = True

    def _counts(self, words: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter([tuple(words[i:i + n]) for n in range(1, self.n_gram + 1)
                        for i in range(len(words) - n + 1)])

    def eval(self) -> np.float64:
        self._need_update(self._is_update)
        return np.float64(self._score())

    def _score(self) -> float:
        if min(self._numerator) == 0.0 and not self.smooth:
            return 0.0
        added = np.array([0.0, *[1.0] * (self.n_gram - 1)]) if self.smooth else 0.0
        top, bottom = self._numerator + added, self._denominator + added
        if min(top) == 0 or min(bottom) == 0:
            return 0.0
        mean = exp(sum(map(log, top / bottom)) / self.n_gram)
        if self._trans_len > self._ref_len:
            return mean
        return exp(1 - self._ref_len / self._trans_len) * mean
