"""Operators along dimensions that stay whole otherwise: what devices compute that have pieces along them.

Each rule is written in other operators on pieces, and in what the devices tell each other meanwhile:

    @softmax_grad.across
    def _(o, dout, y, *, axis):
        total = o.over("sum", o(reduce_sum, o(mul, dout, y), axis=axis, keep_dims=True))
        return o(mul, y, o(sub, dout, total))

`o` applies an operator, `o.over(kind, x)` gives all devices on the line the sum (or maximum) of theirs, and
`o.start(k, dim)` says where the piece of input `k` begins.  Sums are in the dtype of the inputs, so that there is none
of it for those of two bytes.
"""
from __future__ import annotations

from math import prod
from typing import Any

from .arithmetic import add, div, lerp, mul, neg, sub
from .attached import Device
from .cross_entropy import (
    nll_loss,
    nll_loss_grad,
    softmax_cross_entropy,
    sparse_cross_entropy,
    sparse_cross_entropy_grad,
)
from .diagonal import tril, triu
from .in_pieces import (
    at_label,
    counting,
    less_label,
    places_here,
    rows_here,
    weight_at,
    weights_placed,
)
from .indexing import gather, gather_grad
from .masking import one_hot
from .matmul import dense
from .normalisation import (
    batch_norm_grad,
    batch_norm_infer,
    batch_norm_train,
    layer_norm,
    layer_norm_grad,
    rms_norm,
    rms_norm_grad,
)
from .pieces import keep_part
from .powers import exp, log, rsqrt
from .reduction import log_sum_exp, reduce_sum
from .softmaxes import log_softmax, log_softmax_grad, softmax, softmax_grad
from .structure import reshape
from .values import Ints

# ---------------------------------------------------------------------- softmax and losses

@softmax.across
def _(o: Device, x: Any, *, axis: int):
    return o(exp, o(sub, x, _log_total(o, x, axis)))


def _log_total(o: Device, x: Any, axis: int, *dims: int) -> Any:
    """log(sum(exp(x))) along the axis, over all pieces: each of them is read once."""
    own = o(log_sum_exp, x, axis=axis, keep_dims=True)
    top = o.over("max", own, *dims)
    return o(add, top, o(log, o.over("sum", o(exp, o(sub, own, top)), *dims)))


@softmax_grad.across
def _(o: Device, dout: Any, y: Any, *, axis: int):
    total = o.over("sum", o(reduce_sum, o(mul, dout, y), axis=axis, keep_dims=True))
    return o(mul, y, o(sub, dout, total))


@log_softmax.across
def _(o: Device, x: Any, *, axis: int):
    return o(sub, x, _log_total(o, x, axis))


@log_softmax_grad.across
def _(o: Device, dout: Any, y: Any, *, axis: int):
    return o(sub, dout, o(mul, o(exp, y), o.over("sum", o(reduce_sum, dout, axis=axis, keep_dims=True))))


@softmax_cross_entropy.across
def _(o: Device, logits: Any, labels: Any):
    logp = o(sub, logits, _log_total(o, logits, 1))
    loss = o(neg, o.over("sum", o(reduce_sum, o(mul, labels, logp), axis=1)))
    return loss, o(sub, o(exp, logp), labels)


@sparse_cross_entropy.across
def _(o: Device, logits: Any, labels: Any, *, reduction: str, ignore_index: Any):
    logp = o(sub, logits, _log_total(o, logits, 1, 1))
    chosen = o(at_label, logp, labels, start=o.start(0, 1), classes=o.whole(0)[1], ignored=ignore_index)
    if reduction == "none":
        return o(neg, o.over("sum", chosen, 1)), logp
    total = o(neg, o(reduce_sum, chosen))
    if reduction == "mean" and ignore_index is None:
        return o(mul, o.over("sum", total, 1), 1.0 / o.shape(logits)[0]), logp
    if reduction == "sum":
        return o.over("sum", total, 1), logp
    return o(div, o.over("sum", total), o.over("sum", o(counting, labels, ignored=ignore_index), 0)), logp


