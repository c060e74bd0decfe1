"""Losses of probabilities: cross entropies, negative log likelihood, divergence, and their reverse operators."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int64
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from . import loops
from .activation import sigmoid
from .exported import Exported
from .labels import mirrored
from .loops import Element
from .loss import REDUCTIONS, alike, matrix
from .registry import aval_of, operator
from .rules import BINARY, floating
from .samples import between, index
from .softmaxes import log_softmax_grad, softmax_grad
from .stages import Indexed
from .structure import expand_dims
from .torch_private import linalg
from .traits import STRICT
from .values import Ints, Value

aten = torch.ops.aten


def _rows(logits: Any, labels: Any, *, reduction: str = "mean", ignore_index: Any = None) -> str:
    """Labels of a loss per row and of what has the shape of the logits."""
    if reduction == "mean" and ignore_index is not None:       # a piece does not know how many rows count
        return "n! c!, n! -> , n! c!"
    return f"n c!, n -> {dict(none='n', sum='', mean='mean:n')[reduction]}, n c!"


def _weighted_back(*_: Any, reduction: str = "mean", **__: Any) -> str:
    """Those of its reverse, which knows the sum."""
    return f"{'n ...' if reduction == 'none' else ''}, n ..., c!, ; shape=n c! ... -> n c! ..."


def _weighted(logp: Any, labels: Any, weight: Any, *, reduction: str = "mean", ignore_index: int = -100) -> str:
    """Labels of a loss per row, the mean of which is over the weights of all rows, and of their sum."""
    if reduction == "mean":
        return "n! c! ...!, n! ...!, c! -> , "
    return f"n c! ..., n ..., c! -> {'n ...' if reduction == 'none' else ''}, "


@operator(hidden=True, samples=[], dims="n c!, n c! -> n, n c!", traits={STRICT})
def softmax_cross_entropy(logits: Tensor, labels: Tensor):
    """-sum(labels * log(softmax(logits))) per row, and its gradient softmax(logits) - labels."""
    logp = torch.log_softmax(logits, 1)
    loss = linalg.vecdot(labels, logp).neg_()
    return loss, logp.exp_().sub_(labels)


@softmax_cross_entropy.shape
def _(logits: Aval, labels: Aval):
    matrix("SoftmaxCrossEntropyWithLogits", logits)
    alike("SoftmaxCrossEntropyWithLogits", logits, labels)
    if labels.dtype is not logits.dtype:
        raise TypeError(f"For 'SoftmaxCrossEntropyWithLogits', logits and labels must have the same "
                        f"dtype, but got {show(logits)} and {show(labels)}.")
    return Aval(logits.shape[:1], logits.dtype), logits


@softmax_cross_entropy.grad(needs="labels out")
def _(labels: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...]):
    """The labels get no gradient."""
    dloss, d = dout
    dlogits = None if dloss is None else out[1] * expand_dims(dloss, axis=1)
    if d is not None:
        through = softmax_grad(d, out[1] + labels, axis=1)
        dlogits = through if dlogits is None else dlogits + through
    return dlogits, None


_NO_LABEL = -(1 << 62)      # an index that no label has


def _ignored(ignore_index: int | None) -> int:
    return _NO_LABEL if ignore_index is None else ignore_index


def _need_integers(labels: Aval) -> None:
    if labels.dtype.kind not in "iu":
        raise TypeError("For 'SparseSoftmaxCrossEntropyWithLogits', the labels must be integers, but got "
                        f"{show(labels)}. Cast them: 'labels.astype(mindspore.int32)'.")


@operator(hidden=True, samples=[], dims=_rows)
def sparse_cross_entropy(logits: Tensor, labels: Tensor, *, reduction: str = "mean", ignore_index: Any = None):
    """-log(softmax(logits)) at the labels, reduced, and log(softmax(logits)).

    Rows whose label is `ignore_index` count nothing.
    """
    if labels.is_floating_point() or labels.dtype is torch.bool:
        _need_integers(aval_of(labels))
    logp = torch.log_softmax(logits, 1)
    wide = logp.float() if logp.dtype.itemsize < 4 else logp
    loss, _ = aten.nll_loss_forward.default(wide, labels.long(), None, REDUCTIONS[reduction],
                                            _ignored(ignore_index))
    return loss.to(logp.dtype), logp


@sparse_cross_entropy.stage
def _(logits: Element, labels: Element, *, reduction: str, ignore_index: Any):
    if ignore_index is not None:
        return None
    x = logits - loops.highest(logits, [1])
    logp = x - loops.log(loops.total(loops.exp(x), [1]))
    hit = loops.compare("eq", loops.index(logp.shape), loops.shaped(loops.cast(labels, int64), (*labels.shape, 1)))
    loss = -loops.total(loops.where(hit, logp, 0.0), [1])
    if reduction != "none":
        loss = loops.total(loss, [0])
        loss = loss * (1.0 / labels.shape[0]) if reduction == "mean" else loss
    return Indexed((loops.shaped(loss, labels.shape if reduction == "none" else ()), logp), 1, logits.shape[1])


@sparse_cross_entropy.shape
def _(logits: Aval, labels: Aval, *, reduction: str = "mean", ignore_index: Any = None):
    name = "SparseSoftmaxCrossEntropyWithLogits"
    matrix(name, logits)
    _need_integers(labels)
    if labels.shape != logits.shape[:1]:
        raise ArgumentError(f"For '{name}', the labels must have the shape {logits.shape[:1]} for the "
                            f"logits {show(logits)}, but got {show(labels)}.")
    return Aval(logits.shape[:1] if reduction == "none" else (), logits.dtype), logits


@sparse_cross_entropy.mindir
def _(g: Exported, logits: str, labels: str, *, reduction: str = "mean", ignore_index: Any = None):
    if ignore_index is not None:
        raise NotImplementedError("MindIR has no cross entropy that leaves rows out.")
    logp = g.add("LogSoftmax", logits, axis=1)
    chosen = g.add("Mul", logp, _one_hot(g, g.avals[logits], labels))
    loss = g.add("Neg", g.add("ReduceSum", chosen, axis=(1,)))
    kind = {"mean": "ReduceMean", "sum": "ReduceSum"}.get(reduction)
    return g.add(kind, loss, axis=(0,)) if kind else loss, logp


def _one_hot(g: Exported, like: Aval, labels: str) -> str:
    """1 at the label of each row, else 0, of the shape and dtype of `like`."""
    places = g.constant(range(like.shape[1]), int64)
    column = g.add("Cast", g.add("ExpandDims", labels, axis=1), dtype=int64)
    return g.add("Cast", g.add("Equal", places, column), dtype=like.dtype)


@sparse_cross_entropy.grad(needs="labels out")
def _(labels: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, reduction: str = "mean",
      ignore_index: Any = None):
    dloss, dlogp = dout
    dlogits = None
    if dloss is not None:
        dlogits = sparse_cross_entropy_grad(dloss, out[1], labels, reduction=reduction,
                                            ignore_index=ignore_index)
    if dlogp is not None:
        through = log_softmax_grad(dlogp, out[1], axis=1)
        dlogits = through if dlogits is None else dlogits + through
    return dlogits, None


@operator(hidden=True, grad="torch", samples=[((), (4, 3), index(3, 4)),
                                              ((4,), (4, 3), index(3, 4), {"reduction": "none"})],
          dims=mirrored(sparse_cross_entropy, "out0 out1 labels -> logits"))
def sparse_cross_entropy_grad(dloss: Tensor, logp: Tensor, labels: Tensor, *, reduction: str = "mean",
                              ignore_index: Any = None):
    """(exp(logp) - one_hot(labels)) * dloss, the cotangent of the logits."""
    labels = labels.long()
    wide = logp.float() if logp.dtype.itemsize < 4 else logp
    if ignore_index is None:
        total = torch.full((), labels.shape[0], dtype=wide.dtype, device=wide.device)
    else:
        total = (labels != ignore_index).sum().to(wide.dtype)
    d = aten.nll_loss_backward.default(dloss.to(wide.dtype), wide, labels, None, REDUCTIONS[reduction],
                                       _ignored(ignore_index), total)
    return aten._log_softmax_backward_data.default(d, wide, 1, wide.dtype).to(logp.dtype)


@sparse_cross_entropy_grad.shape
def _(dloss: Aval, logp: Aval, labels: Aval, *, reduction: str = "mean", ignore_index: Any = None) -> Aval:
    return logp


@sparse_cross_entropy_grad.mindir
def _(g: Exported, dloss: str, logp: str, labels: str, *, reduction: str = "mean", ignore_index: Any = None):
    if ignore_index is not None:
        raise NotImplementedError("MindIR has no cross entropy that leaves rows out.")
    share = g.add("ExpandDims", dloss, axis=1) if reduction == "none" else dloss
    if reduction == "mean":
        share = g.add("Mul", share, g.constant(1 / g.avals[logp].shape[0], g.avals[logp].dtype))
    return g.add("Mul", g.add("Sub", g.add("Exp", logp), _one_hot(g, g.avals[logp], labels)), share)


@sparse_cross_entropy_grad.loop
def _(dloss: Element, logp: Element, labels: Element, *, reduction: str, ignore_index: int | None):
    if ignore_index is not None:
        return None
    label = loops.shaped(loops.cast(labels, int64), (*labels.shape, 1))
    share = dloss if reduction != "none" else loops.shaped(dloss, (*dloss.shape, 1))
    if reduction == "mean":
        share = share * (1.0 / labels.shape[0])
    return (loops.exp(logp) - loops.cast(loops.compare("eq", loops.index(logp.shape), label), logp.dtype)) * share


def _flat(logp: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(N, C, *) and (N, *) as torch's two- or four-dimensional kernels take them."""
    labels = labels.long()
    if logp.dim() == 2:
        return logp, labels
    n, c = logp.shape[:2]
    return logp.reshape(n, c, -1, 1), labels.reshape(n, -1, 1)


