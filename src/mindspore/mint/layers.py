"""Layers as functions: affine maps, codes, dropping, normalisation."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.eager.automatic import computed_as
from mindspore.eager.parameter import Parameter, assign
from mindspore.operators.normalisation import batch_norm_infer, batch_norm_train
from mindspore.operators.structure import stop_gradient
from mindspore.ops.arguments import tensor


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weight.T + bias.

    Args:
        input: (*, n).
        weight: (m, n) or (n,).
        bias: (m,) or (), or None.

    Returns:
        (*, m) or (*).

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.nn.functional.linear(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([5.0])).tolist()
        [[16.0]]
    """
    w = tensor("linear", "weight", weight)
    if w.ndim not in (1, 2):
        raise ValueError(f"For 'linear', the 'weight' must be a matrix or a vector, but got {show(w)}.")
    out = ops.matmul(tensor("linear", "input", input), w if w.ndim == 1 else ops.t(w))
    return out if bias is None else out + computed_as("Dense", bias)


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """The input divided by its norms along `dim`, which count as at least `eps`.

    Args:
        input: A floating-point tensor.
        p: The order of the norm.
        dim: The dimension, or a tuple of them.
        eps: A small number.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.nn.functional.normalize(Tensor([[2.0, 0.0]])).tolist()
        [[1.0, 0.0]]
    """
    x = tensor("normalize", "input", input)
    return x / ops.clamp(ops.vector_norm(x, p, dim, True), check.number("normalize", "eps", eps, 0.0))


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    """1 at the place that each element names along a new last dimension, elsewhere 0.

    Args:
        tensor: Integers from 0 on.
        num_classes: The extent of the new dimension; -1: one more than the largest element.

    Returns:
        int64.

    Raises:
        TypeError: If the argument is no tensor of integers.
        ValueError: If an element is negative, or not below `num_classes`.

    Examples:
        >>> mint.nn.functional.one_hot(Tensor([0, 2])).tolist()
        [[1, 0, 0], [0, 0, 1]]
    """
    if not ops.is_tensor(tensor) or tensor.dtype.kind not in "iu":
        raise check.fail(TypeError, "one_hot", "tensor", "a Tensor of integers", tensor)
    depth = check.integer("one_hot", "num_classes", num_classes)
    if depth == -1:
        depth = int(tensor.max().item()) + 1
    return ops.one_hot(tensor, check.positive_int("one_hot", "num_classes", depth), 1, 0).astype(int64)


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """The input with each element set to 0 with probability `p`, the others divided by 1 - p.  Srivastava et al. 2014.

    Args:
        input: A floating-point tensor.
        p: The probability, in [0, 1].
        training: Whether anything happens.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If `p` is no probability.

    Examples:
        >>> mint.nn.functional.dropout(mint.ones(3), 1.0).tolist()
        [0.0, 0.0, 0.0]
    """
    return _dropped("dropout", ops.dropout, input, p, training, inplace)


def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Images with each channel set to 0 with probability `p`, the others divided by 1 - p.  Tompson et al. 2015.

    Args:
        input: Images (N, C, H, W).
        p: The probability, in [0, 1].
        training: Whether anything happens.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If `p` is no probability, or the input has other dimensions.

    Examples:
        >>> mint.nn.functional.dropout2d(mint.ones((1, 1, 1, 2)), 1.0).tolist()
        [[[[0.0, 0.0]]]]
    """
    return _dropped("dropout2d", ops.dropout2d, input, p, training, inplace)


def _dropped(owner: str, function: Any, input: Any, p: Any, training: Any, inplace: Any) -> Any:
    x = tensor(owner, "input", input)
    everything = check.number(owner, "p", p, 0.0, 1.0) == 1 and check.boolean(owner, "training", training)
    out = ops.zeros_like(x) if everything else function(x, p, training)
    return x.copy_(out) if check.boolean(owner, "inplace", inplace) else out


def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None,
               training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Any:
    """(input - mean) / sqrt(variance + eps) * weight + bias for each channel.  Ioffe and Szegedy 2015.

    Args:
        input: A floating-point tensor (N, C, *).
        running_mean: The means (C,); in training it moves towards those of the batch, or is None.
        running_var: The variances (C,); in training it moves towards the unbiased ones of the batch, or is None.
        weight: Factors (C,), or None for ones.
        bias: Summands (C,), or None for zeros.
        training: Whether the statistics are those of the batch.
        momentum: How far the running ones move.
        eps: What is added to variances.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the shapes do not fit, or running statistics are missing outside of training.

    Examples:
        >>> mint.nn.functional.batch_norm(Tensor([[1.0], [3.0]]), None, None, training=True, eps=0.0).tolist()
        [[-1.0], [1.0]]
    """
    x = tensor("batch_norm", "input", input)
    check.boolean("batch_norm", "training", training)
    if x.ndim < 2:
        raise ValueError(f"For 'batch_norm', the 'input' must have at least 2 dimensions, but got {show(x)}.")
    given = [running_mean, running_var, weight, bias]
    if not training and (running_mean is None or running_var is None):
        raise ValueError("For 'batch_norm', outside of training the 'running_mean' and 'running_var' must be given.")
    like = next((v for v in given if v is not None), x)
    mean, variance, scale, shift = [
        default((x.shape[1],), like.dtype) if value is None else value
        for value, default in zip(given, (ops.zeros, ops.ones, ops.ones, ops.zeros), strict=True)]
    if not training:
        return batch_norm_infer(x, scale, shift, mean, variance, epsilon=eps)
    out, _, _, mean_now, variance_now = batch_norm_train(x, scale, shift, mean, variance, momentum=momentum,
                                                         epsilon=eps)
    _move(running_mean, mean_now)
    _move(running_var, variance_now)
    return out


def _move(statistic: Any, value: Any) -> None:
    """Let a running statistic, if there is one, hold its new value."""
    if isinstance(statistic, Parameter):
        assign(statistic, stop_gradient(value))
    elif statistic is not None:
        statistic.copy_(stop_gradient(value))


__all__ = ["batch_norm", "dropout", "dropout2d", "linear", "normalize", "one_hot"]
