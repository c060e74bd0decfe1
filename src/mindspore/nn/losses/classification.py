"""Losses of classifiers: cross entropies of several kinds."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor
from mindspore.operators.cross_entropy import softmax_cross_entropy, sparse_cross_entropy
from mindspore.ops.arguments import tensor

from .base import LossBase, need_tensors, need_weight


class SoftmaxCrossEntropyWithLogits(LossBase):
    """-sum(labels * log(softmax(logits))) per row, reduced.

    Args:
        sparse: Whether the labels are class indices (N,) instead of probabilities (N, C).
        reduction: "none", "mean" or "sum".
        is_grad, smooth_factor, num_classes: Of the first releases: `is_grad` must be False; with
            `smooth_factor` s the sparse label gets probability 1 - s, every other of the
            `num_classes` classes s / (num_classes - 1).

    Inputs:
        logits: (N, C), floating point.
        labels: (N,) integers in [0, C) for `sparse`, else (N, C) of the dtype of the logits.

    Outputs:
        (N,) for "none", else without dimensions; dtype of the logits.

    Raises:
        TypeError: If the dtypes are others.
        ValueError: If the shapes are others, or the reduction is unknown.

    Examples:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> round(float(loss(Tensor([[0.0, 0.0]]), Tensor([1]))), 4)
        0.6931
    """

    def __init__(self, sparse: bool = False, reduction: str = "none", *, is_grad: bool = False,
                 smooth_factor: float = 0.0, num_classes: int = 2):
        super().__init__(reduction)
        self.sparse = check.boolean(self, "sparse", sparse)
        if is_grad:
            raise ValueError("For 'SoftmaxCrossEntropyWithLogits', the 'is_grad' must be False; take the "
                             "gradient of the loss by 'mindspore.grad'.")
        self.smooth_factor = check.number(self, "smooth_factor", smooth_factor, 0, 1)
        self.num_classes = check.positive_int(self, "num_classes", num_classes)

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        if self.sparse and not self.smooth_factor:
            return sparse_cross_entropy(logits, labels, reduction=self.reduction)[0]
        if self.sparse:
            other = self.smooth_factor / (self.num_classes - 1)
            labels = ops.one_hot(labels, logits.shape[-1], Tensor(1.0 - self.smooth_factor, float32),
                                 Tensor(other, float32)).astype(logits.dtype)
        elif labels.dtype is not logits.dtype:
            raise TypeError("For 'SoftmaxCrossEntropyWithLogits', logits and labels must have the same "
                            f"dtype, but got {logits.dtype} and {labels.dtype}.")
        return self.get_loss(softmax_cross_entropy(logits, labels)[0])


class CrossEntropyLoss(LossBase):
    """-log(softmax(logits)) at the labels, reduced.

    Args:
        weight: Weight of every class (C,).
        ignore_index: Label that counts nothing.
        reduction: "mean" (over the weights), "sum" or "none".
        label_smoothing: Part of the probability that is spread over all classes.

    Inputs:
        logits: (C,), (N, C) or (N, C, *).
        labels: Class indices without the axis C, or probabilities in the shape of `logits`.

    Examples:
        >>> loss = nn.CrossEntropyLoss()
        >>> round(float(loss(Tensor([[0.0, 0.0], [0.0, 0.0]]), Tensor([0, 1], mindspore.int32))), 4)
        0.6931
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100,
                 reduction: str = "mean", label_smoothing: float = 0.0):
        super().__init__(reduction)
        self.weight = need_weight(self, weight)
        self.ignore_index = check.integer(self, "ignore_index", ignore_index)
        self.label_smoothing = check.floating(self, "label_smoothing", label_smoothing, 0.0, 1.0)

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction,
                                 self.label_smoothing)