@operator(hidden=True, samples=[], dims=_weighted)
def nll_loss(logp: Tensor, labels: Tensor, weight: Tensor, *, reduction: str = "mean", ignore_index: int = -100):
    """-weight[label] * logp[label] per example, reduced; and the sum of the weights.

    `logp` is (N, C) or (N, C, *).  The mean is over the weights.  Labels equal to `ignore_index`
    count nothing.
    """
    x, y = _flat(logp, labels)
    weight = weight.to(x.dtype)                # torch wants one dtype; MindSpore gives that of the logits
    kernel = (aten.nll_loss_forward if x.dim() == 2 else aten.nll_loss2d_forward).default
    loss, total = kernel(x, y, weight, REDUCTIONS[reduction], ignore_index)
    if reduction == "none":
        loss = loss.reshape(labels.shape)
        kept = y != ignore_index
        total = (weight[y.where(kept, 0)] * kept).sum()
    return loss, total


@nll_loss.shape
def _(logp: Aval, labels: Aval, weight: Aval, *, reduction: str = "mean", ignore_index: int = -100):
    floating("NLLLoss")(logp)
    if reduction not in REDUCTIONS:
        raise ValueError(f"For 'NLLLoss', the 'reduction' must be one of {list(REDUCTIONS)}, but got "
                         f"{reduction!r}.")
    if labels.dtype.kind not in "iu":
        raise TypeError(f"For 'NLLLoss', the labels must be integers, but got {show(labels)}.")
    if len(logp.shape) < 2 or labels.shape != (logp.shape[0], *logp.shape[2:]):
        raise ValueError(f"For 'NLLLoss', the labels must have the shape of the logits (N, C, *) without "
                         f"C, but got {show(labels)} and {show(logp)}.")
    if weight.shape != logp.shape[1:2]:
        raise ValueError(f"For 'NLLLoss', the 'weight' must have {logp.shape[1]} elements, but got "
                         f"{show(weight)}.")
    shape = labels.shape if reduction == "none" else ()
    return Aval(shape, logp.dtype), Aval((), logp.dtype)