@sparse_cross_entropy_grad.across
def _(o: Device, dloss: Any, logp: Any, labels: Any, *, reduction: str, ignore_index: Any):
    if reduction == "none":
        dloss = o(reshape, dloss, shape=(-1, 1))
    elif reduction == "mean" and ignore_index is None:
        dloss = o(mul, dloss, 1.0 / o.shape(logp)[0])
    elif reduction == "mean":
        dloss = o(div, dloss, o.over("sum", o(counting, labels, ignored=ignore_index), 0))
    return o(less_label, logp, labels, dloss, start=o.start(1, 1), classes=o.whole(1)[1], ignored=ignore_index)


def _rows_of_one_type(x: Any, labels: Any, weight: Any, *_: Any, **__: Any) -> bool:
    return len(labels.shape) == 1 and x.dtype is weight.dtype


@nll_loss.across(only=_rows_of_one_type)
def _(o: Device, logp: Any, labels: Any, weight: Any, *, reduction: str, ignore_index: int):
    where = {"start": o.start(0, 1), "classes": o.whole(0)[1], "ignored": ignore_index}
    own = o(weight_at, weight, labels, **where)
    lost = o(neg, o(mul, o(at_label, logp, labels, **where), own))
    if reduction == "none":
        return o.over("sum", lost, 1), o.over("sum", o(reduce_sum, own), 1)
    if reduction == "sum":
        return o.over("sum", o(reduce_sum, lost), 1), o.over("sum", o(reduce_sum, own), 1)
    total = o.over("sum", o(reduce_sum, own))
    return o(div, o.over("sum", o(reduce_sum, lost)), total), total


@nll_loss_grad.across(only=_rows_of_one_type)
def _(o: Device, dout: Any, labels: Any, weight: Any, total: Any, *, shape: Ints, reduction: str, ignore_index: int):
    share = o(neg, o(div, dout, total) if reduction == "mean" else dout)
    return o(weights_placed, share, labels, weight, start=o.start(2, 0), classes=o.whole(2)[0], ignored=ignore_index)


@one_hot.across
def _(o: Device, indices: Any, on_value: Any, off_value: Any, *, depth: int, axis: int):
    at = len(o.shape(indices)) if axis == -1 else axis
    return o(one_hot, o(sub, indices, o.start_of_result(at)), on_value, off_value, depth=depth, axis=axis)


# ---------------------------------------------------------------------- triangles

def _diagonal_here(o: Device, diagonal: int) -> int:
    """Where a diagonal of the whole is in a piece."""
    return diagonal + o.start(0, -2) - o.start(0, -1)


@tril.across(exact=True)
def _(o: Device, x: Any, *, diagonal: int):
    return o(tril, x, diagonal=_diagonal_here(o, diagonal))


@triu.across(exact=True)
def _(o: Device, x: Any, *, diagonal: int):
    return o(triu, x, diagonal=_diagonal_here(o, diagonal))


# ---------------------------------------------------------------------- normalisation

def _last(o: Device, gamma: Any) -> tuple[int, ...]:
    return tuple(range(-len(o.shape(gamma)), 0))


def _mean(o: Device, x: Any, axes: tuple[int, ...], count: int) -> Any:
    return o(mul, o.over("sum", o(reduce_sum, x, axis=axes, keep_dims=True)), 1.0 / count)


@layer_norm.across
def _(o: Device, x: Any, gamma: Any, beta: Any, *, epsilon: float):
    axes, count = _last(o, gamma), prod(o.whole(1))
    mean = _mean(o, x, axes, count)
    centred = o(sub, x, mean)
    scale = o(rsqrt, o(add, _mean(o, o(mul, centred, centred), axes, count), epsilon))
    return o(add, o(mul, o(mul, centred, scale), gamma), beta), mean, scale


@layer_norm_grad.across
def _(o: Device, dout: Any, x: Any, gamma: Any, beta: Any, mean: Any, scale: Any):
    axes, count = _last(o, gamma), prod(o.whole(2))
    lead = tuple(range(len(o.shape(x)) - len(axes)))
    normal, d = o(mul, o(sub, x, mean), scale), o(mul, dout, gamma)
    through = o(mul, normal, _mean(o, o(mul, d, normal), axes, count))
    dx = o(mul, o(sub, o(sub, d, _mean(o, d, axes, count)), through), scale)
    return dx, _total(o, o(mul, dout, normal), lead), _total(o, dout, lead)