class NLLLoss(LossBase):
    """-weight[label] * logits[label] of log probabilities `logits`, reduced.

    Args:
        weight: Weight of every class (C,).
        ignore_index: Label that counts nothing.
        reduction: "mean" (over the weights), "sum" or "none".

    Inputs:
        logits: (N, C) or (N, C, *), log probabilities.
        labels: Class indices, (N,) or (N, *), integers.

    Examples:
        >>> nn.NLLLoss()(Tensor([[-0.5, -1.0], [-2.0, -0.25]]), Tensor([0, 1], mindspore.int32)).tolist()
        0.375
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100,
                 reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = need_weight(self, weight)
        self.ignore_index = check.integer(self, "ignore_index", ignore_index)

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        if labels.dtype.kind not in "iu":
            raise TypeError(f"For 'NLLLoss', the 'labels' must be integers, but got {labels.dtype}.")
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """-labels * log(logits) - (1 - labels) * log(1 - logits) of probabilities, reduced.

    Args:
        weight: Factor of every element, broadcast to them.
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: Probabilities, floating point.
        labels: From 0 to 1, of the same shape and dtype.

    Examples:
        >>> round(float(nn.BCELoss()(Tensor([0.5, 0.25]), Tensor([1.0, 0.0]))), 4)
        0.4904
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = need_weight(self, weight)

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """`BCELoss` of sigmoid(input), without overflow.

    Args:
        reduction: "mean", "sum" or "none".
        weight: Factor of every element, broadcast to them.
        pos_weight: Factor of the positive part.

    Inputs:
        input: Logits, floating point.
        target: From 0 to 1, of the same shape.

    Examples:
        >>> round(float(nn.BCEWithLogitsLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 0.0]))), 4)
        0.6931
    """

    def __init__(self, reduction: str = "mean", weight: Tensor | None = None,
                 pos_weight: Tensor | None = None):
        super().__init__(reduction)
        self.weight, self.pos_weight = need_weight(self, weight), need_weight(self, pos_weight)

    def construct(self, input, target):
        need_tensors(self, input=input, target=target)
        return ops.binary_cross_entropy_with_logits(input, target, self.weight, self.pos_weight,
                                                    self.reduction)


class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels * logits)) for labels 1 and -1, reduced.

    Args:
        reduction: "none", "mean" or "sum".

    Inputs:
        logits: Any shape, floating point.
        labels: 1 or -1, of that shape.

    Examples:
        >>> round(float(nn.SoftMarginLoss()(Tensor([0.0]), Tensor([1.0]))), 4)
        0.6931
    """

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return ops.soft_margin_loss(logits, labels, self.reduction)


class FocalLoss(LossBase):
    """-(1 - p) ** gamma * log(p) for p = softmax(logits) at the labels, Lin et al. 2017.

    Args:
        weight: Weight of every class (C,).
        gamma: How much easy examples count less.
        reduction: "mean", "sum", or "none" for one loss per example; per example and class for labels in the shape
            of the logits.

    Inputs:
        logits: (N, C), (N, C, L) or (N, C, H, W).
        labels: Class indices (N, 1), (N, 1, *), or a share of every class, in the shape of `logits`.

    Examples:
        >>> loss = nn.FocalLoss(gamma=2.0)
        >>> round(float(loss(Tensor([[0.0, 0.0]]), Tensor([[1]], mindspore.int32))), 4)
        0.1733
    """

    def __init__(self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.gamma = check.floating(self, "gamma", gamma, 0.0, 20.0)
        self.weight = need_weight(self, weight)
        if weight is not None and weight.ndim != 1:
            raise ValueError(f"For 'FocalLoss', the 'weight' must have one dimension, but got "
                             f"{weight.ndim}.")

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        for name, value in (("logits", logits), ("labels", labels)):
            if not 2 <= value.ndim <= 4:
                raise ValueError(f"For 'FocalLoss', the dimensions of '{name}' must be in [2, 4], but "
                                 f"got dimension of '{name}' {value.ndim}.")
        if logits.ndim != labels.ndim:
            raise ValueError("For 'FocalLoss', the dimensions of 'logits' and 'labels' must be equal, "
                             f"but got {logits.ndim} and {labels.ndim}.")
        if logits.shape[1] != labels.shape[1] and labels.shape[1] != 1:
            raise ValueError("For 'FocalLoss', the channels of 'labels' must be 1 or those of 'logits', "
                             f"but got {labels.shape} and {logits.shape}.")
        n, c = logits.shape[:2]
        logits, labels = logits.reshape((n, c, -1)), labels.reshape((n, labels.shape[1], -1))
        logp = ops.log_softmax(logits, 1)
        if labels.shape[1] == c and c > 1:
            losses = -((1.0 - ops.softmax(logits, 1)) ** self.gamma) * logp * labels
            return self.get_loss((losses if self.weight is None else losses * self.weight.reshape((1, c, 1))).mean(-1))
        one_hot = self._one_hot(labels, c)
        wanted = (logp * one_hot).sum(1)
        rest = 1.0 - (ops.softmax(logits, 1) * one_hot).sum(1)
        losses = -(rest ** self.gamma) * wanted
        if self.weight is not None:
            losses = losses * (self.weight.reshape((1, c, 1)) * one_hot).sum(1)
        return self.get_loss(losses.mean(-1))

    def _one_hot(self, labels: Any, classes: int) -> Any:
        return ops.one_hot(labels.squeeze(1).astype("int32"), classes, Tensor(1.0, float32),
                           Tensor(0.0, float32)).transpose(0, 2, 1)


class CTCLoss(LossBase):
    """-log of the probability of the labels over all alignments, Graves et al. 2006.

    Args:
        blank: Index of the blank.
        reduction: "mean", "sum" or "none".
        zero_infinity: Whether impossible labels count 0 instead of infinity.

    Inputs:
        log_probs: (T, N, C); (T, C) for a single example.
        targets: Labels (N, S); (S,) for a single example.
        input_lengths: Length of every input.
        target_lengths: Length of every label.

    Examples:
        >>> log_probs = ops.log(Tensor(np.full((2, 1, 2), 0.5, np.float32)))
        >>> targets, two, one = [Tensor(x, mindspore.int32) for x in ([[1]], [2], [1])]
        >>> round(float(nn.CTCLoss()(log_probs, targets, two, one)), 4)
        0.2877
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        if log_probs.ndim == 2:                        # a single example
            log_probs, targets = log_probs.expand_dims(1), targets.expand_dims(0)
            return ops.ctc_loss(log_probs, targets, input_lengths.reshape(1), target_lengths.reshape(1), self.blank,
                                self.reduction, self.zero_infinity)[0].reshape(())
        return ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank,
                            self.reduction, self.zero_infinity)[0]