@nll_loss.grad(needs="logp.aval labels weight out")
def _(logp: Aval, labels: Value, weight: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], **attrs: Any):
    if dout[0] is None:
        return None, None, None
    return (lambda: nll_loss_grad(dout[0], labels, weight, out[1], shape=logp.shape, **attrs),
            None, None)


@operator(hidden=True, grad="torch", samples=[],
          dims=_weighted_back)
def nll_loss_grad(dout: Tensor, labels: Tensor, weight: Tensor, total: Tensor, *, shape: Ints, reduction: str = "mean",
                  ignore_index: int = -100):
    """The cotangent of the log-probabilities."""
    x, y = _flat(dout.new_empty(shape), labels)
    weight, total = weight.to(dout.dtype), total.to(dout.dtype)
    if reduction == "none" and x.dim() == 4:
        dout = dout.reshape(y.shape)
    kernel = (aten.nll_loss_backward if x.dim() == 2 else aten.nll_loss2d_backward).default
    return kernel(dout, x, y, weight, REDUCTIONS[reduction], ignore_index,
                  total.detach()).reshape(shape)


@nll_loss_grad.shape
def _(dout: Aval, labels: Aval, weight: Aval, total: Aval, *, shape: Ints, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


_PROBABLE = between(0.1, 0.9, 3, 4)


@operator(hidden=True, dims=BINARY, samples=[(_PROBABLE, _PROBABLE)])
def cross_entropy_of(p: Tensor, labels: Tensor):
    """-labels * log(p) - (1 - labels) * log(1 - p); logarithms are at least -100."""
    try:
        return aten.binary_cross_entropy.default(p, labels, None, 0)
    except RuntimeError as error:
        if "elements of target" not in str(error):
            raise
    return (labels - 1) * torch.log1p(-p).clamp(min=-100) - labels * p.log().clamp(min=-100)


@cross_entropy_of.shape
def _(p: Aval, labels: Aval) -> Aval:
    return alike("BinaryCrossEntropy", p, labels)


@cross_entropy_of.grad(needs="p labels")
def _(p: Value, labels: Value, dout: Value):
    return (lambda: cross_entropy_of_grad(dout, p, labels), lambda: log_odds(p) * dout)


@operator(hidden=True, grad="torch", dims="..., ..., ... -> ...", samples=[((3, 4), _PROBABLE, _PROBABLE)])
def cross_entropy_of_grad(dout: Tensor, p: Tensor, labels: Tensor):
    """dout * (p - labels) / (p * (1 - p))."""
    return aten.binary_cross_entropy_backward.default(dout, p, labels, None, 0)


@cross_entropy_of_grad.shape
def _(dout: Aval, p: Aval, labels: Aval) -> Aval:
    return p


@operator(hidden=True, grad="torch", dims="... -> ...", samples=[(_PROBABLE,)])
def log_odds(p: Tensor):
    """log(1 - p) - log(p)."""
    return torch.log1p(-p).clamp(min=-100) - p.log().clamp(min=-100)


log_odds.shape(floating("BinaryCrossEntropy"))


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4))])
def cross_entropy_of_logits(x: Tensor, labels: Tensor):
    """`cross_entropy_of(sigmoid(x), labels)`, without overflow."""
    return aten.binary_cross_entropy_with_logits.default(x, labels, None, None, 0)


@cross_entropy_of_logits.shape
def _(x: Aval, labels: Aval) -> Aval:
    return alike("BCEWithLogitsLoss", x, labels)


@cross_entropy_of_logits.grad(needs="x labels")
def _(x: Value, labels: Value, dout: Value):
    return lambda: dout * (sigmoid(x) - labels), lambda: -dout * x


@operator(hidden=True, dims=BINARY, samples=[])
def divergence(logits: Tensor, labels: Tensor):
    """labels * (log(labels) - logits), 0 where the label is 0."""
    return aten.kl_div.default(logits, labels, 0)


@divergence.shape
def _(logits: Aval, labels: Aval) -> Aval:
    return alike("KLDivLoss", logits, labels)


@divergence.grad(needs="labels")
def _(labels: Value, dout: Value):
    """The labels get no gradient."""
    return -dout * labels, None