def _total(o: Device, x: Any, axes: tuple[int, ...]) -> Any:
    return o(reduce_sum, x, axis=axes) if axes else x


@rms_norm.across
def _(o: Device, x: Any, gamma: Any, *, epsilon: float):
    square = _mean(o, o(mul, x, x), _last(o, gamma), prod(o.whole(1)))
    scale = o(rsqrt, o(add, square, epsilon))
    return o(mul, o(mul, x, scale), gamma), scale


@rms_norm_grad.across
def _(o: Device, dout: Any, x: Any, gamma: Any, scale: Any):
    axes, count = _last(o, gamma), prod(o.whole(2))
    unit, d = o(mul, x, scale), o(mul, dout, gamma)
    dx = o(mul, o(sub, d, o(mul, unit, _mean(o, o(mul, d, unit), axes, count))), scale)
    return dx, _total(o, o(mul, dout, unit), tuple(range(len(o.shape(x)) - len(axes))))


def _images(o: Device, x: Any, whole: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The axes of a batch of images over which statistics go, and how many elements that are."""
    return (0, *range(2, len(o.shape(x)))), prod(whole) // whole[1]


def _flat(o: Device, x: Any) -> Any:
    return o(reshape, x, shape=(-1,))


@batch_norm_train.across
def _(o: Device, x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, momentum: float, epsilon: float):
    axes, count = _images(o, x, o.whole(0))
    own = _mean(o, x, axes, count)
    centred = o(sub, x, own)
    spread = _flat(o, _mean(o, o(mul, centred, centred), axes, count))
    own = _flat(o, own)
    return (o(batch_norm_infer, x, gamma, beta, own, spread, epsilon=epsilon), own,
            o(rsqrt, o(add, spread, epsilon)), o(lerp, mean, own, momentum),
            o(lerp, variance, o(mul, spread, count / (count - 1)), momentum))


@batch_norm_grad.across
def _(o: Device, dout: Any, x: Any, gamma: Any, mean: Any, scale: Any, *, epsilon: float):
    axes, count = _images(o, x, o.whole(1))
    row: Ints = tuple([1 if k != 1 else -1 for k in range(len(o.shape(x)))])

    def wide(v: Any) -> Any:
        return o(reshape, v, shape=row)
    normal = o(mul, o(sub, x, wide(mean)), wide(scale))
    dgamma = o.over("sum", o(reduce_sum, o(mul, dout, normal), axis=axes))
    dbeta = o.over("sum", o(reduce_sum, dout, axis=axes))
    through = o(mul, o(add, wide(dbeta), o(mul, normal, wide(dgamma))), 1.0 / count)
    return o(mul, o(sub, dout, through), wide(o(mul, gamma, scale))), dgamma, dbeta


# ---------------------------------------------------------------------- rows by number, the affine map

def _single(x: Any, indices: Any, *, batch_dims: int = 0, **_: Any) -> bool:
    return not batch_dims


@gather.across(leaves="sum", exact=True, only=_single)
def _(o: Device, x: Any, indices: Any, *, axis: int, batch_dims: int):
    axis %= len(o.shape(x))
    places = o(places_here, indices, start=o.start(0, axis), length=o.shape(x)[axis], extent=o.whole(0)[axis])
    return o(rows_here, x, places, axis=axis)


@gather_grad.across(exact=True, only=_single)
def _(o: Device, dout: Any, indices: Any, *, shape: Ints, axis: int, batch_dims: int):
    start = o.start_of_result(axis)
    places = o(places_here, indices, start=start, length=shape[axis], extent=0, negative=False)
    return o(gather_grad, dout, places, shape=shape, axis=axis, batch_dims=0)


@dense.across(leaves="sum", exact=True)
def _(o: Device, x: Any, w: Any, b: Any):
    return o(dense, x, w, o(keep_part, b, keep=o.first))