class SampledSoftmaxLoss(LossBase):
    """Softmax cross entropy over the true classes and some sampled ones, Jean et al. 2015.

    Args:
        num_sampled: Number of sampled classes.
        num_classes: Number of classes.
        num_true: Number of true classes per example.
        sampled_values: (classes, expected counts of the true, expected counts of the sampled), as a
            candidate sampler gives them. Default: a log-uniform sampler.
        remove_accidental_hits: Whether sampled classes that are true count nothing.
        seed: Seed of the sampler.
        reduction: "none", "mean" or "sum".

    Inputs:
        weights: (num_classes, D).
        biases: (num_classes,).
        labels: True classes (N, num_true) or (N,).
        logits: Inputs of the last layer (N, D).

    Examples:
        >>> loss = nn.SampledSoftmaxLoss(num_sampled=4, num_classes=7)
        >>> loss(ops.ones((7, 3)), ops.zeros(7), Tensor([[0], [2]], mindspore.int32), ops.ones((2, 3))).shape
        (2,)
    """

    def __init__(self, num_sampled: int, num_classes: int, num_true: int = 1,
                 sampled_values: Any = None, remove_accidental_hits: bool = True, seed: int = 0,
                 reduction: str = "none"):
        super().__init__(reduction)
        self.num_sampled = check.positive_int(self, "num_sampled", num_sampled)
        self.num_classes = check.positive_int(self, "num_classes", num_classes)
        self.num_true = check.positive_int(self, "num_true", num_true)
        for name in ("num_true", "num_sampled"):
            if getattr(self, name) > num_classes:
                raise ValueError(f"For 'SampledSoftmaxLoss', the '{name}' must be smaller than or equal "
                                 f"to 'num_classes', but got '{name}': {getattr(self, name)} and "
                                 f"'num_classes': {num_classes}.")
        if sampled_values is not None and len(check.instance(
                self, "sampled_values", sampled_values, (tuple, list))) != 3:
            raise ValueError("For 'SampledSoftmaxLoss', the 'sampled_values' must have 3 elements, but "
                             f"got {len(sampled_values)}.")
        self.sampled_values = sampled_values
        self.remove_accidental_hits = check.boolean(self, "remove_accidental_hits",
                                                    remove_accidental_hits)
        self.seed = seed

    def construct(self, weights, biases, labels, logits):
        tensor(self.cls_name, "weights", weights)
        tensor(self.cls_name, "biases", biases)
        labels = labels.reshape((-1, self.num_true))
        chosen, true_counts, sampled_counts = self._sample(labels)
        n, dim = logits.shape
        true_w = weights[labels.reshape((-1,))].reshape((n, self.num_true, dim))
        true_b = biases[labels.reshape((-1,))].reshape((n, self.num_true))
        true = (logits.expand_dims(1) * true_w).sum(-1) + true_b - ops.log(true_counts)
        sampled = logits @ weights[chosen].transpose(1, 0) + biases[chosen] - ops.log(sampled_counts)
        if self.remove_accidental_hits:
            hits = (labels.expand_dims(2) == chosen.reshape((1, 1, -1))).astype(sampled.dtype)
            sampled = sampled - hits.sum(1) * 1e37
        both = ops.concat((true, sampled), 1)
        wanted = ops.log_softmax(both, 1)[:, :self.num_true]
        return self.get_loss(-wanted.mean(1))

    def _sample(self, labels: Any) -> Any:
        if self.sampled_values is not None:
            return tuple(self.sampled_values)
        return ops.log_uniform_candidate_sampler(labels, self.num_true, self.num_sampled, True,
                                                 self.num_classes, self.seed)
